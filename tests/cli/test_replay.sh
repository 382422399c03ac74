#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `kcost replay` of comparisons: what every key of a SPEC takes to be had again, and what cannot be had
# again because it has changed. A fake make and a fake QEMU; Kconfig is the real one, on a small part of
# Debian's Linux 6.1. What the samples are: test_compare.sh.
. "$(dirname "$0")/lib.sh"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
fakes fine fine
tree="$SCRATCH/linux"
# Unpacks the sources if they are not.
kcost price DEBUG_PREEMPT --tree 6.1 --groups 1 --runs 1 --iterations 1 --no-store
check 'a tree to change' mini_tree "$tree"
few='--groups 1 --runs 2 --iterations 1'
id=0

# Comparisons are kept under IDs that count from 1; each has 2 seeds of one sample for every variant.
keep() { # DESCRIPTION COMPARE-ARGUMENTS...
	_what=$1
	shift
	id=$((id + 1))
	# shellcheck disable=SC2086 # words
	expect "$_what" 0 "kept as result $id;" compare "$@" $few
}
same() { # SAMPLES
	expect '... replayed: identical' 0 "Identical: all $1 samples of result $id are the same" replay "$id"
	check '... nothing is different' sh -c "! grep -q 'What else' '$SCRATCH/out'"
}

# From here on not even the working directory is what it was.
mkdir "$SCRATCH/elsewhere"
cd "$SCRATCH/elsewhere" || exit 1

keep 'settings' name=base set=DEBUG_PREEMPT=y set=PAGE_POISONING=y,name=p --tree 6.1 --set DEBUG_LIST=y
same 6
keep 'boot parameters' name=base cmdline=slow=1 --tree 6.1
same 4
keep 'two trees, one by a relative path' tree=6.1 name=mine,tree=../linux
(
	cd / && expect '... replayed from elsewhere' 0 'Identical: all 4 samples' replay "$id"
	echo "$count" >"$SCRATCH/count"
)
count=$(cat "$SCRATCH/count")

# A configuration is kept as it was, be the file gone or not.
cp "$(dirname "$SOURCES")/../share/minimal-x86_64.config" "$SCRATCH/my.config"
sed 's/^# CONFIG_DEBUG_PREEMPT is not set//' "$SCRATCH/my.config" >"$SCRATCH/own.config"
echo 'CONFIG_DEBUG_PREEMPT=y' >>"$SCRATCH/own.config"
keep 'configurations' name=base config="$SCRATCH/own.config" --base-config "$SCRATCH/my.config" --tree 6.1
rm "$SCRATCH/own.config"
echo 'garbage' >"$SCRATCH/my.config"
same 4
check '... one has DEBUG_PREEMPT' sh -c "'$KCOST' export $id | jq -e '.prices[0].config_changes | map(.name) | index(\"DEBUG_PREEMPT\") != null'"

# A patch that has changed is another patch.
cat >"$SCRATCH/fix.patch" <<-'END'
	--- a/lib/Kconfig
	+++ b/lib/Kconfig
	@@ -1,3 +1,4 @@
	 # SPDX-License-Identifier: GPL-2.0-only
	+# a comment
	 #
	 # Library configuration
END
keep 'a patch' name=a patch=../fix.patch --tree "$tree"
same 4
cp "$SCRATCH/fix.patch" "$SCRATCH/whole.patch"
sed -i 's/a comment/another comment/' "$SCRATCH/fix.patch"
expect 'a patch that has changed' 2 'fix.patch has changed since the result was measured' replay "$id"
rm "$SCRATCH/fix.patch"
expect 'a patch that is gone' 2 'cannot read the patch .*/fix.patch' replay "$id"
# shellcheck disable=SC2086 # words
expect 'price --patch' 0 'kept as' price --patch "$SCRATCH/whole.patch" --tree "$tree" $few
id=$((id + 1))
same 4
sed -i 's/a comment/another comment/' "$SCRATCH/whole.patch"
expect '... that has changed' 2 'whole.patch has changed since' replay "$id"

# So is a tree.
keep 'a tree' name=a set=DEBUG_PREEMPT=y --tree "$tree"
same 4
echo '# a comment' >>"$tree/lib/Kconfig"
expect 'a tree that has changed' 2 "a: the kernel tree $tree is not what it was when the result was measured" \
	replay "$id"
check '... nothing is built for it' sh -c "! grep -q building '$SCRATCH/err'"
sed -i '$d' "$tree/lib/Kconfig"
expect '... and changed back' 0 'Identical' replay "$id"

# A branch moves, a commit stays.
git -C "$tree" init -q
git -C "$tree" add -A
commit() {
	git -C "$tree" -c user.name=t -c user.email=t@localhost commit -qam "$1"
}
commit one
keep 'a revision' name=head,rev=HEAD name=on,rev=HEAD,set=DEBUG_PREEMPT=y --tree ../linux
echo '# a comment' >>"$tree/lib/Kconfig"
commit two
same 4

# A ready image: the fake kernels are none, so that this is a bzImage's header and what the fake QEMU reads.
{
	head -c 514 /dev/zero
	printf 'HdrS\017\002'
	head -c 9 /dev/zero
	printf '\001'
	head -c 1000 /dev/zero
	printf '\nCONFIG_ACPI=y\n'
} >"$SCRATCH/vmlinuz"
cp "$SCRATCH/vmlinuz" "$SCRATCH/vmlinuz-on"
printf 'CONFIG_DEBUG_PREEMPT=y\n' >>"$SCRATCH/vmlinuz-on"
keep 'images' image=../vmlinuz image=../vmlinuz-on
check '... their difference' grep -qF -- '-25.00%' "$SCRATCH/out"
same 4
printf 'x' >>"$SCRATCH/vmlinuz"
expect 'an image that has changed' 2 'vmlinuz is not the one that was measured' replay "$id"

# A machine that counts otherwise.
sed -i 's/(1000 + seed)/(2000 + seed)/' "$SCRATCH/bin/qemu-system-x86_64"
expect 'replay on a machine that counts otherwise: 1' 1 'Different: 4 of 4 samples' replay 2
if command -v sqlite3 >/dev/null; then
	sqlite3 "$KCOST_STORE" "UPDATE study SET request = json_remove(request, '$.variants') WHERE id = 1"
	expect 'a comparison that was kept without its SPECs' 2 'kept without its SPECs' replay 1
else
	skip 'a comparison that was kept without its SPECs' 'there is no sqlite3 program'
fi
check 'the user repository is as it was' test -z "$(git -C "$tree" status --porcelain)"
cd / || exit 1
finish
