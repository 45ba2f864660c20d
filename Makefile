# Everything here makes .venv if it is not there. Needed by hand: Python 3.11 or later, make and a C compiler.
#
#   make demo    a mid-game position, the service and its advice       make test    lint and all tests (checked build)
#   make serve   the service on loopback   ARGS="--help"               make bench   benchmarks (release build)
#   make soak    10,000 random games per player count                  make ops-check   the service in operation
#   make coverage-rules   which tests hold which statement of docs/rules.md
#   make referee   games compared with a second author of the rules (release build)   GAMES=5000 per player count
#
# There are two builds of the engine: the release one in place, the checked one (sanitizer, state checked after every
# action) in build/checked. Times of files decide what is made again, so that a build that is there costs nothing.

PYTHON ?= python3
ARGS ?=
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet
RUNTIME := $(VENV)/runtime.stamp
DEV := $(VENV)/dev.stamp
OPS := $(VENV)/ops.stamp
ON_CHECKED := PYTHONPATH=$(CURDIR)/build/checked:$(CURDIR) PYTHONSAFEPATH=1

ENGINE_SOURCES := $(shell find engine_ext -name '*.pyx' -o -name '*.pxd' -o -name '*.py' -o -name '*.pyi')
PROTO_SOURCES := $(wildcard proto/lisboa/v1/*.proto)
STUB_MODULES = $(subst /,.,$(basename $(shell find engine_ext -name '*.pyi')))
SOAK_GAMES ?= 10000
GAMES ?= 5000
REQUESTS ?= 24000

.DELETE_ON_ERROR:
.PHONY: all venv dev build proto checked test lint demo serve bench soak referee ops-programs ops-check coverage-rules proto-baseline clean distclean

all: build

# What running and building need. The engine is left out here: it has its own rule below.
$(RUNTIME): pyproject.toml setup.py
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed, $(PYTHON) is %s" % sys.version.split()[0] \
		if sys.version_info < (3, 11) else 0)'
	@test -x $(PY) || { echo "making $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@mkdir -p build
	@$(PY) -c 'import tomllib; \
		print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' > build/requires.txt
	$(PIP) install -r build/requires.txt
	$(PY) setup.py --quiet build_proto
	LISBOA_EXTENSIONS=0 $(PIP) install --no-build-isolation --editable .
	@touch $@

# What only tests and checks need; the demo does without.
$(DEV): $(RUNTIME)
	LISBOA_EXTENSIONS=0 $(PIP) install --no-build-isolation --editable '.[dev]'
	@touch $@

$(VENV): $(DEV)
venv dev: $(DEV)

build/proto.stamp: $(RUNTIME) $(PROTO_SOURCES) proto/lisboa/v1
	$(PY) setup.py --quiet build_proto
	@touch $@

build/release.stamp: $(RUNTIME) $(ENGINE_SOURCES)
	$(PY) setup.py --quiet build_ext --inplace
	@touch $@

# After the release build, since both compile the same C sources.
build/checked.stamp: build/release.stamp
	LISBOA_CHECKED=1 $(PY) setup.py --quiet build_ext
	@touch $@

proto: build/proto.stamp
build: build/proto.stamp build/release.stamp
checked: build build/checked.stamp

lint: build $(DEV)
	$(PY) -m ruff check .
	$(PY) -m mypy lisboa_ai server
	$(PY) -m mypy.stubtest --mypy-config-file pyproject.toml $(STUB_MODULES)
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" cython-lint engine_ext
	$(VENV)/bin/buf lint
	@if test -f proto/baseline.binpb; then echo "$(VENV)/bin/buf breaking"; \
		$(VENV)/bin/buf breaking --against proto/baseline.binpb; fi

# pytest comes last, so that its closing line is the last one printed.
test: lint checked
	$(PY) -m pytest -n 2 $(ARGS)

demo: build
	@$(VENV)/bin/lisboa-ai demo $(ARGS)

serve: build
	@$(VENV)/bin/lisboa-ai serve $(ARGS)

bench: build
	$(PY) -m bench.engine --players 4 $(ARGS)
	$(PY) -m bench.search $(ARGS)

soak: checked $(DEV)
	LISBOA_SOAK_GAMES=$(SOAK_GAMES) $(PY) -m pytest -n 2 --timeout=0 tests/test_soak.py $(ARGS)

# On the release build, which is what players use; the tests do the same on the checked one. Goes on where it stopped.
referee: build
	$(PY) -m tests.referee --games $(GAMES) $(ARGS)

coverage-rules: $(RUNTIME)
	@$(PY) -m tests.coverage_rules

# Which program is in which package of Debian. Node's own packages of nodejs hold npm as well.
PROGRAMS := promtool:prometheus h2load:nghttp2-client node:nodejs npm:npm chromium:chromium
ops-programs:
	@missing=; for pair in $(PROGRAMS); do command -v $${pair%%:*} > /dev/null || { \
			echo "ops-check: $${pair%%:*} is not there" >&2; missing="$$missing $${pair##*:}"; }; done; \
	if test -n "$$missing"; then echo "ops-check: apt-get install --no-install-recommends$$missing" >&2; exit 1; fi

# Linters of what is in deploy/.
$(OPS): $(DEV)
	LISBOA_EXTENSIONS=0 $(PIP) install --no-build-isolation --editable '.[ops]'
	@touch $@

tests/ops/js/node_modules/.package-lock.json: tests/ops/js/package-lock.json
	cd tests/ops/js && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error

# On the release build, which is what runs for real. What was measured is printed at the end.
ops-check: ops-programs build $(OPS) tests/ops/js/node_modules/.package-lock.json
	LISBOA_RELEASE=1 LISBOA_SOAK_REQUESTS=$(REQUESTS) $(PY) -m pytest -rP tests/ops $(ARGS)

# The image that buf breaking compares with: written anew at a release, never to silence it.
proto-baseline: $(DEV)
	$(VENV)/bin/buf build --output proto/baseline.binpb

clean:
	rm -rf build tests/ops/js/node_modules lisboa_ai.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find engine_ext -name '*.so' -delete
	rm -f proto/lisboa/v1/*_pb2* proto/lisboa/__init__.py proto/lisboa/v1/__init__.py \
		proto/lisboa/py.typed proto/lisboa/v1/py.typed

distclean: clean
	rm -rf $(VENV)
