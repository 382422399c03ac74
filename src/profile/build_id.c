/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/build_id.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

static char *hexadecimal(const guchar *bytes, gsize size)
{
	GString *text = g_string_new(NULL);

	for (gsize i = 0; i < size; i++)
		g_string_append_printf(text, "%02x", bytes[i]);
	return g_string_free(text, FALSE);
}

/* One section may hold several notes. */
static char *find_in(Elf_Data *data)
{
	gsize place = 0, next, name, description;
	GElf_Nhdr note;

	while (data && (next = gelf_getnote(data, place, &note, &name, &description))) {
		const char *bytes = data->d_buf;

		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    !memcmp(bytes + name, "GNU", sizeof("GNU")))
			return hexadecimal((const guchar *)bytes + description, note.n_descsz);
		place = next;
	}
	return NULL;
}

static char *build_id_of_elf(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	char *id = NULL;

	while (!id && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_NOTE)
			id = find_in(elf_getdata(section, NULL));
	return id;
}

char *build_id_of_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *id = NULL;
	Elf *elf;

	if (fd < 0)
		return NULL;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf)
		id = build_id_of_elf(elf);
	elf_end(elf);
	close(fd);
	return id;
}

char *build_id_of_data(char *data, gsize size)
{
	char *id = NULL;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_memory(data, size);
	if (elf)
		id = build_id_of_elf(elf);
	elf_end(elf);
	return id;
}
