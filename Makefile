# The front door: short commands for what CMake, CTest and the scripts do. `make help` lists them.
#
#   PRESET   which build: release (default), debug, clang, asan, tsan, fuzz (see CMakePresets.json)
#   PREFIX   where `make install` puts things (default /usr/local); DESTDIR stages it elsewhere
#   DEPS     install (default): test, demo, bench and experiments install what is missing; check: they only say what it is

PRESET ?= release
PREFIX ?= /usr/local
DEPS ?= install
TIER ?= dev
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

build_dir = build/$(PRESET)
deps = scripts/deps $(if $(filter check,$(DEPS)),--check)
c_files = find $(wildcard include src cli mpi tests examples bindings bench) -name '*.[ch]'
# Presets other than release and debug use clang, or its tools.
test_tier = $(if $(filter release debug,$(PRESET)),test,dev)

.DEFAULT_GOAL := build
.PHONY: build mpi test demo bench experiments wheel install uninstall deps format format-check clean help

build: ## build the library and the command line (the default)
	@scripts/deps --check build
	@cmake --preset $(PRESET) $(CMAKE_ARGS) > /dev/null
	@cmake --build $(build_dir)

mpi: ## install what is missing, and build partan-mpi and libpartan_mpi, for several processes
	@$(deps) mpi
	@cmake --preset $(PRESET) -DPARTAN_MPI=ON $(CMAKE_ARGS) > /dev/null
	@cmake --build $(build_dir) --target partan partan-mpi partan_mpi

test: ## install what is missing, build, and run all tests
	@$(deps) $(test_tier)
	@cmake --preset $(PRESET) -DPARTAN_BUILD_TESTS=$(if $(filter fuzz,$(PRESET)),OFF,ON) $(CMAKE_ARGS) > /dev/null
	@cmake --build $(build_dir)
	@ctest --test-dir $(build_dir) --output-on-failure --no-tests=error -j $(JOBS) $(CTEST_ARGS)

demo: ## install what is missing, build the command line only, and show what partan does on generated data
	@$(deps) demo
	@cmake --preset $(PRESET) $(CMAKE_ARGS) > /dev/null
	@cmake --build $(build_dir) --target partan
	@scripts/demo $(build_dir)/partan demo

bench: ## install what is missing, build, and measure against the peers and the goals (BENCH_ARGS for other parts)
	@$(deps) bench
	@$(MAKE) --no-print-directory build
	@cmake --build $(build_dir) --target bench_micro
	@bench/run --partan $(build_dir)/partan $(or $(BENCH_ARGS),--all)
	@$(if $(BENCH_ARGS),,bench/python --partan $(build_dir)/partan)

experiments: ## build, and reproduce the paper's tables, three hours (EXPERIMENTS_ARGS=--quick: a minute, on small subsets)
	@$(deps) experiments
	@$(MAKE) --no-print-directory build
	@experiments/run --partan $(build_dir)/partan $(EXPERIMENTS_ARGS)

wheel: ## install what is missing, and make a wheel of the Python package in dist, for other systems too
	@$(deps) test
	@bindings/python/wheel dist

install: build ## install under PREFIX (default /usr/local), staged in DESTDIR if set
	@DESTDIR="$(DESTDIR)" cmake --install $(build_dir) --prefix "$(PREFIX)"
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" -eq 0 ] && command -v ldconfig > /dev/null; then ldconfig; fi

uninstall: ## remove what the last install laid down
	@xargs -d '\n' rm -vf < $(build_dir)/install_manifest.txt

deps: ## install what partan needs (Debian and relatives): TIER=build, test, demo, mpi or dev (default: all)
	@scripts/deps $(TIER)

format: ## format all C files in place
	@$(c_files) | xargs clang-format -i

format-check: ## say which C files are not formatted
	@$(c_files) | xargs clang-format --dry-run -Werror

clean: ## remove builds, wheels and the demonstration's output
	rm -rf build demo dist

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile
