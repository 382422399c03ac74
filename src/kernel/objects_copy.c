/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/objects_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/process.h"

/* Puts @to for @from into a file whose time stays. */
static gboolean rename_in_file(const char *path, const struct stat *status, const char *from,
                               const char *to, GError **error)
{
	const struct timespec times[] = { status->st_atim, status->st_mtim };
	g_autoptr(GString) text = NULL;
	g_autofree char *content = NULL;
	gsize length;

	if (!g_file_get_contents(path, &content, &length, error))
		return FALSE;
	if (!strstr(content, from))
		return TRUE;
	text = g_string_new_len(content, (gssize)length);
	g_string_replace(text, from, to, 0);
	/* A new file: written into the old one, a shorter content would keep its end. */
	unlink(path);
	if (!g_file_set_contents_full(path, text->str, (gssize)text->len, G_FILE_SET_CONTENTS_NONE,
	                              0666, error))
		return FALSE;
	return !utimensat(AT_FDCWD, path, times, 0) ||
	       error_set_errno(error, errno, "cannot set the time of %s", path);
}

static gboolean rename_below(const char *dir, const char *from, const char *to, GError **error)
{
	g_autoptr(GDir) entries = g_dir_open(dir, 0, error);
	gboolean fine = entries != NULL;
	const char *name;

	while (fine && (name = g_dir_read_name(entries))) {
		g_autofree char *path = g_build_filename(dir, name, NULL);
		struct stat status;

		if (lstat(path, &status))
			continue;
		if (S_ISDIR(status.st_mode))
			fine = rename_below(path, from, to, error);
		else if (S_ISREG(status.st_mode) && *name == '.' && g_str_has_suffix(name, ".cmd"))
			fine = rename_in_file(path, &status, from, to, error);
	}
	return fine;
}

gboolean objects_copy(const char *from, const char *to, GCancellable *cancellable, GError **error)
{
	g_autofree char *content = g_strconcat(from, "/.", NULL);
	const char *argv[] = { "cp", "-a", "--reflink=auto", "--", content, to, NULL };
	struct process_spec spec = { .argv = argv };
	g_auto(process_result_t) result = { 0 };

	if (!process_run(&spec, cancellable, &result, error))
		return FALSE;
	if (result.end != PROCESS_EXITED || result.status)
		return error_set(error, KCOST_ERROR_MISSING,
		                 "cannot copy the build directory %s to %s: %s", from, to,
		                 result.output);
	return rename_below(to, from, to, error);
}
