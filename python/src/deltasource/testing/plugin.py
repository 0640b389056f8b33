# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A pytest plugin with the fixture `delta_session`.

Load it in the root `conftest.py`: `pytest_plugins = ["deltasource.testing.plugin"]`. It does not
load by itself: deltasource is installed for production too, and would then change, and slow down,
every pytest run of that environment. Nothing of Spark is imported until a test uses the fixture.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from deltasource._testing.session import local_session, parse_confs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CONFS = "deltasource_confs"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the ini option `deltasource_confs`."""
    parser.addini(
        CONFS,
        type="linelist",
        help="confs of the fixture delta_session, one in each line: spark.sql.ansi.enabled=false",
    )


@pytest.fixture(scope="session")
def delta_session(pytestconfig: pytest.Config) -> Iterator[SparkSession]:
    """Return a small local session with our jar; see `deltasource.testing.local_session`."""
    with local_session(confs=parse_confs(pytestconfig.getini(CONFS))) as spark:
        yield spark
