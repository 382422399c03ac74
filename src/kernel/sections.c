/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/sections.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "base/error.h"

static void add_section(const GElf_Shdr *header, struct section_sizes *sizes)
{
	if (!(header->sh_flags & SHF_ALLOC))
		return;
	if ((header->sh_flags & SHF_EXECINSTR) || !(header->sh_flags & SHF_WRITE))
		sizes->text += header->sh_size;
	else if (header->sh_type == SHT_NOBITS)
		sizes->bss += header->sh_size;
	else
		sizes->data += header->sh_size;
}

gboolean section_sizes_read(const char *path, struct section_sizes *sizes, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf_Scn *section = NULL;
	gboolean fine;
	Elf *elf;

	*sizes = (struct section_sizes){ 0 };
	if (fd < 0)
		return error_set_errno(error, errno, "cannot read %s", path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	fine = elf && elf_kind(elf) == ELF_K_ELF;
	while (fine && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		if (gelf_getshdr(section, &header))
			add_section(&header, sizes);
	}
	elf_end(elf);
	close(fd);
	return fine ? TRUE : error_set(error, KCOST_ERROR_KERNEL, "%s is no ELF file", path);
}
