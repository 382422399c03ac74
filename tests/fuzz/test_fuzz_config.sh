#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The reader of configurations against libFuzzer, for a fixed number of runs from the corpus beside
# this file, with address and undefined-behaviour checks. TAP. KCOST_SOURCES is the source tree; more
# runs: FUZZ_RUNS=1000000 sh test_fuzz_config.sh.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${KCOST_SOURCES:=$here/../..}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cd "$KCOST_SOURCES" || exit 1
sanitizers=fuzzer,address,undefined
echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return !d && n; }' >"$scratch/probe.c"
if ! command -v clang >/dev/null || ! command -v pkg-config >/dev/null; then
	echo '1..0 # SKIP clang or pkg-config is not installed'
	exit
elif ! clang -fsanitize="$sanitizers" -o "$scratch/probe" "$scratch/probe.c" 2>"$scratch/log"; then
	echo '1..0 # SKIP this clang has no libFuzzer'
	exit
fi

echo 1..2
sources='src/kernel/config_reading.c src/kernel/config_file.c src/base/error.c src/base/gzip.c
	src/base/paths.c'
# shellcheck disable=SC2046,SC2086
if clang -std=gnu17 -g -O1 -D_GNU_SOURCE -DKCOST_LIBDIR='"lib"' -fsanitize="$sanitizers" -fno-sanitize-recover=undefined \
	-Isrc -o "$scratch/fuzz_config" "$here/fuzz_config.c" $sources \
	$(pkg-config --cflags --libs gio-unix-2.0) >"$scratch/log" 2>&1; then
	echo 'ok 1 the fuzzer builds'
else
	sed 's/^/# /' "$scratch/log" | tail -n 20
	echo 'not ok 1 the fuzzer builds'
	exit
fi
# What libFuzzer finds is kept in the scratch directory, not in the corpus.
mkdir "$scratch/corpus"
if (cd "$scratch" && ./fuzz_config -runs="${FUZZ_RUNS:-20000}" -seed=1 -max_len=4096 -timeout=600 \
	-rss_limit_mb=2048 corpus "$here/corpus") >"$scratch/log" 2>&1; then
	echo "ok 2 ${FUZZ_RUNS:-20000} runs"
else
	tail -n 40 "$scratch/log" | sed 's/^/# /'
	for found in "$scratch"/crash-* "$scratch"/timeout-* "$scratch"/oom-* "$scratch"/leak-*; do
		[ ! -e "$found" ] || base64 "$found" | sed "s/^/# ${found##*/}: /"
	done
	echo "not ok 2 ${FUZZ_RUNS:-20000} runs"
fi
