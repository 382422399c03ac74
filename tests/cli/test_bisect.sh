#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --bisect, with git itself: what is no answer is never taken for one. Eight commits of a tree whose
# DEBUG_PREEMPT, which the fake QEMU has cost 25 %, is on by default from the sixth on. A fake make and a
# fake QEMU; Kconfig is the real one, on a small part of Debian's Linux 6.1.
. "$(dirname "$0")/lib.sh"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
fakes fine fine
tree="$SCRATCH/linux"
few='--groups 1 --runs 2 --iterations 1 -q --no-store'

# What must be wrong with a request is said by status, and without git.
expect '--bisect without a gate' 255 '--bisect lacks what makes a commit bad' compare name=a name=b --bisect
check '... which says that the bisection ends' grep -q 'so it would be at every step' "$SCRATCH/err"
expect 'a misspelt option' 255 'Unknown option' compare name=a name=b --max-cots 1% --bisect
expect 'a SPEC that is none' 255 'is no key=value' compare a name=b --max-cost 1% --bisect
expect 'a gate that is none' 255 'takes a percentage' compare name=a name=b --max-cost x --bisect
expect 'no store' 255 'is a directory|no kcost store' compare name=a name=b --max-cost 1% --bisect --store "$SCRATCH"
expect 'price has it too' 255 'which option' price --bisect --max-cost 1%
expect '--help is no failure' 0 'git bisect run' compare --help --bisect
mkdir "$SCRATCH/few"
for program in sh cat grep sed tail; do
	ln -s "$(command -v "$program")" "$SCRATCH/few/"
done
path=$PATH
PATH="$SCRATCH/few"
expect 'no tools' 255 'not found in PATH' compare name=a name=b --max-cost 1% --bisect
PATH=$path

# shellcheck disable=SC2086 # words
{
	expect 'good' 0 'costs' price DEBUG_PREEMPT --tree 6.1 $few --max-cost 30% --bisect
	expect 'bad' 1 'above 20 %' price DEBUG_PREEMPT --tree 6.1 $few --max-cost 20% --bisect
	expect 'a setting that this tree does not have: skipped' 125 'no option NONSENSE' \
		compare name=a set=NONSENSE=y --tree 6.1 $few --max-cost 1% --bisect
	check '... which is said' grep -q 'no answer for this step' "$SCRATCH/err"
	expect '... without --bisect that is 2' 2 'no option NONSENSE' compare name=a set=NONSENSE=y --tree 6.1 $few
	fakes error fine
	expect 'a kernel that does not build: skipped' 125 'did not build' \
		compare name=a set=DEBUG_LIST=y --tree 6.1 $few --max-cost 1% --bisect
	fakes nospace fine
	expect 'no space: the bisection ends' 255 'space' compare name=a set=DEBUG_SG=y --tree 6.1 $few --max-cost 1% --bisect
	fakes fine fine
}

check 'a tree to bisect' mini_tree "$tree"
git -C "$tree" init -q
git -C "$tree" add -A
commit() {
	git -C "$tree" -c user.name=t -c user.email=t@localhost commit -qam "$1"
	git -C "$tree" tag "$1"
}
# An option is on by default only where a configuration leaves it open.
sed '/DEBUG_PREEMPT/d' "$(dirname "$SOURCES")/../share/minimal-x86_64.config" >"$SCRATCH/base.config"
for number in 1 2 3 4 5 6 7 8; do
	echo "# $number" >>"$tree/lib/Kconfig"
	case $number in
	3) sed -i 's/^config DEBUG_LIST$/config DEBUG_LISTS/' "$tree/lib/Kconfig.debug" ;;
	5) sed -i 's/^config DEBUG_LISTS$/config DEBUG_LIST/' "$tree/lib/Kconfig.debug" ;;
	6) sed -i '/^config DEBUG_PREEMPT$/,/bool/s/bool/default y\n\tbool/' "$tree/lib/Kconfig.debug" ;;
	esac
	commit "v$number"
done

bisect() { # ARGUMENTS...: sets status, and bisect.log in SCRATCH
	git -C "$tree" bisect start v8 v1 >/dev/null 2>&1
	status=0
	# shellcheck disable=SC2086 # words
	(cd "$tree" && git bisect run "$KCOST" compare name=old,rev=v1 "$@" --tree . \
		--base-config "$SCRATCH/base.config" $few --bisect) >"$SCRATCH/bisect.log" 2>&1 || status=$?
	git -C "$tree" bisect reset >/dev/null 2>&1
}
found() { # DESCRIPTION TAG
	if grep -q "^$(git -C "$tree" rev-parse "$2") is the first bad commit" "$SCRATCH/bisect.log"; then ok "$1"; else
		not_ok "$1" "$(tail -n 12 "$SCRATCH/bisect.log")"
	fi
}

bisect name=new,rev=HEAD --max-cost 10%
found 'git bisect run finds the commit' v6
# At 3 and 4 there is no DEBUG_LIST: no answer, which is neither good nor bad.
bisect name=new,rev=HEAD,set=DEBUG_LIST=y --max-cost 10%
found '... past steps that have no answer' v6
check '... indeed' grep -q 'no option DEBUG_LIST' "$SCRATCH/bisect.log"
bisect name=new,rev=HEAD --max-cots 10%
check 'a misspelt option ends it' sh -c "test $status != 0 && ! grep -q 'first bad commit' '$SCRATCH/bisect.log'"
check '... at the first step' test "$(grep -c 'Unknown option' "$SCRATCH/bisect.log")" = 1
check 'the repository is as it was' test -z "$(git -C "$tree" status --porcelain)"
finish
