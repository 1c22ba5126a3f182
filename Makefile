# `make demo` and `make test` do all the set-up themselves.
.PHONY: setup demo test check e2e bench mutants lock docs clean
VENV ?= .venv
BIN := $(VENV)/bin

setup:
	@VENV=$(VENV) sh scripts/bootstrap.sh

demo: setup
	@$(BIN)/denominator demo

test: setup
	@$(BIN)/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder -m "not e2e"

check: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check -q .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python scripts/check_docs.py

e2e: setup
	@$(BIN)/python -m pytest -q -m e2e -rs

bench: setup
	@for b in benchmarks/bench_*.py; do echo "== $$b"; $(BIN)/python $$b || exit 1; done

# Small wrong changes of our own rules, and whether a test notices: all (long), or `make mutants CHANGED=1 LIMIT_S=60`.
mutants: setup
	@$(BIN)/python scripts/mutate.py $(if $(CHANGED),--changed) $(if $(LIMIT_S),--seconds $(LIMIT_S)) $(MODULES)

docs: setup
	@$(BIN)/python scripts/check_docs.py --write

lock: setup
	@$(BIN)/python -m pip install -q uv
	@cd requirements && for f in base dev; do ../$(BIN)/python -m uv pip compile --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-emit-find-links --no-header -q $$f.in -o $$f.txt; done

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
