# Two commands for a fresh machine: `make demo` and `make test`. Each makes its own .venv.
#   PYTHON=python3.12 make test   takes another Python
#   make constraints              renews the versions that are tested together on this Python
#   make test-newest              takes the newest versions instead
#   make fuzz                     draws new examples for the property tests; SEED=… repeats a round
#   make fuzz-files               feeds mutated files to all readers; SEED=… and FILES=… of each kind
#   make docs                     writes the documentation as pages into build/docs
#   make pictures                 takes the pictures of pages for README and gallery, by Chromium
#   make certificates             judges certificates by random plans; FIRST=… PLANS=… say which
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
VERSION := $(shell $(PYTHON) -c 'import platform; print(platform.python_version())')
SERIES := $(basename $(VERSION))
# Versions that were tested together on this Python; none takes the newest.
CONSTRAINTS ?= constraints/$(SERIES).txt
# Python compiles what it imports: to compile all that is installed takes half the time of installing.
# What the tests import is compiled beside the type check (.bytecode).
INSTALL = $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check \
	$(addprefix --constraint ,$(CONSTRAINTS))
# One store of compiled kernels for all tests, so that each is compiled once a run.
export RTHS_CACHE_DIR ?= $(CURDIR)/build/kernels
# The tests start hundreds of processes, and without byte code each compiles what it imports.
unexport PYTHONDONTWRITEBYTECODE
# Small matrices on few cores: threads of the linear algebra would only wait for each other.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1
ROUNDS ?= 5
# Mutated files of each kind that make fuzz-files feeds.
FILES ?= 25000

.PHONY: demo docs pictures test test-all test-newest fuzz fuzz-files certificates lint types style coverage bench constraints clean

demo: $(VENV)/.demo
	$(BIN)/rths demo

docs: $(VENV)/.test
	$(BIN)/python -m sphinx -q -W -b html docs build/docs
	@echo "build/docs/index.html"

pictures: $(VENV)/.test
	$(BIN)/python docs/take_pictures.py

# A file stays with one worker, whose kernels and fixtures its tests share: else both make them.
test: lint
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-all: lint
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not realtime"
	$(BIN)/python -m pytest -m realtime

test-newest:
	rm -rf $(VENV)-newest
	$(MAKE) test VENV=$(VENV)-newest CONSTRAINTS=

# Each round has a seed of its own, which pytest's command line names.
fuzz: $(VENV)/.test
	for seed in $(or $(SEED),$$(shuf --input-range 1-999999999 --head-count $(ROUNDS))); do \
		(set -x; $(BIN)/python -m pytest -q -n 2 -m "hypothesis and not slow and not realtime" \
			--hypothesis-profile fuzz --hypothesis-seed $$seed) || exit 1; \
	done

fuzz-files: $(VENV)/.test
	for target in plans motions matrices records journals; do \
		$(BIN)/python -m benchmarks files --target $$target --count $(FILES) \
			--seed $(or $(SEED),$$(shuf --input-range 1-999999999 --head-count 1)) || exit 1; \
	done

# Half an hour of one core, and what the certificates take. Truths found once are kept.
certificates: $(VENV)/.demo
	$(BIN)/rths bench certificates --first $(or $(FIRST),0) --plans $(or $(PLANS),3000) --again

# Types take longest: the other checks, and in a new directory the byte code, are made beside them.
lint: $(VENV)/.test
	$(MAKE) --jobs 2 --output-sync=target types style $(VENV)/.bytecode

types:
	$(BIN)/mypy

style:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

# Kernels are plain Python when the compiler is off: only so are their lines counted.
coverage: $(VENV)/.test
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest -q tests/contract tests/loop tests/assembly
	$(BIN)/python -m coverage report --skip-covered

bench: $(VENV)/.demo
	for part in engine methods stability problem realtime wire; do $(BIN)/rths bench $$part || exit 1; done

constraints:
	rm -rf $(VENV)-newest
	$(MAKE) $(VENV)-newest/.test VENV=$(VENV)-newest CONSTRAINTS=
	echo "# Tested together on CPython $(SERIES); renewed by make constraints." > constraints/$(SERIES).txt
	$(VENV)-newest/bin/python -m pip freeze --all --exclude setuptools --exclude-editable >> constraints/$(SERIES).txt

constraints/%.txt:
	$(error No versions were tested together on CPython $*. Make them with: PYTHON=$(PYTHON) make constraints)

# A mark per version: another Python, or other versions of packages, begin with an empty directory.
# The pip that comes with Python takes half as long again to choose among all versions there are.
$(VENV)/.python-$(VERSION): $(CONSTRAINTS)
	$(PYTHON) -m venv --clear $(VENV)
	$(INSTALL) --upgrade pip
	touch $@

$(VENV)/.demo: pyproject.toml $(VENV)/.python-$(VERSION)
	$(INSTALL) --editable .
	touch $@

$(VENV)/.test: pyproject.toml $(VENV)/.python-$(VERSION)
	$(INSTALL) --editable '.[test]'
	touch $@

# All tests are imported once, else both workers would compile the same files at the same time.
$(VENV)/.bytecode: $(VENV)/.test
	$(BIN)/python -m pytest --collect-only --quiet --quiet > $@ || (cat $@; rm $@; exit 1)

clean:
	rm -rf $(VENV) $(VENV)-newest build runs .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
