# What people do here. `make` alone lists it.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
ROUNDS ?= 2000
# Tests on so many processors; `make test TESTS=tests/unit` runs a part.
JOBS ?= auto
TESTS ?= tests
# What `make bench` measures: all its figures, or those named.
FIGURES ?=
ARGS ?=
# The browser of tests/browser.
CHROMIUM ?= /usr/bin/chromium
export PORT CHROMIUM

.DEFAULT_GOAL := help
.PHONY: help setup browser demo run test bench lint types contracts check lock clean

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 20

setup: $(VENV)/installed ## make .venv with the pinned dependencies

# The lock's checksum, not its date: a fresh checkout of the same lock installs nothing.
$(VENV)/installed: requirements.lock
	@if [ "$$(cksum < requirements.lock)" = "$$(cat $@ 2>/dev/null)" ]; then touch $@; exit 0; fi; \
	set -e; \
	test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: apt install python3 python3-venv"; exit 1; }; \
	"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is too old: 3.11 is needed"; exit 1; }; \
	rm -f $@; \
	"$(PYTHON)" -m venv --clear $(VENV) || { echo "Python cannot make .venv: apt install python3-venv"; exit 1; }; \
	echo "installing the dependencies into $(VENV)"; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes -r requirements.lock; \
	cksum < requirements.lock > $@

browser: $(CHROMIUM) ## install the browser that the tests use, Debian's chromium

$(CHROMIUM):
	@set -e; \
	missing="the browser tests need $@; as root: apt-get install chromium. Or set CHROMIUM to another Chromium 120 or newer"; \
	if [ "$$(id -u)" = 0 ]; then root=; elif sudo -n true 2>/dev/null; then root="sudo -n"; else echo "$$missing"; exit 1; fi; \
	echo "installing Debian's chromium for the browser tests"; \
	{ $$root apt-get -qq update && $$root env DEBIAN_FRONTEND=noninteractive \
		apt-get -qq install -y --no-install-recommends chromium fonts-dejavu-core > /dev/null; } || { echo "$$missing"; exit 1; }; \
	test -x $@ || { echo "$$missing"; exit 1; }

demo: setup ## play ROUNDS rounds through a real worker, then check the books
	$(BIN)/python manage.py demo --rounds $(ROUNDS)

run: setup ## serve everything on PORT until Ctrl-C
	@exec $(BIN)/python manage.py serve

test: setup browser ## all tests
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(TESTS)

bench: setup ## measure what it does in a second; `make bench FIGURES="settle lanes"` a part, `ARGS=--json`
	@$(BIN)/python -m tests.benchmarks $(FIGURES) $(ARGS)

lint: setup ## style, by ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup ## types, by mypy
	$(BIN)/mypy .

contracts: setup ## who may import whom, by import-linter
	$(BIN)/lint-imports

check: setup ## lint, types, contracts and tests: what CI runs
	@$(MAKE) --no-print-directory -j --output-sync=target lint types contracts browser
	@$(MAKE) --no-print-directory test

lock: ## renew requirements.lock from requirements.in
	@set -e; tools=$$(mktemp -d); trap 'rm -rf "$$tools"' EXIT; \
	"$(PYTHON)" -m venv "$$tools"; \
	"$$tools/bin/python" -m pip install --quiet --disable-pip-version-check pip-tools; \
	"$$tools/bin/pip-compile" --quiet --generate-hashes --strip-extras --allow-unsafe --no-header \
		--no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options \
		--output-file requirements.lock requirements.in

clean: ## remove .venv and caches, not the data in var/
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
