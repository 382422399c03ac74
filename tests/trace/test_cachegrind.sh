#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The core model's caches against cachegrind's, on one trace of a program of user space: valgrind's tool lackey writes
# down each instruction and access, and cachegrind runs the same. What may differ: cachegrind counts an access on two
# lines as one miss and uses both, the model uses the first line alone; and the model fetches a block's line before
# the block's accesses.
. "$(dirname "$0")/../cli/lib.sh"

# Numbers of cachegrind's summary line: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw.
compare() { # NAME L1-SIZE L1-WAYS LL-SIZE LL-WAYS
	valgrind --tool=cachegrind --cache-sim=yes "--I1=$2,$3,64" "--D1=$2,$3,64" "--LL=$4,$5,64" \
		"--cachegrind-out-file=$SCRATCH/out" "$WALK" >/dev/null 2>&1
	sed -n 's/^summary: *//p' "$SCRATCH/out" >"$SCRATCH/theirs"
	"$TRACE_CORE" "$2" "$3" "$4" "$5" <"$SCRATCH/trace" | tail -n 1 >"$SCRATCH/ours"
	echo "# cachegrind $(cat "$SCRATCH/theirs"); ours $(cat "$SCRATCH/ours")"
	check "$1: as many instructions, reads and writes" awk 'NR == FNR { split($0, a); next }
		{ exit !(a[1] > 100000 && a[1] == $1 && a[4] == $4 && a[7] == $7) }' "$SCRATCH/theirs" "$SCRATCH/ours"
	# Fields 10, 11 and 12 of ours: instructions, reads and writes on two lines.
	check "$1: misses as cachegrind counts them, but for accesses on two lines" awk '
		function far(i, slack) { d = a[i] - $i; return (d < 0 ? -d : d) > slack }
		NR == FNR { split($0, a); next }
		{ exit a[5] < 10000 || far(2, a[2] / 100) || far(3, a[3] / 100) || far(5, $11) || far(6, $11 + a[6] / 1000) ||
			far(8, $12) || far(9, $12 + a[9] / 1000) }' "$SCRATCH/theirs" "$SCRATCH/ours"
}

if ! command -v valgrind >/dev/null; then
	skip 'the caches are as cachegrind has them' 'no valgrind'
else
	valgrind --tool=lackey --trace-mem=yes --log-file="$SCRATCH/trace" "$WALK" >/dev/null 2>&1
	compare 'a server core' 32768 8 1048576 16
	compare 'a small core' 4096 2 65536 4
	compare 'one way' 8192 1 131072 1
fi
finish
