#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The core model on real kernels: it changes no sample, counts the same in every run, and its blocks add up to the
# guest's own count of instructions. Debian's Linux 6.1, built when it is not in the cache.
. "$(dirname "$0")/../cli/lib.sh"

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
finish
