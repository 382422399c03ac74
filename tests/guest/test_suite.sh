#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The suite of workloads in real boots of Debian's Linux 6.1: every one has samples that repeat to the
# digit and hardly vary within a boot. The kernels are those of test_boots.sh.
. "$(dirname "$0")/../cli/lib.sh"
samples='[.prices[].workloads[] | {name, samples}]'
suite='--tree 6.1 --runs 1 -q --max-time 2h'
# shellcheck disable=SC2086 # words
{
	expect 'the whole suite has samples' 0 'DEBUG_PREEMPT=y: getdents \+' \
		price DEBUG_PREEMPT $suite --iterations 4 --workload all -o "$SCRATCH/all.json"
	check '... of 31 workloads' jq -e '.prices[0].workloads | length == 31' "$SCRATCH/all.json"
	check '... four of each on both sides' \
		jq -e '[.prices[0].workloads[].samples[] | length] | unique == [4]' "$SCRATCH/all.json"
	check '... with no kernel warning' jq -e '.prices[0].variants | all(.warnings == 0)' "$SCRATCH/all.json"

	# Every path crosses the preemption count, if only at an interrupt, so every workload must take more
	# instructions with the option.
	check 'DEBUG_PREEMPT costs every one of them' jq -e '.prices[0].workloads | all(
		(.samples["DEBUG_PREEMPT=y"] | map(.value) | add) / (.samples["DEBUG_PREEMPT=n"] | map(.value) | add)
		| . > 1.001 and . < 1.6)' "$SCRATCH/all.json"

	# The standard deviation of four samples by their mean, in per cent. hackbench is not of one path:
	# its tasks are scheduled as it comes.
	cv='(map(.value) | add / length) as $mean | map(.value - $mean | . * .) | add / 3 | sqrt * 100 / $mean'
	# These two free their inodes and directory entries after a grace period, which a sample may or may not have
	# in it (docs/workloads.md).
	check 'within a boot they vary by less than 1 %, two by less than 2 %' jq -e ".prices[0].workloads
		| map(select(.name | startswith(\"hackbench\") | not) | {name, cv: (.samples[] | $cv)})
		| map(select(.cv >= (if .name == \"socket-create\" or .name == \"rename\" then 2 else 1 end)))
		| if length > 0 then error(tostring) else true end" "$SCRATCH/all.json"

	kcost price DEBUG_PREEMPT $suite --iterations 2 --workload stat,fork-exec,pipe-pingpong -o "$SCRATCH/a.json"
	kcost price DEBUG_PREEMPT $suite --iterations 2 --workload stat,fork-exec,pipe-pingpong -j 1 -o "$SCRATCH/b.json"
	check 'the samples repeat to the digit' \
		test "$(jq -c "$samples" "$SCRATCH/a.json")" = "$(jq -c "$samples" "$SCRATCH/b.json")"
}
finish
