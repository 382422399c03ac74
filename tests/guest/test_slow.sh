#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What takes many kernels: other options, another version, a build from nothing.
. "$(dirname "$0")/../cli/lib.sh"
image='[.prices[].variants[].image_sha256]'

priced() { # OPTION TREE
	expect "$1 on $2 has a price" 0 "$1.* (costs|saves|measurable)" \
		price "$1" --tree "$2" --groups 1,4 -o "$SCRATCH/$1-$2.json"
	check '... of every row within two points' \
		jq -e '.complete and (.prices[0].workloads | all(.ci95[1] - .ci95[0] <= 4))' "$SCRATCH/$1-$2.json"
}
priced DEBUG_PREEMPT 6.12
check 'DEBUG_PREEMPT costs on 6.12 too' \
	jq -e '.prices[0].workloads | all(.significant and .cost_percent > 15)' \
	"$SCRATCH/DEBUG_PREEMPT-6.12.json"
for option in PREEMPT_NONE SLUB_DEBUG_ON LOG_BUF_SHIFT=20 INIT_ON_ALLOC_DEFAULT_ON; do
	priced "$option" 6.1
done
# 2^20 bytes of log instead of the default's 2^17: the difference is in .bss.
check 'LOG_BUF_SHIFT=20 takes 917,504 bytes more' \
	jq -e '.prices[0].variants | .[1].sizes.bss - .[0].sizes.bss | . >= 917504 and . < 1100000' \
	"$SCRATCH/LOG_BUF_SHIFT=20-6.1.json"
# A list is nothing that getppid touches; fork and file creation do.
expect 'DEBUG_LIST: where it must cost and where not' 0 '' price DEBUG_LIST --tree 6.1 \
	--workload syscall-null,fork-exit,file-create-unlink -o "$SCRATCH/list.json"
check '... nothing in syscall-null' \
	jq -e '.prices[0].workloads[0].cost_percent | fabs < 0.1' "$SCRATCH/list.json"
check '... something in the others' \
	jq -e '.prices[0].workloads[1:] | all(.significant and .cost_percent > 0)' "$SCRATCH/list.json"
kcost price KASAN --tree 6.1 --groups 1 --runs 2
check 'KASAN has a price, or is refused with a reason' \
	sh -c "test $status = 0 || { test $status = 2 && grep -q 'cannot be had' '$SCRATCH/err'; }"

# One patch, on two trees.
printf '%s\n' '--- a/lib/string_helpers.c' '+++ b/lib/string_helpers.c' '@@ -1,3 +1,4 @@' \
	' // SPDX-License-Identifier: GPL-2.0-only' '+/* priced */' ' /*' \
	'  * Helpers for formatting and printing strings' >"$SCRATCH/tiny.patch"
for tree in 6.1 6.12; do
	expect "a patch on $tree has a price" 0 'tiny.patch .*(costs|saves|measurable)' \
		price --patch "$SCRATCH/tiny.patch" --tree "$tree" --groups 1
done
expect 'both are listed' 0 'tiny.patch' list
for tree in '6\.1' '6\.12'; do
	check "... with its tree $tree" grep -qE "tiny\.patch +$tree " "$SCRATCH/out"
done

# All nine rows of the published table; the ninth is 3,840 tasks.
expect 'nine group counts: nine rows' 0 '^Amean +96 ' price DEBUG_PREEMPT --tree 6.1 \
	--groups 1,4,7,12,21,30,48,79,96 --runs 2 --iterations 1 --format mmtests
check '... nine' test "$(grep -c '^Amean' "$SCRATCH/out")" = 9

# From an empty cache, in another directory, the same bytes.
kcost price DEBUG_PREEMPT --tree 6.1 --groups 1 --runs 1 --iterations 1 -o "$SCRATCH/old.json"
KCOST_CACHE="$SCRATCH/other/cache" expect 'a price from an empty cache' 0 costs \
	price DEBUG_PREEMPT --tree 6.1 --groups 1 --runs 1 --iterations 1 -o "$SCRATCH/new.json"
check 'the same images from an empty cache' \
	test "$(jq -c "$image" "$SCRATCH/old.json")" = "$(jq -c "$image" "$SCRATCH/new.json")"
check 'the same samples from an empty cache' test \
	"$(jq -c '.prices[0].workloads[0].samples' "$SCRATCH/old.json")" = \
	"$(jq -c '.prices[0].workloads[0].samples' "$SCRATCH/new.json")"
finish
