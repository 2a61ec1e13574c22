# `make demo` and `make test` work alone on a fresh machine with Python 3.11 or newer; each makes .venv if it must.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# A process for every core, but no more than pay: each of them loads all test files first.
PYTEST := $(BIN)/python -m pytest --numprocesses auto --maxprocesses 8 --dist worksteal

.PHONY: demo demo-corpus test test-extras test-spark test-fast check bench bench-floors fuzz peers frameworks torch spark browser fmt clean

# What running needs. The empty files .venv/demo, .venv/test … say what is installed; they are older than a pyproject.toml
# that has changed, and then it is installed anew.
.venv/demo: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("bonmun needs Python 3.11 or newer: make PYTHON=python3.12 …" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(PIP) --editable .
	@touch $@

# What many pages, tests and development need: the extras of these names.
.venv/corpus .venv/test .venv/dev: .venv/%: .venv/demo
	$(PIP) --editable '.[$*]'
	@touch $@

# What only benchmarks need: the peers. Older versions of pip cannot install them all in one go; one peer comes with npm.
.venv/bench: .venv/demo
	$(PIP) --upgrade 'pip>=25'
	$(PIP) --editable '.[bench]'
	@if command -v npm >/dev/null; then \
		npm install --silent --no-audit --no-fund --no-save --no-package-lock --prefix . @mozilla/readability@0.6 jsdom@26 axe-core@4; \
	else echo 'There is no npm: readability.js, and the check of the inspector by axe-core, are left out.'; fi
	@touch $@

peers: .venv/bench

# What only the tests of bonmun.integrations need. Most of it is never loaded, so nothing is compiled ahead.
.venv/frameworks: .venv/test
	$(PIP) --no-compile --editable '.[frameworks]'
	@touch $@

frameworks: .venv/frameworks

# What only training needs; its tests are left out without it.
.venv/train: .venv/demo
	$(PIP) torch==2.13.0 pytorch-tabnet==4.1.0 pandas
	@touch $@

torch: .venv/train

# What only a cluster needs, with Java 17 or newer beside it; its tests are left out without it.
.venv/spark: .venv/demo
	$(PIP) --editable '.[spark]'
	@touch $@

spark: .venv/spark

# What renders pages: a browser, if none is found. Debian's is taken where there is one; else Playwright brings its own.
browser: .venv/test
	@$(BIN)/python -c 'from bonmun.browser.finding import find_browser; find_browser()' 2>/dev/null \
		|| { command -v apt-get >/dev/null && apt-get update --quiet=2 && apt-get install --yes --quiet=2 chromium >/dev/null; } \
		|| $(BIN)/python -m playwright install --with-deps chromium-headless-shell

demo: .venv/demo
	@$(BIN)/python examples/demo.py

demo-corpus: .venv/corpus
	@$(BIN)/python examples/corpus.py

test: .venv/test
	$(PYTEST)

# With every package that can be installed: it is an error if one is missing. Left out is what needs no package beyond
# those of `make test`, and so cannot come out otherwise than there, by file or by pattern.
ALIKE := annotate/test_agreement.py annotate/test_gold_file.py annotate/test_labels_in_records.py annotate/test_queue.py \
	commands/test_cli_doc.py commands/test_config_file.py commands/test_corpus_command.py commands/test_extract_many.py \
	commands/test_gold_commands.py commands/test_shell.py inspector/test_frame.py test_compare.py corpus gold metadata methods/test_bad_pages.py outputs page sites structure test_capacity.py test_document.py \
	test_explain.py test_floors.py test_fuzz.py test_hostile.py test_pages.py test_pipeline.py test_regexes.py test_snapshots.py \
	test_timing.py test_web.py text train/test_made_pages.py work
ALIKE_TOO := crawl/test_[!r]* methods/test_[!mv]* models/test_[!t]* serve/test_[!rs]*
test-extras: .venv/test
	BONMUN_ALL_EXTRAS=1 $(PYTEST) $(addprefix --ignore=tests/,$(ALIKE) spark) $(patsubst %,--ignore-glob='tests/%',$(ALIKE_TOO))

# Spark uses all cores itself, so one process after the other.
test-spark: .venv/test .venv/spark
	BONMUN_ALL_EXTRAS=1 $(BIN)/python -m pytest tests/spark

# The inner loop: without what starts processes, trains, measures time, draws examples or takes long.
test-fast: .venv/test
	$(PYTEST) -m 'not slow and not hypothesis'

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/bench
	@$(BIN)/python -m scripts.figures.speed

# The scores that `make test` holds every method to: measured anew, never lowered without ACCEPT=--accept.
bench-floors: .venv/test
	@$(BIN)/python tests/floors.py $(ACCEPT)

# Pages that nobody would write, for so many seconds, also from pages of your own: a folder or JSON lines in PAGES.
SECONDS ?= 600
fuzz: .venv/test
	@$(BIN)/python -m scripts.fuzz --seconds $(SECONDS) $(if $(PAGES),--pages $(PAGES))

fmt: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv build dist out node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis
