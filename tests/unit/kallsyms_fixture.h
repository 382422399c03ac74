/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TEST_KALLSYMS_FIXTURE_H
#define KCOST_TEST_KALLSYMS_FIXTURE_H

#include <glib.h>

/* Kernels' tables of their own symbols, made by the rules of scripts/kallsyms.c of each version. */
enum { KALLSYMS = 600 }; /* three markers */

static const guint64 KALLSYMS_BASE = 0xffffffff81000000;

enum kallsyms_form { RELATIVE, PER_CPU };

struct kallsyms_layout {
	const char *name;
	gboolean behind; /* addresses are behind the tokens: from 6.5 on */
	gboolean order;  /* there is an order of the names: from 6.2 on */
	enum kallsyms_form form;
};

static inline void put(GString *data, guint64 value, guint bytes)
{
	for (guint i = 0; i < bytes; i++)
		g_string_append_c(data, (char)(value >> 8 * i));
}

static inline void align(GString *data)
{
	while (data->len % 8)
		g_string_append_c(data, '\0');
}

/* Type and name, in the letters that the tokens below have. One takes two bytes for its length. */
static inline char *kallsyms_name(guint i)
{
	g_autofree char *longest = g_strnfill(300, 'x');

	return i == 500 ? g_strdup(longest)
	                : g_strdup_printf("%cstart_function_%u", i % 3 ? 't' : 'T', i);
}

/* With per-CPU ones two are addresses by themselves. */
static inline guint64 kallsyms_address(guint i, enum kallsyms_form form)
{
	return form == PER_CPU && i < 2 ? 0x1000 * i : KALLSYMS_BASE + 0x40 * i;
}

static inline void put_addresses(GString *data, enum kallsyms_form form)
{
	for (guint i = 0; i < KALLSYMS; i++) {
		guint64 address = kallsyms_address(i, form);

		if (form == PER_CPU && address >= KALLSYMS_BASE)
			put(data, KALLSYMS_BASE - 1 - address, 4);
		else
			put(data, form == PER_CPU ? address : address - KALLSYMS_BASE, 4);
	}
	align(data);
	put(data, KALLSYMS_BASE, 8);
}

/* "start_" and "function_" are tokens of a byte that no name has. */
static inline void put_name(GString *data, guint i)
{
	g_autofree char *name = kallsyms_name(i);
	g_autoptr(GString) tokens = g_string_new(name);

	g_string_replace(tokens, "start_", "\x81", 0);
	g_string_replace(tokens, "function_", "\xfe", 0);
	if (tokens->len < 0x80) {
		put(data, tokens->len, 1);
	} else {
		put(data, 0x80 | (tokens->len & 0x7f), 1);
		put(data, tokens->len >> 7, 1);
	}
	g_string_append_len(data, tokens->str, (gssize)tokens->len);
}

static inline void put_names(GString *data)
{
	g_autoptr(GString) markers = g_string_new(NULL);
	gsize start;

	put(data, KALLSYMS, 4);
	align(data);
	start = data->len;
	for (guint i = 0; i < KALLSYMS; i++) {
		if (i % 256 == 0)
			put(markers, data->len - start, 4);
		put_name(data, i);
	}
	align(data);
	g_string_append_len(data, markers->str, (gssize)markers->len);
	align(data);
}

static inline void put_order(GString *data)
{
	for (guint i = KALLSYMS; i-- > 0;) {
		put(data, 0, 1);
		put(data, i >> 8, 1);
		put(data, i & 0xff, 1);
	}
	align(data);
}

static inline void put_tokens(GString *data)
{
	g_autoptr(GString) index = g_string_new(NULL);
	gsize start = data->len;

	for (guint i = 0; i < 256; i++) {
		put(index, data->len - start, 2);
		if (i == 0x81)
			g_string_append(data, "start_");
		else if (i == 0xfe)
			g_string_append(data, "function_");
		else if (g_ascii_isalnum(i) || i == '_' || i == '.')
			g_string_append_c(data, (char)i);
		put(data, 0, 1);
	}
	align(data);
	g_string_append_len(data, index->str, (gssize)index->len);
	align(data);
}

/* A kernel's data, in which something looks like the tokens, and something like names. */
static inline GString *kallsyms_kernel(const struct kallsyms_layout *layout)
{
	GString *data = g_string_new("\177ELF");

	g_string_append_len(data, "0\0001\0002\0003\0004\0005\0006\0007\0008\0009\0", 20);
	align(data);
	for (guint i = 0; i < 100; i++)
		put(data, i % 4, 8);
	if (!layout->behind)
		put_addresses(data, layout->form);
	put_names(data);
	if (layout->order && !layout->behind)
		put_order(data);
	put_tokens(data);
	if (layout->behind) {
		put_addresses(data, layout->form);
		put_order(data);
	}
	return data;
}

#endif
