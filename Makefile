# Two commands for a fresh machine: `make demo` and `make test`. Each makes its own .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One store of compiled kernels for all tests, so that each is compiled once a run.
export RTHS_CACHE_DIR ?= $(CURDIR)/build/kernels
# Small matrices on few cores: threads of the linear algebra would only wait for each other.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1
# Ground motions that do not ship with the package; tests that need them are skipped without.
export RTHS_DATA ?= $(abspath $(wildcard ../shared/data))

.PHONY: demo test test-all lint coverage bench clean

demo: $(VENV)/.demo
	$(BIN)/rths demo

test: lint
	$(BIN)/python -m pytest -n 2 --dist loadgroup

test-all: lint
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not realtime"
	$(BIN)/python -m pytest -m realtime

lint: $(VENV)/.test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# Kernels are plain Python when the compiler is off: only so are their lines counted.
coverage: $(VENV)/.test
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest -q tests/contract tests/loop tests/assembly
	$(BIN)/python -m coverage report --skip-covered

bench: $(VENV)/.demo
	for part in engine methods stability problem realtime; do $(BIN)/rths bench $$part || exit 1; done

$(VENV)/.demo: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.test: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

clean:
	rm -rf $(VENV) build runs .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
