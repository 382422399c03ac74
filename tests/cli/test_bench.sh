#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `kcost bench`: workloads on the kernel of the machine at hand.
. "$(dirname "$0")/lib.sh"

line='Running in process mode with 2 groups using 10 file descriptors each \(== 20 tasks\)'
expect 'hackbench: the first line' 0 "^$line\$" bench hackbench -q -g 2 -f 5 -l 3
check '... the second' grep -qx 'Each sender will pass 3 messages of 100 bytes' "$SCRATCH/out"
check '... the third' grep -qE '^Time: [0-9]+\.[0-9]{6}$' "$SCRATCH/out"
check '... and no more' test "$(wc -l <"$SCRATCH/out")" = 3
expect 'threads' 0 'Running in threaded mode with 1 groups' bench hackbench -q -T -g 1 -f 2 -l 1
expect 'pipes, long options' 0 '^Each sender will pass 2 messages of 7 bytes' \
	bench hackbench -q --pipe --process --groups=1 --fds=2 --loops=2 --datasize=7
expect 'several groups: several runs' 0 'with 3 groups' bench hackbench -q -g 1,3 -f 2 -l 1 -n 2
check '... each with its times' test "$(grep -c '^Time: ' "$SCRATCH/out")" = 4

# The same options mean the same: as many messages are written as rt-tests' hackbench writes.
writes() { # COMMAND...
	strace -f -qq -e trace=write,sendto,sendmsg -o "$SCRATCH/trace" "$@" >/dev/null 2>&1
	grep -cE '^[0-9]+ +(write|sendto|sendmsg)\(.*, 77(\)| <unfinished)' "$SCRATCH/trace"
}
if ! command -v strace >/dev/null || ! strace -qq -o /dev/null true 2>/dev/null; then
	skip 'as many messages' 'strace is not there, or may not trace'
else
	for form in '' -p -T '-T -p'; do
		# shellcheck disable=SC2086 # words
		check "groups * fds^2 * loops messages${form:+ with $form}" \
			test "$(writes "$KCOST" bench hackbench -q -g 2 -f 3 -l 5 -s 77 $form)" = 90
	done
	if command -v hackbench >/dev/null; then
		check "... as with rt-tests' hackbench" \
			test "$(writes hackbench -g 2 -f 3 -l 5 -s 77)" = 90
	else
		skip "... as with rt-tests' hackbench" 'rt-tests is not installed'
	fi
fi

for bad in '-g 0' '-g -1' '-g x' '-g 1e3' '-g 99999999999999999999' '-l -5' '-l 0' '-l 1.5' '-f 0' \
	'-f -20' '-s 0' '-s 99999999999' '-n 0'; do
	# shellcheck disable=SC2086 # words
	expect "hackbench $bad" 2 'is not from|is not a whole number|takes a whole number' bench hackbench -q $bad
	check "hackbench $bad: one line, nothing run" test "$(cat "$SCRATCH/out" "$SCRATCH/err" | wc -l)" = 1
done
expect '--threads and --process' 2 'exclude each other' bench hackbench -T -P
expect '--pipe and --inet' 2 'exclude each other' bench hackbench -p -i
expect 'no workload' 2 'which workload' bench
expect 'an unknown workload' 2 "no workload 'nope'" bench nope
expect 'a workload for tests' 2 "no workload 'fault-panic'" bench fault-panic
expect 'an unknown parameter' 2 "no parameter 'frob=1'" bench timer frob=1
expect "hackbench's options elsewhere" 2 "none of hackbench's options" bench timer -g 3
expect 'a word too many' 2 "what is '10'" bench hackbench 10
expect '-o into no directory' 3 'cannot write -o' bench timer -o "$SCRATCH/none/x.json"
expect '--store without --record' 2 'needs --record' bench timer --store "$SCRATCH/x"

# A limit that is too low is named before anything runs.
few() { # PRLIMIT-OPTION ARGS...
	_limit=$1
	shift
	status=0
	setpriv --reuid 65534 --clear-groups prlimit "$_limit" "$KCOST" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" ||
		status=$?
}
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --clear-groups "$KCOST" --version >/dev/null 2>&1; then
	few --nofile=100 bench hackbench -q -T -g 10
	check 'too few descriptors: status 3' test "$status" = 3
	check '... the limit to raise' grep -q '464 open files are needed, but the limit is 100: raise it' "$SCRATCH/err"
	few --nproc=20 bench hackbench -q -g 10
	check 'too few processes: status 3' test "$status" = 3
	check '... the limit to raise' grep -q 'tasks are needed, but the limit is 20: raise it' "$SCRATCH/err"
	check '... and nothing was measured' sh -c "! grep -q ^Time '$SCRATCH/out'"
	few --core=0 bench timer -q -n 1
	check 'any user can measure' test "$status" = 0
else
	skip 'limits of another user' 'it takes root, and a build that others can run'
fi

expect 'another workload' 0 '^timer calls=16000: [0-9.,]+ us per setting \(median of 10, from' bench timer -q
expect '... with parameters' 0 '^getdents entries=3 calls=2: .* per listing \(median of 4,' \
	bench getdents entries=3 calls=2 -n 4 -q

expect 'a result is kept' 0 'kept as result 1' bench hackbench -q -g 1,2 -f 2 -l 2 --record before
expect '... and listed' 0 'before' list
expect '... and exported' 0 '' export 1 --format json
check '... ten samples a row, in seconds' jq -e '.prices[0].workloads | length == 2 and
	all(.unit == "seconds" and (.samples.before | length == 10))' "$SCRATCH/out"
expect '... and shown' 0 '^Amean +2 ' show 1
expect 'to a file' 0 '' bench timer -q -n 2 -o "$SCRATCH/timer.json"
check '... both samples' jq -e '.prices[0].workloads[0].samples.here | length == 2' "$SCRATCH/timer.json"

# Interrupted in the middle, no task is left: each has a name of its own.
cp "$(dirname "$KCOST")/src/guest/kcost-bench" "$SCRATCH/bench-of-$$"
KCOST_BENCH="$SCRATCH/bench-of-$$" "$KCOST" bench hackbench -q -g 4 -l 1000000 >"$SCRATCH/out" 2>&1 &
pid=$!
tries=0
until [ "$(pgrep -fc "bench-o[f]-$$ hackbench")" -gt 160 ] || [ "$tries" -ge 600 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
check 'hackbench has started its tasks' test "$tries" -lt 600
kill -INT "$pid"
status=0
wait "$pid" || status=$?
check 'Ctrl-C: 130' test "$status" = 130
check '... and no task is left' sh -c "! pgrep -f 'bench-o[f]-$$ hackbench'"
check 'nothing is left behind' test -z "$(ls -A "$TMPDIR")"
finish
