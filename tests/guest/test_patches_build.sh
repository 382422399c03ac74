#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel patches on Debian's sources: both series apply, are as clean as patches/README.md says, and
# build with other configurations and for other architectures; what this machine can boot, kernels with
# and without the series must say the same of each misuse of share/selftest/debug-preempt/expected.
# PATCHES_TEST=objects only compiles what holds the checks (some ten objects for each configuration),
# PATCHES_TEST=all builds all of the other architectures' kernels too. PATCHES_VERSIONS and
# PATCHES_CONFIGS choose some of what is in the tables below.
# shellcheck disable=SC2154 # lib.sh sets status
. "$(dirname "$0")/../cli/lib.sh"
patches=$(cd "$SOURCES/../../patches" && pwd)
mode=${PATCHES_TEST:-boot}
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
objects='kernel/sched/core.o kernel/softirq.o kernel/locking/spinlock.o kernel/fork.o lib/smp_processor_id.o
mm/memcontrol.o mm/slub.o'

# NAME ARCH DYNAMIC SETTINGS: a configuration; DYNAMIC is whether DEBUG_PREEMPT_DYNAMIC is to be had there.
configurations() { # VERSION
	cat <<-TABLE
		preempt x86_64 yes
		preempt_dynamic x86_64 yes PREEMPT_DYNAMIC=y
		tracers x86_64 no FTRACE=y IRQSOFF_TRACER=y PREEMPT_TRACER=y
		functions x86_64 yes FTRACE=y FUNCTION_TRACER=y
		lockdep x86_64 yes PROVE_LOCKING=y
		kasan x86_64 yes KASAN=y
		one_cpu x86_64 yes SMP=n
		compat x86_64 yes IA32_EMULATION=y HYPERVISOR_GUEST=y PARAVIRT=y
		i386 i386 no
		arm64 arm64 no
	TABLE
	[ "$1" = 6.1 ] || echo 'rt x86_64 yes PREEMPT_RT=y'
}

# What checkpatch.pl --strict says of the series: PATCH TYPE. patches/README.md says why.
exceptions() {
	cat <<-TABLE
		0002 FILE_PATH_CHANGES
		0002 PREFER_DEFINED_ATTRIBUTE_MACRO
		0002 SINGLE_STATEMENT_DO_WHILE_MACRO
		0002 VOLATILE
		0003 FILE_PATH_CHANGES
		0003 SINGLE_STATEMENT_DO_WHILE_MACRO
		0003 VOLATILE
		0005 ARCH_INCLUDE_LINUX
		0005 FILE_PATH_CHANGES
		0005 FUNCTION_ARGUMENTS
		0005 SPACING
		0005 VOLATILE
	TABLE
}

# The files that the series changes, as they are in the source: git is slow on all of it.
copy_touched() { # SOURCE SERIES DIR
	mkdir -p "$3"
	grep -h '^--- a/' "$2"/*.patch | sed 's|^--- a/||' | sort -u | while read -r file; do
		# A file that an earlier patch of the series makes.
		[ ! -e "$1/$file" ] || (cd "$1" && cp --parents "$file" "$3/")
	done
}

applies() { # VERSION SOURCE
	series=$patches/linux-$1
	copy_touched "$2" "$series" "$SCRATCH/am-$1"
	cp -r "$SCRATCH/am-$1" "$SCRATCH/patch-$1"
	for file in "$series"/*.patch; do
		check "$1: patch -p1 applies $(basename "$file" | cut -c1-4) without fuzz" \
			patch -d "$SCRATCH/patch-$1" -p1 -F0 --no-backup-if-mismatch -i "$file"
	done
	git -C "$SCRATCH/am-$1" init -q
	git -C "$SCRATCH/am-$1" config user.name t
	git -C "$SCRATCH/am-$1" config user.email t@localhost
	git -C "$SCRATCH/am-$1" add -A -f
	git -C "$SCRATCH/am-$1" commit -qm source
	check "$1: git am applies the series" git -C "$SCRATCH/am-$1" am "$series"/*.patch
	check "... to the same files" diff -r -x .git "$SCRATCH/am-$1" "$SCRATCH/patch-$1"
}

styled() { # VERSION SOURCE
	exceptions >"$SCRATCH/expected"
	for file in "$patches/linux-$1"/*.patch; do
		(cd "$2" && perl scripts/checkpatch.pl --strict --terse --show-types "$file") |
			sed -nE "s/^.*:[0-9]+: (ERROR|WARNING|CHECK):([A-Z_]+):.*/$(basename "$file" | cut -c1-4) \2/p"
	done | sort -u >"$SCRATCH/style"
	check "$1: checkpatch --strict finds what is explained, and nothing else" \
		diff "$SCRATCH/expected" "$SCRATCH/style"
}

# A tree of links with the series in it; what is patched is a file of its own.
patched_tree() { # VERSION SOURCE
	[ ! -d "$SCRATCH/tree-$1" ] || return 0
	cp -as "$2/." "$SCRATCH/tree-$1"
	(cd "$SCRATCH/patch-$1" && find . -type f) | while read -r file; do
		mkdir -p "$(dirname "$SCRATCH/tree-$1/$file")"
		cp --remove-destination "$SCRATCH/patch-$1/$file" "$SCRATCH/tree-$1/$file"
	done
}

kbuild() { # VERSION ARCH TARGETS...
	_version=$1 _arch=$2 _cross=
	shift 2
	[ "$_arch" != arm64 ] || _cross=aarch64-linux-gnu-
	make -s -C "$SCRATCH/tree-$_version" O="$SCRATCH/objects-$_version-$_arch" ARCH="$_arch" \
		CROSS_COMPILE=$_cross -j"$(nproc)" "$@" </dev/null
}

# kcost's own configuration and SETTINGS; FALSE if Kconfig drops one.
configure() { # VERSION ARCH SETTINGS
	mkdir -p "$SCRATCH/objects-$1-$2"
	{
		# ARCH=i386 has no choice of 64BIT; what arm64 does not know is passed over.
		cat "$SOURCES/../../share/minimal-x86_64.config"
		for setting in $3; do echo "CONFIG_$setting"; done
	} >"$SCRATCH/fragment"
	kbuild "$1" "$2" KCONFIG_ALLCONFIG="$SCRATCH/fragment" allnoconfig || return
	for setting in $3; do
		if grep -qx "CONFIG_$setting" "$SCRATCH/objects-$1-$2/.config"; then continue; fi
		case $setting in *=n) ! grep -q "^CONFIG_${setting%n}" "$SCRATCH/objects-$1-$2/.config" && continue ;; esac
		echo "$setting is not to be had"
		return 1
	done
}

# No warning either, of the compiler or of objtool.
silently() { # COMMAND...
	"$@" >"$SCRATCH/said" 2>&1 || { tail -n 5 "$SCRATCH/said"; return 1; }
	! grep 'warning:' "$SCRATCH/said"
}

fails() { # COMMAND...
	! "$@"
}

compiles() { # WHAT VERSION ARCH SETTINGS TARGETS
	check "$2: $1 can be configured: $4" configure "$2" "$3" "$4"
	# shellcheck disable=SC2086 # words
	check "... and compiles" silently kbuild "$2" "$3" $5
}

compile_one() { # VERSION NAME ARCH DYNAMIC SETTINGS
	targets=$objects
	case $2 in
	one_cpu) targets=$(printf ' %s' $objects | sed 's| kernel/locking/spinlock.o||') ;; # has none
	compat) targets="$targets arch/x86/entry/vdso/" ;; # the same headers for 32 bits
	esac
	[ "$mode" != all ] || targets=all
	compiles "$2" "$1" "$3" "DEBUG_PREEMPT=y $5" "$targets"
	if [ "$4" = yes ]; then
		compiles "$2" "$1" "$3" "DEBUG_PREEMPT=y DEBUG_PREEMPT_DYNAMIC=y $5" \
			"$targets arch/x86/kernel/debug_preempt.o"
	else
		check "$1: $2 is not offered DEBUG_PREEMPT_DYNAMIC" \
			fails configure "$1" "$3" "DEBUG_PREEMPT=y DEBUG_PREEMPT_DYNAMIC=y $5"
	fi
}

# Cases that are others in this configuration, with and without the series: an extended regular expression.
other_cases() { # NAME
	case $1 in
	# Its spinlocks, softirqs and local_lock disable nothing: those cases do not run.
	rt) echo '/(irqs_on_in_local_lock|underflow_.*|sleep_(nested|spinlock|bh)|might_sleep_(rwlock|spin_bh))$' ;;
	# It reports the lock's release first, and then no more of the kind.
	lockdep) echo '/underflow_spin_unlock$' ;;
	*) echo '^$' ;;
	esac
}

# Kernels of which each must report each misuse, all in the same words.
boot_one() { # VERSION NAME DYNAMIC SETTINGS
	# The sixth is a help text.
	series=$(printf 'patch=%s,' "$patches/linux-$1"/000[1-5]*.patch)
	dynamic="name=dynamic,${series}set=DEBUG_PREEMPT=y,set=DEBUG_PREEMPT_DYNAMIC=y,cmdline=debug_preempt=on"
	more="--tree $1 -q$(for setting in $4; do printf ' --set %s' "$setting"; done)"
	# shellcheck disable=SC2086 # words
	if [ "$3" != yes ]; then
		expect "$1: $2 is not offered DEBUG_PREEMPT_DYNAMIC" 2 DEBUG_PREEMPT_DYNAMIC \
			selftest debug-preempt "$dynamic" $more
		dynamic=
	fi
	# shellcheck disable=SC2086 # words
	kcost selftest debug-preempt name=stock,set=DEBUG_PREEMPT=y \
		"name=cheap,${series}set=DEBUG_PREEMPT=y" $dynamic $more --format json
	check "$1: $2 builds and boots, with the series and without" test "$status" -le 1
	[ "$status" -le 1 ] || sed 's/^/# /' "$SCRATCH/err"
	check '... each misuse has its reports, each correct use is silent' \
		jq -e --arg other "$(other_cases "$2")" \
		'.cases | length > 150 and all((.name | test($other)) or (.verdicts | all(. == "right")))' \
		"$SCRATCH/out"
	check '... in the same words' jq -e '.cases | length > 150 and all(.equal)' "$SCRATCH/out"
}

test_configuration() { # VERSION NAME ARCH DYNAMIC SETTINGS
	case " ${PATCHES_CONFIGS:-$2} " in *" $2 "*) ;; *) return ;; esac
	if [ "$3" = arm64 ] && ! command -v aarch64-linux-gnu-gcc >/dev/null; then
		skip "$1: arm64" 'gcc-aarch64-linux-gnu is not installed'
	elif [ "$3" = x86_64 ] && [ "$mode" != objects ]; then
		boot_one "$1" "$2" "$4" "$5"
	else
		patched_tree "$1" "$source"
		compile_one "$@"
	fi
}

for version in ${PATCHES_VERSIONS:-6.1 6.12}; do
	# Asking for no option unpacks the sources and builds nothing.
	expect "Debian's Linux $version is unpacked" 2 'no option' price NO_SUCH_OPTION --tree "$version"
	source=$(ls -d "$REAL_CACHE/trees/linux-source-$version"-*/ | head -n 1)
	source=${source%/}
	applies "$version" "$source"
	styled "$version" "$source"
	configurations "$version" >"$SCRATCH/configurations"
	while read -r name arch dynamic settings; do
		test_configuration "$version" "$name" "$arch" "$dynamic" "$settings"
	done <"$SCRATCH/configurations"
done
finish
