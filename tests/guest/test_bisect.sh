#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `git bisect run kcost compare` on ten commits made from Debian's Linux 6.1, the fourth of which does not
# build and the seventh of which puts work into the sending of messages. And: an image that was built
# step by step is the same, to the byte, as one that was built at once.
. "$(dirname "$0")/../cli/lib.sh"
export KCOST_CACHE="$SCRATCH/cache"
mkdir "$KCOST_CACHE"
ln -s "$REAL_CACHE/trees" "$REAL_CACHE/kconfig" "$KCOST_CACHE/"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
repo="$SCRATCH/repo"

commit() { # MESSAGE
	git -C "$repo" -c user.name=t -c user.email=t@localhost commit -qam "$1"
	git -C "$repo" tag "$1"
}

# A tree without what the minimal configuration never compiles: git is slow on all of it.
make_tree() {
	mkdir "$repo"
	tar -C "$1" -cf - --exclude='./drivers/gpu/*.[ch]' --exclude='./drivers/net/*/*.[ch]' \
		--exclude='./drivers/media/*.[ch]' --exclude='./drivers/staging/*.[ch]' \
		--exclude='./sound/*.[ch]' --exclude='*.dts' --exclude='*.dtsi' --exclude='*.rst' . |
		tar -C "$repo" -xf -
	git -C "$repo" init -q
	# Debian's .gitignore leaves all of it out.
	git -C "$repo" add -A -f
}

make_history() {
	commit v1
	for number in 2 3; do
		echo "/* $number */" >>"$repo/mm/slub.c"
		commit "v$number"
	done
	echo 'this does not build' >>"$repo/lib/string.c"
	commit v4
	sed -i '$d' "$repo/lib/string.c"
	commit v5
	echo '/* 6 */' >>"$repo/kernel/fork.c"
	commit v6
	awk '/^static int unix_stream_sendmsg/ { inside = 1 }
		inside && /err = scm_send/ { print "\tfor (volatile int spin = 0; spin < 500; spin++) ;"; inside = 0 }
		{ print }' "$repo/net/unix/af_unix.c" >"$SCRATCH/af_unix.c"
	cp "$SCRATCH/af_unix.c" "$repo/net/unix/af_unix.c"
	commit v7
	for number in 8 9 10; do
		echo "/* $number */" >>"$repo/mm/slub.c"
		commit "v$number"
	done
}

# Asking for no option unpacks the sources and builds nothing.
expect 'Debian sources are unpacked' 2 'no option' price NO_SUCH_OPTION --tree 6.1
source=$(real_tree 6.1)
make_tree "$source"
make_history
few="--groups 1 --loops 5 --runs 3 --iterations 1"
git -C "$repo" bisect start v10 v1 >/dev/null
# shellcheck disable=SC2086 # words
(cd "$repo" && git bisect run "$KCOST" compare rev=v1 rev=HEAD --tree . $few --max-cost 5% --bisect -q) \
	>"$SCRATCH/bisect.log" 2>&1
check 'the commit that costs is found' grep -q "^$(git -C "$repo" rev-parse v7) is the first bad commit" \
	"$SCRATCH/bisect.log"
tail -n 8 "$SCRATCH/bisect.log" | sed 's/^/# /'
git -C "$repo" bisect reset >/dev/null 2>&1
check "the user's checkout is as it was" test -z "$(git -C "$repo" status --porcelain)"
check '... and has no worktree of ours' test "$(git -C "$repo" worktree list | wc -l)" = 1

# shellcheck disable=SC2086 # words
{
	expect 'a commit that does not build: 125' 125 'did not build' \
		compare rev=v1 rev=v4 --tree "$repo" $few
	expect 'the first and the last' 0 'Amean' \
		compare rev=v1 rev=v10 --tree "$repo" $few -o "$SCRATCH/steps.json"
	check '... built in steps: few files were compiled' \
		test "$(grep -c ' CC ' "$(ls -td "$KCOST_CACHE"/kernels/*/ | head -n 1)/build.log")" -lt 30
	rm -rf "$KCOST_CACHE/kernels" "$KCOST_CACHE/workplaces"
	expect 'the last from nothing' 0 'Amean' \
		compare rev=v10 name=again,rev=v10 --tree "$repo" $few -o "$SCRATCH/clean.json"
	image='.prices[0].variants[1].image_sha256'
	check 'an image built in steps is that of a clean build, to the byte' \
		sh -c 'test -n "$1" && test "$1" = "$2"' sh "$(jq -r "$image" "$SCRATCH/steps.json")" \
		"$(jq -r "$image" "$SCRATCH/clean.json")"
}
finish
