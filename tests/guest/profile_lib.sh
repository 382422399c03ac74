# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034 # used by those who source this
# What must hold for every profile: sums equal, samples as without the profiler, no return without
# its call, no call folded.
side_sound='(.adds_up and .samples_identical and .tree_sum == .instructions and .unmatched_returns == 0 and
	.faults_unsure == 0 and .folded_calls == 0 and (.halts > 0 or .measured == .tree_sum))'
sound="[.prices[].profiles[]] | length > 0 and all(.sides | all($side_sound))"
# The parts of each comparison make up the whole.
parts='[.prices[].profiles[].comparisons[]] | all(
	((.rate + .volume + .user - .difference) | fabs < 1e-6) and
	(([.payers[].difference] | add) - .difference | fabs < 1e-6) and
	(([.functions[].difference] | add) - .difference | fabs < 1e-6) and
	([.functions[].instructions[1]] | add) == ([.payers[].instructions[1]] | add))'
# With a core model the tree has its events, to the last one, and they are those of the boot without the profiler;
# the times of the parts make up the whole. Without one there is nothing of it.
timed='[.prices[].profiles[]] | length > 0 and
	all(.sides | all(.events_add_up and .events_identical and (.events | length > 50 and .instruction[0] > 1e6 and
		all(.[0] == .[1])))) and
	([.[].comparisons[]] | all(.time.difference as $whole | .time.per_operation[1] as $other |
		$other > 0 and
		all([.payers, .functions, .files, .subsystems, .callers][];
			(([.[].time.difference] | add) - $whole | fabs < 1e-6) and
			(([.[].time.per_operation[1]] | add) - $other | fabs < 1e-6))))'
untimed='[.prices[].profiles[]] | length > 0 and all((.sides | all(has("events") | not)) and
	(.comparisons | all((has("time") | not) and (.payers | all(has("time") | not)))))'
# For a failed test's reader, a line for each side that is not so: which it is, what is known of it, and the events
# that differ.
unsound='.prices[].profiles[] | .workload as $workload | .sides[] |
	select(('"$side_sound"' and .events_add_up != false and .events_identical != false) | not) |
	"# \($workload): \(del(.events) | tojson), events \([.events // {} | to_entries[] |
		select(.value[0] != .value[1])] | tojson)"'
