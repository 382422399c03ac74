/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "command/command.h"
#include "command/study_command.h"
#include "kernel/variant.h"

static const char description[] =
	"SPEC is key=value[,key=value]..., with \\, for a comma in a value; the first SPEC is the\n"
	"base, and every other one is compared with it:\n"
	"  name=LABEL    how it is called in the report\n"
	"  tree=TREE     its source, as for --tree\n"
	"  rev=REV       a revision of that tree's git repository, which is only read\n"
	"  patch=FILE    a patch, applied to a copy; may be repeated\n"
	"  config=FILE   the base configuration, as for --base-config\n"
	"  set=OPT=VAL   an option; may be repeated\n"
	"  cmdline=STR   more boot parameters\n"
	"  image=FILE    a ready kernel: a vmlinuz, or a Debian linux-image package\n"
	"  vmlinux=FILE  that kernel's symbols for --profile, where they are not beside it\n"
	"  id=N[:LABEL]  a stored result, or that one of its variants\n"
	"  log=FILE      a log of another program (perf bench, hackbench, hyperfine, a column of\n"
	"                numbers) or mmtests' directory; may be repeated: more runs of the same\n"
	"\n"
	"Examples:\n"
	"  kcost compare name=off set=DEBUG_LIST=y set=DEBUG_LIST=y,set=DEBUG_SG=y --tree 6.1\n"
	"  kcost compare tree=6.1 tree=6.12\n"
	"  kcost compare name=before name=after,patch=fix.patch --tree ~/linux\n"
	"  kcost compare image=/boot/vmlinuz-6.1.0-25-amd64 image=linux-image-6.1.0-26-amd64.deb\n"
	"  kcost compare id=12:DEBUG_PREEMPT=n id=15:DEBUG_PREEMPT=n\n"
	"  kcost compare name=before,log=old.txt name=after,log=new.txt --stars mmtests\n"
	"  git bisect run kcost compare rev=v6.1 rev=HEAD --tree . --max-cost 1% --bisect\n";

/* Ready kernels need nothing to build one, and what is read needs nothing at all. */
static gboolean check_needs(const struct command *command, const GPtrArray *variants,
                            GError **error)
{
	struct command needed = *command;

	needed.needs = 0;
	for (guint i = 0; i < variants->len; i++) {
		const variant_t *variant = variants->pdata[i];

		if (!variant_is_given(variant))
			needed.needs |= variant->image ? NEEDS_QEMU : command->needs;
	}
	return command_check_needs(&needed, error);
}

static int run_compare(const struct command *command, int argc, char **argv,
                       GCancellable *cancellable)
{
	struct price_options options = { 0 };
	g_autofree GOptionEntry *entries = price_options_compare_entries(&options);
	g_autoptr(GError) error = NULL;
	gboolean bisect = study_command_bisects(argv), ready = FALSE;
	int status;

	if (!command_parse(command, entries, description, &argc, &argv, &status))
		;
	else if (argc < 2)
		status = command_usage(command, "which kernels? name at least two");
	else if (!price_options_finish_compare(&options, argv + 1, &error) ||
	         !check_needs(command, options.variants, &error))
		status = command_fail(error);
	else
		ready = TRUE;
	status = ready ? study_command_run(&options, command->name, compare_study_run, cancellable)
	               : study_command_end(bisect, status);
	price_options_clear(&options);
	return status;
}

const struct command command_compare = {
	.name = "compare",
	.usage = "SPEC SPEC...",
	.summary = "any kernels side by side: trees, revisions, patches, images, results, logs",
	.needs = NEEDS_KERNEL_BUILD | NEEDS_QEMU,
	.run = run_compare,
};
