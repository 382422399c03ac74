#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Profiles that take kernels of their own: a known loop is found exactly, and what mitigations make of calls,
# returns and entries is followed. Debian's Linux 6.1 and 6.12.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/profile_lib.sh"

# Three instructions a turn, 1,000 turns, one before them, and the return.
tree=$(real_tree 6.1)
if [ -z "$tree" ]; then
	skip 'a known loop is found' 'no tree of Linux 6.1 in the cache'
else
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

# A module that is loaded and unloaded in each sample, and runs the same loop: once when it is loaded, and once for
# each of seven writes.
for version in 6.1 6.12; do
	build="$SCRATCH/module-$version"
	modular='--set MODULES=y --set MODULE_UNLOAD=y'
	program="$LOAD_MODULE $build/src/kcost_test.ko"
	# shellcheck disable=SC2086 # words
	expect "a kernel with modules, of $version" 0 '' compare name=a name=b,cmdline=quiet --tree "$version" $modular \
		--workload syscall-null --runs 1 --cpu-model none -o "$SCRATCH/modular.json"
	tree=$(real_tree "$version")
	config=$(sha256sum "$REAL_CACHE"/kernels/*/config | grep "^$(jq -r '.prices[0].variants[0].config_sha256' \
		"$SCRATCH/modular.json")" | sed 's/.*  //; q')
	mkdir -p "$build/src"
	cp "$(dirname "$0")"/module/* "$build/src"
	cp "$config" "$build/.config"
	check '... and a module for it' sh -c "make -s -C '$tree' 'O=$build' modules_prepare && make -s -C '$tree' 'O=$build' \
		'M=$build/src' KBUILD_MODPOST_WARN=1 modules"
	# shellcheck disable=SC2086
	expect "a module's functions, on $version" 0 'Who pays' compare name=a name=b,cmdline=quiet --tree "$version" $modular \
		--run "$program" --file "$build/src/kcost_test.ko" --runs 1 --iterations 2 --profile -o "$SCRATCH/module.json"
	check '... add up' jq -e "$sound" "$SCRATCH/module.json"
	check '... in time too' jq -e "$timed" "$SCRATCH/module.json"
	check '... are there by name and number, in both of their places' jq -e \
		'.prices[0].profiles[0].comparisons[0].functions | map(select(.file == "kcost_test.ko")) |
		(.[] | select(.name == "kcost_test_loop") | .calls == [16, 16] and .instructions == [48032, 48032]) and
		(map(select(.name == "kcost_test_outer"))[0].calls == [14, 14]) and
		any(.name == "init_module") and any(.name == "cleanup_module")' "$SCRATCH/module.json"
	check '... and nothing else is where modules are' jq -e \
		'.prices[0].profiles[0].comparisons[0].functions | all(.name != "[module text]")' "$SCRATCH/module.json"
done

# Page tables of the kernel's own make entries switch stacks, retpolines and return thunks make indirect jumps and
# returns of calls and jumps. The processor that QEMU has needs none of them, so they are asked for.
mitigated='set=CPU_MITIGATIONS=y,set=PAGE_TABLE_ISOLATION=y,set=RETPOLINE=y,set=RETHUNK=y,set=MITIGATION_ITS=y'
quick='--tree 6.1 --groups 1 --loops 5 --runs 1 --iterations 1 --cpu-model none --profile'
# shellcheck disable=SC2086 # words
expect 'page table isolation, retpolines and return thunks' 0 'Who pays' compare name=off,$mitigated,cmdline=mitigations=off \
	"name=on,$mitigated,cmdline=pti=on spectre_v2=retpoline indirect_target_selection=force" $quick -o "$SCRATCH/mitigated.json"
check '... add up' jq -e "$sound" "$SCRATCH/mitigated.json"
check '... in all their parts' jq -e "$parts" "$SCRATCH/mitigated.json"
check '... and are there' jq -e '[.prices[0].profiles[0].comparisons[0].functions[] |
	select(.instructions[1] > 0) | .name] | any(test("indirect_thunk")) and any(test("return_thunk"))' \
	"$SCRATCH/mitigated.json"

export KCOST_GUEST="${STRESS:?set STRESS to the program of stress.c}"
SAMPLES=8
for tree in 6.12; do
	expect "what a kernel does besides, on $tree" 0 'Who pays' price DEBUG_PREEMPT --tree "$tree" --groups 1 \
		--runs 1 --iterations "$SAMPLES" --profile -o "$SCRATCH/stress.json"
	check '... adds up' jq -e "$sound" "$SCRATCH/stress.json"
	check '... with the faulting instructions counted once' \
		jq -e '.prices[0].profiles[0].sides | all(.faults_corrected > 1000)' "$SCRATCH/stress.json"
	check '... and the sleeper idle for its 60 ms' jq -e '.prices[0].profiles[0].sides |
		all(.halts > 0 and .idle > 55e6 and .idle < 65e6)' "$SCRATCH/stress.json"
done
# shellcheck disable=SC2086
expect 'what a mitigated kernel does besides' 0 'Who pays' compare name=off,$mitigated,cmdline=mitigations=off \
	"name=on,$mitigated,cmdline=pti=on spectre_v2=retpoline indirect_target_selection=force" --tree 6.1 --groups 1 --runs 1 \
	--iterations "$SAMPLES" --cpu-model none --profile -o "$SCRATCH/stress.json"
check '... adds up' jq -e "$sound" "$SCRATCH/stress.json"
finish
