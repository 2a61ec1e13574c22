# `make demo` and `make test` work alone on a fresh machine with Python 3.11 or newer; each makes .venv if it must.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo demo-corpus test check bench bench-floors peers torch fmt clean

# Installed anew only when pyproject.toml has changed.
.venv/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("bonmun needs Python 3.11 or newer: make PYTHON=python3.12 …" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

# What only benchmarks need: the peers. Older versions of pip cannot install them all in one go.
.venv/bench: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

peers: .venv/bench

# What only training needs; its tests are skipped without it.
.venv/train: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	@touch $@

torch: .venv/train

demo: .venv/installed
	@$(BIN)/python examples/demo.py

demo-corpus: .venv/installed
	@$(BIN)/python examples/corpus.py

test: .venv/installed
	$(BIN)/python -m pytest

check: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/bench
	@$(BIN)/python -m scripts.figures.speed

# The scores that `make test` holds every method to: measured anew, never lowered without ACCEPT=--accept.
bench-floors: .venv/installed
	@$(BIN)/python tests/floors.py $(ACCEPT)

fmt: .venv/installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
