#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `kcost compare`, and what `kcost price` has from it, with a fake make and a fake QEMU first on PATH. The
# fake QEMU's samples are 1000 plus the seed, in hundredths: 125 % of that with DEBUG_PREEMPT, 150 % with
# PAGE_POISONING, 110 % when booted with slow=1; so every cost below is exact. Kconfig is the real one
# of Debian's Linux 6.1.
. "$(dirname "$0")/lib.sh"

few() { # what all runs have
	echo "--tree 6.1 --groups 1 --runs 3 --iterations 2"
}

# Requests that are wrong, before anything is built.
expect 'compare --help: the keys' 0 'image=FILE' compare --help
expect 'compare alone' 2 'name at least two' compare
expect 'one SPEC' 2 '2 to 8 variants, not 1' compare name=a
expect 'nine SPECs' 2 'not 9' compare name=1 name=2 name=3 name=4 name=5 name=6 name=7 name=8 name=9
expect 'an unknown key' 2 "no key 'nome'" compare nome=a name=b
expect 'the same name twice' 2 "called 'A=y'" compare set=A=y set=A=y
expect 'no key=value' 2 'is no key=value' compare base set=A=y
expect 'an empty SPEC' 2 'write name=base' compare '' set=A=y
expect 'id=: not yet, and says so' 2 'id= cannot be compared yet' compare id=1 name=b
expect 'log=: not yet, and says so' 2 'log= cannot be compared yet' compare log=f name=b
expect 'no such image' 2 'cannot read the image' compare image="$SCRATCH/none" name=b
head -c 100000 "$KCOST" >"$SCRATCH/vmlinux"
expect 'an image that is none' 2 'no x86 bzImage but an ELF file' compare image="$SCRATCH/vmlinux" name=b
printf '!<arch>\n' >"$SCRATCH/empty.deb"
expect 'a package without a kernel' 2 'no data.tar' compare image="$SCRATCH/empty.deb" name=b
expect 'rev= outside of git' 2 'needs a git repository' compare rev=a rev=b --tree "$SCRATCH"
expect 'a patch that is not there' 2 'cannot read the patch' \
	compare name=a patch="$SCRATCH/none.patch" --tree "$SCRATCH"
expect 'a gate that is none' 2 'max-cost takes a percentage' compare name=a name=b --max-cost much
expect 'a gate for no workload' 2 "no workload 'nope'" compare name=a name=b --max-cost nope=1%
expect 'a gate with one boot' 2 'two boots' compare name=a name=b --max-cost 1% --runs 1
expect 'price: boot parameters that are none' 2 'cmdline takes' price --cmdline ' '

# shellcheck disable=SC2046 # the arguments are words
{
	fakes fine fine
	expect 'three variants in one table' 0 'PAGE_POISONING=y costs .* \+50\.' \
		compare name=base set=DEBUG_PREEMPT=y set=PAGE_POISONING=y $(few) -o "$SCRATCH/three.json"
	check '... with the other cost' grep -q 'DEBUG_PREEMPT=y costs .* +25\.' "$SCRATCH/out"
	check "... and mmtests' table has three columns" \
		grep -qE '^Amean +1 .*\(   0\.00%\).* \* -25\.00%\*.* \* -50\.00%\*' "$SCRATCH/out"
	check '... in JSON' jq -e '[.prices[0].workloads[0].comparisons[].cost_percent] == [25, 50]' \
		"$SCRATCH/three.json"
	check '... what each differs in' \
		jq -e '[.prices[0].variants[1:][].config_changes | map(.name) | index("DEBUG_PREEMPT", "PAGE_POISONING")] |
			.[0] != null and .[3] != null' "$SCRATCH/three.json"

	expect 'A/A: 0.00 and no star' 0 '^Amean +1 .*\(   0\.00%\).*\(   0\.00%\)$' \
		compare name=a name=b $(few)
	check '... nor a cost' grep -q 'b has no measurable cost' "$SCRATCH/out"
	check '... and it says why' grep -q '^Note: a and b are the same kernel image' "$SCRATCH/out"
	check '... no star at all' sh -c "! grep -qE '\*( |\$)' '$SCRATCH/out'"

	expect 'boot parameters' 0 'slow=1 costs .* \+10\.' compare name=base cmdline=slow=1 $(few)
	expect 'boot parameters with an option' 0 'both costs .* \+37\.5' \
		compare name=base name=both,set=DEBUG_PREEMPT=y,cmdline=slow=1 $(few)
	expect 'price --cmdline' 0 '^slow=1 costs .* \+10\.' price --cmdline slow=1 $(few)
	expect 'an unknown boot parameter has no price' 2 'does not know the boot parameter foo_bar=1' \
		compare name=base cmdline=foo_bar=1 $(few)
	expect '... nor in price' 2 'does not know the boot parameter foo_bar=1' \
		price --cmdline 'slow=1 foo_bar=1' $(few)

	expect 'a kernel with ACPI beside one without' 0 'ACPI=y' compare name=a set=ACPI=y $(few)
	expect 'a set= that the tree does not have' 2 'no option NONSENSE' compare name=a set=NONSENSE=y $(few)
	expect 'a set= that cannot be had' 2 'cannot be had' compare name=a set=KASAN_INLINE=y $(few)
	expect 'what nobody set is said' 0 '^Note: a and .* differ in [0-9]+ configuration options? that nobody set' \
		compare name=a set=DEBUG_LOCK_ALLOC=y $(few)
	printf 'CONFIG_64BIT=y\n' >"$SCRATCH/small.config"
	expect 'config= that cannot boot' 125 'would not boot to a result' \
		compare name=a config="$SCRATCH/small.config" $(few)

	# Gates.
	# Three boots of 1001 to 1003 put the interval's ends 0.3 points from 25.
	expect 'a gate that holds' 0 'costs' compare name=a set=DEBUG_PREEMPT=y $(few) --max-cost 25.1%
	expect 'a gate that does not: 1, which and by how much' 1 \
		'DEBUG_PREEMPT=y costs hackbench-process-sockets 25\.00 %.*above 24 % beyond doubt' \
		compare name=a set=DEBUG_PREEMPT=y $(few) --max-cost 24%
	check '... after the report' grep -q '^Amean' "$SCRATCH/out"
	expect "price has it too, and a workload's own gate" 0 'costs' \
		price DEBUG_PREEMPT $(few) --max-cost 1% --max-cost hackbench-process-sockets=30%
	expect '... above it' 1 'above 1 %' price DEBUG_PREEMPT $(few) --max-cost 1%
	fakes error fine
	expect 'a kernel that does not build: 125, gate or not' 125 'did not build' \
		compare name=a set=DEBUG_LIST=y $(few) --max-cost 1%
	fakes fine panic
	expect 'a kernel that dies: 125' 125 'the kernel died' \
		compare name=a set=DEBUG_PREEMPT=y $(few) --max-cost 1%

	# Patches, on a copy of the tree.
	fakes fine fine
	cat >"$SCRATCH/fix.patch" <<-'END'
		--- a/Makefile
		+++ b/Makefile
		@@ -1,3 +1,4 @@
		 # SPDX-License-Identifier: GPL-2.0
		+# a comment
		 VERSION = 6
		 PATCHLEVEL = 1
	END
	sed 's/PATCHLEVEL = 1/PATCHLEVEL = 4/' "$SCRATCH/fix.patch" >"$SCRATCH/wrong.patch"
	expect 'a patch that does not apply: its hunk' 2 'PATCHLEVEL = 4' \
		compare name=a patch="$SCRATCH/wrong.patch" $(few)
	check '... nothing is left' test -z "$(ls -A "$TMPDIR")"
	expect 'a patch' 0 '^fix.patch has no measurable cost' compare name=a patch="$SCRATCH/fix.patch" $(few) \
		-o "$SCRATCH/patch.json"
	check '... is another tree' jq -e '[.prices[0].variants[].tree_identity] | .[0] != .[1]' "$SCRATCH/patch.json"
	expect 'price --patch' 0 '^fix.patch has no measurable cost' price --patch "$SCRATCH/fix.patch" $(few)
	check '... nothing is left' test -z "$(ls -A "$TMPDIR")"
}
finish
