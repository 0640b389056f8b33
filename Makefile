# Needed beforehand: Java 17, Python 3.10 or newer with venv, make, git. The targets fetch the rest.
# Every path is relative, so that a clone in a folder with a space in its name works too.

PYTHON ?= python3
PY := .venv/bin/python
SBT_VERSION := $(shell sed -n 's/^sbt.version=//p' project/build.properties)
SBT_JAR := .cache/sbt-launch-$(SBT_VERSION).jar
SBT := java -Xmx2g -Xss4m -Dsbt.color=false -Dsbt.supershell=false -jar $(SBT_JAR)
JAR = jvm/target/$(shell sed -n 's/.*name = "\(4[.0-9]*\)".*/deltasource-spark_\1_2.13/p' project/Versions.scala | head -1)-$(shell cat VERSION).jar

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-jvm test-python parity switches crashes recordings bench check format mutants jar wheel clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
	  while IFS='|' read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

setup: .venv/.ready $(SBT_JAR) ## fetch the Python environment and sbt's launcher (the other targets do it for you)

.venv/.ready: python/pyproject.toml
	$(PYTHON) -m venv .venv
	$(PY) -m pip install --quiet --upgrade pip
	$(PY) -m pip install --quiet --editable 'python[dev]'
	touch $@

# The Ivy inside PySpark retrieves sbt's launcher, so that nobody has to install sbt.
$(SBT_JAR): .venv/.ready project/build.properties
	mkdir -p .cache
	java -jar "$$($(PY) -c 'import glob, importlib.util as u; \
	  print(glob.glob(u.find_spec("pyspark").submodule_search_locations[0] + "/jars/ivy-*.jar")[0])')" \
	  -cache .cache/ivy -dependency org.scala-sbt sbt-launch $(SBT_VERSION) \
	  -retrieve '.cache/[artifact]-[revision].[ext]' -types jar > .cache/ivy.log || { cat .cache/ivy.log; exit 1; }
	@touch $@

demo: jar ## a year of flights through our source: follow, stop, restart, compare, count, draw
	$(PY) -m demo

test: test-jvm test-python ## every test

test-jvm: setup ## the Scala tests
	$(SBT) test

test-python: jar ## the Python tests, against the jar
	$(PY) -m pytest --junitxml=target/pytest.xml

parity: jar ## stock and ours live, over every parity script and many random ones; PARITY='--part restarts' for less
	PYTHONPATH=tests $(PY) -m parity $(or $(PARITY),--all)

switches: jar ## ours with every shortcut on, off, and each one off; PARITY='--part restarts' for less
	PYTHONPATH=tests $(PY) -m parity --switches $(PARITY)

crashes: jar ## kill streams from Delta to Delta over and over; CRASHES='--kills 10 --turns' for less, or with stock in turns
	PYTHONPATH=tests $(PY) -m crashes $(CRASHES)

recordings: jar ## record anew what stock gives for every parity script
	PYTHONPATH=tests $(PY) -m parity --update

bench: jar ## delta-spark and ours side by side, hours; SCALE=small for minutes, BENCH='commit idle' for some scenarios
	$(PY) -m bench --scale $(or $(SCALE),full) $(BENCH)

check: setup ## formats, lint, types, layers, the house style, and that every mutant still applies
	$(SBT) scalafmtCheckAll scalafmtSbtCheck 'jvm/testOnly *ArchitectureSuite'
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(PY) -m pyright
	PYTHONPATH=python/src .venv/bin/lint-imports --no-cache
	$(PY) -m pytest --quiet tests/python/contract/test_style.py
	PYTHONPATH=tests $(PY) -m mutants.run --check

format: setup ## let the machines format
	$(SBT) scalafmtAll scalafmtSbt
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

mutants: setup ## plant each kept fault and see that the tests it names catch it; MUTANTS='--part 1/3' for less
	PYTHONPATH=tests $(PY) -m mutants.run $(MUTANTS)

jar: setup ## build the bundle jar; the last line is its path
	$(SBT) jvm/bundle jvm/stock jvm/publish bench/package
	mkdir -p python/src/deltasource/jars
	rm -f python/src/deltasource/jars/*.jar
	cp $(JAR) python/src/deltasource/jars/
	@echo $(JAR)

wheel: jar ## build the wheel with the jar inside; the last line is its path
	rm -rf python/dist
	$(PY) -m build --wheel python
	@ls python/dist/*.whl

clean: ## forget everything built and fetched
	rm -rf .venv .cache target jvm/target bench/jvm/target project/target project/project python/dist python/src/deltasource/jars
