/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/raw_symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "profile/kallsyms.h"
#include "profile/symbol_table.h"

void raw_symbol_clear(gpointer data)
{
	struct raw_symbol *symbol = data;

	g_free(symbol->name);
	g_free(symbol->unit);
}

static GArray *new_symbols(void)
{
	GArray *symbols = g_array_new(FALSE, FALSE, sizeof(struct raw_symbol));

	g_array_set_clear_func(symbols, raw_symbol_clear);
	return symbols;
}

/* Marks that are no code of their own: padding in front of functions (__pfx_, __cfi_) and the
 * assembler's own labels. */
static gboolean is_mark(const char *name)
{
	return !*name || *name == '.' || *name == '$' || g_str_has_prefix(name, "__pfx_") ||
	       g_str_has_prefix(name, "__cfi_");
}

/* By address; at one address functions before labels, global ones first, then by name: the same
 * choice in every kernel. */
static int compare(gconstpointer a, gconstpointer b)
{
	const struct raw_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void sort(GArray *symbols)
{
	guint64 end = 0, last = 0;
	guint kept = 0;

	g_array_sort(symbols, compare);
	for (guint i = 0; i < symbols->len; i++) {
		struct raw_symbol *symbol = &g_array_index(symbols, struct raw_symbol, i);

		if (symbol->address == last || (!symbol->function && symbol->address < end)) {
			raw_symbol_clear(symbol);
			continue;
		}
		last = symbol->address;
		end = MAX(end, symbol->address + symbol->size);
		g_array_index(symbols, struct raw_symbol, kept++) = *symbol;
	}
	/* What is behind was moved or freed. */
	g_array_set_clear_func(symbols, NULL);
	g_array_set_size(symbols, kept);
	g_array_set_clear_func(symbols, raw_symbol_clear);
}

/* One reading of a symbol table. */
struct table {
	Elf *elf;
	size_t names;     /* the section that holds them */
	const char *unit; /* of the local symbols that follow */
	guint unit_index;
	GArray *symbols;
};

static gboolean is_root(const char *name)
{
	for (int i = 0; i < MODULE_ROOTS; i++)
		if (!strcmp(name, module_roots[i]))
			return TRUE;
	return FALSE;
}

static gboolean is_data(const GElf_Sym *symbol, const char *name)
{
	return GELF_ST_TYPE(symbol->st_info) != STT_FUNC && symbol->st_shndx != SHN_UNDEF &&
	       symbol->st_shndx < SHN_LORESERVE && is_root(name);
}

static gboolean is_code(Elf *elf, const GElf_Sym *symbol)
{
	guchar type = GELF_ST_TYPE(symbol->st_info);
	Elf_Scn *section;
	GElf_Shdr header;

	if (type != STT_FUNC && (type != STT_NOTYPE || !symbol->st_size))
		return FALSE;
	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= SHN_LORESERVE)
		return FALSE;
	section = elf_getscn(elf, symbol->st_shndx);
	return section && gelf_getshdr(section, &header) && header.sh_flags & SHF_EXECINSTR;
}

static guint rank(const GElf_Sym *symbol)
{
	guint binding = GELF_ST_BIND(symbol->st_info);

	return (GELF_ST_TYPE(symbol->st_info) == STT_FUNC ? 0 : 4) + (binding == STB_GLOBAL ? 0
	                                                              : binding == STB_WEAK ? 1
	                                                                                    : 2);
}

static void add_symbol(struct table *table, const GElf_Sym *from)
{
	const char *name = elf_strptr(table->elf, table->names, from->st_name);
	gboolean local = GELF_ST_BIND(from->st_info) == STB_LOCAL, data;
	struct raw_symbol symbol;

	if (!name)
		return;
	if (GELF_ST_TYPE(from->st_info) == STT_FILE) {
		table->unit = name;
		table->unit_index++;
		return;
	}
	data = is_data(from, name);
	if (is_mark(name) || (!data && !is_code(table->elf, from)))
		return;
	symbol = (struct raw_symbol){
		.address = from->st_value,
		.size = from->st_size,
		.name = g_strdup(name),
		.unit = local ? g_strdup(table->unit) : NULL,
		.unit_index = local ? table->unit_index : 0,
		.function = GELF_ST_TYPE(from->st_info) == STT_FUNC,
		.data = data,
		.rank = rank(from),
	};
	g_array_append_val(table->symbols, symbol);
}

static void read_table(Elf *elf, GArray *symbols)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;

	while ((section = elf_nextscn(elf, section))) {
		struct table table = { .elf = elf, .symbols = symbols };
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		table.names = header.sh_link;
		data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++)
			add_symbol(&table, &symbol);
	}
}

GArray *raw_symbols_read_elf(const char *path, GError **error)
{
	GArray *symbols = new_symbols();
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	if (fd < 0) {
		error_set_errno(error, errno, "cannot read %s", path);
	} else {
		elf_version(EV_CURRENT);
		elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
		if (elf && elf_kind(elf) == ELF_K_ELF)
			read_table(elf, symbols);
		elf_end(elf);
		close(fd);
		if (!symbols->len)
			error_set(error, KCOST_ERROR_MISSING,
			          "%s has no symbols; give a kernel that was not stripped", path);
	}
	sort(symbols);
	if (symbols->len)
		return symbols;
	g_array_unref(symbols);
	return NULL;
}

static gboolean is_in_entry(const char *name)
{
	static const char *const labels[] = {
		"syscall_return_via_sysret",
		"sysenter_flags_fixed",
		"swapgs_restore_regs_and_return_to_usermode",
		"restore_regs_and_return_to_kernel",
		"native_irq_return_iret",
		"native_irq_return_ldt",
		"asm_fred_exit_user",
		"early_xen_iret_patch",
		"nested_nmi",
		"nested_nmi_out",
		"first_nmi",
		"repeat_nmi",
		"end_repeat_nmi",
		"nmi_no_fsgsbase",
		"nmi_swapgs",
		"nmi_restore",
	};
	static const char *const ends[] = { "_safe_stack", "_unsafe_stack", "_after_hwframe",
		                            "_end" };

	for (gsize i = 0; i < G_N_ELEMENTS(labels); i++)
		if (!strcmp(name, labels[i]))
			return TRUE;
	for (gsize i = 0; i < G_N_ELEMENTS(ends); i++)
		if (g_str_has_prefix(name, "entry_SYS") && g_str_has_suffix(name, ends[i]))
			return TRUE;
	return FALSE;
}

/* Labels that are no functions, which tables without types do not tell from them: the ends of
 * sections (include/asm-generic/vmlinux.lds.h), and places inside of functions in assembly language
 * that kernels of 5.10 to 6.12 have on x86 (SYM_INNER_LABEL in arch/x86/entry, kernel and lib). */
static gboolean is_label(const char *name)
{
	static const char *const labels[] = {
		"_text",
		"_stext",
		"_etext",
		"_sinittext",
		"_einittext",
		"common_startup_64",
		"secondary_startup_64_no_verify",
		"__end_entry_SYSENTER_compat",
		"int3_selftest_ip",
	};
	static const char *const starts[] = { "__x86_indirect_thunk_", "__x86_indirect_call_thunk_",
		                              "__x86_indirect_jump_thunk_",
		                              "__x86_indirect_its_thunk_" };

	for (gsize i = 0; i < G_N_ELEMENTS(labels); i++)
		if (!strcmp(name, labels[i]))
			return TRUE;
	for (gsize i = 0; i < G_N_ELEMENTS(starts); i++)
		if (g_str_has_prefix(name, starts[i]))
			return !g_str_has_suffix(name, "_array");
	if (g_str_has_suffix(name, "_text_start") || g_str_has_suffix(name, "_text_end"))
		return g_str_has_prefix(name, "__");
	return is_in_entry(name);
}

/* A line of nm, which has no more: t, T, w and W are code, b, d and r data. */
static void add_named(gpointer data, guint64 address, char type, const char *name)
{
	GArray *symbols = data;
	gboolean is_variable = type && strchr("bBdDrR", type) && is_root(name);
	struct raw_symbol symbol = {
		.address = address,
		.function = !is_variable,
		.data = is_variable,
		.rank = type == 'T'                    ? 0
		        : g_ascii_toupper(type) == 'W' ? 1
		                                       : 2,
	};

	if (!type || !address || is_mark(name) || is_label(name) ||
	    (!strchr("tTwW", type) && !is_variable))
		return;
	symbol.name = g_strdup(name);
	g_array_append_val(symbols, symbol);
}

/* "ffffffff81000000 T _text" */
static void add_line(GArray *symbols, const char *line)
{
	char type = 0, name[256];
	guint64 address = 0;

	if (sscanf(line, "%" G_GINT64_MODIFIER "x %c %255s", &address, &type, name) == 3)
		add_named(symbols, address, type, name);
}

/* @symbols, or an error if they are none. */
static GArray *finish(GArray *symbols, const char *path, GError **error)
{
	sort(symbols);
	if (symbols->len)
		return symbols;
	g_array_unref(symbols);
	error_set(error, KCOST_ERROR_MISSING, "%s holds no addresses of kernel code", path);
	return NULL;
}

GArray *raw_symbols_read_map(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	g_autoptr(GError) cause = NULL;
	GArray *symbols;

	if (!g_file_get_contents(path, &text, NULL, &cause)) {
		error_set(error, KCOST_ERROR_MISSING, "%s", cause->message);
		return NULL;
	}
	symbols = new_symbols();
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		add_line(symbols, *line);
	return finish(symbols, path, error);
}

GArray *raw_symbols_read_kallsyms(const char *kernel, gsize size, GError **error)
{
	GArray *symbols = new_symbols();

	if (kallsyms_read(kernel, size, add_named, symbols, error))
		return finish(symbols, "the kernel's own table (kallsyms)", error);
	g_array_unref(symbols);
	return NULL;
}
