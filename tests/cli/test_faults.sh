#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Faults of builds and boots, with a fake make and a fake QEMU first on PATH: what kcost says, with
# which status, and what it leaves behind. Kconfig is the real one of Debian's Linux 6.1.
. "$(dirname "$0")/lib.sh"

fresh() { # forgets the kernels
	rm -rf "$SCRATCH/cache/kernels"
}

forget() { # and what Kconfig has said, so that it takes its time again
	rm -rf "$SCRATCH/cache/kernels" "$SCRATCH/cache/resolved" "$SCRATCH/cache/kconfig"
}

price() {
	price_args="price DEBUG_PREEMPT --tree 6.1 --groups 1 --runs 3 --iterations 2"
	echo "$price_args"
}

nothing_left() { # DESCRIPTION
	check "$1: no temporary file is left" test -z "$(ls -A "$TMPDIR")"
	check "$1: no half-built kernel is left" \
		sh -c "! ls -d '$SCRATCH'/cache/kernels/.build-* '$SCRATCH'/cache/kernels/.new-* 2>/dev/null"
	check "$1: no child is left" sh -c "! pgrep -f 'slee[p] 86399'"
}

# shellcheck disable=SC2046 # the arguments are words
{
	fakes error fine
	expect 'a kernel that does not build: 125' 125 'did not build; the log is' $(price)
	check "... with the compiler's own line" grep -q "fork.c:42:7: error: 'nonsense'" "$SCRATCH/err"
	check '... and the log is there' \
		test -s "$(sed -n 's/.*the log is \(.*\) and ends:.*/\1/p' "$SCRATCH/err")"
	nothing_left 'a failed build'

	fakes nospace fine
	expect 'a full disk in a build: 3' 3 'No space left on device.*free some space' $(price)
	fakes reconfigure fine
	expect 'Kbuild changes the configuration: 125' 125 'Kbuild changed the configuration.*LOCALVERSION' \
		$(price)
	nothing_left 'a refused build'

	fakes fine fine
	fresh
	# (1003 * 125) / (1003 * 100) is exactly 1.25 for every seed.
	expect 'fakes that work: a price' 0 'DEBUG_PREEMPT=y costs .* \+25\.' $(price) -o "$SCRATCH/fine.json"
	check '... in JSON: cost_percent 25' \
		jq -e '.prices[0].workloads[0].cost_percent == 25 and .complete' "$SCRATCH/fine.json"
	check '... in JSON: 3 boots x 2 samples a side' \
		jq -e '[.prices[0].workloads[0].samples[] | length] == [6, 6]' "$SCRATCH/fine.json"
	check '... in JSON: the samples of seed 2' \
		jq -e '[.prices[0].workloads[0].samples["DEBUG_PREEMPT=y"][] | select(.seed == 2) | .value]
			== [125250, 125250]' "$SCRATCH/fine.json"
	nothing_left 'a price'
	expect 'csv: a row a sample' 0 '^DEBUG_PREEMPT=n,hackbench-process-sockets,.*,3,1,100300,instructions' \
		$(price) --format csv
	check '... 12 of them and the header' test "$(wc -l <"$SCRATCH/out")" = 13
	expect 'mmtests: the row' 0 '^Amean +1 ' $(price) --format mmtests

	# Rows, in the order of the list; hackbench's have one group unless they are named.
	names() { jq -r '.prices[0].workloads[] | .name' "$SCRATCH/suite.json"; }
	few='price DEBUG_PREEMPT --tree 6.1 --runs 2 --iterations 1'
	expect 'the whole suite' 0 '^ +stat ' $few --workload all -o "$SCRATCH/suite.json"
	"$KCOST" workloads | sed -n 's/^\([a-z0-9-]*\)\(  (in --quick)\)*$/\1/p' >"$SCRATCH/names"
	check '... is every workload but those that must be named' \
		test "$(names)" = "$(cat "$SCRATCH/names")"
	check '... 31 of them' test "$(names | wc -l)" = 31
	expect 'patterns and names' 0 '^ +timer ' $few --workload 'page-fault-*,timer' -w timer,stat \
		-o "$SCRATCH/suite.json"
	check '... each once, in their order' \
		test "$(names | tr '\n' ' ')" = 'page-fault-anon page-fault-file timer stat '
	expect 'the quick suite' 0 '^ +fork-exec ' price DEBUG_PREEMPT --tree 6.1 --quick -i 1 \
		-o "$SCRATCH/suite.json"
	check '... is some of it' test "$(names | wc -l)" = 6
	check '... four boots a row' \
		jq -e '[.prices[0].workloads[].samples[] | length] | unique == [4]' "$SCRATCH/suite.json"
	expect 'a workload that the kernel cannot run: what to set' 2 \
		'tcp-loopback needs INET=y, which .* lacks: add --set INET=y' $few --workload tcp-loopback

	fakes error fine
	expect 'built kernels come from the cache' 0 'costs' $(price)
	expect '--rebuild builds all the same' 125 'did not build' $(price) --rebuild

	expect_boot() { # MODE STATUS PATTERN
		fakes fine "$1"
		expect "a boot that $1: $2" "$2" "$3" $(price) -o "$SCRATCH/$1.json"
		nothing_left "a boot that $1"
	}
	expect_boot dies 125 'QEMU ended with status 1'
	check '... in its own words' grep -q 'could not do it' "$SCRATCH/err"
	expect_boot killed 125 'QEMU was killed by signal 9'
	expect_boot silent 125 'before init said a word'
	expect_boot cut 125 'in the middle of its plan'
	expect_boot garbage 125 'no samples from the kernel'
	expect_boot panic 125 'the kernel died: Kernel panic - not syncing: made up'
	check '... and no sample of it is kept' \
		sh -c "! jq -e '[.prices[].workloads[].samples[][]] | length > 0' '$SCRATCH/panic.json'"
	expect_boot guest-error 125 'the guest reports: workload hackbench-process-sockets: no socket'
	expect_boot warns 0 'WARNING: CPU: 0 PID: 1 at mm/x.c:3'
	# 3 boots a side, two lines each.
	check '... counted' jq -e '[.prices[0].variants[].warnings] == [6, 6]' "$SCRATCH/warns.json"

	fakes fine fine
	if [ -w /dev/full ]; then
		expect 'a full disk for -o: 3' 3 'cannot write /dev/full: No space left' $(price) -o /dev/full
		check '... which is still a device' test -c /dev/full
		status=0
		"$KCOST" $(price) >/dev/full 2>"$SCRATCH/err" || status=$?
		check 'a full disk for stdout: 3' test "$status" = 3
	fi
	# A cache on a disk of its own, in a mount namespace that goes with the command.
	if unshare -m true 2>/dev/null; then
		on_disk() { # MOUNT-OPTIONS STATUS PATTERN DESCRIPTION
			mkdir -p "$SCRATCH/disk"
			status=0
			# shellcheck disable=SC2016 # expanded by the inner shell
			unshare -m sh -c 'mount -t tmpfs -o size=128k none "$1" &&
				ln -s "$2/trees" "$2/kconfig" "$2/resolved" "$1/" && mkdir "$1/kernels" &&
				mount -o "remount,$3" "$1" && shift 3 && exec "$@"' sh \
				"$SCRATCH/disk" "$REAL_CACHE" "$1" env KCOST_CACHE="$SCRATCH/disk" \
				"$KCOST" $(price) >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null || status=$?
			check "$4: status $2" test "$status" = "$2"
			check "$4: said so" grep -qE "$3" "$SCRATCH/err"
		}
		on_disk size=128k 3 'No space left on device.*free some space' 'a full disk for the cache'
		on_disk ro 3 'Read-only file system|cannot write to the cache' 'a read-only cache'
		nothing_left 'a bad disk'
	else
		skip 'a full disk and a read-only one for the cache' 'no right to mount here'
	fi

	# Two at once share the cache: each kernel is built once.
	fakes fine fine
	fresh
	rm -f "$SCRATCH/builds"
	"$KCOST" $(price) -o "$SCRATCH/one.json" >/dev/null 2>&1 </dev/null &
	one=$!
	"$KCOST" $(price) -o "$SCRATCH/two.json" >/dev/null 2>&1 </dev/null &
	two=$!
	check 'one of two that share a cache' wait "$one"
	check 'the other of two that share a cache' wait "$two"
	check '... each kernel was built once' test "$(wc -l <"$SCRATCH/builds")" = 2
	check '... and both have the same samples' test \
		"$(jq -c '[.prices[].workloads[].samples]' "$SCRATCH/one.json")" = \
		"$(jq -c '[.prices[].workloads[].samples]' "$SCRATCH/two.json")"

	# Interrupted in each phase: told by the progress lines.
	pause=0.3 # from the phase's begin to the signal
	interrupt() { # DESCRIPTION PHASE-PATTERN ARGS...
		_phase_name=$1 _phase=$2
		shift 2
		"$KCOST" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null &
		_pid=$!
		_tries=0
		until grep -q "$_phase" "$SCRATCH/err" || [ "$_tries" -ge 600 ]; do
			sleep 0.1
			_tries=$((_tries + 1))
		done
		sleep "$pause"
		kill -INT "$_pid"
		status=0
		wait "$_pid" || status=$?
		check "Ctrl-C while $_phase_name: 130" test "$status" = 130
		nothing_left "Ctrl-C while $_phase_name"
	}
	fakes sleep fine
	fresh
	interrupt building 'building 2 kernels' $(price)
	fakes fine sleep
	interrupt measuring 'measuring' $(price)
	fakes fine sleep-second
	fresh
	pause=5
	interrupt 'measuring, with a seed done' 'measuring' $(price) -j 2 -o "$SCRATCH/part.json"
	check '... the finished samples are kept, marked as incomplete' \
		jq -e '(.complete | not) and ([.prices[0].workloads[0].samples[] | length] == [2, 2])' \
		"$SCRATCH/part.json"
	pause=0.3
	fakes fine fine
	forget
	interrupt 'reading the tree' 'reading the kernel tree' $(price)
	forget
	interrupt 'resolving' 'resolving' $(price)
	KCOST_CACHE="$SCRATCH/empty" interrupt 'unpacking' 'reading the kernel tree' $(price)
	check '... no half-unpacked tree is left' sh -c "! ls -d '$SCRATCH'/empty/trees/.unpack-* 2>/dev/null"
}
# The tree itself was only read, by all of this.
check 'nothing was written into the tree' \
	test -z "$(find "$REAL_CACHE"/trees/linux-source-6.1-* -newer "$SCRATCH/fine.json" -print -quit)"
finish
