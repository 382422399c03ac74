#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Profiles of real kernels: the parts add up to the last digit, the profiler changes no sample, and a
# known loop is found exactly. Debian's Linux 6.1, built when it is not in the cache. SLOW=1 adds what takes
# more kernels.
. "$(dirname "$0")/../cli/lib.sh"

# What must hold for every profile: sums equal, samples as without the profiler, no return without
# its call, no call folded.
sound='[.prices[].profiles[]] | length > 0 and all(.sides | all(.adds_up and .samples_identical and
	.tree_sum == .instructions and .unmatched_returns == 0 and .faults_unsure == 0 and
	.folded_calls == 0 and (.halts > 0 or .measured == .tree_sum)))'
# The parts of each comparison make up the whole.
parts='[.prices[].profiles[].comparisons[]] | all(
	((.rate + .volume + .user - .difference) | fabs < 1e-6) and
	(([.payers[].difference] | add) - .difference | fabs < 1e-6) and
	(([.functions[].difference] | add) - .difference | fabs < 1e-6) and
	([.functions[].instructions[1]] | add) == ([.payers[].instructions[1]] | add))'

expect 'a price with its profile' 0 'Who pays, by subsystem' price DEBUG_PREEMPT --tree 6.1 --groups 1,4 \
	--runs 1 --iterations 2 --profile -o "$SCRATCH/price.json" --callgrind "$SCRATCH/callgrind.out" \
	--folded "$SCRATCH/folded" --flamegraph "$SCRATCH/graph.svg"
check '... adds up' jq -e "$sound" "$SCRATCH/price.json"
check '... in all its parts' jq -e "$parts" "$SCRATCH/price.json"
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

# A guest that faults, forks, executes programs, starts threads, takes signals, dies of exceptions, sleeps and
# spins: stress.c, a region and sample each.
SAMPLES=8
for tree in 6.1 ${SLOW:+6.12}; do
	export KCOST_GUEST="${STRESS:?set STRESS to the program of stress.c}"
	expect "what a kernel does besides, on $tree" 0 'Who pays' price DEBUG_PREEMPT --tree "$tree" --groups 1 \
		--runs 1 --iterations "$SAMPLES" --profile -o "$SCRATCH/stress.json"
	unset KCOST_GUEST
	check '... adds up' jq -e "$sound" "$SCRATCH/stress.json"
	check '... with the faulting instructions counted once' \
		jq -e '.prices[0].profiles[0].sides | all(.faults_corrected > 1000)' "$SCRATCH/stress.json"
	check '... and the sleeper idle for its 60 ms' jq -e '.prices[0].profiles[0].sides |
		all(.halts > 0 and .idle > 55e6 and .idle < 65e6)' "$SCRATCH/stress.json"
done

# Three instructions a turn, 1,000 turns, one before them, and the return.
tree=$(ls -d "$REAL_CACHE"/trees/linux-source-6.1-*/ 2>/dev/null | head -n 1)
if [ -n "${SLOW-}" ] && [ -n "$tree" ]; then
	source=net/unix/af_unix.c
	source_dir=$(dirname "$(find "$tree" -path "*/$source" | head -n 1)")
	mkdir -p "$SCRATCH/a/net/unix" "$SCRATCH/b/net/unix"
	cp "$source_dir/af_unix.c" "$SCRATCH/a/net/unix/"
	awk '/^static int unix_stream_sendmsg.*size_t/ {
			print "static noinline void kcost_loop(void)\n{\n\tunsigned long turns;\n"
			print "\tasm volatile(\"movl $1000, %k0\\n1:\\tnop\\n\\tdecl %k0\\n\\tjnz 1b\""
			print "\t\t     : \"=r\"(turns) : : \"cc\");\n}\n"
		}
		{ print }
		/^\tint data_len;$/ { print "\n\tkcost_loop();" }' "$SCRATCH/a/$source" >"$SCRATCH/b/$source"
	(cd "$SCRATCH" && diff -u "a/$source" "b/$source") >"$SCRATCH/loop.patch"
	check 'the loop is in the patch' grep -q 'movl \$1000' "$SCRATCH/loop.patch"
	expect 'a known loop is found' 0 'Who pays' price --patch "$SCRATCH/loop.patch" --tree 6.1 --groups 1 \
		--runs 1 --iterations 1 --profile -o "$SCRATCH/loop.json"
	check '... adds up' jq -e "$sound" "$SCRATCH/loop.json"
	check '... unix_stream_sendmsg pays first' jq -e \
		'.prices[0].profiles[0].comparisons[0].payers[0].name == "unix_stream_sendmsg"' "$SCRATCH/loop.json"
	check '... with 3,002 instructions in each call of it, to the last one' jq -e \
		'.prices[0].profiles[0].comparisons[0] |
		(.payers[] | select(.name == "unix_stream_sendmsg")) as $payer | .functions[0] |
		.name == "kcost_loop" and .instructions == [0, 3002 * .calls[1]] and
		.calls[1] == $payer.calls[1] and $payer.calls[0] == $payer.calls[1]' "$SCRATCH/loop.json"
fi
# shellcheck disable=SC2086
kcost ${quick% --profile}
expect 'a result without a profile says so' 2 'measure it with --profile' \
	profile "$(sed -n 's/.*kept as result \([0-9]*\).*/\1/p' "$SCRATCH/err")"
finish
