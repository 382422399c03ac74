/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/function_files.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Objects that are no part of vmlinux. */
static gboolean is_foreign(const char *path)
{
	static const char *const prefixes[] = {
		"scripts/",
		"tools/",
		"arch/x86/boot/",
		"arch/x86/tools/",
		"arch/x86/realmode/rm/",
		"arch/x86/entry/vdso/",
		"usr/",
		"samples/",
		"vmlinux",
		"System",
		".",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(prefixes); i++)
		if (g_str_has_prefix(path, prefixes[i]))
			return TRUE;
	return FALSE;
}

/* A C object names its source; one of assembly language has the source's name. */
static char *source_path(const char *object, const char *file)
{
	g_autofree char *dir = g_path_get_dirname(object);

	if (file && g_str_has_suffix(file, ".c")) {
		g_autofree char *name = g_path_get_basename(file);

		return g_build_filename(dir, name, NULL);
	}
	return g_strdup_printf("%.*s.S", (int)(strlen(object) - strlen(".o")), object);
}

static gboolean is_function(const GElf_Sym *symbol)
{
	guchar type = GELF_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < SHN_LORESERVE &&
	       (type == STT_FUNC || (type == STT_NOTYPE && symbol->st_size));
}

static void read_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *object,
                         GString *text)
{
	Elf_Data *data = elf_getdata(section, NULL);
	g_autoptr(GString) names = g_string_new(NULL);
	const char *file = NULL;
	g_autofree char *path = NULL;
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);

		if (!name || !*name)
			continue;
		if (GELF_ST_TYPE(symbol.st_info) == STT_FILE)
			file = name;
		else if (is_function(&symbol))
			g_string_append_printf(names, "\t%s", name);
	}
	if (!names->len)
		return;
	path = source_path(object, file);
	g_string_append_printf(text, "%s%s\n", path, names->str);
}

static void read_object(const char *path, const char *object, GString *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf *elf;

	if (fd < 0)
		return;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (elf && elf_kind(elf) == ELF_K_ELF && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			read_symbols(elf, section, &header, object, text);
	elf_end(elf);
	close(fd);
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *sorted_entries(const char *dir)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) entries = g_dir_open(dir, 0, NULL);
	const char *name;

	while (entries && (name = g_dir_read_name(entries)))
		g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, compare_names);
	return names;
}

/* Adds the members of a thin archive (`ar T`: names, no contents), as Kbuild makes them. Its table
 * of names comes first: a header of 60 bytes with its size at 48, then each name ended by "/\n". */
static void add_members(const char *objects, const char *dir, const char *archive,
                        GHashTable *members)
{
	enum { MAGIC = 8, HEADER = 60, SIZE_AT = 48 };
	g_autofree char *path = g_build_filename(objects, dir, archive, NULL);
	g_autofree char *text = NULL, *table = NULL;
	g_auto(GStrv) names = NULL;
	gsize length, size;

	if (!g_file_get_contents(path, &text, &length, NULL) || length < MAGIC + HEADER ||
	    strncmp(text, "!<thin>\n//", MAGIC + 2))
		return;
	size = g_ascii_strtoull(text + MAGIC + SIZE_AT, NULL, 10);
	table = g_strndup(text + MAGIC + HEADER, MIN(size, length - MAGIC - HEADER));
	names = g_strsplit(table, "/\n", -1);
	for (char **name = names; *name; name++)
		if (**name)
			g_hash_table_add(members, *dir ? g_build_filename(dir, *name, NULL)
			                               : g_strdup(*name));
}

/* The objects that get into the kernel, by their paths in the build directory: one that is built in
 * again may hold others, of options that are off by now. Empty (so that all count) before Linux
 * 6.1, which had no archive of all. */
static GHashTable *linked_objects(const char *objects)
{
	GHashTable *members = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	add_members(objects, "", "vmlinux.a", members);
	if (g_hash_table_size(members)) {
		add_members(objects, "lib", "lib.a", members);
		add_members(objects, "arch/x86/lib", "lib.a", members);
	}
	return members;
}

/* @inside: where in the build directory; "" for its top. */
static void walk(const char *objects, const char *inside, GHashTable *linked, GString *text)
{
	g_autofree char *dir = g_build_filename(objects, inside, NULL);
	g_autoptr(GPtrArray) names = sorted_entries(dir);

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		g_autofree char *path = g_build_filename(dir, name, NULL);
		g_autofree char *within =
			*inside ? g_build_filename(inside, name, NULL) : g_strdup(name);
		struct stat status;

		if (lstat(path, &status) || is_foreign(within))
			continue;
		if (S_ISDIR(status.st_mode)) {
			g_autofree char *slash = g_strconcat(within, "/", NULL);

			if (!is_foreign(slash))
				walk(objects, within, linked, text);
		} else if (g_str_has_suffix(name, ".o") && S_ISREG(status.st_mode) &&
		           (!g_hash_table_size(linked) || g_hash_table_contains(linked, within))) {
			read_object(path, within, text);
		}
	}
}

char *function_files_collect(const char *objects)
{
	g_autoptr(GHashTable) linked = linked_objects(objects);
	GString *text = g_string_new(NULL);

	walk(objects, "", linked, text);
	return g_string_free(text, FALSE);
}

static void add_path(GHashTable *by_name, const char *name, const char *path)
{
	GPtrArray *paths = g_hash_table_lookup(by_name, name);

	if (!paths) {
		paths = g_ptr_array_new_with_free_func(g_free);
		g_hash_table_insert(by_name, g_strdup(name), paths);
	}
	if (!g_ptr_array_find_with_equal_func(paths, path, g_str_equal, NULL))
		g_ptr_array_add(paths, g_strdup(path));
}

GHashTable *function_files_parse(const char *text)
{
	GHashTable *by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
	                                            (GDestroyNotify)g_ptr_array_unref);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++) {
		g_auto(GStrv) words = g_strsplit(*line, "\t", -1);

		for (guint i = 1; words[0] && words[i]; i++)
			add_path(by_name, words[i], words[0]);
	}
	return by_name;
}
