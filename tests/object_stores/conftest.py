# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""One S3 server for all tests of the run."""

from collections.abc import Iterator

import pytest

from object_stores.store import ObjectStore, local_store


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObjectStore]:
    """Return an object store; each test uses keys of its own."""
    with local_store(tmp_path_factory.mktemp("object-store")) as store:
        yield store
