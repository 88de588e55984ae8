# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
#
# `make demo` and `make test` do all their set-up themselves. The other targets take the same steps one by one.
PYTHON ?= python3
VENV   ?= .venv
JOBS   ?= $(shell nproc)
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input

export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
export PIP_ROOT_USER_ACTION := ignore
export PATH := $(abspath $(BIN)):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup build demo lab test

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
