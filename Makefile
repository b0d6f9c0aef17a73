# Everything a developer needs; `make` alone lists the targets.

PYTHON   ?= python3
PORT     ?= 8484
HOME_DIR ?= .mainspring
BENCH    ?=
TESTS    ?= tests
ZOO      ?=
MINUTES  ?= 10
CHAOS    ?=
E2E      ?=
FAILOVER ?=
FLEET    ?= restart
CHART    ?=
SEEDS    ?= 300
GRAPHS   ?= 100000
KILLS    ?= 50

VENV := .venv
BIN  := $(VENV)/bin
INSTALLED := $(VENV)/.installed

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help install up test check fix bench sim graphs boundary zoo chaos fleet chart kubernetes failover e2e console docs docs-states docs-walk docs-api docs-cli docs-python docs-settings docs-console client-sync measure walk constraints clean

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z0-9 -]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(INSTALLED) ## Create .venv with everything that development needs

$(INSTALLED): pyproject.toml constraints.txt scripts/make_venv
	@scripts/make_venv "$(PYTHON)" $(VENV)
	@touch $@

up: $(INSTALLED) ## Start a server with an executor and a demo shop (PORT=8484, HOME_DIR=.mainspring)
	@echo "The state of this Mainspring lives in $(HOME_DIR); remove that folder to start afresh."
	@scripts/up_with_feed $(BIN) "$(HOME_DIR)" "$(PORT)"

# Where bytecode is not kept, every process that a test starts would compile everything anew. Three at a time on two cores: a test
# waits for its database, its processes and its clock for half of its time.
test: export PYTHONDONTWRITEBYTECODE :=
test: $(INSTALLED) ## Run every test, on SQLite and on a real PostgreSQL (TESTS=tests)
	@scripts/install_test_needs
	$(BIN)/python -m pytest -n 3 --dist worksteal $(TESTS)

check: $(INSTALLED) ## Check format, lint, layers and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy
	@scripts/check_console

console: ## Build the console from console/ into mainspring/console/static/ (takes Node 20 and npm)
	cd console && npm install --silent --no-save && npx tsc && npx oxlint -c oxlint.json --quiet && node build.js

fix: $(INSTALLED) ## Format, and repair what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(INSTALLED) ## Measure (BENCH="names and options")
	$(BIN)/python -m bench $(BENCH)

sim: $(INSTALLED) ## Try many seeds of the simulation (SEEDS=300)
	@$(BIN)/python -m proof.sim --seeds $(SEEDS)
	@$(BIN)/python -m proof.sim.alerts_trial $$(($(SEEDS) / 10))

graphs: $(INSTALLED) ## Run random workflows in random orders against an oracle (GRAPHS=100000)
	@$(BIN)/python -m proof.graphs $(GRAPHS)

boundary: $(INSTALLED) ## Kill servers at the very instants of triggers, and count these (KILLS=50)
	@scripts/install_test_needs
	@$(BIN)/python -m proof.boundary --kills $(KILLS)

zoo: $(INSTALLED) ## Put known bugs of schedulers in, one at a time, and see each of them caught (ZOO="words of a name")
	@$(BIN)/python -m proof.zoo $(ZOO)

chaos: $(INSTALLED) ## Break a fleet of real processes in every way we know (MINUTES=11, CHAOS="--fault name")
	@scripts/install_test_needs chaos || true
	@$(BIN)/python -m proof.chaos --minutes $(MINUTES) $(CHAOS)

fleet: $(INSTALLED) ## Restart, join, burst, storm, kill a server amid flows, or take etcd away from a fleet, and count (FLEET="restart --size 500")
	@scripts/install_test_needs
	@$(BIN)/python -m proof.fleet $(FLEET)

# The wheel says Python 3.12, and works on 3.11; it is no dependency of anything else.
chart: $(INSTALLED) ## Install the Helm chart into a stub of an API server, and validate all it makes for Kubernetes 1.29 to 1.37
	@$(BIN)/python -m pip install --quiet --ignore-requires-python helm-sdkpy==0.1.32
	@$(BIN)/python -m proof.chart $(CHART)

kubernetes: $(INSTALLED) ## Build a real API server once (6 minutes), and try kubernetes:// and the chart against it
	@scripts/install_test_needs
	@scripts/build_kubernetes .kubernetes
	@$(BIN)/python -m pip install --quiet --ignore-requires-python helm-sdkpy==0.1.32
	@$(BIN)/python -m proof.kubernetes .kubernetes/kube-apiserver

failover: $(INSTALLED) ## Kill the primary of a Patroni cluster under load, and count (FAILOVER="--fault name")
	@scripts/install_test_needs
	@$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[failover]'
	@$(BIN)/python -m proof.failover $(FAILOVER)

e2e: $(INSTALLED) ## Use the console in a real browser, on both databases (E2E="names and options")
	@scripts/install_test_needs browser
	@cd console && npm install --silent --no-save
	$(BIN)/python -m pytest e2e $(E2E)

docs: $(INSTALLED) ## Build the documentation site into site/
	$(BIN)/zensical build --clean --strict

docs-walk: $(INSTALLED) ## Play a new user, and rewrite docs/walk-through.md with what was printed
	$(BIN)/python -m scripts.walk_through

dashboards: $(INSTALLED) ## Rewrite the Grafana dashboards in mainspring/deploy/grafana from the list of their panels
	$(BIN)/python -m scripts.write_dashboards

docs-states: $(INSTALLED) ## Redraw docs/states.md from the rules in domain/
	$(BIN)/python -m scripts.draw_states

docs-api: $(INSTALLED) ## Rewrite docs/reference/api.md and the console's types from the routes
	$(BIN)/python -m scripts.write_api_reference
	$(BIN)/python -m scripts.write_console_types

docs-cli: $(INSTALLED) ## Rewrite docs/reference/cli.md from the commands
	$(BIN)/python -m scripts.write_cli_reference

docs-python: $(INSTALLED) ## Rewrite docs/reference/python.md from the docstrings
	$(BIN)/python -m scripts.write_python_reference

docs-console: $(INSTALLED) ## Take the pictures of the console in docs/pictures/ from a demo shop
	@scripts/install_test_needs browser
	$(BIN)/python -m scripts.take_console_pictures

docs-settings: $(INSTALLED) ## Rewrite docs/reference/settings.md from the settings
	$(BIN)/python -m scripts.write_settings_reference

client-sync: $(INSTALLED) ## Rewrite mainspring/client/sync/ from the async side of the client
	$(BIN)/python -m scripts.generate_sync_client

measure: $(INSTALLED) ## Measure the house (sizes, folders, repetition, prose) and write the table into docs/development.md
	@$(BIN)/python -m scripts.measure --write

walk: $(INSTALLED) ## Trace a run, a cron fire and a cancel through the files of the package (WALK=--files lists them)
	@$(BIN)/python -m scripts.walk $(WALK)

constraints: $(INSTALLED) ## Take the newest versions that fit and pin them in constraints.txt
	$(BIN)/python -m pip install --quiet --upgrade --upgrade-strategy eager -e '.[dev]'
	$(BIN)/python -m pip freeze --exclude-editable > constraints.txt
	@touch $(INSTALLED)

clean: ## Remove the environment, caches and the demo's state
	rm -rf $(VENV) .mainspring .bench .chaos .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -prune -exec rm -rf {} +
