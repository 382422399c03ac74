/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "kernel_model.h"
#include "report_fixture.h"
#include "sweep/item.h"
#include "sweep/options_file.h"
#include "sweep/pins.h"
#include "sweep/reason.h"
#include "sweep/recheck.h"
#include "sweep/row.h"

static void test_options_file(void)
{
	g_autoptr(GPtrArray) specs = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) error = NULL;
	static const char *const bad[] = { "A\nNO SUCH\n", "", "# nothing\n\n", "A\n=y\n", "A=\n" };

	g_assert_true(options_file_parse("# head\nDEBUG_LIST\n\n  CONFIG_A=20 # why\r\nB", "x",
	                                 specs, &error));
	g_assert_no_error(error);
	g_assert_cmpuint(specs->len, ==, 3);
	g_assert_cmpstr(specs->pdata[0], ==, "DEBUG_LIST");
	g_assert_cmpstr(specs->pdata[1], ==, "CONFIG_A=20");
	g_assert_cmpstr(specs->pdata[2], ==, "B");
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_assert_false(options_file_parse(bad[i], "list.options", specs, &error));
		g_assert_true(error_is(error, KCOST_ERROR_USAGE));
		g_assert_nonnull(strstr(error->message, "list.options"));
		g_clear_error(&error);
	}
	g_assert_false(options_file_parse("A\n\nNO SUCH\n", "list.options", specs, &error));
	g_assert_nonnull(strstr(error->message, "list.options, line 3: "));
}

static void test_reason(void)
{
	static const struct {
		const char *message, *reason;
	} rows[] = {
		{ "A=y cannot be had: it needs B=y", "A=y cannot be had: it needs B=y" },
		{ "the kernel with A=y did not build; the log is /home/x/.cache/k/1.log and ends:\n"
		  "  CC      kernel/fork.o\n/home/x/src/linux/kernel/fork.c:42:7: error: "
		  "'nonsense'\n"
		  "make[2]: *** [kernel/fork.o] Error 1",
		  "the kernel with A=y did not build: kernel/fork.c:42:7: error: 'nonsense'" },
		{ "no samples from the kernel with A=y (seed 1): the kernel died: Kernel panic\n"
		  "the console's last lines:\n[    1.0]  more",
		  "no samples from the kernel with A=y (seed 1): the kernel died: Kernel panic" },
		{ "cannot write /tmp/kcost-x1y2/plan: too\tlong", "cannot write plan: too long" },
		{ "a ratio of 3/4 and net/core stay", "a ratio of 3/4 and net/core stay" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error =
			g_error_new_literal(KCOST_ERROR, KCOST_ERROR_KERNEL, rows[i].message);
		g_autofree char *reason = sweep_reason(error, "/home/x/src/linux");

		g_assert_cmpstr(reason, ==, rows[i].reason);
	}
}

static sweep_item_t *make_item(const char *spec, guint work, guint changes, const char *config)
{
	sweep_item_t *item = g_new0(sweep_item_t, 1);

	item->spec = g_strdup(spec);
	item->option = g_strdup(spec);
	item->on = g_strdup("y");
	item->off = g_strdup("n");
	item->work = work;
	item->changes = changes;
	item->config[0] = g_strdup(config);
	return item;
}

/* The least work first; then the nearest to the base; then those with one base together; then
 * names. */
static void test_order(void)
{
	g_autoptr(GPtrArray) items =
		g_ptr_array_new_with_free_func((GDestroyNotify)sweep_item_free);
	static const char *const order[] = { "NOTHING", "E", "C", "D", "B", "A" };

	g_ptr_array_add(items, make_item("A", 700, 1, "base"));
	g_ptr_array_add(items, make_item("B", 6, 2, "other"));
	g_ptr_array_add(items, make_item("D", 6, 2, "base"));
	g_ptr_array_add(items, make_item("C", 6, 2, "base"));
	g_ptr_array_add(items, make_item("E", 6, 1, "other"));
	g_ptr_array_add(items, make_item("NOTHING", 0, 0, NULL));
	g_ptr_array_sort(items, items_compare);
	for (guint i = 0; i < items->len; i++)
		g_assert_cmpstr(((sweep_item_t *)items->pdata[i])->spec, ==, order[i]);
}

/* The fixture's option, as a row: at 1 group 34,000,000 against 42,500,000 is 25 %. */
static struct price_entry *make_entry(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	const struct report_price *price = report->prices->pdata[0];
	g_autoptr(option_facts_t) facts =
		option_facts_parse("DEBUG_PREEMPT\tdebug\t-\t-\t-\n", "facts", NULL);
	g_autoptr(sweep_item_t) item = make_item("DEBUG_PREEMPT", 0, 0, NULL);
	struct price_entry *entry;

	item->fallback = g_strdup("n");
	item->both = g_strdup("PREEMPT=y");
	entry = row_new(item, facts);
	g_ptr_array_add(price->notes, g_strdup("set on both sides for DEBUG_PREEMPT=y: PREEMPT=y"));
	g_ptr_array_add(price->notes, g_strdup("DEBUG_PREEMPT=y: no memory cgroup"));
	row_fill_tag(entry, price);
	for (guint i = 0; i < price->workloads->len; i++)
		row_add_cost(entry, price, i);
	return entry;
}

static void test_row(void)
{
	struct price_entry *entry = make_entry();
	const struct price_cost *cost =
		price_entry_cost(entry, "hackbench-process-sockets", "groups=1 loops=20");
	g_autofree char *changes = price_changes_text(entry->changes);

	g_assert_cmpstr(entry->option, ==, "DEBUG_PREEMPT");
	g_assert_cmpstr(entry->off, ==, "n");
	g_assert_cmpstr(entry->on, ==, "y");
	g_assert_cmpstr(entry->fallback, ==, "n");
	g_assert_cmpstr(entry->class_name, ==, "debug");
	g_assert_cmpstr(entry->both, ==, "PREEMPT=y");
	g_assert_null(entry->reason);
	g_assert_cmpstr(changes, ==, "DEBUG_PREEMPT n->y");
	/* The fixture's kernels are 2,000,000 and 2,050,000 of text, half as much data, a quarter
	 * of bss; they boot in 100 instructions a byte of text, and use ten bytes for each. */
	g_assert_cmpfloat(entry->image_bytes, ==, 50000 * 1.75);
	g_assert_cmpfloat(fabs(entry->boot_percent - 2.5), <, 1e-9);
	g_assert_cmpfloat(entry->memory_bytes, ==, 500000);
	g_assert_cmpstr(entry->note, ==, "DEBUG_PREEMPT=y: no memory cgroup");
	g_assert_cmpuint(entry->costs->len, ==, 3);
	g_assert_nonnull(cost);
	g_assert_cmpstr(cost->unit, ==, "instructions");
	g_assert_cmpuint(cost->boots, ==, 2);
	g_assert_cmpfloat(cost->mean_off, ==, 34000000);
	g_assert_cmpfloat(cost->mean_on, ==, 42500000);
	g_assert_cmpfloat(fabs(cost->cost - 25), <, 1e-9);
	g_assert_cmpfloat(cost->lo, <, 25);
	g_assert_cmpfloat(cost->hi, >, 25);
	g_assert_true(row_has_price(entry));
	price_entry_free(entry);
}

/* What waits for something else has that beside its price, unless the kernel has it. */
static void test_dormant(void)
{
	static const struct {
		const char *config, *activated_by;
	} rows[] = {
		{ "CONFIG_A=y\n# CONFIG_B is not set\n", "CONFIG_B=y or a=1" },
		{ "CONFIG_A=y\nCONFIG_B=y\n", NULL },
		{ NULL, NULL },
	};
	g_autoptr(option_facts_t) facts =
		option_facts_parse("A\tdebug\tCONFIG_B=y a=1\t-\t-\n", "facts", NULL);

	g_assert_nonnull(facts);
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(sweep_item_t) item = make_item("A", 0, 0, NULL);
		struct price_entry *entry;

		item->config[1] = g_strdup(rows[i].config);
		entry = row_new(item, facts);
		g_assert_cmpstr(entry->activated_by, ==, rows[i].activated_by);
		price_entry_free(entry);
	}
}

static void test_put(void)
{
	g_autoptr(price_list_t) list = price_list_new();
	static const struct {
		const char *option, *off, *on;
	} puts[] = {
		{ "B", "n", "y" },   { "A", "17", "20" }, { "C", "n", "y" },
		{ "A", "17", "18" }, { "B", "n", "y" },
	};
	static const char *const order[] = { "A 18", "A 20", "B y", "C y" };

	for (gsize i = 0; i < G_N_ELEMENTS(puts); i++) {
		struct price_entry *entry =
			price_entry_new(puts[i].option, puts[i].off, puts[i].on);

		entry->image_bytes = (double)i;
		row_put(list, entry);
	}
	g_assert_cmpuint(list->entries->len, ==, G_N_ELEMENTS(order));
	for (guint i = 0; i < list->entries->len; i++) {
		const struct price_entry *entry = list->entries->pdata[i];
		g_autofree char *name = g_strdup_printf("%s %s", entry->option, entry->on);

		g_assert_cmpstr(name, ==, order[i]);
	}
	/* The later one of the two B. */
	g_assert_cmpfloat(((struct price_entry *)list->entries->pdata[2])->image_bytes, ==, 4);
}

static void test_find(void)
{
	g_autoptr(price_list_t) list = price_list_new();
	g_autoptr(sweep_item_t) item = make_item("A", 0, 0, NULL);

	g_assert_null(row_find(list, item));
	row_put(list, price_entry_new("A", "n", "m"));
	g_assert_null(row_find(list, item));
	row_put(list, price_entry_new("A", "n", "y"));
	g_assert_nonnull(row_find(list, item));
	g_assert_false(row_has_price(row_find(list, item)));
}

/* ---- pins ---- */

static price_list_t *make_pins(const struct price_request *request, const char *emulator)
{
	g_autoptr(kconfig_model_t) model = make_model();
	g_autoptr(config_file_t) file = config_file_parse("CONFIG_A=y\n", 11, "base", NULL);
	kernel_tree_t tree = { .version = "6.1.192", .name = "6.1", .identity = "1234" };
	const struct workshop_base base = { .tree = &tree, .file = file, .model = model };
	const machine_provenance_t machine = {
		.emulator = (char *)emulator,
		.arguments = "-accel tcg",
		.cpu_model = "max",
		.guest_sha256 = "5678",
	};

	return pins_new_list(request, &base, &machine);
}

static const struct measure_cell pinned_cells[] = {
	{ .workload = "hackbench-process-sockets", .params = "groups=1 loops=20" },
	{ .workload = "stat", .params = "" },
};

static struct price_request make_request(const char *const *settings)
{
	return (struct price_request){
		.settings = settings,
		.cells = pinned_cells,
		.cell_count = G_N_ELEMENTS(pinned_cells),
		.measure = { .runs = 4, .iterations = 3, .warmup = 1 },
	};
}

/* What was written is read back as the same request, through a file's text. */
static void test_pins(void)
{
	static const char *const settings[] = { "A=y", "B=\"x y\"", NULL };
	struct price_request request = make_request(settings);
	g_autoptr(price_list_t) list = make_pins(&request, "QEMU 7"), read = NULL;
	g_autofree char *text = price_list_text(list);
	g_autoptr(GError) error = NULL;
	g_autoptr(pinned_t) pinned = NULL;
	const struct price_request *again;

	read = price_list_parse(text, "x.csv", &error);
	g_assert_no_error(error);
	pinned = pins_request(read, &error);
	g_assert_no_error(error);
	again = &pinned->request;
	g_assert_cmpstr(again->tree, ==, "6.1");
	g_assert_null(again->base_config);
	g_assert_cmpuint(again->cell_count, ==, 2);
	for (guint i = 0; i < 2; i++) {
		g_assert_cmpstr(again->cells[i].workload, ==, pinned_cells[i].workload);
		g_assert_cmpstr(again->cells[i].params, ==, pinned_cells[i].params);
	}
	g_assert_cmpuint(again->measure.runs, ==, 4);
	g_assert_cmpuint(again->measure.iterations, ==, 3);
	g_assert_cmpuint(again->measure.warmup, ==, 1);
	g_assert_true(again->with_deps);
	g_assert_true(g_strv_equal(again->settings, settings));
	/* SHA-256 of "CONFIG_A=y\n", by sha256sum. */
	g_assert_cmpstr(price_list_get(read, PRICE_LIST_CONFIG_SHA256), ==,
	                "e7e1b2c0a9031fbc9e999438d6d65847f80ddd76244dfc5a1efac71731d40f85");
}

static void test_pins_differ(void)
{
	static const char *const settings[] = { "A=y", NULL };
	struct price_request request = make_request(NULL), other = make_request(settings);
	g_autoptr(price_list_t) list = make_pins(&request, "QEMU 7");
	g_autoptr(price_list_t) same = make_pins(&request, "QEMU 7");
	g_autoptr(price_list_t) tool = make_pins(&request, "QEMU 8");
	g_autoptr(price_list_t) set = make_pins(&other, "QEMU 7");
	g_autoptr(GPtrArray) none = pins_differences(list, same);
	g_autoptr(GPtrArray) qemu = pins_differences(list, tool);
	g_autoptr(GPtrArray) subject = pins_differences(list, set);

	g_assert_cmpuint(none->len, ==, 0);
	g_assert_cmpuint(qemu->len, ==, 1);
	g_assert_cmpstr(qemu->pdata[0], ==, "qemu: QEMU 7 in the list, QEMU 8 here");
	g_assert_true(pins_same_subject(list, tool));
	g_assert_cmpuint(subject->len, ==, 1);
	g_assert_cmpstr(subject->pdata[0], ==, "set: none in the list, A=y here");
	g_assert_false(pins_same_subject(list, set));
}

/* A header that lacks or garbles what a measurement needs. */
static void test_pins_bad(void)
{
	static const struct {
		const char *key, *value;
	} rows[] = {
		{ PRICE_LIST_TREE, NULL },
		{ PRICE_LIST_CONFIG, NULL },
		{ PRICE_LIST_WORKLOADS, NULL },
		{ PRICE_LIST_WORKLOADS, "no-such-workload" },
		{ PRICE_LIST_WORKLOADS, "stat nonsense=1" },
		{ PRICE_LIST_SEEDS, NULL },
		{ PRICE_LIST_SEEDS, "4" },
		{ PRICE_LIST_SEEDS, "1-0" },
		{ PRICE_LIST_ITERATIONS, "many" },
	};
	struct price_request request = make_request(NULL);

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(price_list_t) whole = make_pins(&request, "QEMU 7");
		g_autoptr(price_list_t) list = price_list_new();
		g_autoptr(GError) error = NULL;

		for (guint k = 0; k < whole->keys->len; k++)
			if (strcmp(whole->keys->pdata[k], rows[i].key) != 0)
				price_list_add(list, whole->keys->pdata[k],
				               whole->values->pdata[k]);
		price_list_add(list, rows[i].key, rows[i].value);
		g_assert_null(pins_request(list, &error));
		g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	}
}

/* ---- check ---- */

static void test_recheck_same(void)
{
	struct price_entry *then = make_entry(), *now = make_entry();
	g_autoptr(GError) error = NULL;
	struct price_entry *file = recheck_rounded(then, &error);
	struct price_entry *rounded = recheck_rounded(now, &error);
	g_autoptr(GPtrArray) differences = recheck_differences(file, rounded);

	g_assert_no_error(error);
	g_assert_cmpuint(differences->len, ==, 0);
	price_entry_free(then);
	price_entry_free(now);
	price_entry_free(file);
	price_entry_free(rounded);
}

static void test_recheck_different(void)
{
	struct price_entry *then = make_entry(), *now = make_entry();
	struct price_cost *cost = now->costs->pdata[1];
	g_autoptr(GPtrArray) differences = NULL;

	cost->mean_on += 1;
	now->memory_bytes = NAN;
	g_free(now->image_sha256[1]);
	now->image_sha256[1] = g_strdup("beef");
	g_ptr_array_remove_index(now->costs, 2);
	differences = recheck_differences(then, now);
	g_assert_cmpuint(differences->len, ==, 4);
	g_assert_true(g_str_has_suffix(differences->pdata[0], " in the list, beef now"));
	g_assert_cmpstr(differences->pdata[1], ==, "memory bytes 500000 in the list, none now");
	g_assert_cmpstr(differences->pdata[2], ==,
	                "hackbench-process-sockets groups=4 loops=20: mean on 186760000 in the "
	                "list, 186760001 now");
	g_assert_nonnull(strstr(differences->pdata[3], "groups=12 loops=20: "));
	price_entry_free(then);
	price_entry_free(now);
}

/* That there is no price is the same whatever the words; that there is one is not. */
static void test_recheck_reasons(void)
{
	struct price_entry *then = price_entry_new("A", "n", "y"), *now = make_entry();
	g_autoptr(GPtrArray) one = NULL, none = NULL;

	then->reason = g_strdup("it did not build");
	one = recheck_differences(then, now);
	g_assert_cmpuint(one->len, ==, 1);
	g_assert_cmpstr(one->pdata[0], ==, "status it did not build in the list, a price now");
	now->reason = g_strdup("it did not boot");
	none = recheck_differences(then, now);
	g_assert_cmpuint(none->len, ==, 0);
	price_entry_free(then);
	price_entry_free(now);
}

static void test_recheck_names(void)
{
	static const struct {
		const char *name;
		gboolean means;
	} rows[] = {
		{ "LOG_BUF_SHIFT", TRUE },    { "CONFIG_LOG_BUF_SHIFT", TRUE },
		{ "LOG_BUF_SHIFT=20", TRUE }, { "LOG_BUF_SHIFT=18", FALSE },
		{ "LOG_BUF_SHIFTS", FALSE },  { "no option", FALSE },
	};
	struct price_entry *value = price_entry_new("LOG_BUF_SHIFT", "17", "20");
	struct price_entry *plain = price_entry_new("A", "n", "y");
	g_autofree char *value_spec = recheck_spec(value), *plain_spec = recheck_spec(plain);

	g_assert_cmpstr(value_spec, ==, "LOG_BUF_SHIFT=20");
	g_assert_cmpstr(plain_spec, ==, "A");
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		g_assert_cmpint(recheck_means(rows[i].name, value), ==, rows[i].means);
	price_entry_free(value);
	price_entry_free(plain);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/sweep/options-file", test_options_file);
	g_test_add_func("/sweep/reason", test_reason);
	g_test_add_func("/sweep/order", test_order);
	g_test_add_func("/sweep/row", test_row);
	g_test_add_func("/sweep/dormant", test_dormant);
	g_test_add_func("/sweep/put", test_put);
	g_test_add_func("/sweep/find", test_find);
	g_test_add_func("/sweep/pins", test_pins);
	g_test_add_func("/sweep/pins-differ", test_pins_differ);
	g_test_add_func("/sweep/pins-bad", test_pins_bad);
	g_test_add_func("/sweep/recheck-same", test_recheck_same);
	g_test_add_func("/sweep/recheck-different", test_recheck_different);
	g_test_add_func("/sweep/recheck-reasons", test_recheck_reasons);
	g_test_add_func("/sweep/recheck-names", test_recheck_names);
	return g_test_run();
}
