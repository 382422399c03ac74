/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/config_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/gzip.h"

enum {
	SIZE_MOST = 32 * 1024 * 1024, /* of a file; the largest .config is a third of a megabyte */
};

struct entry {
	char *name;
	char *value;
	guint line;      /* in source, from 1; 0 if it was set */
	guint overruled; /* the last line before it that says something else, or 0 */
};

struct config_file {
	GPtrArray *entries; /* struct entry, in order; a line that a later one replaced is NULL */
	GHashTable *index;  /* name, owned by its entry, to position in entries */
	char *source;       /* the text it was parsed from; NULL once it was changed */
	char *arch;         /* as the header comment says, or NULL */
	char *version;      /* likewise */
	guint line;         /* that is being parsed, from 1; 0 afterwards */
};

static void entry_free(struct entry *entry)
{
	if (!entry)
		return;
	g_free(entry->name);
	g_free(entry->value);
	g_free(entry);
}

struct config_file *config_file_new(void)
{
	struct config_file *config = g_new0(struct config_file, 1);

	config->entries = g_ptr_array_new_with_free_func((GDestroyNotify)entry_free);
	config->index = g_hash_table_new(g_str_hash, g_str_equal);
	return config;
}

void config_file_free(struct config_file *config)
{
	if (!config)
		return;
	g_hash_table_unref(config->index);
	g_ptr_array_unref(config->entries);
	g_free(config->source);
	g_free(config->arch);
	g_free(config->version);
	g_free(config);
}

/* The entry of @symbol, or NULL; its position goes to *@position. */
static struct entry *find_entry(const struct config_file *config, const char *symbol,
                                guint *position)
{
	gpointer value;

	if (!g_hash_table_lookup_extended(config->index, symbol, NULL, &value))
		return NULL;
	*position = GPOINTER_TO_UINT(value);
	return config->entries->pdata[*position];
}

/* A repeated symbol moves to the end: of a choice's members Kconfig takes the last one. */
static void put(struct config_file *config, const char *symbol, const char *value)
{
	guint position = 0;
	struct entry *entry = find_entry(config, symbol, &position);
	char *copy = g_strdup(value);

	if (entry) {
		config->entries->pdata[position] = NULL;
		if (strcmp(entry->value, value) != 0)
			entry->overruled = entry->line;
		g_free(entry->value);
	} else {
		entry = g_new0(struct entry, 1);
		entry->name = g_strdup(symbol);
	}
	entry->value = copy;
	entry->line = config->line;
	g_hash_table_replace(config->index, entry->name, GUINT_TO_POINTER(config->entries->len));
	g_ptr_array_add(config->entries, entry);
}

static gsize word_length(const char *text)
{
	gsize length = 0;

	while (g_ascii_isalnum(text[length]) || text[length] == '_')
		length++;
	return length;
}

/* `Linux/x86 6.1.192 Kernel Configuration` is what the tree's main menu is called, and thereby the
 * third line of every .config that Kconfig wrote. */
static void parse_heading(struct config_file *config, const char *comment)
{
	const char *name = comment + strlen("Linux/");

	if (config->arch || !g_str_has_prefix(comment, "Linux/") ||
	    !strstr(comment, "Kernel Configuration"))
		return;
	config->arch = g_strndup(name, word_length(name));
	name += strlen(config->arch);
	name += *name == ' ';
	if (g_ascii_isdigit(*name))
		config->version = g_strndup(name, strcspn(name, " "));
}

/* `CONFIG_X is not set`, the rest of a comment. */
static void parse_unset(struct config_file *config, const char *comment)
{
	g_autofree char *name = NULL;
	gsize length;

	if (!g_str_has_prefix(comment, "CONFIG_"))
		return;
	comment += strlen("CONFIG_");
	length = word_length(comment);
	if (!length || strcmp(comment + length, " is not set") != 0)
		return;
	name = g_strndup(comment, length);
	put(config, name, "n");
}

/* Cuts @value behind its closing quote, or before the first blank if it has no quotes. FALSE if a
 * quote is not closed: Kconfig ignores such a line. */
static gboolean cut_value(char *value)
{
	char *end = value + 1;

	if (*value != '"') {
		value[strcspn(value, " \t\r\f\v")] = '\0';
		return TRUE;
	}
	while (*end && *end != '"')
		end += *end == '\\' && end[1] ? 2 : 1;
	if (!*end)
		return FALSE;
	end[1] = '\0';
	return TRUE;
}

/* `X=value`, a line behind its CONFIG_. */
static void parse_setting(struct config_file *config, char *setting)
{
	const gsize length = word_length(setting);

	if (!length || setting[length] != '=' || !cut_value(setting + length + 1))
		return;
	setting[length] = '\0';
	put(config, setting, setting + length + 1);
}

static void parse_line(struct config_file *config, char *line)
{
	g_strchomp(line);
	if (g_str_has_prefix(line, "CONFIG_")) {
		parse_setting(config, line + strlen("CONFIG_"));
	} else if (g_str_has_prefix(line, "# ")) {
		parse_heading(config, line + 2);
		parse_unset(config, line + 2);
	}
}

static const char *binary_kind(const char *text, gsize length)
{
	if (length > 4 && !memcmp(text,
	                          "\x7f"
	                          "ELF",
	                          4))
		return "is a program, not a text file";
	if (memchr(text, '\0', length))
		return "is binary, not a text file";
	return NULL;
}

static gboolean is_gzip(const char *text, gsize length)
{
	return length > 2 && !memcmp(text, "\x1f\x8b", 2);
}

/* What is inside need not be compressed again: that would be no config. */
static struct config_file *parse_gzip(const char *text, gsize length, const char *name,
                                      GError **error)
{
	gsize inside = 0;
	g_autofree char *unpacked = gzip_unpack(text, length, SIZE_MOST, &inside);

	if (unpacked && !is_gzip(unpacked, inside))
		return config_file_parse(unpacked, inside, name, error);
	error_set(error, KCOST_ERROR_USAGE,
	          "the config file %s is compressed, and damaged or no kernel's .config inside; "
	          "see what zcat says of it",
	          name);
	return NULL;
}

struct config_file *config_file_parse(const char *text, gsize length, const char *name,
                                      GError **error)
{
	g_autoptr(config_file_t) config = config_file_new();
	const char *binary = binary_kind(text, length);
	g_autofree char *copy = g_strndup(text, length);
	char *line = g_str_has_prefix(copy, "\xef\xbb\xbf") ? copy + 3 : copy;

	if (is_gzip(text, length))
		return parse_gzip(text, length, name, error);
	if (binary) {
		error_set(error, KCOST_ERROR_USAGE,
		          "the config file %s %s; name a kernel's .config", name, binary);
		return NULL;
	}
	while (line) {
		char *end = strchr(line, '\n');

		if (end)
			*end++ = '\0';
		config->line++;
		parse_line(config, line);
		line = end;
	}
	config->line = 0;
	if (g_hash_table_size(config->index) == 0) {
		error_set(error, KCOST_ERROR_USAGE,
		          "the config file %s %s; name a kernel's .config or a fragment of one",
		          name, length ? "has no line of the form CONFIG_NAME=value" : "is empty");
		return NULL;
	}
	config->source = g_strndup(text, length);
	return g_steal_pointer(&config);
}

/* Appends all that @fd gives to @text. It may be a pipe, or something endless. */
static gboolean read_all(int fd, GString *text, const char *path, GError **error)
{
	g_autofree char *buffer = g_malloc(1 << 16);
	ssize_t count;

	while ((count = read(fd, buffer, 1 << 16)) > 0) {
		g_string_append_len(text, buffer, count);
		if (text->len > SIZE_MOST)
			return error_set(error, KCOST_ERROR_USAGE,
			                 "the config file %s is larger than 32 MiB, so it is no "
			                 "kernel's .config; name another file",
			                 path);
	}
	if (count < 0)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "cannot read the config file %s: %s; name a kernel's .config",
		                 path, g_strerror(errno));
	return TRUE;
}

struct config_file *config_file_load(const char *path, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	gboolean done;

	if (fd < 0) {
		error_set(error, KCOST_ERROR_USAGE,
		          "cannot open the config file %s: %s; name a kernel's .config", path,
		          g_strerror(errno));
		return NULL;
	}
	done = read_all(fd, text, path, error);
	close(fd);
	return done ? config_file_parse(text->str, text->len, path, error) : NULL;
}

const char *config_file_get(const struct config_file *config, const char *symbol)
{
	guint position;
	const struct entry *entry = find_entry(config, symbol, &position);

	return entry ? entry->value : NULL;
}

gboolean config_file_is_on(const struct config_file *config, const char *name)
{
	return config && !g_strcmp0(config_file_get(config, name), "y");
}

guint config_file_line(const struct config_file *config, const char *symbol)
{
	guint position;
	const struct entry *entry = find_entry(config, symbol, &position);

	return entry ? entry->line : 0;
}

guint config_file_overruled(const struct config_file *config, const char *symbol)
{
	guint position;
	const struct entry *entry = find_entry(config, symbol, &position);

	return entry && entry->line ? entry->overruled : 0;
}

void config_file_set(struct config_file *config, const char *symbol, const char *value)
{
	g_clear_pointer(&config->source, g_free);
	put(config, symbol, value);
}

static void append_line(GString *text, const char *name, const char *value)
{
	if (strcmp(value, "n") != 0)
		g_string_append_printf(text, "CONFIG_%s=%s\n", name, value);
	else
		g_string_append_printf(text, "# CONFIG_%s is not set\n", name);
}

char *config_file_text(const struct config_file *config)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < config->entries->len; i++) {
		const struct entry *entry = config->entries->pdata[i];

		if (entry)
			append_line(text, entry->name, entry->value);
	}
	return g_string_free(text, FALSE);
}

char *config_file_source(const struct config_file *config)
{
	return config->source ? g_strdup(config->source) : config_file_text(config);
}

/* The names of ARCH that share another one's directory, from the kernel's top Makefile. */
static const char *source_arch(const char *arch)
{
	static const struct {
		const char *arch, *source;
	} aliases[] = {
		{ "x86_64", "x86" },    { "i386", "x86" },        { "sparc32", "sparc" },
		{ "sparc64", "sparc" }, { "parisc64", "parisc" }, { "sh64", "sh" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(aliases); i++)
		if (!strcmp(arch, aliases[i].arch))
			return aliases[i].source;
	return arch;
}

/* User mode Linux comes first: it defines its host's symbols too. */
static const char *symbol_arch(const struct config_file *config)
{
	static const struct {
		const char *symbol, *arch;
	} symbols[] = {
		{ "UML", "um" },          { "X86", "x86" },
		{ "X86_64", "x86" },      { "X86_32", "x86" },
		{ "ARM64", "arm64" },     { "ARM", "arm" },
		{ "RISCV", "riscv" },     { "PPC", "powerpc" },
		{ "S390", "s390" },       { "LOONGARCH", "loongarch" },
		{ "MIPS", "mips" },       { "SPARC", "sparc" },
		{ "PARISC", "parisc" },   { "ALPHA", "alpha" },
		{ "IA64", "ia64" },       { "M68K", "m68k" },
		{ "ARC", "arc" },         { "CSKY", "csky" },
		{ "HEXAGON", "hexagon" }, { "MICROBLAZE", "microblaze" },
		{ "NIOS2", "nios2" },     { "OPENRISC", "openrisc" },
		{ "SUPERH", "sh" },       { "XTENSA", "xtensa" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(symbols); i++)
		if (!g_strcmp0(config_file_get(config, symbols[i].symbol), "y"))
			return symbols[i].arch;
	return NULL;
}

const char *config_file_arch(const struct config_file *config)
{
	return config->arch ? source_arch(config->arch) : symbol_arch(config);
}

const char *config_file_version(const struct config_file *config)
{
	return config->version;
}

GPtrArray *config_file_names(const struct config_file *config)
{
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; i < config->entries->len; i++) {
		const struct entry *entry = config->entries->pdata[i];

		if (entry)
			g_ptr_array_add(names, entry->name);
	}
	return names;
}

void config_change_free(struct config_change *change)
{
	if (!change)
		return;
	g_free(change->name);
	g_free(change->off);
	g_free(change->on);
	g_free(change);
}

GPtrArray *config_changes_copy(const GPtrArray *changes, gboolean swapped)
{
	GPtrArray *copy = g_ptr_array_new_with_free_func((GDestroyNotify)config_change_free);

	for (guint i = 0; i < changes->len; i++) {
		const struct config_change *from = changes->pdata[i];
		struct config_change *to = g_new0(struct config_change, 1);

		to->name = g_strdup(from->name);
		to->off = g_strdup(swapped ? from->on : from->off);
		to->on = g_strdup(swapped ? from->off : from->on);
		g_ptr_array_add(copy, to);
	}
	return copy;
}

static gboolean is_tristate(const char *value)
{
	return value && value[0] && strchr("ymn", value[0]) && !value[1];
}

static const char *value_beside(const char *value, const char *other)
{
	if (value)
		return value;
	return is_tristate(other) ? "n" : "";
}

static void add_change(GPtrArray *changes, const char *name, const char *off, const char *on)
{
	const char *left = value_beside(off, on);
	const char *right = value_beside(on, off);
	struct config_change *change;

	if (!strcmp(left, right))
		return;
	change = g_new0(struct config_change, 1);
	change->name = g_strdup(name);
	change->off = g_strdup(left);
	change->on = g_strdup(right);
	g_ptr_array_add(changes, change);
}

static int compare_changes(gconstpointer a, gconstpointer b)
{
	const struct config_change *left = *(struct config_change *const *)a;
	const struct config_change *right = *(struct config_change *const *)b;

	return strcmp(left->name, right->name);
}

GPtrArray *config_file_diff(const struct config_file *off, const struct config_file *on)
{
	GPtrArray *changes = g_ptr_array_new_with_free_func((GDestroyNotify)config_change_free);
	GHashTableIter iter;
	gpointer name;

	g_hash_table_iter_init(&iter, off->index);
	while (g_hash_table_iter_next(&iter, &name, NULL))
		add_change(changes, name, config_file_get(off, name), config_file_get(on, name));
	g_hash_table_iter_init(&iter, on->index);
	while (g_hash_table_iter_next(&iter, &name, NULL))
		if (!config_file_get(off, name))
			add_change(changes, name, NULL, config_file_get(on, name));
	g_ptr_array_sort(changes, compare_changes);
	return changes;
}
