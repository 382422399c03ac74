#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Profiles of real kernels: the parts add up to the last digit, the profiler changes no sample, and
# what a kernel does besides is followed. Debian's Linux 6.1, built when it is not in the cache.
. "$(dirname "$0")/../cli/lib.sh"

. "$(dirname "$0")/profile_lib.sh"

expect 'a price with its profile' 0 'Who pays, by subsystem' price DEBUG_PREEMPT --tree 6.1 --groups 1,4 \
	--runs 1 --iterations 2 --profile -o "$SCRATCH/price.json" --callgrind "$SCRATCH/callgrind.out" \
	--folded "$SCRATCH/folded" --flamegraph "$SCRATCH/graph.svg"
check '... adds up' jq -e "$sound" "$SCRATCH/price.json"
check '... in all its parts' jq -e "$parts" "$SCRATCH/price.json"
check '... in time too' jq -e "$timed" "$SCRATCH/price.json"
check '... memcg pays most' \
	jq -e '.prices[0].profiles[0].comparisons[0].files[0].name == "mm/memcontrol.c"' "$SCRATCH/price.json"
check '... the checks run on one side only' jq -e '.prices[0].profiles[0].comparisons[0].functions[] |
	select(.name == "check_preemption_disabled") | .instructions[0] == 0 and .instructions[1] > 0' \
	"$SCRATCH/price.json"
sum=$(jq '.prices[0].profiles[0].sides[1].tree_sum' "$SCRATCH/price.json")
check 'folded stacks have the same sum' test "$(awk '{ s += $NF } END { printf "%.0f", s }' "$SCRATCH/folded")" = "$sum"
if command -v callgrind_annotate >/dev/null; then
	check "callgrind_annotate's total is the same" test "$(callgrind_annotate "$SCRATCH/callgrind.out" |
		sed -n 's/ (100.*PROGRAM TOTALS.*//p' | tr -d ', ')" = "$sum"
else
	skip "callgrind_annotate's total is the same" 'no valgrind here'
fi
expect 'stacks in estimated time' 0 '' profile 1 --folded "$SCRATCH/folded.ns" --unit time
check '... have the time of the tree, to a nanosecond' jq -e --argjson sum \
	"$(awk '{ s += $NF } END { printf "%.0f", s }' "$SCRATCH/folded.ns")" '.prices[0].profiles[0] |
	.comparisons[0].time.per_operation[1] * .sides[1].operations - $sum | fabs <= 1' "$SCRATCH/price.json"
check '... as the other event of callgrind has' test "$(sed -n 's/^summary: [0-9]* //p' "$SCRATCH/callgrind.out")" = \
	"$(awk '{ s += $NF } END { printf "%.0f", s }' "$SCRATCH/folded.ns")"
check 'the flame graph is XML' sh -c "! command -v xmllint >/dev/null || xmllint --noout '$SCRATCH/graph.svg'"
expect 'the store shows it again' 0 'mm/memcontrol.c' profile 1
check '... as it was' sh -c "grep -A 40 '^Where it goes' '$SCRATCH/out' >'$SCRATCH/a' &&
	'$KCOST' show 1 | grep -A 40 '^Where it goes' | cmp - '$SCRATCH/a'"

# A kernel against itself, each side with boot parameters of its own so that both are booted: two ways to
# write what holds anyway.
expect 'a kernel against itself' 0 'Who pays' compare name=a,set=DEBUG_PREEMPT=n,cmdline=init_on_alloc=0 \
	name=b,set=DEBUG_PREEMPT=n,cmdline=init_on_alloc=n --tree 6.1 --groups 1 --runs 1 --iterations 1 --profile \
	-o "$SCRATCH/same.json"
check '... adds up' jq -e "$sound" "$SCRATCH/same.json"
check '... and differs by nothing anywhere' jq -e '[.prices[0].profiles[0].comparisons[0] |
	.functions[], .payers[], .files[], .subsystems[], .callers[] | .difference] | all(. == 0)' \
	"$SCRATCH/same.json"

quick='price DEBUG_PREEMPT --tree 6.1 --groups 1 --loops 5 --runs 1 --iterations 1 --profile'
for form in process-pipes thread-sockets thread-pipes; do
	# shellcheck disable=SC2086 # words
	expect "hackbench-$form has a profile" 0 'Who pays' $quick --workload "hackbench-$form" -o "$SCRATCH/form.json"
	check '... that adds up' jq -e "$sound" "$SCRATCH/form.json"
	check '... in all its parts' jq -e "$parts" "$SCRATCH/form.json"
	check '... in time too' jq -e "$timed" "$SCRATCH/form.json"
done
# Each exec takes random numbers (of the addresses, and AT_RANDOM). A generator that is ready gives them
# without a hash of the pool, as anywhere else (drivers/char/random.c, crng_make_state()).
expect 'fork-exec has a profile' 0 'Who pays' price DEBUG_PREEMPT --tree 6.1 --workload fork-exec --runs 1 \
	--iterations 1 --profile --folded "$SCRATCH/folded"
check '... with random numbers in it' grep -q ';_*get_random_' "$SCRATCH/folded"
check '... that the kernel is ready to give' sh -c "! grep ';extract_entropy' '$SCRATCH/folded'"
# A warning is an exception (ud2) in the middle of the kernel.
# shellcheck disable=SC2086
expect 'a warning in the measured region' 0 'Who pays' $quick --workload fault-warn -o "$SCRATCH/form.json"
check '... adds up' jq -e "$sound" "$SCRATCH/form.json"

# A program of user space, libraries and all, for instructions and time.
expect 'a program has a profile' 0 'Who pays' price DEBUG_PREEMPT --tree 6.1 --run /bin/true --runs 1 --iterations 2 \
	--profile -o "$SCRATCH/program.json"
check '... that adds up' jq -e "$sound" "$SCRATCH/program.json"
check '... in all its parts' jq -e "$parts" "$SCRATCH/program.json"
check '... in time too' jq -e "$timed" "$SCRATCH/program.json"

# A guest that faults, forks, executes programs, starts threads, takes signals, dies of exceptions, sleeps and
# spins: stress.c, a region and sample each.
SAMPLES=8
export KCOST_GUEST="${STRESS:?set STRESS to the program of stress.c}"
expect 'what a kernel does besides' 0 'Who pays' price DEBUG_PREEMPT --tree 6.1 --groups 1 \
	--runs 1 --iterations "$SAMPLES" --profile -o "$SCRATCH/stress.json"
unset KCOST_GUEST
check '... adds up' jq -e "$sound" "$SCRATCH/stress.json"
check '... in time too' jq -e "$timed" "$SCRATCH/stress.json"
check '... with the faulting instructions counted once' \
	jq -e '.prices[0].profiles[0].sides | all(.faults_corrected > 1000)' "$SCRATCH/stress.json"
check '... and the sleeper idle for its 60 ms' jq -e '.prices[0].profiles[0].sides |
	all(.halts > 0 and .idle > 55e6 and .idle < 65e6)' "$SCRATCH/stress.json"

# The same kernel as an image of others', once with its vmlinux and once without: the table in it says the same.
sha=$(jq -r '.prices[0].variants[1].image_sha256' "$SCRATCH/price.json")
built=$(sha256sum "$REAL_CACHE"/kernels/*/bzImage | sed -n "s:^$sha  \\(.*\\)/bzImage$:\\1:p" | head -n 1)
mkdir "$SCRATCH/own" "$SCRATCH/with"
ln -s "$built/bzImage" "$SCRATCH/own/bzImage"
ln -s "$built/bzImage" "$SCRATCH/with/bzImage"
expect "a ready kernel's own symbols" 0 'symbols are those of the kernel.s own table' compare \
	name=own,image="$SCRATCH/own/bzImage",cmdline=init_on_alloc=0 \
	name=with,image="$SCRATCH/with/bzImage",vmlinux="$built/vmlinux",cmdline=init_on_alloc=n \
	--groups 1 --loops 5 --runs 1 --iterations 1 --cpu-model none --profile -o "$SCRATCH/image.json"
check '... add up' jq -e "$sound" "$SCRATCH/image.json"
check '... without time when there is no core' jq -e "$untimed" "$SCRATCH/image.json"
check '... and are those of its vmlinux' jq -e '.prices[0].profiles[0].comparisons[0].functions |
	length > 200 and all(select(.name | startswith("__put_user") | not) | .difference == 0)' "$SCRATCH/image.json"

# shellcheck disable=SC2086
kcost ${quick% --profile}
expect 'a result without a profile says so' 2 'measure it with --profile' \
	profile "$(sed -n 's/.*kept as result \([0-9]*\).*/\1/p' "$SCRATCH/err")"
finish
