#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Estimated time: the options, the reports and the store, with a fake make and a fake QEMU. For each sample the
# fake's core model says 100,000 instructions, 100 of them locked; with DEBUG_PREEMPT 125,000 and 100. On
# skylake-server, 0.25 and 18 cycles at 3 GHz: 26,800 and 33,050 cycles, +23.3 %; with the constants 30 % off either way
# (0.7 * 31,250 + 1.3 * 1,800) / (0.7 * 25,000 + 1.3 * 1,800) = 1.2205 to 1.2407. A sample is 400 messages.
# The first boot alone has the model: with two boots times 1,001.5 / 1,001.
. "$(dirname "$0")/lib.sh"
fakes fine fine
few='price DEBUG_PREEMPT --tree 6.1 --groups 1 --iterations 1'

# shellcheck disable=SC2086 # words
{
	expect 'a price has its estimate' 0 \
		'=y, 1 group: \+25.0 % instructions, about \+23 % time \(skylake-server; \+22 to \+24\)' $few --runs 2 \
		-o "$SCRATCH/price.json"
	check '... by parts' grep -qE '=n +22.34 +20.84 +1.501 +0 ' "$SCRATCH/out"
	check '... with its difference' grep -qE '=y +27.56 +\+23.3 % +26.05 +1.501 +0 ' "$SCRATCH/out"
	check '... and what it leaves out' grep -q 'no contention, no prefetcher, no SMT, no memory bandwidth' "$SCRATCH/out"
	cp "$SCRATCH/out" "$SCRATCH/first"
	check '... in JSON' jq -e '.prices[0].workloads[0].time | .core == "skylake-server" and .mhz == 3000 and
		(.comparisons[0].cost_percent * 1000 | round) == 23321 and
		(.comparisons[0].range | map(. * 100 | round)) == [2205, 2407] and
		(.variants | map(.seconds * 3e9 | round)) == [26813, 33067] and
		(.variants | map([.parts[]] | add * 3e9 | round)) == [26813, 33067] and
		(.variants | map(.samples)) == [1, 1] and
		.counts["DEBUG_PREEMPT=y"][0] == {seed: 1, iteration: 0} + (.counts["DEBUG_PREEMPT=y"][0] | del(.seed, .iteration))' \
		"$SCRATCH/price.json"
	check '... the store shows it again' sh -c "'$KCOST' show 1 | cmp - '$SCRATCH/first'"
	expect '... as time' 0 'about \+23 % time' show 1 --unit time
	check '... in estimated seconds' grep -q 'Estimated seconds per sample' "$SCRATCH/out"
	expect 'a replay is the same' 0 'Identical: all 4 samples' replay 1
	# One of four boots has counts: 67 cycles at 3 GHz, times (1001 + ... + 1004) / 4 over 1001.
	expect 'later boots are without the model' 0 '=n +22.37 +20.86' $few --runs 4 -o "$SCRATCH/price.json"
	check '... the first with it' jq -e '.prices[0].workloads[0].time.variants | map(.samples) == [1, 1]' \
		"$SCRATCH/price.json"
	expect 'another core' 0 'about .* % time \(zen4; ' $few --runs 1 --cpu-model zen4
	sed 's/^locked = 18$/locked = 0/' "$SOURCES/../../share/cpu/skylake-server.ini" >"$SCRATCH/my.ini"
	expect 'a core of one'\''s own' 0 'about \+25 % time \(.*my.ini; \+25 to \+25\)' $few --runs 1 --cpu-model "$SCRATCH/my.ini"
	expect 'none' 0 'DEBUG_PREEMPT=y' $few --runs 1 --cpu-model none
	check '... has no estimate' sh -c "! grep -q Estimated '$SCRATCH/out'"
	expect 'mmtests in estimated seconds' 0 '^Amean     1      0\.0000' $few --runs 2 --unit time --format mmtests
	expect 'a comparison has its estimate' 0 'b, 1 group: \+25.0 % instructions, about \+23 % time' compare \
		name=a,set=DEBUG_PREEMPT=n name=b,set=DEBUG_PREEMPT=y --tree 6.1 --groups 1 --iterations 1 --runs 2
	expect 'a core that is not' 2 "no CPU model 'skylark': .* skylake-server, zen4" $few --cpu-model skylark
	echo '[core]' >"$SCRATCH/bad.ini"
	expect 'a core without a description' 2 'bad.ini: \[core\] summary: is missing' $few --cpu-model "$SCRATCH/bad.ini"
	expect 'time without a core' 2 '--unit time needs a core' $few --cpu-model none --unit time
	expect 'a unit that is not' 2 "instructions or time, not 'hours'" $few --unit hours
	sed -i 's/^		\*,model=\*) .*/		*,model=*) ;;/' "$SCRATCH/bin/qemu-system-x86_64"
	expect 'a plugin that does nothing is no estimate of 0' 125 'left no counts; --cpu-model none does without' $few --runs 1
}
finish
