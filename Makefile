# `make demo` and `make test` work alone on a fresh machine with Python 3.11 or newer; each makes .venv if it must.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Compiled modules and tests are kept: without them, every process that the tests start compiles all it imports.
unexport PYTHONDONTWRITEBYTECODE
# A process for every core, but no more than pay: each of them loads all test files first.
PYTEST := $(BIN)/python -m pytest --numprocesses auto --maxprocesses 8 --dist worksteal

.PHONY: package demo demo-corpus test test-pure test-extras test-long test-spark test-fast test-again check bench bench-floors fuzz sanitize leaks peers frameworks torch spark browser fmt docs figures clean

# What the kernel is compiled from; what is compiled already is not compiled again.
KERNEL := setup.py $(wildcard $(addprefix src/bonmun/kernel/*.,h pxd pxi pyx))

# What running needs. The empty files .venv/demo, .venv/test … say what is installed; they are older than a pyproject.toml
# or a kernel that has changed, and then it is installed anew.
.venv/demo: pyproject.toml $(KERNEL)
	@$(PYTHON) -c 'import sys; sys.exit("bonmun needs Python 3.11 or newer: make PYTHON=python3.12 …" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(PIP) --editable .
	@touch $@

# The packages of an extra. bonmun is installed already, and is neither built again nor asked for at an index.
install_extra = $(BIN)/python -m scripts.list_extra $1 > .venv/$1.txt && $(PIP) --requirement .venv/$1.txt

# What many pages, tests and development need: the extras of these names.
.venv/corpus .venv/test .venv/dev .venv/docs: .venv/%: .venv/demo
	$(call install_extra,$*)
	@touch $@

# The peers of benchmarks; two of them come from npm. Of these packages and those below, most is never loaded, so nothing
# is compiled ahead.
.venv/bench: .venv/demo
	$(call install_extra,bench) --no-compile
	$(call install_extra,bench-more) --no-compile
	@if command -v npm >/dev/null; then \
		npm install --silent --no-audit --no-fund --no-save --no-package-lock --prefix "$${XDG_CACHE_HOME:-$$HOME/.cache}/bonmun/node" @mozilla/readability@0.6 jsdom@26 defuddle@0.19 linkedom@0.18.12 axe-core@4; \
	else echo 'npm is not installed: readability.js, defuddle and axe-core are skipped.'; fi
	@touch $@

peers: .venv/bench

# What only the tests of bonmun.app.integrations need.
.venv/frameworks: .venv/test
	$(call install_extra,frameworks) --no-compile
	@touch $@

frameworks: .venv/frameworks

# What only training needs; its tests are left out without it.
.venv/train: .venv/demo
	$(PIP) --no-compile torch==2.13.0 pytorch-tabnet==4.1.0 pandas
	@touch $@

torch: .venv/train

# What only a cluster needs, with Java 17 or newer beside it; its tests are left out without it.
.venv/spark: .venv/demo
	$(call install_extra,spark) --no-compile
	@touch $@

spark: .venv/spark

# What renders pages: a browser, if none is found. Debian's is taken where there is one; else Playwright brings its own.
browser: .venv/test
	@$(BIN)/python -c 'from bonmun.scale.browser.find import find_browser; find_browser()' 2>/dev/null \
		|| { command -v apt-get >/dev/null && apt-get update --quiet=2 && apt-get install --yes --quiet=2 chromium >/dev/null; } \
		|| $(BIN)/python -m playwright install --with-deps chromium-headless-shell

demo: .venv/demo
	@$(BIN)/python examples/demo.py

demo-corpus: .venv/corpus
	@$(BIN)/python examples/corpus.py

test: .venv/test
	$(PYTEST)

# The tests that failed in the last run, one after the other.
test-again: .venv/test
	$(BIN)/python -m pytest --last-failed --last-failed-no-failures none

# What the kernel and its reference both do, by the reference, without drawn examples: the tests of the kernel itself draw
# them, and hold the two together.
PURE := algorithms/test_auto.py test_pages.py $(patsubst %,models/test_%.py,arrays decide features network targets whole)
test-pure: .venv/test
	BONMUN_PURE=1 $(PYTEST) -m 'not hypothesis' $(addprefix tests/,$(PURE))

# The tests that need more than `make test` installs; it is an error if a package is missing.
test-extras: .venv/test
	BONMUN_ALL_EXTRAS=1 $(PYTEST) -m extras --ignore=tests/scale/spark

# What takes a quarter of a minute or more each: kills, bombs and endless pages in a browser, training from nothing.
test-long: .venv/test
	@command -v firefox-esr firefox >/dev/null || ! command -v apt-get >/dev/null || apt-get install --yes --quiet=2 firefox-esr >/dev/null
	BONMUN_ALL_EXTRAS=1 BONMUN_LONG_TESTS=1 $(PYTEST) -m long

# Spark uses all cores itself, so one process after the other.
test-spark: .venv/test .venv/spark
	BONMUN_ALL_EXTRAS=1 $(BIN)/python -m pytest tests/scale/spark

# The inner loop: without what starts processes, trains, measures time, draws examples or takes long.
test-fast: .venv/test
	$(PYTEST) -m 'not slow and not hypothesis'

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The documentation site, in out/docs. A dead link is an error; nothing is fetched.
docs: .venv/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

# All tables and pictures of the documentation that scripts write, from the labelled sets in ../shared/data and the
# networks of five folds (CONTRIBUTING.md). Times are measured last; nothing else should run then.
FOLDS ?= scripts/folds
figures: .venv/bench
	$(BIN)/python -m scripts.figures.benchmarks $(FOLDS)
	$(BIN)/python -m scripts.figures.papers > out/papers-figures.md && mv out/papers-figures.md docs/explanation/papers-figures.md
	$(BIN)/python -m scripts.figures.sites
	$(BIN)/python -m scripts.figures.page_sizes
	$(BIN)/python -m scripts.make.feature_tables
	$(BIN)/python -m scripts.figures.benchmarks $(FOLDS) --times

# The files of a release: a wheel and an sdist, checked, installed into fresh environments and tried there. The wheel is
# built from the sdist, with the kernel; the sdist is installed without it, as on a machine without a compiler.
package: .venv/demo
	$(PIP) build twine
	rm -rf dist out/package
	BONMUN_KERNEL=required $(BIN)/python -m build --quiet
	$(BIN)/twine check --strict dist/*
	for file in dist/*.whl dist/*.tar.gz; do \
		case $$file in *.tar.gz) export BONMUN_KERNEL=no;; esac; \
		$(PYTHON) -m venv --clear out/package && out/package/bin/python -m pip install --quiet --disable-pip-version-check $$file \
		&& (cd out/package && bin/python ../../scripts/try_wheel.py && bin/bonmun extract ../../examples/pages -f json > /dev/null) || exit 1; \
	done

bench: .venv/bench
	@$(BIN)/python -m scripts.figures.speed

# The scores that `make test` holds every method to: measured anew, never lowered without ACCEPT=--accept.
bench-floors: .venv/test
	@$(BIN)/python tests/floors.py $(ACCEPT)

# Pages that nobody would write, for so many seconds, also from pages of your own: a folder or JSON lines in PAGES.
SECONDS ?= 600
fuzz: .venv/test
	@$(BIN)/python -m scripts.fuzz --seconds $(SECONDS) $(if $(PAGES),--pages $(PAGES))

# The same with the kernel compiled anew, in a folder of its own, such that a wrong index or an overflow ends the process:
# its tests but those of time, then changed pages. Python's own memory is watched, too; it frees little of it at the end, which is no fault.
CHECKED := build/checked
sanitize: .venv/test
	BONMUN_KERNEL=sanitize $(PIP) --no-deps --upgrade --target $(CHECKED) .
	$(call checked,-m pytest --numprocesses 2 -p no:cacheprovider -k 'not linear' tests/kernel)
	$(call checked,-m scripts.fuzz --untimed --seconds $(SECONDS) --out out/sanitize $(if $(PAGES),--pages $(PAGES)))

checked = LD_PRELOAD="$$($${CC:-gcc} -print-file-name=libasan.so) $$($${CC:-gcc} -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
	BONMUN_KERNEL=required PYTHONPATH=$(CHECKED) $(BIN)/python $1

# 200,000 pages in one process, whose memory must not grow.
leaks: .venv/test
	@$(BIN)/python -m scripts.figures.leaks $(if $(COUNT),--pages $(COUNT))

fmt: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv build dist out .mypy_cache .pytest_cache .ruff_cache .hypothesis
