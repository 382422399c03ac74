#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Price lists, with a fake make and a fake QEMU first on PATH. Kconfig is the real one of Debian's Linux 6.1.
. "$(dirname "$0")/lib.sh"

list=$SCRATCH/list.csv tree=$SCRATCH/mini
if ! mini_tree "$tree"; then
	skip 'price lists' 'no Linux 6.1 in the cache'
	finish
	exit
fi

# As fakes(), with a line in boots for each boot.
counted() { # MAKE-MODE QEMU-MODE
	fakes "$1" "$2"
	mv "$SCRATCH/bin/qemu-system-x86_64" "$SCRATCH/bin/qemu-fake"
	cat >"$SCRATCH/bin/qemu-system-x86_64" <<-EOF
		#!/bin/sh
		[ "\$1" = --version ] || echo >>"$SCRATCH/boots"
		exec "$SCRATCH/bin/qemu-fake" "\$@"
	EOF
	chmod +x "$SCRATCH/bin/qemu-system-x86_64"
	: >"$SCRATCH/boots"
	: >"$SCRATCH/builds"
}

lines() { wc -l <"$1" | tr -d ' '; }
rows() { # OPTION: its rows
	grep -c "^$1," "$list"
}

sweep() { # OPTION...: few workloads and boots, to be done soon
	echo "sweep --tree $tree -o $list -w stat,getdents -r 2 $*"
}

# shellcheck disable=SC2046,SC2086 # the arguments are words
{
	expect 'no list to write: 2' 2 'name the price list with -o' sweep DEBUG_PREEMPT --tree $tree
	expect 'no option: 2' 2 'which options\?' $(sweep)
	expect 'an unknown class: 2' 2 "no class 'nonsense'; there are .*debug" $(sweep --class nonsense)
	expect 'an unknown name: 2' 2 'no option DEBUG_PREMPT .*nearest names are DEBUG_PREEMPT' \
		$(sweep DEBUG_PREMPT)
	printf 'DEBUG_LIST # a comment\n\nNO SUCH\n' >"$SCRATCH/bad.options"
	expect 'a bad line in a file of options: 2' 2 'bad.options, line 3' \
		$(sweep --options "$SCRATCH/bad.options")
	expect 'an unknown menu: 2' 2 'no menu "memory debug".*did you mean "Memory Debugging"' \
		$(sweep --menu) 'memory debug'
	# lib/Kconfig.debug, between `menu "Scheduler Debugging"` and `endmenu`.
	expect 'a menu: the options below it' 0 '^SCHED_DEBUG .*can be priced' \
		$(sweep --dry-run --menu) 'scheduler debugging'
	check '... all of them' test "$(sed -n 's/ .*can be priced$//p' "$SCRATCH/out" | tr '\n' ' ')" = 'SCHED_DEBUG SCHEDSTATS '
	check '... and no list was begun' test ! -e "$list"

	counted fine fine
	expect 'two options' 0 '2 options priced now, 0 without a price, 0 in the list before' \
		$(sweep DEBUG_PREEMPT PAGE_POISONING)
	check '... two workloads each, in order of names' test \
		"$(sed -n '/^option/,$p' "$list" | cut -d, -f1 | uniq -c | tr -s ' ' | tr '\n' ';')" = \
		' 1 option; 2 DEBUG_PREEMPT; 2 PAGE_POISONING;'
	# The fake's samples are (1000 + seed) * factor, and the factors 1000, 1250 and 1500.
	check '... 25 % for the one' sh -c "! grep '^DEBUG_PREEMPT' '$list' | grep -v ',25.0000,'"
	check '... 50 % for the other' sh -c "! grep '^PAGE_POIS' '$list' | grep -v ',50.0000,'"
	check '... the base was built once' test "$(lines "$SCRATCH/builds")" = 3
	check '... and booted once: 2 workloads x 2 seeds x 3 kernels' test "$(lines "$SCRATCH/boots")" = 12
	for pin in kernel arch machine tree-sha256 config-sha256 compiler qemu qemu-arguments cpu guest-sha256 \
		workloads seeds iterations kcost; do
		check "... the header says the $pin" grep -q "^# $pin: ." "$list"
	done
	check '... and no directory of this machine but the tree' \
		sh -c "! grep -v '^# tree: ' '$list' | grep -F '$SCRATCH'"

	cp "$list" "$SCRATCH/first.csv"
	counted error dies
	expect 'again: nothing is left to do' 0 '0 options priced now, 0 without a price, 2 in the list before' \
		$(sweep DEBUG_PREEMPT PAGE_POISONING)
	check '... and the list is as it was' cmp "$list" "$SCRATCH/first.csv"

	# Stopped in the second option of three.
	counted fine sleep-second
	"$KCOST" $(sweep DEBUG_PREEMPT SLUB_STATS) >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null &
	pid=$!
	tries=0
	until grep -q 'measuring SLUB_STATS' "$SCRATCH/err" || [ $((tries += 1)) -gt 600 ]; do sleep 0.1; done
	check 'a second sweep into the same list is refused' sh -c \
		"'$KCOST' $(sweep DEBUG_SG) 2>&1 | grep 'another kcost sweep is writing $list'"
	kill -INT "$pid"
	status=0
	wait "$pid" || status=$?
	check 'Ctrl-C: 130' test "$status" = 130
	check '... what was finished is kept' cmp "$list" "$SCRATCH/first.csv"
	"$KCOST" $(sweep DEBUG_PREEMPT SLUB_STATS) >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null &
	pid=$!
	tries=0
	until grep -q 'measuring SLUB_STATS' "$SCRATCH/err" || [ $((tries += 1)) -gt 600 ]; do sleep 0.1; done
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	check 'kill -9: the list is whole' cmp "$list" "$SCRATCH/first.csv"
	rm -rf "${TMPDIR:?}"/*
	counted fine fine
	expect 'it goes on from there' 0 '1 option priced now, 0 without a price, 1 in the list before' \
		$(sweep DEBUG_PREEMPT SLUB_STATS)
	check '... with what is missing alone' test "$(lines "$SCRATCH/boots")" = 8
	check '... of which nothing was to build' test "$(lines "$SCRATCH/builds")" = 0
	check '... and all rows are there' test "$(rows DEBUG_PREEMPT) $(rows PAGE_POISONING) $(rows SLUB_STATS)" = \
		'2 2 2'

	# Failures are rows.
	counted error fine
	printf 'DEBUG_NOTIFIERS\nNO_SUCH_OPTION\nLOG_BUF_SHIFT\nSLUB\n' >"$SCRATCH/some.options"
	expect 'a kernel that does not build is a row' 0 '0 options priced now, 4 without a price' \
		$(sweep --options "$SCRATCH/some.options")
	check '... with the compiler'"'"'s complaint, and no place of the log' \
		grep -qE "^DEBUG_NOTIFIERS,n,y,.*did not build: kernel/fork.c:42:7: error: 'nonsense' undeclared[^/]*$" \
		"$list"
	check '... so is a name that the kernel does not have' \
		grep -q '^NO_SUCH_OPTION,,y,.*this kernel has no option NO_SUCH_OPTION' "$list"
	check '... and a value that is missing' grep -q '^LOG_BUF_SHIFT,.*say which value to price' "$list"
	check '... and the one of a choice that has no other' grep -q '^SLUB,' "$list"
	counted fine fine
	expect 'they are not tried again' 0 '0 options priced now, 0 without a price, 4 in the list before' \
		$(sweep --options "$SCRATCH/some.options")
	# SLUB against SLAB: with a make that works both can be had.
	expect '... unless asked for' 0 '2 options priced now, 2 without' $(sweep --options "$SCRATCH/some.options" \
		--retry)
	check '... and the price is in the place of the reason' test "$(rows DEBUG_NOTIFIERS)" = 2
	counted fine panic
	expect 'a kernel that does not boot is a row' 0 '0 options priced now, 1 without' $(sweep DEBUG_LIST)
	check '... with what killed it' grep -q '^DEBUG_LIST,.*Kernel panic - not syncing: made up' "$list"
	expect 'without more words it is the quick suite, four boots each' 0 '1 without' sweep DEBUG_LIST --tree $tree \
		-o "$SCRATCH/quick.csv"
	check '... as the header says' \
		grep -qE '^# workloads: ([^;]+; ){5}[^;]+$' "$SCRATCH/quick.csv"
	check '... of the seeds too' grep -q '^# seeds: 1-4$' "$SCRATCH/quick.csv"
	counted fine fine
	expect 'a workload that one side cannot run is a row' 0 '1 option priced now' \
		sweep EPOLL --tree $tree -w epoll,stat -r 2 -o "$SCRATCH/epoll.csv"
	check '... and the others have a price' test \
		"$(grep -c 'needs EPOLL=y' "$SCRATCH/epoll.csv") $(grep -c '^EPOLL,.*,ok,stat' "$SCRATCH/epoll.csv")" = \
		'1 1'
	expect 'what others need is set on both sides' 0 '1 option priced now' $(sweep SECURITY_NETWORK)
	check '... and said' grep -q '^SECURITY_NETWORK,.*,SECURITY=y' "$list"

	expect 'a list that was measured otherwise: 2' 2 \
		'measured otherwise \(iterations: 3 in the list, 2 here\).*--fresh' $(sweep SLUB_STATS -i 2)
	cp "$list" "$SCRATCH/all.csv"
	expect '... --fresh begins it anew' 0 '1 option priced now, 0 without a price, 0 in' \
		$(sweep SLUB_STATS -i 2 --fresh)
	cp "$SCRATCH/all.csv" "$list"
	expect 'a file that is no price list is left alone: 2' 2 'is none, or of another kcost' \
		$(sweep SLUB_STATS -o "$SCRATCH/some.options")
	expect '--dry-run' 0 'DEBUG_SG +can be priced' sweep DEBUG_SG --tree $tree --dry-run
	expect '--max-options' 0 '1 option priced now' $(sweep DEBUG_SG DEBUG_PLIST --max-options 1)

	expect 'check: identical' 0 'Identical: 2 options' check "$list" SLUB_STATS DEBUG_PREEMPT
	expect 'check: what has no price, then and now' 0 'NO_SUCH_OPTION: identical \(no price' check "$list" \
		NO_SUCH_OPTION
	sed '/^SLUB_STATS/s/,0.0000,-/,0.0001,-/' "$list" >"$SCRATCH/wrong.csv"
	expect 'check: a digit' 1 'Different: 1 of 2 options' check "$SCRATCH/wrong.csv" SLUB_STATS DEBUG_PREEMPT
	check '... which is named' grep -q 'cost 0.0001 in the list, 0 now' "$SCRATCH/out"
	sed '/^NO_SUCH/d; s/^# compiler: .*/# compiler: gcc 1.42/' "$list" >"$SCRATCH/old.csv"
	expect 'check: another compiler is told of' 0 'compiler: gcc 1.42 in the list, ' check "$SCRATCH/old.csv" \
		SLUB_STATS
	sed 's/^# tree-sha256: ./# tree-sha256: x/' "$list" >"$SCRATCH/old.csv"
	expect 'check: another tree: 2' 2 'something else .*tree-sha256' check "$SCRATCH/old.csv" SLUB_STATS
	expect 'check: no such row: 2' 2 'has no row for TASKSTATS' check "$list" TASKSTATS
	expect 'check: no list: 2' 2 'cannot read the price list' check "$SCRATCH/none.csv"
	check 'no temporary file is left' test -z "$(ls -A "$TMPDIR")"
}
finish
