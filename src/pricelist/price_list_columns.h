/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PRICELIST_PRICE_LIST_COLUMNS_H
#define KCOST_PRICELIST_PRICE_LIST_COLUMNS_H

/* What the reader and the writer of price lists share: the file's first line and its columns. */

#define PRICE_LIST_FIRST_LINE "# kcost price list 1"
#define PRICE_LIST_OK "ok" /* the status of what has a price */

enum price_column {
	COLUMN_OPTION,
	COLUMN_OFF,
	COLUMN_ON,
	COLUMN_DEFAULT,
	COLUMN_CLASS,
	COLUMN_STATUS,
	COLUMN_WORKLOAD,
	COLUMN_PARAMETERS,
	COLUMN_UNIT,
	COLUMN_BOOTS,
	COLUMN_MEAN_OFF,
	COLUMN_MEAN_ON,
	COLUMN_COST,
	COLUMN_LOW,
	COLUMN_HIGH,
	COLUMN_BOOT,
	COLUMN_IMAGE,
	COLUMN_MEMORY,
	COLUMN_CHANGES,
	COLUMN_BOTH,
	COLUMN_CMDLINE,
	COLUMN_ACTIVATED_BY,
	COLUMN_SHA256_OFF,
	COLUMN_SHA256_ON,
	COLUMN_NOTE,
	COLUMN_COUNT,
};

/* Its name in the file. */
const char *price_column_name(enum price_column column);

#endif
