/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* libelf's handle of a file that is being read. */
struct reader {
	const char *path;
	Elf *elf;
	elf_file_t *file;
};

void elf_file_free(elf_file_t *file)
{
	if (!file)
		return;
	g_free(file->interpreter);
	g_free(file->soname);
	g_free(file->rpath);
	g_free(file->runpath);
	g_ptr_array_unref(file->needed);
	g_free(file);
}

/* FALSE if the file is shorter or no ELF file. The 32-bit form begins alike, its type included. */
static gboolean read_begin(const char *path, void *begin, gsize size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t count = fd < 0 ? -1 : read(fd, begin, size);

	if (fd >= 0)
		close(fd);
	return count == (ssize_t)size && memcmp(begin, ELFMAG, SELFMAG) == 0;
}

gboolean elf_file_is(const char *path)
{
	char magic[SELFMAG];

	return read_begin(path, magic, sizeof(magic));
}

gboolean elf_file_is_relocatable(const char *path)
{
	Elf64_Ehdr header;

	return read_begin(path, &header, sizeof(header)) && header.e_type == ET_REL;
}

static gboolean damaged(const struct reader *reader, GError **error)
{
	return error_set(error, KCOST_ERROR_USAGE, "%s is a damaged ELF file: %s", reader->path,
	                 elf_errmsg(-1));
}

/* A string of the loaded file: at @address + @offset, through the segment that holds it. */
static char *string_at(const struct reader *reader, GElf_Addr address, GElf_Xword offset)
{
	size_t count = 0, size = 0;
	const char *image = elf_rawfile(reader->elf, &size);
	GElf_Phdr segment;

	elf_getphdrnum(reader->elf, &count);
	for (size_t i = 0; image && i < count; i++) {
		GElf_Addr at = address + offset;

		if (!gelf_getphdr(reader->elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
		    at < segment.p_vaddr || at - segment.p_vaddr >= segment.p_filesz)
			continue;
		at += segment.p_offset - segment.p_vaddr;
		if (at < size && memchr(image + at, '\0', size - at))
			return g_strdup(image + at);
	}
	return NULL;
}

/* The next place of @tag in the dynamic section from *@index on. */
static gboolean find_tag(Elf_Data *dynamic, GElf_Sxword tag, int *index, GElf_Dyn *entry)
{
	for (; gelf_getdyn(dynamic, *index, entry) && entry->d_tag != DT_NULL; (*index)++)
		if (entry->d_tag == tag)
			return TRUE;
	return FALSE;
}

static GElf_Xword tag_value(Elf_Data *dynamic, GElf_Sxword tag)
{
	GElf_Dyn entry;
	int index = 0;

	return find_tag(dynamic, tag, &index, &entry) ? entry.d_un.d_val : 0;
}

static char *tag_string(const struct reader *reader, Elf_Data *dynamic, GElf_Sxword tag)
{
	GElf_Addr strings = tag_value(dynamic, DT_STRTAB);
	GElf_Dyn entry;
	int index = 0;

	return find_tag(dynamic, tag, &index, &entry) ? string_at(reader, strings, entry.d_un.d_val)
	                                              : NULL;
}

static gboolean read_dynamic(const struct reader *reader, const GElf_Phdr *segment, GError **error)
{
	elf_file_t *file = reader->file;
	Elf_Data *dynamic = elf_getdata_rawchunk(reader->elf, (int64_t)segment->p_offset,
	                                         segment->p_filesz, ELF_T_DYN);
	GElf_Dyn entry;

	if (!dynamic)
		return damaged(reader, error);
	for (int index = 0; find_tag(dynamic, DT_NEEDED, &index, &entry); index++) {
		char *name = string_at(reader, tag_value(dynamic, DT_STRTAB), entry.d_un.d_val);

		if (!name)
			return error_set(error, KCOST_ERROR_USAGE,
			                 "%s is a damaged ELF file: a needed library has no name",
			                 reader->path);
		g_ptr_array_add(file->needed, name);
	}
	file->soname = tag_string(reader, dynamic, DT_SONAME);
	file->rpath = tag_string(reader, dynamic, DT_RPATH);
	file->runpath = tag_string(reader, dynamic, DT_RUNPATH);
	file->no_default_dirs = (tag_value(dynamic, DT_FLAGS_1) & DF_1_NODEFLIB) != 0;
	return TRUE;
}

static gboolean read_segments(const struct reader *reader, GError **error)
{
	size_t count, size;
	const char *image = elf_rawfile(reader->elf, &size);
	GElf_Phdr segment;

	if (!image || elf_getphdrnum(reader->elf, &count))
		return damaged(reader, error);
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(reader->elf, (int)i, &segment))
			return damaged(reader, error);
		if (segment.p_type == PT_DYNAMIC && !read_dynamic(reader, &segment, error))
			return FALSE;
		if (segment.p_type == PT_INTERP && segment.p_offset < size &&
		    segment.p_filesz <= size - segment.p_offset && !reader->file->interpreter)
			reader->file->interpreter =
				g_strndup(image + segment.p_offset, segment.p_filesz);
	}
	return TRUE;
}

static const char *class_name(const GElf_Ehdr *header)
{
	return header->e_ident[EI_CLASS] == ELFCLASS32 ? "32-bit" : "64-bit";
}

static gboolean check_header(const struct reader *reader, GError **error)
{
	GElf_Ehdr header;

	if (elf_kind(reader->elf) != ELF_K_ELF || !gelf_getehdr(reader->elf, &header))
		return error_set(error, KCOST_ERROR_USAGE, "%s is no ELF file", reader->path);
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "%s is a %s program for another machine (ELF number %u): the "
		                 "kernels here run 64-bit x86 programs only",
		                 reader->path, class_name(&header), header.e_machine);
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "%s is an ELF file, but neither a program nor a library",
		                 reader->path);
	return TRUE;
}

elf_file_t *elf_file_read(const char *path, GError **error)
{
	g_autoptr(elf_file_t) file = g_new0(elf_file_t, 1);
	struct reader reader = { .path = path, .file = file };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	gboolean fine;

	file->needed = g_ptr_array_new_with_free_func(g_free);
	if (fd < 0) {
		error_set_errno(error, errno, "cannot read %s", path);
		return NULL;
	}
	elf_version(EV_CURRENT);
	reader.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	fine = reader.elf ? check_header(&reader, error) && read_segments(&reader, error)
	                  : damaged(&reader, error);
	elf_end(reader.elf);
	close(fd);
	return fine ? g_steal_pointer(&file) : NULL;
}
