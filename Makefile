# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
#
# `make demo` and `make test` do all their set-up themselves. The other targets take the same steps one by one.
PYTHON ?= python3
VENV   ?= .venv
PRESET ?= dev
JOBS   ?= $(shell nproc)
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input

export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
export PIP_ROOT_USER_ACTION := ignore
export PATH := $(abspath $(BIN)):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup build demo lab samples test test-native test-views test-python test-ipykernel-6 lint tidy format sanitize fuzz bench bench-endpoints soak docs dist \
  dist-check binder-check clean

help:  ## This list
	@sed -n 's/^\([a-z-]*\):.*## /\1  /p' Makefile | expand -t 16

# --- Set-up: each stamp is renewed when what it was made from changes -------------------------------------------
$(BIN)/python:
	@PYTHON=$(PYTHON) tools/system_packages.sh build
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "workbench needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade "pip>=25.1"

$(VENV)/.ready-build: pyproject.toml | $(BIN)/python
	@PYTHON=$(PYTHON) tools/system_packages.sh build
	$(PIP) install --group build --group notebook $$($(BIN)/python tools/requirements.py lab)
	@touch $@

setup: $(VENV)/.ready-build  ## Environment with everything that building and the notebooks need

build: $(VENV)/.ready-build  ## Builds the core and installs the package, editable
	$(PIP) install --no-build-isolation --no-deps --editable .

$(VENV)/.ready-test: pyproject.toml $(VENV)/.ready-build
	@PYTHON=$(PYTHON) tools/system_packages.sh test
	$(PIP) install --group test
	@touch $@

$(VENV)/.ready-lint: pyproject.toml $(VENV)/.ready-build
	@PYTHON=$(PYTHON) tools/system_packages.sh lint
	$(PIP) install --group lint
	@touch $@

# --- Use --------------------------------------------------------------------------------------------------------
demo: build  ## Runs the quick start headless; prints the tuned config.pbtxt and where everything is
	$(BIN)/python tools/demo.py

lab: build  ## JupyterLab on the notebooks
	$(BIN)/jupyter lab --ServerApp.root_dir=. --LabApp.default_url=/lab/tree/notebooks/01_quickstart.ipynb $(LAB_ARGS)

# --- Checks -----------------------------------------------------------------------------------------------------
test: test-native test-views test-python  ## All tests: native, JavaScript, Python (notebook and browser included)

test-native: $(VENV)/.ready-test  ## Native tests (ctest); PRESET=release compiles as the package does
	cmake -S native --preset $(PRESET) $(QUIET)
	cmake --build build/$(PRESET) $(QUIET)
	ctest --test-dir build/$(PRESET) --output-on-failure --no-tests=error -j $(JOBS)

test-views: $(VENV)/.ready-test  ## JavaScript tests (node --test)
	node --test $$(find tests/views -name '*.test.mjs' -o -name '*.test.js' | sort)

test-python: build $(VENV)/.ready-test  ## pytest; PYTEST_ARGS="tests/unit -k name" runs a part
	$(BIN)/python -m pytest $(PYTEST_ARGS)

test-ipykernel-6: build $(VENV)/.ready-test  ## Browser tests on the older line of ipykernel
	$(PIP) install --upgrade --no-deps --target $(VENV)/ipykernel-6 "ipykernel==6.*"
	PYTHONPATH=$(abspath $(VENV)/ipykernel-6) $(BIN)/python -c "import ipykernel; assert ipykernel.version_info[0] == 6"
	PYTHONPATH=$(abspath $(VENV)/ipykernel-6) $(BIN)/python -m pytest tests/browser

lint: $(VENV)/.ready-lint  ## Every static check; each line is one tool
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --config pyproject.toml
	$(BIN)/typos
	git ls-files -z -- 'native/*.h' 'native/*.hpp' 'native/*.cc' | xargs -0 $(BIN)/clang-format --dry-run -Werror
	$(MAKE) --no-print-directory tidy

tidy: $(VENV)/.ready-lint  ## clang-tidy and clang's thread-safety analysis over the native sources
	cmake -S native --preset clang $(QUIET)
	$(BIN)/python tools/tidy.py --jobs $(JOBS)

format: $(VENV)/.ready-lint  ## Lays out Python and C++ as the checks want them
	$(BIN)/ruff check --fix-only --exit-zero .
	$(BIN)/ruff format .
	git ls-files -z -- 'native/*.h' 'native/*.hpp' 'native/*.cc' | xargs -0 $(BIN)/clang-format -i

sanitize: $(VENV)/.ready-test  ## Native tests under address + undefined-behaviour, then thread sanitizers
	for preset in asan tsan; do \
	  (cd native && cmake --preset $$preset) $(QUIET) && cmake --build build/$$preset $(QUIET) && \
	  ctest --test-dir build/$$preset --output-on-failure --no-tests=error -j $(JOBS) || exit 1; \
	done

fuzz: $(VENV)/.ready-test  ## 10 minutes of fuzzing under sanitizers of what reads bytes of clients; FUZZ_ARGS="--seconds 60"
	cmake -S native --preset fuzz $(QUIET)
	cmake --build build/fuzz --target wb_fuzz $(QUIET)
	$(BIN)/python tools/fuzz.py $(FUZZ_ARGS)

samples: build  ## Fetches the models of model_repository/ out of their wheels, builds their backends
	$(BIN)/python model_repository/fetch.py $(SAMPLES)

bench: build  ## In-process requests/s beside the real server's library
	$(BIN)/python benchmarks/in_process.py $(BENCH_ARGS)

bench-endpoints: build  ## HTTP and gRPC beside the real server, and what idle connections cost
	$(BIN)/python benchmarks/endpoints.py $(BENCH_ARGS)
	$(BIN)/python benchmarks/idle_connections.py

soak: build  ## 20 minutes of mixed load and reloads; memory must stay flat
	$(BIN)/python benchmarks/soak.py $(SOAK_ARGS)

$(VENV)/.ready-docs: pyproject.toml $(VENV)/.ready-build
	$(PIP) install --group docs
	@touch $@

docs: build $(VENV)/.ready-docs  ## The documentation as a site in build/site; reference pages are written anew, links checked
	$(BIN)/python tools/interface_table.py
	$(BIN)/python tools/reference_pages.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

$(VENV)/.ready-dist: pyproject.toml $(VENV)/.ready-build
	$(PIP) install --group dist
	@touch $@

dist: $(VENV)/.ready-dist  ## Sdist, and repaired wheels of PYTHONS="python3.11 python3.12", into dist/
	rm -rf dist
	$(BIN)/python -m build --sdist --outdir dist .
	$(BIN)/python tools/wheels.py dist $(or $(PYTHONS),$(BIN)/python)

dist-check: dist  ## Wheels and sdist install in clean environments and serve; DIST_ARGS=--quickstart runs a notebook, too
	$(BIN)/cibuildwheel --platform linux --print-build-identifiers
	$(BIN)/python tools/dist_check.py dist $(PYTHONS) $(DIST_ARGS)

binder-check: $(VENV)/.ready-build  ## What Binder would do with binder/, without docker
	$(BIN)/python -m venv build/binder-venv
	build/binder-venv/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	build/binder-venv/bin/python -m pip install --quiet --group binder
	rm -rf build/binder && git clone --quiet . build/binder
	cd build/binder && ../binder-venv/bin/repo2docker --no-build --debug . >Dockerfile
	@grep -q 'binder/postBuild' build/binder/Dockerfile && echo "binder/ is understood: build/binder/Dockerfile"

clean:  ## Removes what was built here; the environment stays
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
