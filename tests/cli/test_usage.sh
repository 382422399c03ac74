#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What is wrong with a request is said before anything is built: the right status, one clear sentence.
. "$(dirname "$0")/lib.sh"
export KCOST_CACHE="$SCRATCH/cache"

expect 'no command: help, status 2' 2 'Usage: kcost'
expect '--help: status 0' 0 '^  price ' --help
expect '--version' 0 '^kcost [0-9]+\.[0-9]+' --version
expect 'unknown command' 2 "'prize' is no command; did you mean price; see" prize
expect 'price --help: status 0, examples' 0 'kcost price DEBUG_PREEMPT --tree 6.1' price --help
expect 'price without an option' 2 'which option' price
expect 'an unknown flag' 2 'Unknown option --frob' price X --frob
expect 'no name but a value' 2 'is no option' price =y
expect 'a name with a blank' 2 'is no option' price 'A B'
expect 'an empty value' 2 'has no value' price 'LOG_BUF_SHIFT='
expect '--set without a value' 2 'lacks a value' price X --set DEBUG_KERNEL
expect 'workloads are listed' 0 '^hackbench-thread-pipes' workloads
check '... with what each is' grep -q '^    operation: page fault' "$SCRATCH/out"
check '... and which must be named' grep -q '^tcp-loopback  (not in all: must be named)' "$SCRATCH/out"
check 'test workloads are not listed' sh -c "! grep -q ^fault- '$SCRATCH/out'"
expect 'an unknown workload' 2 "no workload 'nope'" price X --workload nope
expect 'one with a slip of the pen' 2 "no workload 'pipe-pingpog'; the nearest names are pipe-pingpong;" \
	price X --workload pipe-pingpog
expect '... and with a parameter' 2 'getdents;.*KEY=VALUE is for .kcost bench. alone' price X --workload 'getdents n=1'
expect 'an unknown workload among known ones' 2 "no workload 'nope'" price X --workload timer,nope
expect 'a pattern that nothing matches' 2 "matches 'nope\*'" price X --workload 'nope*'
expect 'a pattern does not find what must be named' 2 "matches 'tcp\*'" price X --workload 'tcp*'
expect 'nothing of the quick suite' 2 'quick suite: leave --quick out' price X --workload timer --quick
expect 'an unknown rule for stars' 2 "stars takes ci or mmtests, not 'some'" price X --stars some
expect 'an unknown format' 2 'one of text, mmtests, json, csv' price X --format xml

for groups in 0 -1 1e9 1,,4 '' 99999 1,x 4.5 18446744073709551617; do
	expect "--groups '$groups'" 2 'groups' price X --groups="$groups"
	check "--groups '$groups': one line" test "$(wc -l <"$SCRATCH/err")" = 1
done
for loops in 0 -5 1e9 x; do
	expect "--loops '$loops'" 2 'loops' price X --loops="$loops"
done
for flag in runs iterations jobs timeout; do
	expect "--$flag 0" 2 "--$flag takes a whole number" price X "--$flag=0"
	expect "--$flag -3" 2 "--$flag takes a whole number" price X "--$flag=-3"
done
for precision in 0 -1 nan inf 1e9 two; do
	expect "--precision $precision" 2 '--precision takes' price X --precision="$precision"
done
for time in 0 -1 1d m 999999999h; do
	expect "--max-time $time" 2 '--max-time takes' price X --max-time="$time"
done
expect '-o into no directory' 3 'cannot write -o' price X -o "$SCRATCH/none/x.json"
expect '-o onto a directory' 2 'that is a directory' price X -o "$SCRATCH"

# Trees.
expect 'no such tree' 2 'no such directory' price X --tree "$SCRATCH/none"
mkdir "$SCRATCH/empty"
expect 'a directory that is no kernel tree' 2 'is no kernel tree' price X --tree "$SCRATCH/empty"
expect 'a version that is not installed' 3 'apt install linux-source-9.9' price X --tree 9.9
fake_tree "$SCRATCH/built"
: >"$SCRATCH/built/.config"
expect 'a tree that was built in place' 2 'make mrproper' price X --tree "$SCRATCH/built"
for name in 'a b' 'a:b'; do
	fake_tree "$SCRATCH/$name"
	expect "a tree in '$name'" 2 'blank or a colon' price X --tree "$SCRATCH/$name"
done
fake_tree "$SCRATCH/newer"
sed -i 's/VERSION = 6/NOTHING = 6/' "$SCRATCH/newer/Makefile"
expect 'a tree without a version' 2 'is no kernel tree' price X --tree "$SCRATCH/newer"

# Base configs.
expect 'no such config file' 2 'none.config' price X --base-config "$SCRATCH/none.config"
: >"$SCRATCH/empty.config"
expect 'an empty config file' 2 'empty.config' price X --base-config "$SCRATCH/empty.config"
head -c 4096 "$KCOST" >"$SCRATCH/binary.config"
expect 'a binary config file' 2 'binary' price X --base-config "$SCRATCH/binary.config"
printf '# Linux/arm64 6.1.0 Kernel Configuration\nCONFIG_ARM64=y\n' >"$SCRATCH/arm.config"
expect 'a config of another architecture' 2 'is for arm64' price X --base-config "$SCRATCH/arm.config"

# The selftest.
expect 'selftest --help: an example' 0 'name=stock,set=DEBUG_PREEMPT=y' selftest --help
expect 'selftest: which?' 2 'there is one: debug-preempt' selftest
expect 'selftest: another' 2 'there is one: debug-preempt' selftest memory
expect 'selftest: a format that it has not' 2 "text or json, not 'csv'" selftest debug-preempt -f csv
expect 'selftest: no processors' 2 "not '0'" selftest debug-preempt -j 0
expect 'selftest: a SPEC that is none' 2 "no key 'nome'" selftest debug-preempt nome=a
expect 'selftest: a finished kernel' 2 'is a finished kernel' selftest debug-preempt image=vmlinuz

# What is missing on the machine.
bin="$SCRATCH/bin"
mkdir "$bin"
for program in make gcc ld flex bison bc perl qemu-system-x86_64; do
	ln -s "$(command -v "$program" || echo /bin/true)" "$bin/$program"
done
for program in qemu-system-x86_64 gcc flex; do
	rm "$bin/$program"
	status=0
	PATH=$bin "$KCOST" price X >"$SCRATCH/out" 2>"$SCRATCH/err" || status=$?
	check "$program missing: status 3" test "$status" = 3
	check "$program missing: named, with its package" \
		grep -qE "needs $program, .*apt install" "$SCRATCH/err"
	ln -s "$(command -v "$program" || echo /bin/true)" "$bin/$program"
done
mkdir "$SCRATCH/nosource"
KCOST_LINUX_SOURCES="$SCRATCH/nosource" expect 'no tree at all' 3 'linux-source' price X
rm -rf "$SCRATCH/built/.config"
: >"$SCRATCH/file"
KCOST_CACHE="$SCRATCH/file/cache" expect 'the cache cannot be made' 3 'cache directory' \
	price X --tree "$SCRATCH/built"
check 'nothing is left behind' test -z "$(ls -A "$TMPDIR")"
finish
