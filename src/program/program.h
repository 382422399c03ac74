/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROGRAM_PROGRAM_H
#define KCOST_PROGRAM_PROGRAM_H

#include <glib.h>

/* A program of this machine, made ready to be run in a guest: its command, and an archive with all
 * the files that it finds there. */

/* What is asked for. */
struct program_request {
	const char *command;      /* see command_line_parse() */
	const char *const *files; /* "SRC[:DST]"; NULL-terminated or NULL */
	const char *const *dirs;  /* likewise, directories */
	const char *rootfs; /* a directory or a tar file that is the guest's whole tree; or NULL */
	const char *cwd;    /* here, and in the guest (/ with a rootfs); NULL: as it is */
	guint memory_mib;   /* of the guest's RAM; 0: by the archive's size */
};

typedef struct program {
	struct program_request request; /* owned copies, the paths made absolute */
	char *name;                     /* see command_line_name() */
	char *archive;                  /* a cpio file, which lasts as long as this */
	char *sha256;                   /* of the archive: what is run, to the byte */
	guint files;                    /* regular files in it */
	guint64 archive_bytes, unpacked_bytes;
	guint memory_mib; /* that the guest is given */
	GPtrArray *notes; /* char *: what was not found, and may or may not be needed */
	char *dir;        /* of the archive */
} program_t;

/* KCOST_ERROR_USAGE or KCOST_ERROR_MISSING, with what to change or bring along. */
program_t *program_new(const struct program_request *request, GError **error);
/* "payload=sha256:" and the begin of the archive's hash: what tells a row from another of that
 * name. Owned by the caller. */
char *program_params(const program_t *program);
/* What a reader must know of it, in one sentence: the command, its files, the guest's memory. Owned
 * by the caller. */
char *program_describe(const program_t *program);
void program_free(program_t *program);

/* The RAM, in MiB, for an initramfs of @archive bytes that takes @unpacked bytes in a tmpfs. The
 * kernel's tmpfs for it holds half of the RAM (mm/shmem.c, shmem_default_max_blocks()) less what
 * the archive itself takes until it is unpacked; the program gets 512 MiB besides, and no guest
 * less than the 1,024 MiB that it has without a program. In steps of 256 MiB. */
guint program_memory_needed(guint64 archive, guint64 unpacked);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(program_t, program_free)

#endif
