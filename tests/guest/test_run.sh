#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs of this machine on real kernels of Debian's Linux 6.1: what a sample holds, what the program's own
# marks make of it, and what is said when one fails. The kernels are those of test_boots.sh. SLOW=1: larger
# programs, those that are installed.
. "$(dirname "$0")/../cli/lib.sh"
: "${PROGRAM:?set PROGRAM to the program of program.c}"
mkdir "$SCRATCH/work"
cd "$SCRATCH/work" || exit 1
cp "$PROGRAM" program
few='price DEBUG_PREEMPT --tree 6.1 --runs 2 --iterations 2'
one='price DEBUG_PREEMPT --tree 6.1 --runs 1 --iterations 1'
off='samples["DEBUG_PREEMPT=n"]'

small() {
	# shellcheck disable=SC2086 # words
	expect 'a static program has a price' 0 'DEBUG_PREEMPT=y costs program ' $few --run './program 1000' \
		--run './program 2000' --run './program 1000 1' --run './program 2000 1' --run './program 2000 2' \
		-o "$SCRATCH/run.json"
	check '... the same instructions in user space in every boot, iteration and kernel' \
		jq -e '.prices[0].workloads | all([.samples[][].user] | unique | length == 1)' "$SCRATCH/run.json"
	check '... and more in the kernel with the option' jq -e '.prices[0].workloads |
		all(.parts[1].name == "kernel" and .parts[1].comparisons[0].cost_percent > 1)' "$SCRATCH/run.json"
	check '... nothing waits' jq -e '[.prices[0].workloads[].samples[][].idle] | all(. == 0)' "$SCRATCH/run.json"
	# A thousand calls more are so many instructions more in the whole run and between the marks; of the
	# latter a tick may take some hundred.
	# shellcheck disable=SC2016
	check 'marks leave out what is not between them' jq -e "[.prices[0].workloads[] | [.$off[].user] | min] |
		(.[1] - .[0]) as \$thousand | (.[3] - .[2]) == \$thousand and
		.[2] > \$thousand * 0.9 and .[2] < \$thousand * 1.1 and .[0] > .[2] * 1.5" "$SCRATCH/run.json"
	check '... and several pairs are taken together' jq -e "[.prices[0].workloads[] | [.$off[].user] | min] |
		.[4] > .[3] * 0.99 and .[4] < .[3] * 1.02" "$SCRATCH/run.json"
	# What the plugin counts is what the guest's own clock says, to the instruction: it is in the profile.
	# shellcheck disable=SC2086
	expect 'a program has a profile' 0 'Who pays' $one --run './program 1000' --profile -o "$SCRATCH/profile.json"
	check '... of exactly its instructions and the two readings of the clock' jq -e '.prices[0] |
		[.workloads[0].samples[][0].value] as $values | [.profiles[0].sides[].tree_sum] as $sums |
		[$sums[0] - $values[0], $sums[1] - $values[1]] | all(. > 0 and . < 100)' "$SCRATCH/profile.json"
	check '... which is sound' jq -e '.prices[0].profiles[0].sides |
		all(.adds_up and .samples_identical and .measured == .tree_sum)' "$SCRATCH/profile.json"
	# One of the two kernels as an image of others': the symbols in it tell where page faults enter it.
	sha=$(jq -r '.prices[0].variants[0].image_sha256' "$SCRATCH/run.json")
	image=$(sha256sum "$REAL_CACHE"/kernels/*/bzImage | sed -n "s:^$sha  ::p" | head -n 1)
	mkdir "$SCRATCH/image"
	cp "$image" "$SCRATCH/image/bzImage"
	expect 'a program on a ready kernel' 0 'no measurable cost|too few boots' compare name=built,cmdline=init_on_alloc=0 \
		name=ready,image="$SCRATCH/image/bzImage",cmdline=init_on_alloc=n --tree 6.1 --runs 1 --iterations 2 \
		--run './program 1000' -o "$SCRATCH/ready.json"
	check '... executes the same instructions in user space' \
		jq -e '[.prices[0].workloads[0].samples[][].user] | length == 4 and (unique | length == 1)' "$SCRATCH/ready.json"
	# shellcheck disable=SC2086
	{
		expect 'a program that fails: 125' 125 'program: it ended with exit status 3' $one --run './program 1 0 3'
		expect 'one that lacks a feature is told which' 125 \
			'it says: no fuse: No such file.*asked of the kernel in vain: /dev/fuse \(CONFIG_FUSE_FS\)' \
			$one --run './program fuse'
		printf '#!/bin/sh\nkill -SEGV $$\n' >crash
		chmod +x crash
		expect 'one that is killed' 125 'it was ended by signal 11' $one --run ./crash
		expect 'one that never ends' 125 'crash: no end after 1 s|sleep: no end after 1 s' \
			$one --run 'sleep 100' --timeout 1
	}
}

# Each sample finds the same files, and what is left running is ended.
script() {
	cat >script <<-'END'
		#!/bin/sh
		set -e
		test ! -e new -a ! -e /tmp/new
		read -r line <data
		test "$line" = text
		echo x >new
		echo x >/tmp/new
		(while :; do :; done) &
		test "$PWD" = "$1" -a "$A" = 'b c' -a -c /dev/null -a -d /proc/1
	END
	chmod +x script
	echo text >data
	# shellcheck disable=SC2086
	expect 'a shell script' 0 'script' $few --run "A='b c' ./script '$PWD'" --file data -o "$SCRATCH/script.json"
	# shellcheck disable=SC2086
	expect 'one that sleeps' 0 'waits 0\.0(19|20|21)[0-9]* s of a run' $one --run "sh -c 'sleep 0.02'" --file "$(command -v sleep)" \
		-o "$SCRATCH/sleep.json"
	check '... is not charged for it' jq -e ".prices[0].workloads[0].$off[0] |
		.value < 1e7 and .idle > 1.9e7 and .idle < 2.2e7" "$SCRATCH/sleep.json"
	expect 'it can be replayed' 0 'Identical' replay "$("$KCOST" list | awk 'END { print $1 }')"
	mkdir -p tree/bin tree/tmp
	cp program tree/bin/tool
	tar -czf tree.tar.gz -C tree .
	# shellcheck disable=SC2086
	{
		expect 'a rootfs' 0 'tool' $one --run 'tool 10' --rootfs tree -o "$SCRATCH/dir.json"
		expect '... in a tar file' 0 'tool' $one --run 'tool 10' --rootfs tree.tar.gz -o "$SCRATCH/tar.json"
	}
	check '... gives the same samples' test \
		"$(jq -c "[.prices[0].workloads[0].samples[][].user]" "$SCRATCH/dir.json")" = \
		"$(jq -c "[.prices[0].workloads[0].samples[][].user]" "$SCRATCH/tar.json")"
}

# DESCRIPTION PROGRAM ARGS...: skipped where the program is not installed
installed() {
	_w=$1 _p=$2
	shift 2
	if ! command -v "$_p" >/dev/null; then
		skip "$_w" "$_p is not installed"
		return
	fi
	# shellcheck disable=SC2086
	expect "$_w" 0 'kernel ' $few "$@" -o "$SCRATCH/large.json"
	check '... of more than the kernel' jq -e '.prices[0].workloads[0].parts |
		all(.mean["DEBUG_PREEMPT=n"] > 0)' "$SCRATCH/large.json"
}

large() {
	awk 'BEGIN {
		print "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, v REAL);"
		for (i = 0; i < 10000; i++) {
			printf "INSERT INTO t(k, v) VALUES (\"key%d\", %d.5);\n", i * 7919 % 10007, i
			if (i % 10 == 9) printf "SELECT count(*), sum(v) FROM t WHERE id > %d;\n", i - 9
		}
	}' | tr '"' "'" >load.sql
	installed 'sqlite3 with 10,000 inserts and queries' sqlite3 --run "sqlite3 t.db '.read load.sql'" --file load.sql
	cat >redis <<-'END'
		#!/bin/sh
		set -e
		redis-server --port 0 --unixsocket /tmp/socket --save '' >/dev/null &
		until redis-cli -s /tmp/socket ping >/dev/null 2>&1; do sleep 0.01; done
		redis-benchmark -s /tmp/socket -n 2000 -c 4 -q -t set,get >/dev/null
		redis-cli -s /tmp/socket shutdown nosave
		wait
	END
	chmod +x redis
	installed 'redis-server under redis-benchmark' redis-benchmark --run ./redis --file "$(command -v redis-server)" \
		--file "$(command -v redis-cli)" --file "$(command -v redis-benchmark)" --file "$(command -v sleep)"
	loop='i=0; while [ $i -lt 100 ]; do i=$((i + 1)); true; done'
	installed 'a shell script under dash' dash --run "dash -c '$loop'"
	installed 'a shell script under busybox' busybox --run "busybox sh -c '$loop'"
	python=$(ls -d /usr/lib/python3.*/ 2>/dev/null | head -n 1)
	installed 'python3 that prints a line' /usr/bin/python3 --run '/usr/bin/python3 -c "print(1)"' \
		--dir "${python:-/usr/lib/python3}"
}

if [ -n "${SLOW-}" ]; then large; else
	small
	script
fi
check 'nothing is left behind' test -z "$(ls -A "$TMPDIR")"
finish
