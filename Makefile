# Everything runs in .venv, which the first target that needs it creates.
#
#   make                      the list of targets
#   make PYTHON=python3.12 …  another interpreter
#   make setup NEWEST=1       the newest versions, not those of requirements.lock
#   make serve PORT=9000      another port
#   make lab LAB="--no-browser --port 9000"   options of JupyterLab
#   make bench-pages PAGES="index.html search.html"   those pages only
#   make notebooks RENEW=1    with the measurements, which are kept otherwise
#   make notebooks NOTEBOOKS=chapters/01_duality.ipynb, make exercises SHEET=01

PYTHON ?= python3
PORT   ?= 8000

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PY     := .venv/bin/python
LOWEST := .cache/lowest

# What tools/install.py has installed: to read and to run, a part of it is enough.
INSTALLED     := .venv/.installed
FOR_BOOK      := .venv/.book
FOR_NOTEBOOKS := .venv/.notebooks

# The site as the tests want it, from scratch and without a warning; and to be read.
BUILT    := _build/html/.built
READABLE := _build/html/.readable

# Execute notebooks and store their outputs.
EXECUTE := $(PY) tools/notebooks.py execute

# What the site is made of: when one of these changes, it is built anew.
BOOK_FILES := $(shell find _config.yml _toc.yml index.md run_it.md _ext _live _page _static \
	_templates \
	tools/python_pages.py tools/python_runtime.py tools/python_runtime.json \
	tools/archives.py tools/bytecode.py tools/bytecode.mjs \
	tools/snapshot.py tools/snapshot.mjs \
	chapters examples exercises reference kernellab -type f \
	-not -path '*/__pycache__/*' -not -path '*/.ipynb_checkpoints/*' 2>/dev/null)
NOTEBOOKS := $(filter %.ipynb,$(BOOK_FILES))
# Sphinx sees by itself which of these changed; after any other change it starts anew.
PAGES := $(wildcard index.md run_it.md chapters/*.* exercises/*.* reference/*.md reference/*.ipynb \
	reference/api/*.md)
# Python for the pages, if it has been fetched.
RUNTIME := $(wildcard .cache/python-runtime/pyodide.mjs)

# Of exhaustive sets `make test` runs a sample, `make test-all` everything.
SELECTED := not exhaustive
# A solved sheet repeats what the tests of its questions have shown: one is the sample.
SOLUTIONS := $(sort $(filter exercises/solutions/%,$(NOTEBOOKS)))
EXECUTED = $(filter-out $(if $(SELECTED),$(wordlist 2,99,$(SOLUTIONS))),$(NOTEBOOKS))

# What depends on floating-point numbers: make test-processors runs it again and again.
NUMERICAL := $(PY) -m pytest -n 2 -m 'not exhaustive' tests --ignore=tests/book \
	--ignore=tests/browser --ignore=tests/exercises --ignore=tests/grading \
	--ignore=tests/test_benchmarks.py --ignore=tests/test_python_runtime.py
DOCTEST := $(PY) -m pytest --doctest-modules kernellab
NBVAL = $(PY) -m pytest -n 2 --dist loadfile --nbval --nbval-current-env \
	--nbval-sanitize-with nbval_sanitize.cfg --nbval-cell-timeout 60 $(EXECUTED)

# Two processes on two cores: one thread each is faster, and the same everywhere.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
# Hundreds of processes start: none should compile everything anew.
unexport PYTHONDONTWRITEBYTECODE
# Chosen by hand so that Jupyter does not warn about its future default.
export JUPYTER_PLATFORM_DIRS := 1

##@ Use

.PHONY: serve
serve: $(READABLE) ## build the site and serve it on localhost
	@$(PY) tools/serve.py _build/html --port $(PORT)

.PHONY: lab
lab: $(FOR_NOTEBOOKS) ## copy the notebooks to work/, and open them in JupyterLab
	@$(PY) tools/lab.py $(LAB)

.PHONY: update
update: $(FOR_NOTEBOOKS) ## bring the copies in work/ up to date, your answers with them
	@$(PY) tools/lab.py --update

# First what takes one process each, two at a time; then what takes two.
.PHONY: test
test: setup ## check everything; of exhaustive sets, a sample
	@$(MAKE) --no-print-directory --output-sync -j2 site lint types doctest
	@$(MAKE) --no-print-directory unit nbval pages SELECTED="$(SELECTED)"
	@echo "All checks passed."

.PHONY: quick
quick: setup lint types ## style, types, and the tests of what has changed
	@tests=$$($(PY) tools/changed_tests.py); echo "Tests: $${tests:-none}"; \
	[ -z "$$tests" ] || $(PY) -m pytest -q -x -n 2 -m "$(SELECTED)" $$tests

.PHONY: test-all
test-all: SELECTED :=
test-all: test test-processors ## exhaustive sets and other processors, too

##@ Parts

.PHONY: setup
setup: $(INSTALLED) ## create .venv and install into it, nothing else

.PHONY: site
site: $(BUILT) ## build the site into _build/html

.PHONY: runtime
runtime: setup ## Python for the pages (30 MB), if it can be had
	$(PY) tools/python_runtime.py

.PHONY: pdf
pdf: setup ## the book as one PDF, _build/kernel-methods.pdf (needs Chromium)
	.venv/bin/jupyter-book build -W -n --keep-going --builder singlehtml \
		--path-output _build/pdf .
	$(PY) tools/book_pdf.py _build/pdf/_build/singlehtml/index.html \
		_build/kernel-methods.pdf

.PHONY: lint
lint: setup ## style, format and import arrows of the code
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	.venv/bin/lint-imports --no-logo

.PHONY: types
types: setup ## static types, strict
	$(PY) -m mypy

.PHONY: unit
unit: setup ## tests of the library; of exhaustive sets, a sample
	$(PY) -m pytest -n 2 -m "$(SELECTED)" tests --ignore=tests/book --ignore=tests/browser

.PHONY: doctest
doctest: setup ## the examples in the docstrings
	$(DOCTEST)

.PHONY: nbval
nbval: setup ## execute the notebooks and compare outputs; of solved sheets, one
	$(NBVAL)

.PHONY: test-processors
test-processors: setup ## tests, docstrings and notebooks as other processors compute
	@$(PY) tools/processors.py "$(NUMERICAL)" "$(DOCTEST)" "$(NBVAL)"

.PHONY: test-lowest
test-lowest: setup ## tests with the lowest versions that pyproject.toml allows
	.venv/bin/uv venv --quiet --clear --seed --python $(PY) $(LOWEST)
	.venv/bin/uv pip install --quiet --python $(LOWEST) \
		--resolution lowest-direct -e .[dask,notebooks,test]
	$(MAKE) unit PY=$(LOWEST)/bin/python

# A file stays with one process: its tests share a visitor, a server, a started Python.
# They wait for a browser a third of the time: three processes keep two cores busy.
.PHONY: pages
pages: site ## the book: notebooks, links, and every page in a browser
	$(PY) -m pytest -n 3 --dist loadfile -m "$(SELECTED)" tests/book tests/browser

.PHONY: bench
bench: setup ## side by side with the peers: a table, and the page of the book
	@code=0; $(PY) -m benchmarks --json reference/benchmarks.json || code=$$?; \
	$(EXECUTE) reference/benchmarks.ipynb; exit $$code

.PHONY: bench-quick
bench-quick: setup ## the same with small problems, in a minute; only prints
	$(PY) -m benchmarks --quick

.PHONY: bench-pages
bench-pages: site ## what a page costs its reader, and Python in it: WEIGH="index" for some
	@$(PY) -m benchmarks.page_weight $(WEIGH)
	@$(PY) -m benchmarks.page_python

.PHONY: judge-figures
judge-figures: setup ## how the judge does on the collected derivations: a table
	@$(PY) -m tests.grading.figures

.PHONY: dist
dist: setup ## the wheel and the sdist, tried in clean environments
	rm -rf dist
	$(PY) -m build --quiet --outdir dist
	$(PY) tools/try_dist.py dist

##@ Upkeep

.PHONY: notebooks
notebooks: setup ## execute every notebook in place, and store its outputs
	$(EXECUTE) $(if $(RENEW),--renew) $(NOTEBOOKS)

.PHONY: diff
diff: setup ## what changed in the notebooks since the last commit, as text
	@git -c diff.ipynb.textconv='$(PY) tools/notebooks.py text' diff HEAD -- '*.ipynb'

.PHONY: exercises
exercises: setup ## write the exercise notebooks from their sheets, and execute them
	$(PY) -m kernellab.grading new-assignment $(SHEET) --force
	$(PY) -m kernellab.grading new-assignment $(SHEET) --solutions --force
	$(EXECUTE) --timeout 120 exercises/$(or $(SHEET),0)*.ipynb \
		exercises/solutions/$(or $(SHEET),0)*.ipynb

.PHONY: lock
lock: setup ## renew requirements.lock: RENEW=1 for newer versions
	.venv/bin/uv pip compile --quiet pyproject.toml --all-extras --universal \
		--python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--annotation-style line $(if $(RENEW),--upgrade) --output-file requirements.lock

.PHONY: format
format: setup ## rewrite the code in the house style
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

.PHONY: clean
clean: ## remove what was built; .venv stays
	rm -rf _build .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

.PHONY: help
help:
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

$(FOR_BOOK): EXTRA := book
$(FOR_NOTEBOOKS): EXTRA := notebooks
$(INSTALLED) $(FOR_BOOK) $(FOR_NOTEBOOKS): pyproject.toml requirements.lock
	@$(PYTHON) tools/check_python.py
	@$(PYTHON) tools/install.py $(EXTRA) $(if $(NEWEST),--newest)

# Without Python for the pages the site is built all the same, and says so.
$(BUILT): $(FOR_BOOK) $(BOOK_FILES) $(RUNTIME)
	@$(PY) tools/python_runtime.py || true
	rm -rf _build # Sphinx repeats no warning about a page that it has cached
	.venv/bin/jupyter-book build -W -n --keep-going .
	@touch $@ $(READABLE)

$(READABLE): $(FOR_BOOK) $(BOOK_FILES) $(RUNTIME)
	@$(PY) tools/python_runtime.py || true
	$(if $(filter-out $(PAGES),$?),rm -rf _build)
	.venv/bin/jupyter-book build -n .
	@touch $@
