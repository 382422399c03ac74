#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `kcost explain` and `kcost price --with-deps` on Debian's Linux 6.1. Facts are those of its Kconfig
# files. The builds and boots of the price are fakes.
. "$(dirname "$0")/lib.sh"

expect 'explain --help: examples' 0 'kcost explain DEBUG_PREEMPT' explain --help
expect 'explain without an option' 2 'which option' explain
expect 'two options' 2 "not also 'B'" explain A B
expect 'an unknown flag' 2 'Unknown option --frob' explain X --frob
expect 'no such tree' 2 'no such directory' explain X --tree "$SCRATCH/none"
expect 'no such config' 2 'none.config' explain X --config "$SCRATCH/none.config"
printf '# Linux/arm64 6.1.0 Kernel Configuration\nCONFIG_ARM64=y\n' >"$SCRATCH/arm.config"
expect 'a config of another architecture' 2 'is for arm64' explain X --config "$SCRATCH/arm.config"

tarball=/usr/src/linux-source-6.1.tar.xz
if [ ! -e "$tarball" ] || ! command -v flex >/dev/null || ! command -v bison >/dev/null; then
	skip 'explanations on Linux 6.1' 'linux-source-6.1, flex or bison is not installed'
	finish
	exit
fi

fakes fine fine
expect 'a name that cannot be one' 2 'is no option' explain 'A B' --tree 6.1
# One run of Kconfig answers all of these.
kcost explain config_preempt_count --tree 6.1 --json
check 'JSON, case-blind, with CONFIG_: the chain' \
	jq -e '[.why[].name] == ["PREEMPT_COUNT", "PREEMPTION", "PREEMPT_BUILD", "PREEMPT"]' "$SCRATCH/out"
check 'JSON: PREEMPTION goes with it' jq -e '[.changes[].name] | index("PREEMPTION")' "$SCRATCH/out"
expect 'the chain begins with the select' 0 '^PREEMPT_COUNT=y  selected by PREEMPTION \(kernel/Kconfig.preempt:' \
	explain PREEMPT_COUNT --tree 6.1 --why
check 'the chain ends at what a person chose' \
	grep -qE '^PREEMPT=y  set in kcost.s minimal-x86_64.config, line [0-9]+' "$SCRATCH/out"
check 'four links, a line each' test "$(wc -l <"$SCRATCH/out")" = 4
expect 'a plan, confirmed' 0 'To turn PREEMPT_COUNT off, confirmed' explain PREEMPT_COUNT --tree 6.1 --how
check 'it is another preemption model' grep -q '^  PREEMPT_NONE=y' "$SCRATCH/out"
expect 'DEBUG_PREEMPT as it is: nobody asked for it' 0 '^DEBUG_PREEMPT=n  left open by kcost' \
	explain DEBUG_PREEMPT --tree 6.1 --why
expect 'near misses' 2 'PREEMPT_COUNT' explain PREEMPT_COUTN --tree 6.1 --why

# An option whose prompt needs another one, priced.
expect 'the price is refused, with an offer' 2 'SECURITY=y.*--with-deps' \
	price SECURITY_NETWORK --tree 6.1 --groups 1 --runs 2 --no-store -q
fakes fine fine
expect 'with the dependency on both sides' 0 'set on both sides for SECURITY_NETWORK=y: SECURITY=y' \
	price SECURITY_NETWORK --with-deps --tree 6.1 --groups 1 --runs 2 --no-store -q
check 'which then does not differ' sh -c "! grep -qE '^ +SECURITY +n -> y' '$SCRATCH/out'"
check 'as the option does' grep -qE '^ +SECURITY_NETWORK +n -> y' "$SCRATCH/out"
finish
