/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROGRAM_PAYLOAD_ENTRY_H
#define KCOST_PROGRAM_PAYLOAD_ENTRY_H

#include "program/payload.h"

/* What a payload is made of; for its own files alone. */

enum payload_type { PAYLOAD_DIR, PAYLOAD_FILE, PAYLOAD_LINK, PAYLOAD_DEVICE };

struct payload_entry {
	enum payload_type type;
	guint mode; /* permissions alone */
	guint uid, gid;
	gint64 time;    /* of the last change, seconds since 1970 */
	guint64 size;   /* of a file */
	guint64 device; /* of a device, which mode's type is in device_type */
	guint device_type;
	char *source; /* of a file: where its content is */
	char *target; /* of a link */
	gboolean of_rootfs;
};

struct payload {
	GTree *entries; /* path -> struct payload_entry, ascending, so that a directory is first */
	char *scratch;  /* a directory for what was in a tar file; or NULL */
	gboolean in_rootfs; /* what is added now may be covered by later files */
};

/* Takes @entry over. */
gboolean payload_put(payload_t *payload, const char *guest, struct payload_entry *entry,
                     GError **error);
void payload_entry_free(gpointer entry);

#endif
