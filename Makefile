# Every target sets up what it needs in .venv; nothing else on the machine is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
RL := .venv-rl
OLDEST := .venv-oldest
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
UV := $(BIN)/uv pip
# One thread for each numerical library: the package brings its own threads.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export PYTHONHASHSEED := 0
# uv trusts the certificates that the system trusts; newer and older versions ask for it by different names.
UV_SYSTEM_CERTS ?= 1
UV_NATIVE_TLS ?= 1
# What a home folder holds changes no page, and none need be there.
MPLCONFIGDIR ?= $(CURDIR)/$(VENV)/matplotlib
IPYTHONDIR ?= $(CURDIR)/$(VENV)/ipython
export UV_SYSTEM_CERTS UV_NATIVE_TLS MPLCONFIGDIR IPYTHONDIR

.DEFAULT_GOAL := help
.PHONY: help setup book executed rendered pdf test test-rl test-oldest test-package test-pythons test-processors bench lab mutants golden picture lint lock clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, this is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	{ $(PIP) uv==0.13.8 && $(UV) sync --quiet --python $(BIN)/python requirements.txt \
		&& $(UV) install --quiet --python $(BIN)/python --no-deps --editable .; } \
		|| { echo "uv could not: pip installs, which takes two minutes"; $(PIP) --no-deps -r requirements.txt -e .; }
	$(BIN)/python -c 'import matplotlib.font_manager'  # lists the fonts, which later would warn that it takes long
	@touch $@

setup: $(READY) ## install everything into .venv

book: executed ## execute every chapter that has changed (FORCE=--force: all) and render _build/html/index.html
	$(MAKE) --no-print-directory rendered

executed: $(READY)
	$(BIN)/python book/_ext/make_book.py $(FORCE)

rendered: $(READY)
	rm -rf _build/html _build/.doctrees _build/jupyter_execute
	$(BIN)/jupyter-book build _build/pages --path-output . --all -W -n --keep-going

pdf: book ## print the whole book to _build/trust.pdf (needs Chromium)
	$(BIN)/python book/_ext/printed.py

# Executing takes two cores and rendering one, which leaves one for style and types.
test: $(READY) ## run every test
	$(MAKE) --no-print-directory executed
	$(MAKE) --no-print-directory -j 2 lint rendered
	$(BIN)/python -m pytest -n 2 --dist loadgroup
	$(BIN)/python -m pytest -n 2 --dist loadfile --nbval tests/golden

# Several gigabytes, and an environment of its own: nothing else needs it.
$(RL)/ready: pyproject.toml
	$(PYTHON) -m venv $(RL)
	$(RL)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[rl]' pytest hypothesis
	@touch $@

test-rl: $(RL)/ready ## test the collector of chapter 6's data, on a tiny budget
	$(RL)/bin/python -m pytest -m rl tests/rl

# The oldest versions that pyproject.toml claims to work with, for all that the package needs without the book; later
# versions of pyparsing warn of what old versions of matplotlib call.
$(OLDEST)/ready: pyproject.toml $(READY)
	$(PYTHON) -m venv $(OLDEST)
	$(UV) install --quiet --python $(OLDEST)/bin/python --resolution lowest-direct \
		--editable '.[cluster,cvxpy]' 'openpyxl>=3.1' 'pandas>=2.2' 'pyparsing>=3.1,<3.3'
	$(UV) install --quiet --python $(OLDEST)/bin/python hypothesis 'pytest>=8,<9.2' pytest-xdist 'setuptools>=77' threadpoolctl
	@touch $@

PACKAGE_TESTS := -m pytest tests trust_helpers -n 2 --dist loadgroup --ignore=tests/book --ignore=tests/golden \
	--ignore=tests/report/test_page.py --ignore=trust_helpers/book

test-oldest: $(OLDEST)/ready ## run the package's own tests, not the book's, with the oldest dependencies claimed
	$(OLDEST)/bin/python $(PACKAGE_TESTS)

test-package: $(READY)
	$(BIN)/python $(PACKAGE_TESTS)

# Whatever starts: a name of pyenv's may stand for nothing.
PYTHONS ?= python3.12 python3.13 python3.14 $(wildcard $(HOME)/.pyenv/versions/3.1[2-9].*/bin/python)
test-pythons: ## run the package's own tests on every later Python there is (PYTHONS=python3.13: on this one)
	@seen=; for python in $(PYTHONS); do \
		version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue; \
		case "$$seen" in *"$$version,"*) continue;; esac; seen="$$seen$$version,"; \
		echo "Python $$version: $$python"; \
		$(MAKE) --no-print-directory test-package PYTHON=$$python VENV=.venv-$$version || exit 1; \
	done

test-processors: $(READY) ## execute the golden notebooks as other processors would (ENVIRONMENTS="old jitter-1": only these)
	$(BIN)/python tests/tools/processors.py $(ENVIRONMENTS)

bench: $(READY) ## measure speed and memory, as ratios from one run
	$(BIN)/python tests/tools/bench.py

mutants: $(READY) ## change sixty tokens of the method, one at a time, and see whether its tests notice (long)
	$(UV) install --quiet --python $(BIN)/python 'cosmic-ray==8.7.0'
	$(BIN)/python tests/tools/mutate.py $(MUTANTS)

golden: $(READY) ## keep the numbers of the executed chapters as the golden ones (PAGES="index summary": of these)
	$(BIN)/python tests/tools/make_golden.py $(PAGES)

picture: $(READY) ## draw the README's pictures again
	$(BIN)/python tests/tools/make_picture.py

lint: $(READY) ## check style and types, of the chapters' code too
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tests/tools/lint_chapters.py

lab: export JUPYTER_CONFIG_DIR := $(CURDIR)/$(VENV)/jupyter
# Chapters open as notebooks, and whole: of cells out of sight JupyterLab would not evaluate the numbers. They are the
# source of the book, so they are saved when the reader asks, and at no other time.
lab: $(READY) ## open the chapters in JupyterLab as notebooks
	mkdir -p $(JUPYTER_CONFIG_DIR)/labconfig
	cp book/_ext/jupyterlab.json $(JUPYTER_CONFIG_DIR)/labconfig/default_setting_overrides.json
	$(BIN)/jupyter lab --notebook-dir=book $(LAB)

lock: $(READY) ## resolve requirements.txt again from pyproject.toml (UPGRADE=--upgrade for the newest)
	$(UV) compile $(UPGRADE) --quiet --extra dev --python-version 3.11 --no-annotate \
		--no-strip-extras --custom-compile-command "make lock" --output-file requirements.txt pyproject.toml

clean: ## remove everything that was generated
	rm -rf .venv .venv-* _build build .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
