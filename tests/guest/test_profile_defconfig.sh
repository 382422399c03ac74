#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Profiles of every workload on a kernel of x86_64_defconfig, which has most of what distributions' kernels have:
# SELinux, audit, netfilter, ORC, preemption that is patched at boot, five levels of page tables. Two kernels of some
# ten minutes each on two processors, when they are not in the cache.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/profile_lib.sh"

# Asking a price of no option leaves the tree in the cache.
kcost price NO_SUCH_OPTION --tree 6.1
mkdir "$SCRATCH/defconfig"
check 'x86_64_defconfig' make -s -C "$(real_tree 6.1)" "O=$SCRATCH/defconfig" x86_64_defconfig
expect 'profiles on a defconfig kernel' 0 'Who pays' compare --tree 6.1 --base-config "$SCRATCH/defconfig/.config" \
	--set MEMCG=y name=n,set=DEBUG_PREEMPT=n name=y,set=DEBUG_PREEMPT=y --workload all --runs 1 --iterations 1 \
	--max-time 2h --profile -o "$SCRATCH/defconfig.json"
check '... of all workloads' jq -e '[.prices[].profiles[]] | length > 30' "$SCRATCH/defconfig.json"
check '... add up' jq -e "$sound" "$SCRATCH/defconfig.json"
check '... in all their parts' jq -e "$parts" "$SCRATCH/defconfig.json"
check '... in time too' jq -e "$timed" "$SCRATCH/defconfig.json"
jq -r "$unsound" "$SCRATCH/defconfig.json"
finish
