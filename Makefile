# Everything here happens inside this folder: tools live in .venv, caches beside them.
# `make` alone lists the targets. Another interpreter: make test PYTHON=python3.13

PYTHON ?= python3
ARGS ?=
COVERAGE ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input --no-cache-dir

# matplotlib would otherwise keep its font list in the home directory.
export MPLCONFIGDIR := $(CURDIR)/$(VENV)/cache/matplotlib
# Dependencies come from pyproject.toml alone, never from a caller's environment.
unexport PYTHONPATH PYTHONHOME

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:

##@ For everybody
.PHONY: demo
demo: $(VENV)/.runtime ## the whole story on a bundled, synthetic blood-pressure study
	@$(BIN)/dpwilcoxon demo $(ARGS)

.PHONY: test
test: $(VENV)/.dev ## run the tests on all cores; narrow them down with ARGS="-k budget"
	@$(BIN)/$(if $(COVERAGE),coverage run,python) -m pytest -q -n auto $(ARGS)

.PHONY: test-engines
test-engines: $(VENV)/.engines ## the same answer from PostgreSQL and Spark; finds or installs both
	@$(BIN)/python scripts/with_engines.py $(BIN)/python -m pytest -q tests/engines $(ARGS)

##@ For contributors
.PHONY: lint
lint: $(VENV)/.dev ## style and formatting, by ruff
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --quiet --check
	@echo "lint: clean"

.PHONY: types
types: $(VENV)/.dev ## mypy, strict
	@$(BIN)/mypy

.PHONY: architecture
architecture: $(VENV)/.dev ## the rooms import only what they may, by import-linter
	@$(BIN)/lint-imports --no-logo

# Lines compiled by numba leave no trace, so the kernels' tests run once more as plain Python.
.PHONY: coverage
coverage: $(VENV)/.dev ## run the tests and fail under 95% branch coverage
	@$(BIN)/coverage erase
	@NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -q -n auto tests/unit/statistics \
		tests/unit/studies/test_normal_kernel.py
	@$(MAKE) --no-print-directory test COVERAGE=yes
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report

.PHONY: benchmarks
benchmarks: $(VENV)/.dev ## measure speed and accuracy, side by side with the alternatives
	@for script in benchmarks/[a-z]*.py; do \
		name=$$(basename "$$script" .py); \
		echo "== $$name"; \
		$(BIN)/python -m "benchmarks.$$name" || exit 1; \
	done

.PHONY: clean
clean: ## remove everything these targets made, .venv included
	@rm -rf $(VENV) build dist htmlcov .coverage .coverage.* \
		.hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help
help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@/ { printf "%s%s\n", separator, substr($$0, 5); separator = "\n" } \
		/^[a-z]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Stamps: a step runs again only when pyproject.toml is newer than its last success.
$(VENV)/.runtime: $(VENV)/.pip pyproject.toml
	@echo "Installing dpwilcoxon into $(VENV) (the first time takes a minute or two) ..."
	@$(PIP) install --editable ".[all]"
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime pyproject.toml
	@echo "Installing the developers' tools into $(VENV) ..."
	@$(PIP) install --group dev
	@touch $@

$(VENV)/.engines: $(VENV)/.dev pyproject.toml
	@echo "Installing the drivers of PostgreSQL and Spark into $(VENV) (some 400 MB) ..."
	@$(PIP) install --group engines
	@touch $@

# Some systems ship Python without ensurepip: then the pip outside fills the new environment.
# Dependency groups need pip 25.1.
$(VENV)/.pip:
	@command -v "$(PYTHON)" > /dev/null || { \
		echo "'$(PYTHON)' was not found. Install Python 3.11 or newer, or name yours:" \
			"make PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "dpwilcoxon needs Python 3.11 or newer, and '$(PYTHON)' is" \
			"$$("$(PYTHON)" --version 2>&1). Name a newer one: make PYTHON=python3.12" >&2; exit 1; }
	@"$(PYTHON)" -m venv $(VENV) > /dev/null 2>&1 || { \
		rm -rf $(VENV) && "$(PYTHON)" -m venv --without-pip $(VENV) && \
		"$(PYTHON)" -m pip --quiet --python $(BIN)/python install --no-cache-dir pip; }
	@$(PIP) install --upgrade "pip>=25.1"
	@touch $@
