#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `kcost audit`: configurations from wherever they are, against a price list whose figures are made up.
# The builds and boots of --measure-total are fakes.
. "$(dirname "$0")/lib.sh"
export KCOST_PRICES="$SOURCES/../unit/data/prices"

expect 'audit --help: examples' 0 'kcost audit my.config --max-cost 5%' audit --help
expect 'three configurations' 2 "not also 'c'" audit a b c
expect 'an unknown flag' 2 'Unknown option --frob' audit --frob
expect 'an unknown format' 2 'one of text, markdown, json, csv' audit - --format xml
expect 'no such file' 2 'none.config' audit "$SCRATCH/none.config"
expect 'a directory' 2 'cannot read' audit "$SCRATCH"
expect 'no such list' 2 'none.csv' audit "$0" --prices "$SCRATCH/none.csv"
expect 'two configurations, annotated' 2 'about one configuration' audit a b --annotate x
expect 'a gate that is none' 2 'takes a percentage' audit - --max-cost five
expect 'an endless file' 2 'cannot read' audit /dev/zero
expect '-o into no directory' 3 'cannot write -o' audit - -o "$SCRATCH/none/x"

cat >"$SCRATCH/config" <<'END'
# Linux/x86 6.1.5 Kernel Configuration
CONFIG_DEBUG_PREEMPT=y
CONFIG_SLUB_DEBUG=y
CONFIG_PAGE_POISONING=y
# CONFIG_DEBUG_PAGEALLOC is not set
CONFIG_KASAN=y
CONFIG_NOBODY_KNOWS=y
END
config="$SCRATCH/config"
expect 'the list it was held against' 0 'fixture.csv: Linux 6.1.99, x86_64, machine exact' audit "$config"
check 'which says that it is a fixture' grep -q 'FIXTURE for tests' "$SCRATCH/out"
check 'a price, with its class and why it is on' \
	grep -qE '^  DEBUG_PREEMPT +debug +choice +\+28.1 \* +\+1.2 \*' "$SCRATCH/out"
check 'a dormant option, and until when' grep -qE '^  PAGE_POISONING +hardening .*page_poison=1' "$SCRATCH/out"
check 'one without a price, and why' grep -q 'KASAN (sanitizer): it does not boot' "$SCRATCH/out"
check 'the sum, and its caveat' grep -q 'prices do not simply add' "$SCRATCH/out"
check 'all are counted' \
	grep -q '5 options are on: 3 have a price, 1 are in the list without one, 1 are not' "$SCRATCH/out"
expect 'activated by a parameter' 0 'PAGE_POISONING: active through page_poison=1' \
	audit "$config" --cmdline 'quiet page_poison=1'

# Wherever it is.
gzip -c "$config" >"$SCRATCH/odd-name"
expect 'gzip under any name' 0 '\+28.1' audit "$SCRATCH/odd-name"
xz -c "$config" >"$SCRATCH/packed" 2>/dev/null && expect 'xz' 0 '\+28.1' audit "$SCRATCH/packed"
status=0
"$KCOST" audit - <"$SCRATCH/odd-name" >"$SCRATCH/out" 2>&1 || status=$?
check 'standard input, packed too' sh -c "[ $status = 0 ] && grep -q '+28.1' '$SCRATCH/out'"
{
	printf '\177ELF'
	head -c 5000 "$KCOST"
	printf IKCFG_ST
	gzip -c "$config"
	printf IKCFG_ED
} >"$SCRATCH/vmlinux"
expect 'a kernel that carries it' 0 '\+28.1' audit "$SCRATCH/vmlinux"
expect 'a program that carries none' 2 'CONFIG_IKCONFIG' audit "$KCOST"
printf '!<arch>\n' >"$SCRATCH/empty.deb"
KCOST_CACHE="$SCRATCH/deb-cache" expect 'a package that is none' 2 'no Debian package|cannot read the package' \
	audit "$SCRATCH/empty.deb"
if command -v dpkg-deb >/dev/null; then
	mkdir -p "$SCRATCH/deb/DEBIAN" "$SCRATCH/deb/boot"
	printf 'Package: linux-image-9\nVersion: 1\nArchitecture: all\nMaintainer: x <x@example.org>\nDescription: x\n' \
		>"$SCRATCH/deb/DEBIAN/control"
	cp "$config" "$SCRATCH/deb/boot/config-9"
	cp "$SCRATCH/vmlinux" "$SCRATCH/deb/boot/vmlinuz-9"
	dpkg-deb -b "$SCRATCH/deb" "$SCRATCH/image.deb" >/dev/null 2>&1
	KCOST_CACHE="$SCRATCH/deb-cache" expect 'a Debian package' 0 'image.deb: Linux 6.1.5' audit "$SCRATCH/image.deb"
else
	skip 'a Debian package' 'dpkg-deb is not installed'
fi
if [ -r /proc/config.gz ] || [ -r "/boot/config-$(uname -r)" ]; then
	expect 'the running kernel' 0 "configuration: .*: Linux [0-9]+\." audit
	check 'with its boot parameters' grep -q 'boot parameters, from /proc/cmdline' "$SCRATCH/out"
else
	expect 'the running kernel, which does not tell' 3 'name a file' audit
fi

# As it is found.
printf '\357\273\277CONFIG_DEBUG_PREEMPT=n\r\n#CONFIG_A=y\r\nCONFIG_DEBUG_PREEMPT=y # why\r\nDear all,\r\n# CONFIG_B' \
	>"$SCRATCH/wild"
expect 'a contradiction is told' 0 'contradict an earlier line.*line 3: DEBUG_PREEMPT' audit "$SCRATCH/wild"
check 'and the later line counts' grep -q '+28.1' "$SCRATCH/out"
check 'what is commented out' grep -q '1 of its lines are commented out.*#CONFIG_A=y' "$SCRATCH/out"
check 'what is no configuration' grep -q '1 of its lines are no configuration.*Dear all' "$SCRATCH/out"
check 'what only names one' grep -q '1 of its lines name an option but set nothing.*# CONFIG_B' "$SCRATCH/out"
sed 's/x86 6.1.5/arm64 6.12.1/' "$config" >"$SCRATCH/arm"
expect 'another version and architecture' 0 'of Linux 6.1.99, the configuration is of 6.12.1' audit "$SCRATCH/arm"
check 'both are said' grep -q 'of x86_64, the configuration is of arm64' "$SCRATCH/out"
KCOST_PRICES="$SCRATCH" expect 'no list at all' 0 'warning: there is no price list' audit "$config"

# Gates.
expect 'nothing is too dear' 0 '' audit "$config" --max-cost 50%
expect 'something is' 1 'max-cost: DEBUG_PREEMPT=y costs hackbench' audit "$config" --max-cost 5%
expect 'a limit of one workload' 1 'costs syscall-null 1.25' audit "$config" --max-cost syscall-null=1%
expect 'a workload that the list does not have' 2 "no workload 'nope'" audit "$config" --max-cost nope=1%
expect 'an option that must not be' 1 'fail-on DEBUG_PREEMPT: it is y' audit "$config" --fail-on DEBUG_PREEMPT
expect 'a class that must not be' 1 'fail-on class:debug: DEBUG_PREEMPT=y' \
	audit "$config" --fail-on KCSAN,class:debug
expect 'a class that is dormant' 0 '' audit "$config" --fail-on class:hardening
expect 'a class that nobody knows' 2 'there are debug, ' audit "$config" --fail-on class:degub
expect 'a name that nobody knows' 0 'is it misspelt' audit "$config" --fail-on DEBUG_PREMPT
check 'a passed gate prints the audit' grep -q '^What a configuration pays for' "$SCRATCH/out"

# Formats.
expect 'JSON' 0 '' audit "$config" --format json
check 'JSON: a price' jq -e '.schema == "kcost.audit/1" and
	(.options[] | select(.option == "DEBUG_PREEMPT") | .prices[0].cost_percent) == 28.1235' "$SCRATCH/out"
check 'JSON: what is dormant' \
	jq -e '.options[] | select(.option == "PAGE_POISONING") | .state == "dormant"' "$SCRATCH/out"
expect 'CSV' 0 '^DEBUG_PREEMPT,y,debug,choice,active,,,yes,,syscall-null,,1.25,1.25,1.25,$' \
	audit "$config" --format csv
expect 'Markdown' 0 '^\| DEBUG.?_PREEMPT \| debug \| choice \|' audit "$config" --format markdown
expect '-o' 0 '' audit "$config" -o "$SCRATCH/written"
check '-o: nothing but the file' sh -c "[ ! -s '$SCRATCH/out' ] && grep -q '+28.1' '$SCRATCH/written'"
printf '%s' '[{"option_name":"CONFIG_DEBUG_PREEMPT","type":"kconfig","desired_val":"is not set"}]' >"$SCRATCH/khc"
expect 'annotated' 0 '' audit "$config" --annotate "$SCRATCH/khc"
check 'annotated: the cost is there' \
	jq -e '.[0].kcost.prices[0].cost_percent == 28.1235 and .[0].kcost.paid' "$SCRATCH/out"
expect 'nothing to annotate' 2 'kernel-hardening-checker -m json' audit "$config" --annotate "$config"

# What changed: the default that came with a new version.
sed 's/^CONFIG_DEBUG_PREEMPT=y/# CONFIG_DEBUG_PREEMPT is not set/; s/6.1.5/6.1.4/' "$config" >"$SCRATCH/before"
expect 'two configurations' 0 'DEBUG_PREEMPT +n -> y +debug +\+28.1 +\+1.2' audit "$SCRATCH/before" "$config"
check 'nothing else changed' grep -q '1 options differ: 1 with a price' "$SCRATCH/out"
expect 'what is new is too dear' 1 'DEBUG_PREEMPT=y' audit "$SCRATCH/before" "$config" --max-cost 5%
expect 'what was there is no news' 0 '' audit "$config" "$config" --max-cost 5% --fail-on class:debug
expect 'what changed, as JSON' 0 '' audit "$SCRATCH/before" "$config" --format json
check 'JSON: from and to' jq -e '.priced[0] | .option == "DEBUG_PREEMPT" and .from == "n" and .to == "y"' "$SCRATCH/out"

# All of it at once.
printf 'CONFIG_KASAN=y\n' >"$SCRATCH/nothing"
expect 'nothing to measure' 2 'nothing that has a price is on' audit "$SCRATCH/nothing" --measure-total 6.1
expect 'measured, but not as JSON' 2 'prints text alone' audit "$config" --measure-total 6.1 --format json
if [ -e /usr/src/linux-source-6.1.tar.xz ] && command -v flex >/dev/null && command -v bison >/dev/null; then
	fakes fine fine
	{
		cat "$SOURCES/../../share/minimal-x86_64.config"
		echo CONFIG_DEBUG_PREEMPT=y
	} | gzip >"$SCRATCH/total.gz"
	expect 'two kernels, with and without' 0 'as-it-is' \
		audit "$SCRATCH/total.gz" --measure-total 6.1 --runs 1 -q
	check 'differ in what has a price' grep -qE '^ +DEBUG_PREEMPT +n -> y' "$SCRATCH/out"
	check 'the audit comes first' sh -c "head -n 1 '$SCRATCH/out' | grep -q '^What a configuration pays for'"
else
	skip 'two kernels, with and without' 'linux-source-6.1, flex or bison is not installed'
fi
check 'nothing is left behind' test -z "$(ls -A "$TMPDIR")"
finish
