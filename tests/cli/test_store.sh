#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The results store through the real binary, with a fake make and a fake QEMU: what price keeps, and
# what list, show, export, replay and rm make of it. Kconfig is the real one of Debian's Linux 6.1.
. "$(dirname "$0")/lib.sh"
real_make=$(command -v make)
path=$PATH
# The unpacked tree and the built Kconfig parser are shared; kernels are not.
mkdir "$SCRATCH/cache" "$REAL_CACHE/trees" "$REAL_CACHE/kconfig" -p 2>/dev/null
ln -s "$REAL_CACHE/trees" "$REAL_CACHE/kconfig" "$SCRATCH/cache/"
export KCOST_CACHE="$SCRATCH/cache"
export TZ=UTC

fakes() { # QEMU-MODE [FIRST-SAMPLE]
	mkdir -p "$SCRATCH/bin"
	sed "s|@REAL@|$real_make|; s|@MODE@|fine|; s|@COUNT@|$SCRATCH/builds|" "$SOURCES/fakes/make" >"$SCRATCH/bin/make"
	# A sleep of its own, for other tests look for theirs.
	sed "s|@MODE@|$1|; s|(1000 + seed)|(${2-1000} + seed)|; s|86399|86398|" "$SOURCES/fakes/qemu-system-x86_64" \
		>"$SCRATCH/bin/qemu-system-x86_64"
	chmod +x "$SCRATCH/bin/make" "$SCRATCH/bin/qemu-system-x86_64"
	PATH="$SCRATCH/bin:$path"
}

# As many boots as the precision takes; the fakes' samples need no more than the first 4 of a side.
price='price DEBUG_PREEMPT --tree 6.1 --groups 1 --iterations 2'

same() { # DESCRIPTION FILE: what kcost has just printed is FILE, to the byte
	check "$1" cmp "$SCRATCH/out" "$2"
}

# A store that is not there.
expect 'an empty store says so' 0 'store .*results.sqlite is empty' list
check '... and is not made by looking' test ! -e "$KCOST_STORE"
expect 'show without an ID' 2 'which result' show
expect 'show of two' 2 'one result at a time' show 1 2
expect 'show of an unknown ID' 2 'no result 7 in the store .*results.sqlite' show 7
expect 'export of an unknown ID' 2 'no result 7' export 7
expect 'replay of an unknown ID' 2 'no result 7' replay 7
expect 'rm of an unknown ID' 2 'no result 7' rm 7
expect 'profile without an ID' 2 'which result' profile
expect 'profile of two' 2 'one result at a time' profile 1 2
expect 'profile of an unknown ID' 2 'no result 7' profile 7
for id in 0 x 1.5 99999999999999999999 ''; do
	expect "'$id' is no ID" 2 "no result's ID" show "$id"
done
expect 'an unknown format' 2 'one of text, mmtests, json, csv' show 1 --format xml
expect '--store and --no-store' 2 'exclude each other' price X --store x --no-store

# Files that are no store: refused before any work, and left as they are.
printf 'this is my thesis, all of it, and it is not a database of any kind at all, ever\n' \
	>"$SCRATCH/thesis"
cp "$SCRATCH/thesis" "$SCRATCH/thesis.before"
fakes fine
# shellcheck disable=SC2086,SC2016 # the arguments are words; a backquote is one
{
	expect 'a store that is a text: refused' 3 'no SQLite database.*--no-store' \
		$price --store "$SCRATCH/thesis"
	check '... before anything is read' sh -c "! grep -q 'reading the kernel' '$SCRATCH/err'"
	expect '... to read as well' 3 'no SQLite database' list --store "$SCRATCH/thesis"
	check '... and left as it is' cmp "$SCRATCH/thesis" "$SCRATCH/thesis.before"
	expect 'a store that is a directory' 2 'is a directory' list --store "$SCRATCH"

	# A price is kept.
	expect 'a price says where it is kept' 0 'kept as result 1; `kcost show 1`' \
		$price -o "$SCRATCH/then.json"
	cp "$SCRATCH/out" "$SCRATCH/then"
	expect 'list has it' 0 \
		'^ 1  20[0-9-]{8} [0-9:]{5}  DEBUG_PREEMPT=y  6.1 +1  \+25.0 % \*  complete$' list
	check '... and nothing else' test "$(wc -l <"$SCRATCH/out")" = 2
	expect 'show prints it' 0 'costs' show 1
	same '... as it was printed, to the byte' "$SCRATCH/then"
	expect 'export is JSON' 0 'kcost.price/1' export 1
	same '... the same that -o wrote' "$SCRATCH/then.json"
	expect 'export as CSV' 0 '^DEBUG_PREEMPT=y,hackbench-process-sockets,groups=1 loops=20,4,1,125500,' \
		export 1 --format csv
	check '... 4 boots x 2 iterations x 2 sides and the header' test "$(wc -l <"$SCRATCH/out")" = 17
	expect 'export as mmtests' 0 '^Amean +1 ' export 1 --format mmtests
	expect 'show in another format' 0 '^Amean +1 ' show 1 --format mmtests
	expect 'a result that was not profiled' 2 'measure it with --profile' profile 1
	expect 'list --option' 0 '^ 1 ' list --option CONFIG_DEBUG_PREEMPT
	expect 'list --option with its value' 0 '^ 1 ' list --option DEBUG_PREEMPT=y
	expect 'list --option of another value' 0 'No result' list --option DEBUG_PREEMPT=n
	expect 'list --option of another with the same beginning' 0 'No result' list --option DEBUG
	expect 'list --tree' 0 '^ 1 ' list --tree 6.1
	expect 'list --tree of another' 0 'No result' list --tree 6.12

	# Replay.
	expect 'replay: identical' 0 'Identical: all 16 samples of result 1 are the same' replay 1
	check '... and not kept itself' test "$("$KCOST" list | wc -l)" = 2
	fakes fine 2000
	expect 'replay on a machine that counts otherwise: 1' 1 'Different: 16 of 16 samples' replay 1
	check '... the first difference, (1000 + 1) * 100 and (2000 + 1) * 100' grep -qxF \
		'  DEBUG_PREEMPT=n, hackbench-process-sockets groups=1 loops=20, seed 1, iteration 0: 100100 then, 200100 now' \
		"$SCRATCH/out"

	# Another store.
	fakes fine
	expect 'price --store keeps it there' 0 'kept as result 1;' $price --runs 1 --store "$SCRATCH/a/b.sqlite"
	expect '... where KCOST_STORE finds it' 0 '^ 1 .*DEBUG_PREEMPT=y' list --store "$SCRATCH/a/b.sqlite"
	check '... and not in the usual one' test "$("$KCOST" list | wc -l)" = 2
	KCOST_STORE='' XDG_DATA_HOME="$SCRATCH/data" expect 'the usual place is under XDG_DATA_HOME' 0 \
		"$SCRATCH/data/kcost/results.sqlite is empty" list
	expect 'price --no-store keeps nothing' 0 'hackbench' $price --runs 1 --no-store
	check '... and does not say so' sh -c "! grep -q 'kept' '$SCRATCH/err'"
	check '... indeed' test "$("$KCOST" list | wc -l)" = 2

	# Ended early, once two samples of each side are there: by Ctrl-C, and by a kill that nothing can
	# be done about.
	fakes sleep-second
	end_early() { # SIGNAL ID
		"$KCOST" $price --runs 3 -j 2 -o "$SCRATCH/part.json" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null &
		_pid=$!
		_tries=0
		until [ "$("$KCOST" export "$2" --format csv 2>/dev/null | wc -l)" = 5 ] ||
			[ "$_tries" -ge 3000 ]; do
			sleep 0.1
			_tries=$((_tries + 1))
		done
		kill "-$1" "$_pid"
		status=0
		wait "$_pid" || status=$?
	}
	end_early INT 2
	check 'Ctrl-C: 130' test "$status" = 130
	check '... says where the samples are' grep -q 'finished samples are kept as result 2' "$SCRATCH/err"
	expect '... listed as interrupted' 0 '^ 2 .* incomplete: interrupted$' list
	expect '... can be shown' 0 '^INCOMPLETE' show 2
	expect '... and exported' 0 '"complete" : false' export 2
	same '... the same that -o wrote' "$SCRATCH/part.json"
	end_early KILL 3
	check 'kill -9: takes the machines along' sh -c "! pgrep -f 'slee[p] 86398'"
	expect 'kill -9: listed as incomplete' 0 '^ 3 .* incomplete$' list
	expect '... can be shown' 0 '^INCOMPLETE' show 3
	check '... with its samples' grep -q '1 x 2' "$SCRATCH/out"
	rm -rf "$TMPDIR"
	mkdir "$TMPDIR"
	fakes fine
	expect '... and replayed: seed 1, 2 iterations, 2 sides' 0 'all 4 samples of result 3' replay 3

	# Removed.
	expect 'rm of one that is there and one that is not: neither' 2 'no result 9' rm 2 9
	check '... indeed' test "$("$KCOST" list | wc -l)" = 4
	expect 'rm' 0 '' rm 1 3
	expect '... leaves the others' 0 '^ 2 ' list
	check '... alone' test "$("$KCOST" list | wc -l)" = 2
	expect '... and cannot be shown' 2 'no result 1' show 1

	# A newer kcost's.
	if command -v sqlite3 >/dev/null; then
		sqlite3 "$KCOST_STORE" 'PRAGMA user_version = 99'
		expect "a newer kcost's store: refused" 3 'newer kcost.*--no-store' $price
	else
		skip "a newer kcost's store: refused" 'there is no sqlite3 program'
	fi
}
finish
