/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/schema.h"

/* AUTOINCREMENT: an ID that was removed never comes back as something else. A boot belongs to a
 * study and a kernel, not to a price: prices with one base kernel share its boots. Figures that are
 * NULL are not final yet and follow from the boots. */
static const char version_1[] =
	"CREATE TABLE study ("
	"  id INTEGER PRIMARY KEY AUTOINCREMENT,"
	"  kind TEXT NOT NULL,"
	"  created INTEGER NOT NULL,"
	"  state TEXT NOT NULL DEFAULT 'open'"
	"    CHECK (state IN ('open', 'complete', 'interrupted', 'failed')),"
	"  failure TEXT,"
	"  request TEXT NOT NULL,"
	"  base_config_text TEXT,"
	"  kcost_version TEXT,"
	"  kernel_version TEXT,"
	"  tree TEXT,"
	"  tree_identity TEXT,"
	"  tree_git TEXT,"
	"  base_config TEXT,"
	"  compiler TEXT,"
	"  qemu_version TEXT,"
	"  qemu_arguments TEXT,"
	"  cpu_model TEXT,"
	"  kernel_command_line TEXT,"
	"  guest_sha256 TEXT,"
	"  precision REAL"
	") STRICT;"

	"CREATE TABLE price ("
	"  id INTEGER PRIMARY KEY,"
	"  study INTEGER NOT NULL REFERENCES study ON DELETE CASCADE,"
	"  ordinal INTEGER NOT NULL,"
	"  label TEXT NOT NULL,"
	"  final INTEGER NOT NULL DEFAULT 0 CHECK (final IN (0, 1)),"
	"  UNIQUE (study, ordinal)"
	") STRICT;"

	"CREATE TABLE config_change ("
	"  price INTEGER NOT NULL REFERENCES price ON DELETE CASCADE,"
	"  ordinal INTEGER NOT NULL,"
	"  name TEXT NOT NULL,"
	"  off_value TEXT,"
	"  on_value TEXT,"
	"  PRIMARY KEY (price, ordinal)"
	") STRICT, WITHOUT ROWID;"

	"CREATE TABLE variant ("
	"  price INTEGER NOT NULL REFERENCES price ON DELETE CASCADE,"
	"  ordinal INTEGER NOT NULL,"
	"  label TEXT NOT NULL,"
	"  image_sha256 TEXT NOT NULL,"
	"  cmdline TEXT NOT NULL,"
	"  config_sha256 TEXT,"
	"  text INTEGER NOT NULL,"
	"  data INTEGER NOT NULL,"
	"  bss INTEGER NOT NULL,"
	"  bzimage INTEGER NOT NULL,"
	"  boot_instructions INTEGER,"
	"  memory_bytes INTEGER,"
	"  warnings INTEGER,"
	"  first_warning TEXT,"
	"  PRIMARY KEY (price, ordinal)"
	") STRICT, WITHOUT ROWID;"

	"CREATE TABLE workload ("
	"  price INTEGER NOT NULL REFERENCES price ON DELETE CASCADE,"
	"  ordinal INTEGER NOT NULL,"
	"  name TEXT NOT NULL,"
	"  params TEXT NOT NULL,"
	"  key TEXT,"
	"  key_name TEXT,"
	"  unit TEXT,"
	"  operation TEXT,"
	"  operations INTEGER NOT NULL,"
	"  last_seed INTEGER,"
	"  fell_short INTEGER CHECK (fell_short IN (0, 1)),"
	"  PRIMARY KEY (price, ordinal)"
	") STRICT, WITHOUT ROWID;"

	"CREATE TABLE boot ("
	"  id INTEGER PRIMARY KEY,"
	"  study INTEGER NOT NULL REFERENCES study ON DELETE CASCADE,"
	"  image_sha256 TEXT NOT NULL,"
	"  cmdline TEXT NOT NULL,"
	"  workload TEXT NOT NULL,"
	"  params TEXT NOT NULL,"
	"  seed INTEGER NOT NULL,"
	"  boot_instructions INTEGER NOT NULL,"
	"  memory_bytes INTEGER NOT NULL,"
	"  warnings INTEGER NOT NULL,"
	"  first_warning TEXT,"
	"  seconds REAL,"
	"  console TEXT,"
	"  UNIQUE (study, workload, params, image_sha256, cmdline, seed)"
	") STRICT;"

	"CREATE TABLE sample ("
	"  boot INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,"
	"  iteration INTEGER NOT NULL,"
	"  value REAL,"
	"  operations INTEGER NOT NULL,"
	"  switches INTEGER NOT NULL,"
	"  PRIMARY KEY (boot, iteration)"
	") STRICT, WITHOUT ROWID;";

/* What may differ between any kernels that are compared. has_changes: whether the variant's list of
 * changes is known, be it empty. */
static const char version_2[] =
	"ALTER TABLE study ADD COLUMN stars INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE variant ADD COLUMN kernel_version TEXT;"
	"ALTER TABLE variant ADD COLUMN tree TEXT;"
	"ALTER TABLE variant ADD COLUMN tree_identity TEXT;"
	"ALTER TABLE variant ADD COLUMN compiler TEXT;"
	"ALTER TABLE variant ADD COLUMN has_changes INTEGER NOT NULL DEFAULT 0"
	"  CHECK (has_changes IN (0, 1));"

	"CREATE TABLE variant_change ("
	"  price INTEGER NOT NULL REFERENCES price ON DELETE CASCADE,"
	"  variant INTEGER NOT NULL," /* its ordinal */
	"  ordinal INTEGER NOT NULL,"
	"  name TEXT NOT NULL,"
	"  off_value TEXT,"
	"  on_value TEXT,"
	"  PRIMARY KEY (price, variant, ordinal)"
	") STRICT, WITHOUT ROWID;"

	"CREATE TABLE note ("
	"  price INTEGER NOT NULL REFERENCES price ON DELETE CASCADE,"
	"  ordinal INTEGER NOT NULL,"
	"  text TEXT NOT NULL,"
	"  PRIMARY KEY (price, ordinal)"
	") STRICT, WITHOUT ROWID;";

/* What was not measured but read, from a log or another result: its samples belong to the row and
 * the variant, for there is no boot. Such a variant's image_sha256 is '' where no kernel is known.
 */
static const char version_3[] = "ALTER TABLE variant ADD COLUMN origin TEXT;"

				"CREATE TABLE given ("
				"  price INTEGER NOT NULL REFERENCES price ON DELETE CASCADE,"
				"  workload INTEGER NOT NULL," /* its ordinal */
				"  variant INTEGER NOT NULL,"  /* its ordinal */
				"  seed INTEGER NOT NULL,"
				"  iteration INTEGER NOT NULL,"
				"  value REAL,"
				"  operations INTEGER NOT NULL,"
				"  switches INTEGER NOT NULL,"
				"  PRIMARY KEY (price, workload, variant, seed, iteration)"
				") STRICT, WITHOUT ROWID;";

/* What the profiler found in a boot; as with a boot's samples it belongs to the kernel. */
static const char version_4[] =
	"CREATE TABLE profile ("
	"  study INTEGER NOT NULL REFERENCES study ON DELETE CASCADE,"
	"  image_sha256 TEXT NOT NULL,"
	"  cmdline TEXT NOT NULL,"
	"  workload TEXT NOT NULL,"
	"  params TEXT NOT NULL,"
	"  seed INTEGER NOT NULL,"
	"  tree BLOB NOT NULL," /* gzip; its text is described in docs/profile.md */
	"  PRIMARY KEY (study, workload, params, image_sha256, cmdline)"
	") STRICT, WITHOUT ROWID;";

/* What a program's samples have besides: 0 where it is not known. */
static const char version_5[] = "ALTER TABLE sample ADD COLUMN user REAL NOT NULL DEFAULT 0;"
				"ALTER TABLE sample ADD COLUMN idle REAL NOT NULL DEFAULT 0;"
				"ALTER TABLE given ADD COLUMN user REAL NOT NULL DEFAULT 0;"
				"ALTER TABLE given ADD COLUMN idle REAL NOT NULL DEFAULT 0;";

/* Estimated time: the core's name and description, and what its model counted in a boot. */
static const char version_6[] = "ALTER TABLE study ADD COLUMN core TEXT;"
				"ALTER TABLE study ADD COLUMN core_text TEXT;"
				"ALTER TABLE boot ADD COLUMN times TEXT;";

static const char *const steps[] = {
	version_1, version_2, version_3, version_4, version_5, version_6,
};

const char *const *schema_steps(guint *count)
{
	*count = G_N_ELEMENTS(steps);
	return steps;
}
