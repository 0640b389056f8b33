# You need Java 17, Python 3.10 or newer with venv, make and git. The targets download the rest.
# All paths are relative, so that a clone works in a folder whose name contains a space.

# The minor version of Spark to develop and test with: `LINE=4.1 make test`. `make jar` builds the jars of all.
LINE ?= 4.2
LINES := $(notdir $(wildcard jvm/lines/*))
OTHERS := $(filter-out $(LINE),$(LINES))
PYSPARK_4.0 := 4.0.5
PYSPARK_4.1 := 4.1.4
PYSPARK_4.2 := 4.2.0

PYTHON ?= python3
# The Python environment of a line: .venv for the newest, .venv-4.0 for 4.0.
venv = $(if $(filter $(lastword $(LINES)),$(1)),.venv,.venv-$(1))
VENV := $(call venv,$(LINE))
OTHER_VENVS := $(foreach line,$(OTHERS),$(call venv,$(line))/.ready)
PY := $(VENV)/bin/python
SBT_VERSION := $(shell sed -n 's/^sbt.version=//p' project/build.properties)
SBT_JAR := .cache/sbt-launch-$(SBT_VERSION).jar
SBT := java -Xmx3g -Xss4m -Dsbt.color=false -Dsbt.supershell=false -jar $(SBT_JAR)
S3A := .cache/s3a/.ready
IVY = java -jar "$$($(PY) -c 'import glob, importlib.util as u; \
	print(glob.glob(u.find_spec("pyspark").submodule_search_locations[0] + "/jars/ivy-*.jar")[0])')" -cache .cache/ivy
VERSION := $(shell cat VERSION)
JARS = $(foreach line,$(LINES),jvm/target/$(line)/deltasource-spark_$(line)_2.13-$(VERSION).jar)
IN_PARALLEL := --numprocesses=2 --dist=loadfile --no-loadscope-reorder
SBOMS = $(JARS:.jar=-cyclonedx.json)
# The name of a line's project in sbt: spark42.
sbt-project = spark$(subst .,,$(1))
# These tasks of each line: `spark40/bundle spark40/publish spark41/bundle ...`.
each-line = $(foreach line,$(LINES),$(addprefix $(call sbt-project,$(line))/,$(1)))

# Runs tasks of all lines at once, which write the jars and their SBOMs, and puts those into the Python package.
define build-jars
	$(SBT) 'all $(call each-line,$(1)) bench/package localFiles/package'
	mkdir -p python/src/deltasource/_jars python/sboms
	rm -f python/src/deltasource/_jars/*.jar python/sboms/*.json
	cp -p $(JARS) python/src/deltasource/_jars/
	cp $(SBOMS) python/sboms/
	@printf '%s\n' $(JARS)
endef

# Without isolation: the pinned hatchling gives the same bytes again, and needs no network.
define build-wheel
	rm -rf python/dist
	$(PY) -m build --wheel --no-isolation python
	@ls python/dist/*.whl
endef

.DEFAULT_GOAL := help
.PHONY: help environments setup demo pictures test test-jvm test-python test-lines test-links test-parity $(OTHERS:%=test-parity-%) link parity switches crashes soak recordings bench docs check format mutants jar publish-local wheel release clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
	  while IFS='|' read -r name text; do printf '  make %-14s %s\n' "$$name" "$$text"; done

environments: $(VENV)/.ready $(OTHER_VENVS)

setup: $(VENV)/.ready $(SBT_JAR) $(S3A) ## install the Python environment, sbt's launcher and S3A (the other targets do this too)

define venv-of-line
$(call venv,$(1))/.ready: python/pyproject.toml Makefile
	$(PYTHON) -m venv $$(@D)
	$$(@D)/bin/python -m pip install --quiet --upgrade pip
	$$(@D)/bin/python -m pip install --quiet --editable 'python[dev,docs]' 'pyspark[connect]==$(PYSPARK_$(1))'
	touch $$@
endef
$(foreach line,$(LINES),$(eval $(call venv-of-line,$(line))))

# Ivy, which PySpark contains, downloads sbt's launcher, so you need not install sbt.
$(SBT_JAR): project/build.properties | $(VENV)/.ready
	mkdir -p .cache
	$(IVY) -dependency org.scala-sbt sbt-launch $(SBT_VERSION) \
	  -retrieve '.cache/[artifact]-[revision].[ext]' -types jar > .cache/ivy.log || { cat .cache/ivy.log; exit 1; }
	@touch $@

# What Spark needs to read s3a://, for the tests.
$(S3A): tests/object_stores/ivy.xml | $(VENV)/.ready
	rm -rf .cache/s3a
	mkdir -p .cache/s3a
	$(IVY) -ivy tests/object_stores/ivy.xml \
	  -retrieve '.cache/s3a/[artifact]-[revision].[ext]' -types jar > .cache/s3a.log || { cat .cache/s3a.log; exit 1; }
	@touch $@

demo: jar ## stream a year of flights, with a restart, compare and count the rows, draw a chart
	$(PY) -m demo

pictures: jar ## make docs/pictures again from real streams; needs `pip install nbconvert ipykernel` and Chromium
	$(PY) -m demo.pictures

test: test-jvm test-python test-links test-parity ## run all tests, and on the other lines those that depend most on Spark

test-jvm: setup ## run the Scala tests
	$(SBT) $(call sbt-project,$(LINE))/test

test-python: publish-local $(OTHER_VENVS) ## run the Python tests with the jar
	PYTHONPATH=tests $(PY) -m support.class_data
	$(PY) -m pytest $(IN_PARALLEL) --junitxml=target/pytest-$(LINE).xml

test-lines: SHARE := 1/1
test-lines: test-parity ## run the Scala tests and the recorded parity scripts on the other lines
	$(SBT) 'all $(foreach line,$(OTHERS),$(call sbt-project,$(line))/test)'

# The tests of the other lines are compiled at the same time, one on each core. Of those with a session, CI runs the few
# whose plans differ between the lines; `make test-lines` runs all.
test-links: setup
	$(SBT) 'all $(foreach line,$(OTHERS),$(call sbt-project,$(line))/Test/compile)' \
	  $(foreach line,$(OTHERS),'$(call sbt-project,$(line))/testOnly io.github.deltasource.bundle.*' \
	    '$(call sbt-project,$(line))/testOnly *DeltaSinkApplyChangesSuite -- -z "only files whose keys" -z "groups of an"')

# The other lines at the same time, one on each core. Every second script runs on one of them; in `make test-lines`, each
# runs on all.
test-parity: publish-local $(OTHER_VENVS)
	printf '%s\n' $(OTHERS) | cat -n | xargs -P 2 -L 1 sh -c '$(MAKE) --no-print-directory --output-sync \
	  test-parity-$$2 SHARE=$(or $(SHARE),$$1/$(words $(OTHERS) $(OTHERS)))' -

$(OTHERS:%=test-parity-%): test-parity-%:
	$(call venv,$*)/bin/python -m pytest --junitxml=target/pytest-$*.xml --share $(or $(SHARE),1/1) \
	  tests/parity/test_parity.py tests/parity/sink -k 'ours_gives_what_stock_gave or ours_makes_the_table'

link: setup ## check that the jar links with the Spark in SPARK, a folder with jars: SPARK=/opt/spark make link
	$(SBT) 'set LocalProject("$(call sbt-project,$(LINE))") / Test / javaOptions += "-Ddeltasource.spark=$(subst $() ,:,$(wildcard $(SPARK)/jars/*.jar))"' \
	  '$(call sbt-project,$(LINE))/testOnly *LinkCheckSuite'

parity: jar $(OTHER_VENVS) ## compare delta-spark and ours on all parity scripts and many random ones; PARITY='--part restarts' for some
	PYTHONPATH=tests $(PY) -m parity $(or $(PARITY),--all)

switches: jar ## run the parity scripts with all optimisations on, all off, and each one off; PARITY='--part restarts' for some
	PYTHONPATH=tests $(PY) -m parity --switches $(PARITY)

crashes: jar ## kill streams repeatedly and check their results; CRASHES='--kills 10' for fewer, '--turns' to alternate with delta-spark
	PYTHONPATH=tests $(PY) -m crashes $(CRASHES)

soak: jar ## run ten streams in one driver, with kills and store faults; HOURS=2, or SOAK='--seed 1'; the report is in target/soak
	PYTHONPATH=tests $(PY) -m soak --hours $(or $(HOURS),2) $(SOAK)

recordings: jar ## record delta-spark's results for all parity scripts again
	PYTHONPATH=tests $(PY) -m parity --update

bench: jar ## measure delta-spark and ours (takes hours); SCALE=small takes minutes, BENCH='commit idle' for some scenarios
	$(PY) -m bench --scale $(or $(SCALE),full) $(BENCH)

# Every warning is an error, such as a link to a page that does not exist.
docs: $(VENV)/.ready ## build the documentation into target/docs/html
	PYTHONPATH=python/src $(PY) -m sphinx --quiet --fail-on-warning --fresh-env \
	  --doctree-dir target/docs/doctrees docs target/docs/html
	@echo target/docs/html/index.html

check: setup ## check formatting, lint, types, layers and style, and that every mutant still applies
	$(SBT) scalafmtCheckAll scalafmtSbtCheck '$(call sbt-project,$(LINE))/testOnly *ArchitectureSuite'
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(PY) -m pyright
	PYTHONPATH=python/src $(VENV)/bin/lint-imports --no-cache
	$(PY) -m pytest --quiet tests/python/contract/test_style.py
	PYTHONPATH=tests $(PY) -m mutants.run --check

format: setup ## format all code
	$(SBT) scalafmtAll scalafmtSbt
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

mutants: setup ## check that the tests catch each mutant; MUTANTS='--part 1/3' for some
	PYTHONPATH=tests $(PY) -m mutants.run $(MUTANTS)

jar: setup ## build the bundle jars of all lines and print their paths
	$(call build-jars,bundle sbom stock)

publish-local: setup ## build the jars, and put the Maven artifacts of all lines into jvm/target/maven
	$(call build-jars,bundle sbom stock publish)

wheel: jar ## build the wheel, which contains the jars, and print its path
	$(build-wheel)

release: setup ## build all files of a release from scratch into target/release, and publish nothing; TAG=v0.1.0, SIGN='gpg ...'
	rm -rf jvm/target/maven
	$(SBT) $(call each-line,clean)
	$(call build-jars,bundle sbom stock publish)
	$(build-wheel)
	$(PY) -m release $(if $(TAG),--tag '$(TAG)') $(if $(SIGN),--sign '$(SIGN)')

clean: ## delete everything built or downloaded
	rm -rf .venv .venv-* .cache target jvm/target bench/jvm/target project/target project/project python/dist python/sboms python/src/deltasource/_jars
