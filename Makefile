# `make demo` and `make test` do everything.  README.md shows the same without make.
# The first interpreter that runs and is new enough; a name on the PATH alone is no proof.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)
VENV   ?= .venv
BIN    := $(VENV)/bin
TOPIC  ?= 侨情
# No services and no child crawls, but everything that depends on the versions of libraries.
MINIMUM_TESTS := tests/text tests/scoring tests/urls tests/settings tests/page/test_page.py \
  tests/topics tests/analysis tests/dedup tests/politeness tests/pipelines tests/middlewares
export PYTHONUTF8 = 1
# As in a crawl (topiccrawl/settings.py): threads that wait for each other only cost time.
export OPENBLAS_NUM_THREADS = 1

.PHONY: demo test test-fast test-minimum crawl report lint reference messages pictures setup setup-dev clean help

help: ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: setup ## set up, crawl the built-in demonstration web, show what was found
	$(BIN)/scrapy demo

crawl: setup ## crawl the live web: make crawl TOPIC=侨情
	$(BIN)/scrapy crawl topic -a topic="$(TOPIC)"

report: setup ## write the HTML report of a topic: make report TOPIC=侨情
	$(BIN)/scrapy report "$(TOPIC)"

test: setup-dev ## set up and run all tests (MONGODB_URI=… runs the MongoDB tests too)
	$(BIN)/python -m pytest $(PYTEST_ARGS)

test-fast: setup-dev ## the tests without services, child crawls and long computations, in a minute
	$(BIN)/python -m pytest -m "not slow" --hypothesis-profile=fast -n auto --dist loadfile $(PYTEST_ARGS)

test-minimum: ## a fast part of the tests with the lowest versions that we claim, in an environment of its own
	@test -x $(VENV)-minimum/bin/python || $(PYTHON) -m venv $(VENV)-minimum
	$(VENV)-minimum/bin/python -m pip install --quiet --disable-pip-version-check \
	  -c requirements-minimum.txt -r requirements.txt pytest hypothesis networkx scikit-learn pyyaml
	$(VENV)-minimum/bin/python -m pytest $(MINIMUM_TESTS) $(PYTEST_ARGS)

lint: setup-dev ## ruff, mypy, import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

reference: setup ## generate what follows from the declared settings and from pyproject.toml
	$(BIN)/python -m topiccrawl.crawl.settings.reference --write
	$(BIN)/python .ci/requirements.py --write

messages: setup-dev ## bring the catalog of Chinese messages up to date with the code, and compile it
	$(BIN)/python .ci/messages.py --write
	$(BIN)/python .ci/messages.py

pictures: demo ## take the pictures in the READMEs (needs chromium)
	$(BIN)/python .ci/pictures.py

setup: $(VENV)/.run $(BIN)/topiccrawl

setup-dev: $(VENV)/.dev $(BIN)/topiccrawl

# The command that pip would make of an installation, for the files here.
$(BIN)/topiccrawl: $(VENV)/.run
	@printf '%s\n' '#!$(abspath $(BIN))/python' 'import sys' 'sys.path.insert(0, "$(CURDIR)")' \
	  'from topiccrawl.__main__ import main' 'sys.exit(main())' > $@
	@chmod +x $@

$(VENV)/.run: requirements.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing what topiccrawl needs into $(VENV) (once; about 560 MB) …"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

clean: ## remove the environment and everything generated
	rm -rf $(VENV) $(VENV)-minimum demo-out build dist *.egg-info
