/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/kallsyms.h"

#include <string.h>

#include "base/error.h"

enum {
	TOKENS = 256,
	ALIGNMENT = 8,
	NAMES_A_MARKER = 256,
	NAME_MOST = 1024, /* bytes of a name; the kernel's own limit is 512 */
	HEAD = 8,         /* num_syms with what aligns it */
};

/* The digits, which are in every kernel's names and so stand for themselves. */
static const char digits[] = "0\0"
			     "1\0"
			     "2\0"
			     "3\0"
			     "4\0"
			     "5\0"
			     "6\0"
			     "7\0"
			     "8\0"
			     "9";

/* Where the parts are, in bytes from the beginning. */
struct tables {
	const guchar *data;
	gsize size;
	gsize tokens, index;
	gsize head; /* num_syms */
	gsize names;
	guint32 count;
	guint64 *addresses; /* of each symbol; owned */
};

static guint64 number(const struct tables *tables, gsize place, gsize bytes)
{
	guint64 value = 0;

	for (gsize i = bytes; i-- > 0;)
		value = value << 8 | tables->data[place + i];
	return value;
}

static gsize align(gsize place)
{
	return (place + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static gsize token_offset(const struct tables *tables, guint token)
{
	return (gsize)number(tables, tables->index + 2 * (gsize)token, 2);
}

/* The end of the text at @place; 0 if there is none. */
static gsize text_end(const struct tables *tables, gsize place)
{
	const guchar *end = place < tables->size
	                            ? memchr(tables->data + place, '\0', tables->size - place)
	                            : NULL;

	return end ? (gsize)(end - tables->data) + 1 : 0;
}

/* The index has each text's place, so what it is found by is more than a likeness. */
static gboolean is_index_right(const struct tables *tables, gsize end)
{
	gsize place = tables->tokens;

	for (guint i = 0; i < TOKENS; i++) {
		if (!place || place - tables->tokens != token_offset(tables, i))
			return FALSE;
		place = text_end(tables, place);
	}
	return place == end;
}

/* With the text of the token '0' at @zero. */
static gboolean try_tokens(struct tables *tables, gsize zero)
{
	gsize end = zero;

	for (guint i = '0'; i < TOKENS && (i == '0' || end); i++)
		end = text_end(tables, end);
	tables->index = align(end);
	if (!end || tables->index + 2 * TOKENS > tables->size || token_offset(tables, '0') > zero)
		return FALSE;
	tables->tokens = zero - token_offset(tables, '0');
	return is_index_right(tables, end);
}

static gboolean find_tokens(struct tables *tables)
{
	const guchar *end = tables->data + tables->size, *at = tables->data;

	while ((at = memmem(at, (gsize)(end - at), digits, sizeof(digits)))) {
		if (try_tokens(tables, (gsize)(at - tables->data)))
			return TRUE;
		at++;
	}
	return FALSE;
}

/* A name's tokens, at *@place, which goes on to the next name; the length is 0 if there is none. */
static gsize next_name(const struct tables *tables, gsize *place)
{
	gsize length, start;

	if (*place + 2 > tables->tokens)
		return 0;
	length = tables->data[*place];
	start = *place + 1;
	if (length & 0x80) {
		length = (length & 0x7f) | (gsize)tables->data[start] << 7;
		start++;
	}
	*place = start + length;
	return length <= NAME_MOST && *place <= tables->tokens ? length : 0;
}

/* Where the markers begin; 0 if the names are none. */
static gsize names_end(const struct tables *tables)
{
	gsize place = tables->names;

	for (guint32 i = 0; i < tables->count; i++)
		if (!next_name(tables, &place))
			return 0;
	return align(place);
}

static gboolean are_markers_right(const struct tables *tables, gsize markers)
{
	gsize place = tables->names;

	for (guint32 i = 0; i < tables->count; i++) {
		gsize marker = markers + 4 * (gsize)(i / NAMES_A_MARKER);

		if (i % NAMES_A_MARKER == 0 && number(tables, marker, 4) != place - tables->names)
			return FALSE;
		next_name(tables, &place);
	}
	return TRUE;
}

/* With num_syms at @head: between what it counts and the tokens there may only be the markers and
 * the order of the names. */
static gboolean try_names(struct tables *tables, gsize head)
{
	gsize markers, end;

	tables->head = head;
	tables->names = head + HEAD;
	tables->count = (guint32)number(tables, head, 4);
	if (!tables->count || number(tables, head + 4, 4) ||
	    tables->count > (tables->tokens - tables->names) / 2)
		return FALSE;
	markers = names_end(tables);
	end = markers + 4 * (gsize)((tables->count + NAMES_A_MARKER - 1) / NAMES_A_MARKER);
	if (!markers || (align(end) != tables->tokens &&
	                 align(align(end) + 3 * (gsize)tables->count) != tables->tokens))
		return FALSE;
	return are_markers_right(tables, markers);
}

static gboolean find_names(struct tables *tables)
{
	for (gsize head = tables->tokens / ALIGNMENT * ALIGNMENT; head >= HEAD;) {
		head -= HEAD;
		if (head + HEAD <= tables->tokens && try_names(tables, head))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_kernel(guint64 address)
{
	return address >> 63;
}

static gboolean are_ascending(const struct tables *tables)
{
	for (guint32 i = 1; i < tables->count; i++)
		if (tables->addresses[i] < tables->addresses[i - 1])
			return FALSE;
	return is_kernel(tables->addresses[tables->count - 1]);
}

static gboolean try_offsets(struct tables *tables, gsize place, gsize base_place)
{
	guint64 base = number(tables, base_place, 8);
	gboolean absolute = FALSE; /* some are addresses */

	for (guint32 i = 0; i < tables->count && !absolute; i++)
		absolute = number(tables, place + 4 * (gsize)i, 4) >> 31;
	for (guint32 i = 0; i < tables->count; i++) {
		guint64 offset = number(tables, place + 4 * (gsize)i, 4);

		if (!absolute)
			tables->addresses[i] = base + offset;
		else if (offset >> 31)
			tables->addresses[i] = base - 1 - (guint64)(gint64)(gint32)offset;
		else
			tables->addresses[i] = offset;
	}
	return is_kernel(base) && are_ascending(tables);
}

/* Behind the tokens or before num_syms. */
static gboolean find_addresses(struct tables *tables)
{
	gsize count = tables->count, behind = align(tables->index + 2 * TOKENS);
	gsize base = behind + align(4 * count);

	tables->addresses = g_new(guint64, count);
	if (base + 8 <= tables->size && try_offsets(tables, behind, base))
		return TRUE;
	return tables->head >= 8 + align(4 * count) &&
	       try_offsets(tables, tables->head - 8 - align(4 * count), tables->head - 8);
}

static void expand(const struct tables *tables, gsize place, gsize length, GString *name)
{
	g_string_truncate(name, 0);
	for (gsize i = 0; i < length; i++)
		g_string_append(name, (const char *)tables->data + tables->tokens +
		                              token_offset(tables, tables->data[place + i]));
}

static void tell_all(const struct tables *tables, kallsyms_each_t each, gpointer data)
{
	g_autoptr(GString) name = g_string_new(NULL);
	gsize place = tables->names;

	for (guint32 i = 0; i < tables->count; i++) {
		gsize length = next_name(tables, &place);

		expand(tables, place - length, length, name);
		if (name->len > 1)
			each(data, tables->addresses[i], name->str[0], name->str + 1);
	}
}

gboolean kallsyms_read(const char *kernel, gsize size, kallsyms_each_t each, gpointer data,
                       GError **error)
{
	struct tables tables = { .data = (const guchar *)kernel, .size = size };
	g_autofree guint64 *addresses = NULL;
	gboolean found;

	if (!find_tokens(&tables))
		return error_set(error, KCOST_ERROR_MISSING,
		                 "the kernel has no table of its symbols (CONFIG_KALLSYMS)");
	found = find_names(&tables) && find_addresses(&tables);
	addresses = tables.addresses;
	if (!found)
		return error_set(error, KCOST_ERROR_MISSING,
		                 "the kernel's table of its symbols (kallsyms) has a form that is "
		                 "not known here, that of a newer kernel perhaps");
	tell_all(&tables, each, data);
	return TRUE;
}
