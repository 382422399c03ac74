/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/command.h"
#include "command/results.h"

static gboolean parse_ids(char *const *texts, GArray *ids, GError **error)
{
	for (; *texts; texts++) {
		gint64 id;

		if (!results_parse_id(*texts, &id, error))
			return FALSE;
		g_array_append_val(ids, id);
	}
	return TRUE;
}

/* Reading first: a store that is not there is not made for this. */
static gboolean remove_ids(const char *path, const GArray *ids, GError **error)
{
	g_autoptr(store_t) store = NULL;

	if (g_file_test(path, G_FILE_TEST_EXISTS))
		store = store_open_to_write(path, error);
	else
		store = store_open_to_read(path, error);
	return store && store_remove(store, (const gint64 *)(void *)ids->data, ids->len, error);
}

static int run_rm(const struct command *command, int argc, char **argv, GCancellable *cancellable)
{
	g_autofree char *option = NULL, *path = NULL;
	g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autoptr(GError) error = NULL;
	const GOptionEntry entries[] = {
		RESULTS_STORE_ENTRY(&option),
		G_OPTION_ENTRY_NULL,
	};
	int status;

	(void)cancellable;
	if (!command_parse(command, entries, NULL, &argc, &argv, &status))
		return status;
	if (argc < 2)
		return command_usage(command, "which result? `kcost list` shows them");
	path = store_path(option);
	if (!parse_ids(argv + 1, ids, &error) || !remove_ids(path, ids, &error))
		return command_fail(error);
	return EXIT_DONE;
}

const struct command command_rm = {
	.name = "rm",
	.usage = "ID...",
	.summary = "remove stored results, all of those named or none",
	.run = run_rm,
};
