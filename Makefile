# `make help` says what there is. Everything runs in a local virtual environment, which
# the targets make by themselves; only python3 (3.11 or newer, with venv) must be there.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RULESET ?= azul
PLAYERS ?= 2
# Any text fixes the tiles; without one the referee and the bots draw them together.
SEED ?=
# Processes for the test suite; "auto" is one per core.
JOBS ?= auto

.DEFAULT_GOAL := help

## For everyone

.PHONY: help
help: ## Show this list
	@awk 'BEGIN { FS = ":.*## " } \
	  /^## / { printf "\n%s\n", substr($$0, 4) } \
	  /^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "Settings: RULESET=$(RULESET) PLAYERS=$(PLAYERS) SEED=$(SEED) (make demo), JOBS=$(JOBS) (make test)"

.PHONY: demo
demo: $(VENV)/.runtime ## Referee, bots and a spectator play one match over gRPC (RULESET=, PLAYERS=, SEED=)
	@rm -rf build/demo
	@$(BIN)/referee demo $(RULESET) --players $(PLAYERS) $(if $(SEED),--seed $(SEED)) --folder build/demo

.PHONY: test
test: $(VENV)/.dev ## Run the tests, on the plain sources
	REFEREE_PURE=1 $(BIN)/pytest -q -n $(JOBS) --build plain

## For developers

.PHONY: build
build: $(VENV)/.dev ## Compile the rules and draws anew, if any of their sources has changed
	$(BIN)/python -m referee.native.compile

.PHONY: test-compiled
test-compiled: build ## Run the tests that concern the rules compiled, and compare both builds
	$(BIN)/pytest -q -n $(JOBS) --build compiled $(addprefix tests/,native rules draws golden match transcript)

.PHONY: proto
proto: $(VENV)/.dev ## Generate the stubs of proto/, check the schemas and that they break nobody
	$(BIN)/python -m referee.native.stubs
	$(BIN)/buf lint proto
	$(BIN)/buf format proto --diff --exit-code
	.ci/breaking $(BIN)/buf

.PHONY: lint
lint: $(VENV)/.dev ## Check style, formatting and the layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo

.PHONY: types
types: $(VENV)/.dev ## Check types with mypy --strict
	$(BIN)/mypy

.PHONY: coverage
coverage: $(VENV)/.dev ## Branch coverage of rules and draws; fails below 100 %
	REFEREE_PURE=1 $(BIN)/pytest -q -n $(JOBS) --build plain tests/rules tests/draws --cov --cov-report=term --cov-fail-under=100

# What both verifiers look at; `make soak-record` has more.
GO_VERIFIER := build/azt-verify

.PHONY: test-verifiers
test-verifiers: $(VENV)/.dev ## Verify good and damaged transcripts in Python and in Go: both must agree
	@if command -v go >/dev/null 2>&1; then \
	  mkdir -p build && (cd clients/go && go build -o ../../$(GO_VERIFIER) ./cmd/azt-verify) \
	  && $(BIN)/python -m tests.transcript.compare_verifiers $(GO_VERIFIER); \
	elif [ -n "$$CI" ]; then echo "test-verifiers: Go is not installed, and CI skips nothing" >&2; exit 1; \
	else echo "test-verifiers: skipped, Go is not installed"; fi

.PHONY: test-go
test-go: ## Test the Go code: draws and verifier
	@if command -v go >/dev/null 2>&1; then cd clients/go && go vet ./... && go test -count=1 ./...; \
	elif [ -n "$$CI" ]; then echo "test-go: Go is not installed, and CI skips nothing" >&2; exit 1; \
	else echo "test-go: skipped, Go is not installed"; fi

.PHONY: golden
golden: $(VENV)/.dev ## Write golden games, move orders, transcripts, perft files and vectors anew
	$(BIN)/python -m tests.golden.write
	$(BIN)/python -m tests.perft.write
	$(BIN)/python -m tests.draws.write_vectors
	$(BIN)/python -m tests.transcript.write_vectors

.PHONY: format
format: $(VENV)/.dev ## Format the sources
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: clean
clean: ## Remove the virtual environment, compiled modules and every cache
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find referee \( -name '*.so' -o -name '*.stamp' -o -name '*_pb2*' \) -delete

## Measurements and long runs, by hand

.PHONY: bench-rules
bench-rules: $(VENV)/.dev ## Moves per second of every ruleset, plain and compiled
	@$(BIN)/python -m referee.native.compile || true
	$(BIN)/python -m tests.bench.rules

.PHONY: bench-verify
bench-verify: $(VENV)/.dev ## Games per second of whole verification, plain and compiled, step by step
	@$(BIN)/python -m referee.native.compile || true
	$(BIN)/python -m tests.bench.verify

.PHONY: bench-storage
bench-storage: $(VENV)/.dev ## What a durable frame costs, alone and in groups (BENCH_DIR= names another disk)
	$(BIN)/python -m tests.bench.storage

.PHONY: bench-service
bench-service: $(VENV)/.dev ## What a move costs through the whole service, against a bare echo (ARGS=--quick, --profile)
	@$(BIN)/python -m referee.native.compile || true
	$(BIN)/python -m tests.bench.service $(ARGS)

.PHONY: bench-clock
bench-clock: $(VENV)/.dev ## How exactly agents are charged for their thinking, alone and under load
	@$(BIN)/python -m referee.native.compile || true
	$(BIN)/python -m tests.bench.clock $(ARGS)

.PHONY: soak-rules
soak-rules: $(VENV)/.dev ## Engine against the oracle: 4,000 games, 100,000 damaged ones; 10^6 conserved moves
	$(BIN)/python -m tests.soak.rules

.PHONY: soak-perft
soak-perft: $(VENV)/.dev ## Every digest of the perft files, and the oracle on all but the largest
	$(BIN)/python -m tests.soak.perft

.PHONY: soak-record
soak-record: $(VENV)/.dev ## 100,000 games and as many damaged ones in both verifiers, all bits flipped, memory (GAMES=)
	mkdir -p build && (cd clients/go && go build -o ../../$(GO_VERIFIER) ./cmd/azt-verify)
	GAMES=$(or $(GAMES),100000) $(BIN)/python -m tests.soak.record $(GO_VERIFIER)

.PHONY: soak-kill
soak-kill: $(VENV)/.dev ## Kill a playing referee 1,000 times: nothing acknowledged is lost (KILLS=)
	KILLS=$(or $(KILLS),1000) $(BIN)/python -m tests.soak.kill

.PHONY: soak-power
soak-power: $(VENV)/.dev ## 10,000 cuts of power on a disk in memory that loses what was not synced (CUTS=)
	CUTS=$(or $(CUTS),10000) $(BIN)/python -m tests.soak.power

.PHONY: soak-hostile
soak-hostile: $(VENV)/.dev ## Floods, crowds, full disks and signals beside 20 honest matches at a time (SIZE=)
	SIZE=$(or $(SIZE),2000) $(BIN)/python -m tests.soak.hostile

.PHONY: soak-illegal
soak-illegal: $(VENV)/.dev ## Every illegal move of 1,000 positions of all rulesets is refused (POSITIONS=)
	POSITIONS=$(or $(POSITIONS),1000) $(BIN)/python -m tests.soak.illegal

.PHONY: soak-mutants
soak-mutants: $(VENV)/.dev ## Small mistakes in the rules, one at a time: which does no test notice? (FILES=)
	REFEREE_PURE=1 FILES="$(FILES)" $(BIN)/python -m tests.soak.mutants

# The environment -------------------------------------------------------------------------
# Installing compiles the rules where a C compiler is at hand; REFEREE_PURE=1 keeps them plain.

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "python3 is older than 3.11; name another one with PYTHON=..." >&2; exit 1; }
	@echo "Making the virtual environment $(VENV)."
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: $(VENV)/bin/python pyproject.toml $(wildcard proto/referee/v1/*.proto)
	@echo "Installing into $(VENV) and compiling the rules; the first time takes some minutes."
	$(BIN)/pip install -q --disable-pip-version-check -e .
	@$(BIN)/referee --version
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml $(wildcard proto/referee/v1/*.proto)
	@echo "Installing into $(VENV) and compiling the rules; the first time takes some minutes."
	$(BIN)/pip install -q --disable-pip-version-check -e '.[dev]'
	@$(BIN)/referee --version
	@touch $@ $(VENV)/.runtime
