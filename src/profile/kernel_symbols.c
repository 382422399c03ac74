/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/kernel_symbols.h"

#include <string.h>

#include "base/error.h"
#include "kernel/function_files.h"
#include "profile/function_name.h"
#include "profile/raw_symbols.h"

/* Names of the kernel's entries on x86-64: arch/x86/include/asm/idtentry.h makes asm_exc_*,
 * asm_sysvec_* and the stubs, since Linux 5.8. */
static const struct {
	const char *prefix;
	guint32 flags;
} entries[] = {
	{ "asm_exc_page_fault", SYMBOL_SYNCHRONOUS | SYMBOL_PAGE_FAULT },
	{ "asm_exc_general_protection", SYMBOL_SYNCHRONOUS | SYMBOL_FAULT },
	{ "asm_exc_divide_error", SYMBOL_SYNCHRONOUS | SYMBOL_FAULT },
	{ "asm_exc_stack_segment", SYMBOL_SYNCHRONOUS | SYMBOL_FAULT },
	{ "asm_exc_segment_not_present", SYMBOL_SYNCHRONOUS | SYMBOL_FAULT },
	{ "asm_exc_alignment_check", SYMBOL_SYNCHRONOUS | SYMBOL_FAULT },
	{ "asm_exc_nmi", SYMBOL_INTERRUPT },
	{ "asm_exc_", SYMBOL_SYNCHRONOUS },
	{ "asm_sysvec_", SYMBOL_INTERRUPT },
	{ "asm_common_interrupt", SYMBOL_INTERRUPT },
	{ "asm_spurious_interrupt", SYMBOL_INTERRUPT },
	{ "irq_entries_start", SYMBOL_INTERRUPT | SYMBOL_STUB },
	{ "spurious_entries_start", SYMBOL_INTERRUPT | SYMBOL_STUB },
	{ "entry_SYSCALL_", SYMBOL_SYNCHRONOUS },
	{ "entry_SYSENTER_", SYMBOL_SYNCHRONOUS },
	{ "entry_INT80_", SYMBOL_SYNCHRONOUS },
	{ "asm_int80_", SYMBOL_SYNCHRONOUS },
	{ "ret_from_fork", SYMBOL_THREAD },
};

guint32 kernel_symbol_flags(const char *name)
{
	/* In 6.12 ret_from_fork is called by ret_from_fork_asm, which is returned to. */
	for (gsize i = 0; i < G_N_ELEMENTS(entries); i++)
		if (g_str_has_prefix(name, entries[i].prefix))
			return entries[i].flags;
	return 0;
}

void kernel_function_free(gpointer data)
{
	struct kernel_function *function = data;

	if (!function)
		return;
	g_free(function->name);
	g_free(function->file);
	g_free(function);
}

void kernel_symbols_free(kernel_symbols_t *symbols)
{
	if (!symbols)
		return;
	g_array_unref(symbols->places);
	g_ptr_array_unref(symbols->functions);
	g_free(symbols->missing);
	g_free(symbols);
}

/* What is known while places get their numbers. */
struct numbering {
	kernel_symbols_t *symbols;
	GHashTable *numbers; /* "unit index/name" -> number */
	GHashTable *files;   /* of function_files_parse(), or NULL */
	GHashTable *units;   /* unit index -> its path */
	const char *last_file;
};

/* Copies of a function are made as each kernel's options have it. */
static const GPtrArray *find_paths(const struct numbering *numbering,
                                   const struct raw_symbol *symbol)
{
	const GPtrArray *paths =
		numbering->files ? g_hash_table_lookup(numbering->files, symbol->name) : NULL;
	g_autofree char *name = numbering->files && !paths ? function_name(symbol->name) : NULL;

	return name ? g_hash_table_lookup(numbering->files, name) : paths;
}

static gboolean is_path_of(const char *path, const char *unit)
{
	g_autofree char *last = g_path_get_basename(path);

	return !strcmp(last, unit);
}

/* Where a unit's static functions are that have names of their own, there are its others, which
 * another kernel's record may not have. */
static void learn_unit(struct numbering *numbering, const struct raw_symbol *symbol)
{
	const GPtrArray *paths = symbol->unit ? find_paths(numbering, symbol) : NULL;

	if (paths && paths->len == 1 && is_path_of(paths->pdata[0], symbol->unit))
		g_hash_table_insert(numbering->units, GUINT_TO_POINTER(symbol->unit_index),
		                    paths->pdata[0]);
}

/* The file of a function: the only one that has the name, or its unit's, or that of the function
 * before it, for the linker keeps a file's functions together. */
static const char *find_file(const struct numbering *numbering, const struct raw_symbol *symbol)
{
	const GPtrArray *paths = find_paths(numbering, symbol);
	const char *unit_path =
		g_hash_table_lookup(numbering->units, GUINT_TO_POINTER(symbol->unit_index));

	if (paths && paths->len == 1)
		return paths->pdata[0];
	if (symbol->unit)
		return unit_path ? unit_path : symbol->unit;
	for (guint i = 0; paths && i < paths->len; i++)
		if (!g_strcmp0(paths->pdata[i], numbering->last_file))
			return paths->pdata[i];
	return paths ? paths->pdata[0] : NULL;
}

static guint32 add_function(struct numbering *numbering, const struct raw_symbol *symbol, char *key,
                            const char *name)
{
	struct kernel_function *function = g_new0(struct kernel_function, 1);
	GPtrArray *functions = numbering->symbols->functions;

	function->name = g_strdup(name);
	function->file = g_strdup(find_file(numbering, symbol));
	numbering->last_file = function->file;
	g_hash_table_insert(numbering->numbers, key, GUINT_TO_POINTER(functions->len));
	g_ptr_array_add(functions, function);
	return functions->len - 1;
}

/* A cut-off part is always local, its function may be global. */
static guint32 find_number(const struct numbering *numbering, guint unit, const char *name)
{
	g_autofree char *key = g_strdup_printf("%u/%s", unit, name);

	return GPOINTER_TO_UINT(g_hash_table_lookup(numbering->numbers, key));
}

static gboolean is_cut_off(const struct raw_symbol *symbol)
{
	return strstr(symbol->name, ".cold") != NULL;
}

static guint32 number_of(struct numbering *numbering, const struct raw_symbol *symbol)
{
	g_autofree char *name = function_name(symbol->name);
	guint32 number = find_number(numbering, symbol->unit_index, name);

	if (!number && is_cut_off(symbol))
		number = find_number(numbering, 0, name);
	if (number)
		return number;
	return add_function(numbering, symbol, g_strdup_printf("%u/%s", symbol->unit_index, name),
	                    name);
}

/* Leads to the modules and is no code. */
static gboolean add_root(kernel_symbols_t *symbols, const struct raw_symbol *symbol)
{
	for (guint i = 0; symbol->data && i < MODULE_ROOTS; i++)
		if (!strcmp(symbol->name, module_roots[i]))
			symbols->roots[i] = symbol->address;
	return symbol->data;
}

static void add_place(struct numbering *numbering, const struct raw_symbol *symbol)
{
	struct symbol_place place = {
		.address = symbol->address,
		.number = number_of(numbering, symbol),
		.flags = kernel_symbol_flags(symbol->name),
	};

	g_array_append_val(numbering->symbols->places, place);
}

static int compare_places(gconstpointer a, gconstpointer b)
{
	const struct symbol_place *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* Whatever is where modules are loaded and is none of their functions: what the kernel itself puts
 * there as it runs (BPF programs, trampolines), and modules without a table of their symbols. All
 * of it is one function, which begins before anything that is run, for its functions may begin
 * anywhere. */
static void add_modules(kernel_symbols_t *symbols)
{
	const struct symbol_place *last =
		&g_array_index(symbols->places, struct symbol_place, symbols->places->len - 1);
	struct symbol_place place = {
		.address = MAX(SYMBOL_MODULES - 1, last->address + 1),
		.number = symbols->functions->len,
		.flags = SYMBOL_ANYWHERE,
	};
	struct kernel_function *function = g_new0(struct kernel_function, 1);

	function->name = g_strdup("[module text]");
	g_ptr_array_add(symbols->functions, function);
	g_array_append_val(symbols->places, place);
}

static kernel_symbols_t *number_symbols(const GArray *raw, const char *function_files)
{
	kernel_symbols_t *symbols = g_new0(kernel_symbols_t, 1);
	struct numbering numbering = { .symbols = symbols };

	symbols->places = g_array_new(FALSE, FALSE, sizeof(struct symbol_place));
	symbols->functions = g_ptr_array_new_with_free_func(kernel_function_free);
	g_ptr_array_set_size(symbols->functions, SYMBOL_FIRST);
	numbering.numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	numbering.files = function_files ? function_files_parse(function_files) : NULL;
	numbering.units = g_hash_table_new(NULL, NULL);
	for (guint i = 0; i < raw->len; i++)
		learn_unit(&numbering, &g_array_index(raw, struct raw_symbol, i));
	/* Whole functions first: the parts are to find them. */
	for (int parts = 0; parts < 2; parts++)
		for (guint i = 0; i < raw->len; i++) {
			const struct raw_symbol *symbol = &g_array_index(raw, struct raw_symbol, i);

			if (!add_root(symbols, symbol) && is_cut_off(symbol) == parts)
				add_place(&numbering, symbol);
		}
	g_array_sort(symbols->places, compare_places);
	add_modules(symbols);
	g_hash_table_destroy(numbering.numbers);
	g_hash_table_destroy(numbering.units);
	g_clear_pointer(&numbering.files, g_hash_table_destroy);
	return symbols;
}

kernel_symbols_t *kernel_symbols_read(const char *vmlinux, const char *function_files,
                                      GError **error)
{
	g_autoptr(GArray) raw = raw_symbols_read_elf(vmlinux, error);

	return raw ? number_symbols(raw, function_files) : NULL;
}

static char *read_if_there(const char *dir, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	char *text = NULL;

	g_file_get_contents(path, &text, NULL, NULL);
	return text;
}

gboolean kernel_symbols_check(const struct symbol_files *files, GError **error)
{
	g_autofree char *said = NULL;
	g_autoptr(GArray) raw = symbol_source_read(files, &said, error);

	return raw != NULL;
}

/* What source files are not known, and why; NULL if all are. */
static const char *files_text(const struct symbol_files *files, gboolean own, gboolean others)
{
	if (own)
		return NULL;
	if (files->image)
		return others ? "source files are those that functions of these names have in "
		                "other "
		                "kernels' builds, else not known"
		              : "source files are not known";
	return others ? "source files are those of another kernel's build, for this kernel was "
	                "built without a record of its own (--rebuild makes one)"
	              : "source files are not known, for this kernel was built without a record "
	                "of its own (--rebuild makes one)";
}

kernel_symbols_t *kernel_symbols_open(const struct symbol_files *files, const char *others,
                                      GError **error)
{
	g_autofree char *own = read_if_there(files->dir, FUNCTION_FILES_NAME);
	g_autofree char *said = NULL;
	g_autoptr(GArray) raw = symbol_source_read(files, &said, error);
	kernel_symbols_t *symbols;
	const char *unknown;

	if (!raw)
		return NULL;
	symbols = number_symbols(raw, own ? own : others);
	unknown = files_text(files, own != NULL, others != NULL);
	if (said || unknown)
		symbols->missing =
			g_strconcat(said ? said : "", said && unknown ? "; " : "", unknown, NULL);
	return symbols;
}

char *kernel_symbols_text(const kernel_symbols_t *symbols)
{
	GString *text = g_string_new(SYMBOL_TABLE_HEADER);

	for (guint i = 0; i < MODULE_ROOTS; i++)
		g_string_append_printf(text, "%" G_GINT64_MODIFIER "x%c", symbols->roots[i],
		                       i + 1 < MODULE_ROOTS ? ' ' : '\n');
	for (guint i = 0; i < symbols->places->len; i++) {
		const struct symbol_place *place =
			&g_array_index(symbols->places, struct symbol_place, i);

		g_string_append_printf(text, "%" G_GINT64_MODIFIER "x %u %u\n", place->address,
		                       place->number, place->flags);
	}
	return g_string_free(text, FALSE);
}
