/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_CONFIG_FILE_H
#define KCOST_KERNEL_CONFIG_FILE_H

#include <glib.h>

/* A kernel .config or fragment: an ordered map from symbol (without CONFIG_) to its value as
 * written there: y, m, n, 0x10, 42 or "text" (with its quotes and escapes). */
typedef struct config_file config_file_t;
struct config_file;

/* An empty one, for lines that config_file_set() adds. */
struct config_file *config_file_new(void);

/* Reads @path. Errors (KCOST_ERROR_USAGE): cannot be read, binary, or without one CONFIG_ line.
 * Later lines win over earlier ones, as in Kconfig. CRLF, `=n`, trailing blanks are understood, and
 * gzip under any name, as /proc/config.gz. */
struct config_file *config_file_load(const char *path, GError **error);
struct config_file *config_file_parse(const char *text, gsize length, const char *name,
                                      GError **error);
struct config_file *config_file_new(void);
void config_file_free(struct config_file *config);

/* The value, or NULL if the file has no line for @symbol. Owned by @config. */
const char *config_file_get(const struct config_file *config, const char *symbol);
/* The number of that line in the file, from 1; 0 if the value does not come from a file. */
guint config_file_line(const struct config_file *config, const char *symbol);
/* The number of the last line before that one which says something else; 0: there is none. */
guint config_file_overruled(const struct config_file *config, const char *symbol);
void config_file_set(struct config_file *config, const char *symbol, const char *value);

/* TRUE if @name is y; FALSE for a NULL @config too. */
gboolean config_file_is_on(const config_file_t *config, const char *name);

/* As Kconfig writes it: `CONFIG_X=v`, and `# CONFIG_X is not set` for n. Owned by the caller. */
char *config_file_text(const struct config_file *config);

/* The text that @config was parsed from, to the byte, as long as nothing was set in it; else as
 * config_file_text(). This is what the tree's own Kconfig should read. Owned by the caller. */
char *config_file_source(const struct config_file *config);

/* The architecture the file says it is for, in the kernel's terms (x86, arm64, ...; from the
 * header comment or the architecture's own symbol); NULL if it does not say. */
const char *config_file_arch(const struct config_file *config);

/* The kernel version that the header comment names, "6.1.192"; NULL if there is none. */
const char *config_file_version(const struct config_file *config);

/* The symbols that it has a line for, in order; GPtrArray of char * that @config owns, itself owned
 * by the caller. */
GPtrArray *config_file_names(const struct config_file *config);

/* One symbol that differs. A side without a line is "n" for a symbol that is boolean or tristate
 * on the other side, else "" (unset). */
struct config_change {
	char *name;
	char *off;
	char *on;
};

/* All differences in name order; GPtrArray of struct config_change, owned by the caller. */
GPtrArray *config_file_diff(const struct config_file *off, const struct config_file *on);
void config_change_free(struct config_change *change);
/* A copy; @swapped: of the other direction. Owned by the caller. */
GPtrArray *config_changes_copy(const GPtrArray *changes, gboolean swapped);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(config_file_t, config_file_free)

#endif
