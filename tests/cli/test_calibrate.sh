#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `kcost calibrate`: the core at hand, as a file for --cpu-model.
. "$(dirname "$0")/lib.sh"

core="$SCRATCH/mine.ini"

expect 'an argument too many' 2 'one argument too many' calibrate mine.ini
expect 'an unknown base' 2 "there is no CPU model 'z80'" calibrate --base z80
expect 'help' 0 'kcost calibrate -o mine.ini' calibrate --help

if [ "$(uname -m)" != x86_64 ]; then
	expect 'another architecture' 2 'not supported on this architecture' calibrate --quick -o "$core"
	check '... no file' test ! -e "$core"
	finish
	exit
fi

# A figure of the file: GROUP KEY.
figure() {
	awk -v group="[$1]" -v key="$2" '$0 == group { in_it = 1; next } /^\[/ { in_it = 0 }
		in_it && $1 == key { print $3 }' "$core"
}
within() { # FIGURE LEAST MOST
	awk -v figure="$1" -v least="$2" -v most="$3" 'BEGIN { exit !(figure != "" && figure >= least && figure <= most) }'
}

expect 'a file is written' 0 'numbers found out here, all others from skylake-server' calibrate --quick -o "$core"
check '... that says of each number where it is from' test "$(grep -c '^[a-z0-9_-]* = ' "$core")" = \
	"$(($(grep -cE '^# (measured|from skylake-server|the processor|fully)' "$core") + 1))"
check '... and what could not be told' grep -q '^# iret, interrupt' "$core"
check '... above all what only a kernel can do' grep -qx 'iret = 330' "$core"

# What holds for every x86-64 core that there is.
check 'a frequency' within "$(figure core mhz)" 500 8000
check 'a width' within "$(figure cycles instruction)" 0.05 1.1
check 'a line' test "$(figure core line)" = 64
check 'a first cache' within "$(figure l1d size)" 8192 262144
check 'a locked instruction is dearer than a plain one' within "$(figure cycles locked)" 1 200
check 'so is a mispredicted branch' within "$(figure cycles missed_branch)" 2 100

# The file is read where --cpu-model is: what is wrong then is the option, which is looked at later.
expect 'the file is accepted' 2 'none/?.*(tree|Makefile|directory)' \
	price DEBUG_PREEMPT --cpu-model "$core" --tree "$SCRATCH/none"
sed 's/^locked = .*/locked = many/' "$core" >"$SCRATCH/bad.ini"
expect '... and would not be if it were wrong' 2 'locked: is no number' \
	price DEBUG_PREEMPT --cpu-model "$SCRATCH/bad.ini" --tree "$SCRATCH/none"

expect 'to standard output, over another core' 0 '^# from zen4$' calibrate --quick --quiet --base zen4
check '... without a word on stderr' test ! -s "$SCRATCH/err"
expect 'over a file' 0 '^# from .*mine.ini$' calibrate --quick --quiet --base "$core"
expect 'where no file can be' 3 'nowhere' calibrate --quick --quiet -o "$SCRATCH/nowhere/mine.ini"
check '... nothing is left' test ! -e "$SCRATCH/nowhere"

finish
