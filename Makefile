# make study   open the start page in JupyterLab
# make test    run every check and test, the browser's included
# make help    the rest

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.installed
PYTHON ?= $(shell command -v python3.11 || command -v python3)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help study test book export execute format lint bench wheel setup browser clean

help:
	@echo "make study     open the start page in JupyterLab"
	@echo "make test      run every check and test"
	@echo "make book      write build/book: every notebook as a page, no kernel needed"
	@echo "make export    write tabletop_kit from the notebooks, collect the clauses"
	@echo "make execute   run the notebooks and keep their outputs"
	@echo "make format    mend what the formatter and simple lint rules can"
	@echo "make lint      lint, formatting and types"
	@echo "make bench     measure beside the peers"
	@echo "make wheel     build dist/*.whl"
	@echo "make clean     remove what was built; .venv stays"

study: setup
	@$(BIN)/python -m tools.study $(STUDY)

test: setup browser
	$(BIN)/python -m pytest -n 2 --dist worksteal $(TEST)

book: setup
	@$(BIN)/python -m tools.book $(BOOK)

export: setup
	$(BIN)/python -m tools.export

execute: setup
	$(BIN)/python -m tools.execute

lint: setup
	$(BIN)/python -m tools.lint

format: setup
	$(BIN)/ruff check --quiet --fix nbs tools tests benchmarks setup.py || true
	$(BIN)/ruff format --quiet nbs tools tests benchmarks setup.py

bench: setup
	$(BIN)/python benchmarks/run.py

wheel: setup
	$(BIN)/python -m build --wheel --no-isolation

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache

# What is not there yet

setup: $(READY)

$(READY): requirements.lock settings.ini setup.py
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q -j 0 $(VENV)/lib >/dev/null || true
	touch $@

browser:
	@tools/install_browser.sh
