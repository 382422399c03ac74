#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs of this machine as workloads (--run), with a fake make and QEMU: what is refused before anything is
# built, and what is kept of one.
. "$(dirname "$0")/lib.sh"

refused() { # DESCRIPTION STATUS PATTERN ARGS...
	_d=$1 _s=$2 _p=$3
	shift 3
	expect "$_d" "$_s" "$_p" price DEBUG_PREEMPT --tree 6.1 "$@"
}

fakes error fine
mkdir "$SCRATCH/work"
cd "$SCRATCH/work" || exit 1
refused 'no such program' 3 "there is no program 'no-such-program' on this machine" --run no-such-program
refused 'no such program, by a path' 3 "there is no program './nothing'" --run './nothing 1'
refused 'an empty command' 2 'there is none' --run ''
refused 'a command of blanks' 2 'there is none' --run '  '
refused 'an environment and no command' 2 'names no program' --run 'A=1'
refused 'an open quote' 2 'takes a command' --run "sh -c 'x"
refused "a shell's redirection" 2 "no shell runs it, so '<'" --run 'sh < x'
refused 'a directory as the program' 2 'is a directory, not a program' --run /usr
echo text >data
refused 'a file that may not be executed' 2 'may not be executed' --run ./data
printf '#!/no/such/interpreter\n' >script
chmod +x script
refused 'a script without its interpreter' 3 "needs the interpreter '/no/such/interpreter'" --run ./script
# The first bytes of an ELF file for 32-bit x86 (e_machine 3), and for 64-bit ARM (183).
{ printf '\177ELF\001\001\001\000\000\000\000\000\000\000\000\000\002\000\003\000\001\000\000\000'; head -c 76 /dev/zero; } >narrow
{ printf '\177ELF\002\001\001\000\000\000\000\000\000\000\000\000\002\000\267\000\001\000\000\000'; head -c 76 /dev/zero; } >other
{ printf '\177ELF\002\001\001'; } >damaged
chmod +x narrow other damaged
refused 'a 32-bit program' 2 'narrow is a 32-bit program for another machine' --run ./narrow
refused 'a program of another architecture' 2 'other is a 64-bit program for another machine' --run ./other
refused 'a damaged program' 2 'damaged' --run ./damaged
refused '... as a --file' 2 'narrow is a 32-bit program' --run sh --file narrow
if command -v cc >/dev/null; then
	echo 'int x(void){return 0;}' >lib.c
	echo 'int x(void);int main(void){return x();}' >main.c
	cc -shared -fPIC lib.c -o libkcosttest.so && cc main.c -o main ./libkcosttest.so -Wl,-rpath,"$PWD" &&
		cc -shared -fPIC lib.c -o libkcosttest2.so -Wl,-soname,libkcosttest2.so && cc main.c -o main2 -L. -lkcosttest2
	refused 'a missing library' 3 'libraries are missing.*libkcosttest2.so, needed by .*/main2' --run ./main2
else
	skip 'a missing library' 'no cc here'
fi
refused 'no such --file' 3 'there is no .*/nothing' --run sh --file nothing
refused 'a directory as --file' 2 'is a directory; bring it with --dir' --run sh --file /usr/share
refused 'a file as --dir' 3 'there is no directory .*/data' --run sh --dir data
refused 'two files in one place' 2 'two things would be /x in the guest' --run sh --file data:/x --file /etc/passwd:/x
refused '... and a file where a directory is' 2 'two things would be /usr in the guest' --run sh --file data:/usr
refused 'no such rootfs' 3 'there is no /no/such/tree' --run sh --rootfs /no/such/tree
refused 'a rootfs that is no archive' 2 'cannot read the archive' --run sh --rootfs data
mkdir -p tree/bin
refused 'a rootfs without the program' 3 "there is no program 'tool' in .*/tree" --run tool --rootfs tree
for option in '--file data' '--dir tree' '--rootfs tree' '--memory 2048'; do
	# shellcheck disable=SC2086 # words
	refused "${option%% *} without --run" 2 'name it with --run' $option
done
refused 'too little memory' 2 'memory takes' --run sh --memory 16
refused 'memory that is no number' 2 'memory takes MiB' --run sh --memory 1G
refused 'warm-up runs that are no number' 2 'warmup takes' --run sh --warmup -1
check 'nothing was built' test ! -e "$SCRATCH/builds"
check 'nothing is left behind' test -z "$(ls -A "$TMPDIR")"

# The fake QEMU's samples: 100,100 of seed 1 without the option, 4,000 of each in user space.
fakes fine fine
few='--tree 6.1 --runs 2 --iterations 2'
printf '#!/bin/sh\ncat data\n' >script
# shellcheck disable=SC2086 # words
{
	expect 'a program has a price' 0 'DEBUG_PREEMPT=y costs script ' \
		price DEBUG_PREEMPT $few --run './script x' --file data --file /bin/cat -o "$SCRATCH/run.json"
	check '... of a run' grep -q '^Instructions per run, script payload=' "$SCRATCH/out"
	check '... with what is run' grep -q '^Note: script is `./script x` with .* in a guest of 1024 MiB' "$SCRATCH/out"
	check '... and its parts' grep -qE '^ +script +=y +kernel ' "$SCRATCH/out"
	check '... in JSON too' jq -e '.prices[0].workloads[0] |
		(.samples["DEBUG_PREEMPT=n"][0] | .value == 100100 and .user == 4000) and
		(.parts | map(.name)) == ["user space", "kernel"] and
		.parts[0].comparisons[0].cost_percent == 0 and
		.parts[1].mean["DEBUG_PREEMPT=n"] == (.mean["DEBUG_PREEMPT=n"] - 4000)' "$SCRATCH/run.json"
	kcost show 1 --format json
	check 'the store has it all' cmp "$SCRATCH/out" "$SCRATCH/run.json"
	expect 'it can be replayed' 0 'Identical: all 8 samples' replay 1
	echo more >>data
	expect '... not with another file' 3 'are not what they were' replay 1
	expect 'several programs' 0 'true-2' price DEBUG_PREEMPT $few --run 'true' --run 'true 1' --workload stat
	check '... beside workloads' grep -qE '^ +stat ' "$SCRATCH/out"
	expect 'a gate by its name' 1 'max-cost' price DEBUG_PREEMPT $few --run true --max-cost true=1%
	expect '... and none by another' 2 'hackbench' \
		price DEBUG_PREEMPT $few --run true --max-cost hackbench-process-sockets=1%
	expect 'a comparison' 0 'true' compare name=a name=b,set=DEBUG_PREEMPT=y $few --run true
}
check 'nothing is left behind' test -z "$(ls -A "$TMPDIR")"
finish
