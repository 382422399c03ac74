# SPDX-License-Identifier: GPL-2.0-or-later
# The front door; Meson does the work.
#   make            build/kcost
#   make demo       install what is missing, build, price DEBUG_PREEMPT on Debian's Linux 6.1
#   make check      install what is missing, build, run all tests (check-slow: the long ones too)
#   make install    PREFIX=/usr/local, DESTDIR=

BUILD ?= build
PREFIX ?= /usr/local
MESON_SETUP = meson setup --prefix=$(PREFIX)
TREE ?= 6.1

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet

$(BUILD)/build.ninja:
	@$(MESON_SETUP) $(BUILD)

deps:
	@scripts/install-deps run

demo: deps
	@$(MAKE) --no-print-directory all
	$(BUILD)/kcost price DEBUG_PREEMPT --tree $(TREE)

check:
	@scripts/install-deps check
	@$(MAKE) --no-print-directory all
	@scripts/run-tests $(BUILD)

check-slow:
	@scripts/install-deps check-slow
	@$(MAKE) --no-print-directory all
	@scripts/run-tests $(BUILD) --suite unit --suite tree --suite cli --suite guest --suite slow

# The prefix may have changed since the build directory was made.
install: all
	@meson configure $(BUILD) --prefix=$(PREFIX)
	@meson install -C $(BUILD) --quiet

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf build build-*

.PHONY: all deps demo check check-slow install format clean
