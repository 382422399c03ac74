#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Comparisons of real kernels of Debian's Linux 6.1: boot parameters, known and unknown, a kernel with
# itself, and ready images. Only the kernel without DEBUG_PREEMPT is needed; it is built if it is not in the cache.
. "$(dirname "$0")/../cli/lib.sh"
few='--tree 6.1 --groups 1 --runs 4 --iterations 2'
# shellcheck disable=SC2086 # words
{
	# Zeroing every allocation takes instructions: there is a cost.
	expect 'init_on_alloc=1 has a price' 0 'init_on_alloc=1 costs hackbench-process-sockets' \
		price --cmdline init_on_alloc=1 $few -o "$SCRATCH/alloc.json"
	check '... beyond doubt' jq -e '.prices[0].workloads[0] | .significant and .cost_percent > 0' \
		"$SCRATCH/alloc.json"
	check '... of one image' \
		jq -e '[.prices[0].variants[].image_sha256] | .[0] == .[1]' "$SCRATCH/alloc.json"
	expect 'foo_bar=1 has none' 2 'does not know the boot parameter foo_bar=1' \
		price --cmdline foo_bar=1 $few
	expect '... nor has a word without a value' 2 'does not know the boot parameter foo_bar' \
		compare name=a cmdline=foo_bar $few
	expect 'a value that the kernel cannot use' 2 'cannot use the value|Malformed' \
		price --cmdline init_on_alloc=banana $few
	expect "a module's parameter that is not there is noted" 0 'Note: The boot parameter slub.frob=1' \
		compare name=a cmdline=slub.frob=1 $few
	expect 'A/A: 0.00, no star' 0 '^Amean +1 .*\(   0\.00%\).*\(   0\.00%\)$' compare name=a name=b $few
	kcost price --cmdline init_on_alloc=1 $few -o "$SCRATCH/again.json"
	samples='[.prices[].workloads[].samples]'
	check 'and the same samples again' \
		test "$(jq -c "$samples" "$SCRATCH/alloc.json")" = "$(jq -c "$samples" "$SCRATCH/again.json")"

	# Packages of a mirror, taken by the tester: KCOST_TEST_DEBS="one.deb two.deb".
	set -- ${KCOST_TEST_DEBS:-}
	if [ $# = 2 ]; then
		expect 'two Debian images' 0 'Amean +1' compare "image=$1" "image=$2" --groups 1 --runs 2
		check '... their configurations differ' grep -qE '^Note: .*(differ in|not known)' "$SCRATCH/out"
	else
		skip 'two Debian images' 'KCOST_TEST_DEBS names no two packages'
	fi
}
finish
