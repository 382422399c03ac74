#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Variants that are not measured but read: stored results (id=), logs (log=), and what is imported. The
# logs are written here, so that every mean is known; measured kernels are the fakes' (see test_compare.sh):
# 1000 plus the seed, in hundredths, is a sample, and 125 % of that with DEBUG_PREEMPT.
. "$(dirname "$0")/lib.sh"
export TZ=UTC

# Nothing that builds or boots a kernel is at hand: what is only read needs none of it.
mkdir "$SCRATCH/few"
for program in sh cat grep sed tail; do
	ln -s "$(command -v "$program")" "$SCRATCH/few/"
done
export KCOST_CACHE="$SCRATCH/no-cache"

# mmtests' directory DIR of a study: the published means as 30 runs each, in files as mmtests writes
# them. A mean of four decimals is 30 times a sum of three: the runs are its parts, rounded so that
# the sum is exact, and differ by a thousandth of a second at most.
mmtests_dir() { # DIR COLUMN
	mkdir -p "$1/iter-0/hackbench-process-sockets/logs"
	grep '^Amean' "$reference" | tr -d '(*%)' | awk -v dir="$1/iter-0/hackbench-process-sockets/logs" -v column="$2" '{
		sum = int($column * 30000 + 0.5)
		for (i = 1; i <= 30; i++) {
			one = int(sum * i / 30) - int(sum * (i - 1) / 30)
			printf "Running in process mode with %d groups using 40 file descriptors each (== %d tasks)\n" \
				"Each sender will pass 100 messages of 100 bytes\nTime: %d.%03d\n", $2, $2 * 40, one / 1000, one % 1000 \
				> (dir "/hackbench-" $2 "-" i)
		}
	}'
}
reference="$SOURCES/../unit/data/hackbench-debug-preempt.txt"
mmtests_dir "$SCRATCH/debug" 3
mmtests_dir "$SCRATCH/nodebug" 5
study="name=debug_preempt,log=$SCRATCH/debug name=no_debug_preempt,log=$SCRATCH/nodebug"

path=$PATH
PATH="$SCRATCH/few"
# shellcheck disable=SC2086 # the arguments are words
{
	# The published study, from mmtests' directories.
	expect "two directories of mmtests" 0 '^hackbench-process-sockets' compare $study --format mmtests --stars mmtests
	PATH=$path
	grep '^Amean' "$reference" >"$SCRATCH/expected"
	grep '^Amean' "$SCRATCH/out" >"$SCRATCH/table"
	check '... give the published table, to the character' cmp "$SCRATCH/expected" "$SCRATCH/table"
	check '... no kernel, no cache' test ! -e "$KCOST_CACHE"
	check '... what is not known is said first' \
		sh -c "sed -n 1p '$SCRATCH/out' | grep -q 'from logs, which do not say of which kernel'"
	check '... and what the interval leaves out' grep -q '^# .*each run of a log counts as independent' "$SCRATCH/out"
	PATH="$SCRATCH/few"
	expect 'the same as text' 0 '12 +3\.682 +3\.212 +-12\.7[0-9]* % \*' compare $study
	expect '... has units, no boots' 0 '^ +groups .* units x runs' show 2
	expect 'logs and gates: 1' 1 'costs hackbench-process-sockets 10\..*groups\): above 5 % beyond doubt' \
		compare name=fast,log=$SCRATCH/nodebug name=slow,log=$SCRATCH/debug --max-cost 5%
	expect 'a gate of a workload that the logs do not have: refused' 2 "no workload 'nope'" \
		compare $study --max-cost nope=1%
	expect "... that they have" 0 'saves' compare $study --max-cost hackbench-process-sockets=1%

	# The store has it all.
	expect 'list has it' 0 '^ 1 .* no_debug_preempt against debug_preempt +9 +-9\.4 % \*' list
	expect 'show prints it' 0 '^Amean +96 ' show 1 --format mmtests
	PATH=$path
	grep '^Amean' "$SCRATCH/out" >"$SCRATCH/table"
	check '... the same' cmp "$SCRATCH/expected" "$SCRATCH/table"
	expect 'export has the samples' 0 '^no_debug_preempt,hackbench-process-sockets,groups=1 loops=100 fds=20 size=100,30,0,0.43,seconds$' \
		export 1 --format csv
	check '... 30 runs x 9 rows x 2 and the header' test "$(wc -l <"$SCRATCH/out")" = 541
	check '... and JSON where they come from' sh -c "'$KCOST' export 1 | jq -e '.prices[0].variants[0] |
		(.origin | startswith(\"log \")) and .image_sha256 == null'"
	expect 'a comparison of logs cannot be replayed, and says why' 2 'nothing in it was measured by kcost.*debug_preempt \(log ' \
		replay 1

	# Two files of one variant are its units.
	printf '# workload: w\n# unit: seconds\n1.0\n1.0\n' >"$SCRATCH/boot1"
	printf '# workload: w\n# unit: seconds\n1.2\n1.2\n' >"$SCRATCH/boot2"
	printf '# workload: w\n# unit: seconds\n2.2\n2.2\n' >"$SCRATCH/boot3"
	expect 'log= twice: two units of two runs, mean 1.1 against 2.2' 0 '1\.100 +2\.200 +\+100\.0 %' \
		compare name=a,log="$SCRATCH/boot1",log="$SCRATCH/boot2" name=b,log="$SCRATCH/boot3"
	check '... as many as there are files' grep -q '2 x 2, 2 x 1' "$SCRATCH/out"

	# What cannot be compared.
	printf '# workload: w\n# unit: pages\n7\n' >"$SCRATCH/pages"
	expect 'other units' 2 'w: a is in seconds, b in pages, so there is no cost' \
		compare name=a,log="$SCRATCH/boot1" name=b,log="$SCRATCH/pages"
	expect 'other workloads' 2 'no row is in all variants.*a has w in seconds; nodebug has hackbench-process-sockets groups=1' \
		compare name=a,log="$SCRATCH/boot1" log="$SCRATCH/nodebug"
	expect 'a log that is not there' 3 'none' compare log="$SCRATCH/none" log="$SCRATCH/boot1"
	printf '1.0\nfrob\n' >"$SCRATCH/bad"
	expect 'what cannot be read: file and line' 2 'bad:2:' compare log="$SCRATCH/bad" log="$SCRATCH/boot1"
	rm "$SCRATCH/nodebug/iter-0/hackbench-process-sockets/logs/hackbench-96-"*
	expect 'a row that one lacks is left out, and that is said' 0 '^Note: Left out: hackbench-process-sockets groups=96 .*no_debug_preempt does not have' \
		compare $study
	check '... and is in no table' sh -c "! grep -q '^ *96 ' '$SCRATCH/out'"
	for loops in 100 50; do
		printf 'Running in process mode with 1 groups using 40 file descriptors each (== 40 tasks)\nEach sender will pass %d messages of 100 bytes\nTime: 0.%d00\n' \
			$loops $((loops / 25)) >"$SCRATCH/loops$loops"
	done
	# 0.4 s for twice the messages of 0.2 s: the same per message.
	expect 'other loops are said, and the runs scaled' 0 'The rows differ in loops: 100 in loops100, 50 in loops50' \
		compare log="$SCRATCH/loops100" log="$SCRATCH/loops50"
	check '... so that the same speed is no cost' grep -q '^Amean .* 0\.4000 (   0\.00%)      0\.4000 (   0\.00%)' "$SCRATCH/out"
	check '... which is said' grep -q "loops50's samples are scaled to loops100's number of messages" "$SCRATCH/out"

	# Imported.
	rm "$KCOST_STORE"
	expect 'import' 0 'kept as result 1: boot1, 1 row$' import "$SCRATCH/boot1"
	expect 'import of two' 0 'result 2: new against old, 1 row$' import "$SCRATCH/boot1" "$SCRATCH/boot3" --name old --name new
	expect 'import of files of one name' 0 'result 3: host, 1 row$' import "$SCRATCH/boot1" "$SCRATCH/boot2" --name host
	expect 'import of different rows keeps all' 0 'result 4: debug against boot1, 10 rows$' import "$SCRATCH/boot1" "$SCRATCH/debug"
	expect 'list has them' 0 '^ 2 .* new against old .* \+120\.0 %' list
	expect 'one variant is shown with its mean' 0 '1\.100 +\[.*\] .* 2 +4$' show 3
	expect '... and exported' 0 '^host,w,,2,1,1.2,seconds$' export 3 --format csv
	expect 'an imported result is an id=' 0 '^3 has no measurable cost in w: \+10\.0 %' compare id=1 id=3
	expect '... one of its variants' 0 '^2:new costs w \+120\.00 %' compare id=2:old id=2:new
	expect '... beside a log' 0 '\+100\.0 %' compare name=a,id=3 log="$SCRATCH/boot3"
	expect '... whose origin is kept' 0 'a from result 3, host \(logs .*boot1, .*boot2\)' show 7
	expect 'id= with several variants: which' 2 'say which one is meant: id=2:old, id=2:new$' compare id=2 id=1
	expect 'id= without such a variant' 2 "no variant 'nope'; it has id=2:old, id=2:new" compare id=2:nope id=1
	expect 'id= that is no ID' 2 "no result's ID" compare id=x id=1
	expect 'id= that is not there' 2 'no result 99 in the store' compare id=99 id=1
	expect 'import cannot be replayed' 2 'nothing in it was measured by kcost' replay 3
	expect 'import of nothing' 2 'which file' import
	expect 'import of what is no log' 2 'bad:2:' import "$SCRATCH/bad"
	check '... keeps nothing' test "$("$KCOST" list | grep -c bad)" = 0
	mkdir "$SCRATCH/other"
	cp "$SCRATCH/boot1" "$SCRATCH/other/"
	expect 'import: two files of one name' 2 "another file is called 'boot1'" import "$SCRATCH/boot1" "$SCRATCH/other/boot1"
	expect 'import: more names than one and less than files' 2 '3 files and 2 names' \
		import "$SCRATCH/boot1" "$SCRATCH/boot2" "$SCRATCH/boot3" -n a -n b
	expect 'import into a file that is no store' 3 'no SQLite database|damaged' import "$SCRATCH/boot1" --store "$SCRATCH/debug/iter-0/hackbench-process-sockets/logs/hackbench-1-1"
	check '... which is left as it is' grep -q '^Time: ' "$SCRATCH/debug/iter-0/hackbench-process-sockets/logs/hackbench-1-1"
	expect 'a removed source leaves the comparison' 0 '' rm 3
	expect '... with its samples' 0 '\+100\.0 %' show 7
	expect 'a comparison in JSON is the same from the store' 0 '' compare id=2:old id=2:new -o "$SCRATCH/then.json"
	expect '... to the byte' 0 '' export 8
	check '... indeed' cmp "$SCRATCH/out" "$SCRATCH/then.json"
}

# Measured, stored and logged side by side.
rm "$KCOST_STORE"
fakes fine fine
few='--tree 6.1 --runs 3 --iterations 2'
# shellcheck disable=SC2086
{
	expect 'a price to compare with' 0 'kept as result 1' price DEBUG_PREEMPT --groups 1,4 $few
	PATH="$SCRATCH/few"
	expect 'two stored variants: no kernel is built' 0 'costs hackbench-process-sockets \+25\.' \
		compare name=off,id=1:DEBUG_PREEMPT=n name=on,id=1:DEBUG_PREEMPT=y
	PATH="$SCRATCH/bin:$path"
	check '... what differs is said' grep -q '^Note: off and on differ in 1 configuration option: DEBUG_PREEMPT\.' "$SCRATCH/out"
	check '... and listed' grep -q '^  DEBUG_PREEMPT  n -> y$' "$SCRATCH/out"
	check '... and the machine that both ran on' grep -q 'QEMU emulator version 0.0 (fake)' "$SCRATCH/out"
	check '... nothing else' test "$(grep -c '^Note' "$SCRATCH/out")" = 1
	builds=$(wc -l <"$SCRATCH/builds")
	# Nobody says which rows: they are the stored ones.
	expect 'a kernel against a stored one' 0 'new costs .* \+25\.0 .*\(4 groups\)' \
		compare name=old,id=1:DEBUG_PREEMPT=n name=new,set=DEBUG_PREEMPT=y $few -o "$SCRATCH/mixed.json"
	check '... builds nothing that is there' test "$(wc -l <"$SCRATCH/builds")" = "$builds"
	check '... has the same rows' grep -q 'new costs .*(1 group)' "$SCRATCH/out"
	check '... with another configuration, which is said' grep -q '^Note: The configurations of old and new differ' "$SCRATCH/out"
	expect '... is kept, to the byte' 0 '' export 3
	check '... indeed' cmp "$SCRATCH/out" "$SCRATCH/mixed.json"
	expect '... and its measured half replayed' 0 'Identical: all 12 samples of result 3' replay 3
	check '... the other is named' grep -q '^Not measured again, for it was read: old (result 1, DEBUG_PREEMPT=n)' "$SCRATCH/out"
	expect 'a stored one against a kernel' 0 'old saves .* 20\.' \
		compare name=new,set=DEBUG_PREEMPT=y name=old,id=1:DEBUG_PREEMPT=n $few --groups 4
	expect '... replayed' 0 'Identical: all 6 samples' replay 4
	# As many boots as the precision takes, but no more than the stored side has.
	expect 'without --runs' 0 'new costs' \
		compare name=old,id=1:DEBUG_PREEMPT=n name=new,set=DEBUG_PREEMPT=y --tree 6.1 --iterations 2 --groups 1
	expect 'rows that the stored one lacks' 0 '^Note: Left out: hackbench-process-sockets groups=7 loops=20, which old does not have' \
		compare name=old,id=1:DEBUG_PREEMPT=n name=new $few --groups 1,7
	expect 'other loops than the stored: refused' 2 'no row is in all variants' \
		compare name=old,id=1:DEBUG_PREEMPT=n name=new $few --groups 1 --loops 21
	builds=$(wc -l <"$SCRATCH/builds")
	expect 'seconds beside instructions: refused' 2 'what is measured now is in instructions, log in seconds' \
		compare name=new,set=DEBUG_LIST=y name=log,log="$SCRATCH/debug" $few --groups 1
	check '... before anything is built' test "$(wc -l <"$SCRATCH/builds")" = "$builds"
	printf '# workload: hackbench-process-sockets\n# unit: instructions\n# key: groups\n1 100200\n1 100300\n' >"$SCRATCH/column"
	expect 'a log of instructions beside a kernel and a stored one' 0 'new costs .* \+24\.9' \
		compare name=log,log="$SCRATCH/column" name=new,set=DEBUG_PREEMPT=y name=old,id=1:DEBUG_PREEMPT=n $few --groups 1
	check '... what it does not say is said' grep -q '^Note: The rows differ in loops: 20 in what is measured now, not known in log' "$SCRATCH/out"
	expect 'the same kernel, stored and now: 0.00 and no star' 0 '^Amean +1 .*\(   0\.00%\).*\(   0\.00%\)$' \
		compare name=then,id=1:DEBUG_PREEMPT=n name=now,set=DEBUG_PREEMPT=n $few --groups 1
	check '... and it is said' grep -q '^Note: then and now are the same kernel image, booted alike' "$SCRATCH/out"
	# Another QEMU: what differs though nobody says so.
	sed -i 's/version 0.0 (fake)/version 0.1 (fake)/' "$SCRATCH/bin/qemu-system-x86_64"
	expect 'another QEMU is said' 0 '^Note: The versions of QEMU differ: then has .*0\.0 \(fake\), now has .*0\.1 \(fake\)' \
		compare name=then,id=1:DEBUG_PREEMPT=n name=now $few --groups 1
	# Several prices in one result.
	fakes fine fine
	expect 'two prices in one result' 0 'kept as result' price --cmdline slow=1 DEBUG_PREEMPT $few --groups 1 --store "$SCRATCH/two"
	expect 'its variants by their labels' 0 '\+10\.' compare id=1:without id=1:slow=1 --store "$SCRATCH/two"
	check '... boot parameters are a difference' grep -q '^Note: The boot parameters differ: 1:without has none, 1:slow=1 has slow=1' "$SCRATCH/out"
}
finish
