# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# Tests of the real binary, in TAP. A test file sources this, calls the functions below and ends with
# `finish`. KCOST is the program; SCRATCH a directory that is removed at the end; SOURCES this folder.
set -u
: "${KCOST:?set KCOST to the kcost binary}"
SOURCES=$(cd "$(dirname "$0")" && pwd)
SCRATCH=$(mktemp -d)
# The cache that real trees and kernels are kept in, for tests that set another one for a while.
REAL_CACHE=${KCOST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kcost}
# What kcost leaves in its temporary directory is a fault of its own.
export TMPDIR="$SCRATCH/tmp"
# Results go to a store of the test's own.
export KCOST_STORE="$SCRATCH/results.sqlite"
mkdir "$TMPDIR"
count=0
trap 'rm -rf "$SCRATCH"' EXIT

real_tree() { # VERSION: Debian's source of it in the real cache; nothing if it is not there
	ls -d "$REAL_CACHE/trees/linux-source-$1"-*/ 2>/dev/null | head -n 1
}

ok() { # DESCRIPTION
	count=$((count + 1))
	echo "ok $count $1"
}

not_ok() { # DESCRIPTION [WHAT-HAPPENED]
	count=$((count + 1))
	echo "not ok $count $1"
	[ $# -lt 2 ] || printf '%s\n' "$2" | sed 's/^/# /'
}

skip() { # DESCRIPTION REASON
	count=$((count + 1))
	echo "ok $count $1 # SKIP $2"
}

check() { # DESCRIPTION COMMAND...: the command succeeds
	_what=$1
	shift
	if "$@" >"$SCRATCH/check.out" 2>&1; then ok "$_what"; else
		not_ok "$_what" "$* failed: $(tail -n 5 "$SCRATCH/check.out")"
	fi
}

# Runs kcost; sets status, and files out and err in SCRATCH.
kcost() {
	status=0
	"$KCOST" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null || status=$?
}

expect() { # DESCRIPTION STATUS PATTERN ARGS...: kcost ARGS ends with STATUS, and says PATTERN
	_what=$1 _status=$2 _pattern=$3
	shift 3
	kcost "$@"
	if [ "$status" != "$_status" ]; then
		not_ok "$_what" "status $status, not $_status: $(cat "$SCRATCH/out" "$SCRATCH/err" | tail -n 8)"
	elif [ -n "$_pattern" ] && ! cat "$SCRATCH/out" "$SCRATCH/err" | grep -qE -- "$_pattern"; then
		not_ok "$_what" "no '$_pattern' in: $(cat "$SCRATCH/out" "$SCRATCH/err" | tail -n 8)"
	else
		ok "$_what"
	fi
}

# A directory with what makes a kernel tree for kcost, but nothing to build.
fake_tree() { # DIR
	mkdir -p "$1/scripts/kconfig" "$1/arch/x86"
	printf 'VERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = 99\nEXTRAVERSION =\n' >"$1/Makefile"
	: >"$1/Kconfig"
	: >"$1/Kbuild"
}

# What Kconfig and Kbuild need of Debian's Linux 6.1, some 40 MB: a tree to configure and, with a fake make,
# to build. FALSE if the real one is not in the cache.
mini_tree() { # DIR
	_real=$(real_tree 6.1)
	[ -n "$_real" ] || return 1
	mkdir -p "$1"
	(cd "$_real" && find . \( -name 'Kconfig*' -o -name 'Makefile*' -o -name Kbuild -o -path './scripts/*' \) -type f -o -type l |
		tar -cf - -T -) | tar -C "$1" -xf -
}

# Puts a fake make and a fake QEMU first on PATH (their modes are in fakes/), over a cache in which the
# unpacked trees and what their Kconfig has said are the real ones, and the kernels are not.
real_make=$(command -v make)
real_path=$PATH
fakes() { # MAKE-MODE QEMU-MODE
	if [ ! -d "$SCRATCH/cache" ]; then
		mkdir -p "$SCRATCH/cache" "$SCRATCH/bin"
		for part in trees kconfig resolved; do
			mkdir -p "$REAL_CACHE/$part"
			ln -s "$REAL_CACHE/$part" "$SCRATCH/cache/"
		done
	fi
	export KCOST_CACHE="$SCRATCH/cache"
	sed "s|@REAL@|$real_make|; s|@MODE@|$1|; s|@COUNT@|$SCRATCH/builds|" "$SOURCES/fakes/make" \
		>"$SCRATCH/bin/make"
	sed "s|@MODE@|$2|" "$SOURCES/fakes/qemu-system-x86_64" >"$SCRATCH/bin/qemu-system-x86_64"
	chmod +x "$SCRATCH/bin/make" "$SCRATCH/bin/qemu-system-x86_64"
	PATH="$SCRATCH/bin:$real_path"
}

finish() {
	echo "1..$count"
}
