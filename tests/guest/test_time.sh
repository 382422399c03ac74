#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The core model on real kernels: it changes no sample, counts the same in every run, and its blocks add up to the
# guest's own count of instructions. Debian's Linux 6.1, built when it is not in the cache.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/profile_lib.sh"

quick='price DEBUG_PREEMPT --tree 6.1 --groups 1 --loops 5 --runs 1 --iterations 2'
# shellcheck disable=SC2086 # words
{
	expect 'without a core model' 0 '' $quick --cpu-model none -o "$SCRATCH/plain.json"
	expect 'with one' 0 'about .* % time \(skylake-server' $quick -o "$SCRATCH/one.json"
	expect 'once more' 0 'about .* % time' $quick -o "$SCRATCH/two.json"
}
check 'the samples are the same' test "$(jq -c '.prices[0].workloads[0].samples' "$SCRATCH/plain.json")" = \
	"$(jq -c '.prices[0].workloads[0].samples' "$SCRATCH/one.json")"
check 'the counts are the same in two runs' test "$(jq -c '.prices[0].workloads[0].time.counts' "$SCRATCH/one.json")" = \
	"$(jq -c '.prices[0].workloads[0].time.counts' "$SCRATCH/two.json")"
check 'the parts add up' jq -e '[.prices[0].workloads[0].time.variants[]] | length == 2 and
	all(([.parts[]] | add) / .seconds - 1 | fabs < 1e-9)' "$SCRATCH/one.json"
# What faults is begun twice, and blocks are counted whole: a few instructions in millions.
check 'the blocks have the instructions of the samples, to 10 ppm' jq -e '.prices[0].workloads[0] |
	.samples as $samples | .time.counts | to_entries | length == 2 and all(.key as $side |
		.value | length == 2 and all(.seed as $seed | .iteration as $i | .instruction as $n |
			($samples[$side][] | select(.seed == $seed and .iteration == $i) | .value) as $value |
			($n / $value - 1 | fabs) < 1e-5))' "$SCRATCH/one.json"
# As many system calls are entered as left (hackbench's processes are in the midst of one at most when the region
# begins and ends), and each has two SWAPGS but where an interrupt leaves for user space.
check 'what enters the kernel leaves it' jq -e '[.prices[0].workloads[0].time.counts[][]] |
	all((.syscall - .sysret | fabs) <= 50 and .swapgs >= .syscall + .sysret and .locked > 0 and .iret > 0 and .cr3 > 0)' \
	"$SCRATCH/one.json"

# Along with the profiler the model counts the same, by the tree's nodes; the region's time is that of the row.
# shellcheck disable=SC2086
expect 'with a profile' 0 'by the time they pay' $quick --profile -o "$SCRATCH/tree.json"
check '... the tree has all events' jq -e "$timed" "$SCRATCH/tree.json"
check '... which are those without it' test "$(jq -c '.prices[0].workloads[0].time.counts' "$SCRATCH/one.json")" = \
	"$(jq -c '.prices[0].workloads[0].time.counts' "$SCRATCH/tree.json")"
check "... and take the row's time" jq -e '.prices[0] | .workloads[0] as $row |
	[.variants[].label] as $labels | .profiles[0].comparisons[0].time.per_operation | length == 2 and
	(to_entries | all(.value * $row.operations / ($row.time.variants[$labels[.key]].seconds * 1e9) - 1 | fabs < 1e-9))' \
	"$SCRATCH/tree.json"
# A check that only one side calls takes time there alone.
check '... the checks take time on one side only' jq -e '.prices[0].profiles[0].comparisons[0].functions[] |
	select(.name == "check_preemption_disabled") | .time.per_operation | .[0] == 0 and .[1] > 0' "$SCRATCH/tree.json"
id=$(sed -n 's/.*kept as result \([0-9]*\).*/\1/p' "$SCRATCH/err")
expect 'it is shown again' 0 'by the time they pay' profile "$id"
# Constants are applied afterwards: at half the clock all takes twice as long. Other caches take another run.
sed 's/^mhz = .*/mhz = 1500/' "$SOURCES/../../share/cpu/skylake-server.ini" >"$SCRATCH/half.ini"
expect "with another core's constants" 0 '"time"' profile "$id" --cpu-model "$SCRATCH/half.ini" --format json
check '... all takes twice as long' jq -e --slurpfile was "$SCRATCH/tree.json" '
	($was[0].prices[0].profiles[0].comparisons[0].payers | map({(.name + (.file // "")): .time.per_operation[1]}) | add) as $old |
	.prices[0].profiles[0].comparisons[0].payers | length > 100 and
	all(.time.per_operation[1] - 2 * $old[.name + (.file // "")] | fabs < 1e-6)' "$SCRATCH/out"
expect 'with other caches' 2 'measure again with --profile' profile "$id" --cpu-model zen4
finish
