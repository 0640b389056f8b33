# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a server of Spark Connect, whose classes are out of reach, can be asked about its Delta."""

from __future__ import annotations

from typing import Final

from deltasource._session import bundle, conf
from deltasource.errors import ConnectError, ShadowedError
from deltasource.session import server_arguments
from deltasource.types import SessionLike

_ASKED: Final = f"SELECT reflect('{conf.GUARD}', 'version') AS version"
_NO_CLASS: Final = "DATATYPE_MISMATCH.UNEXPECTED_CLASS_TYPE"


def require_ours(spark: SessionLike) -> None:
    """Raise unless the server has our guard, of this version, and the guard lets queries pass.

    The guard compares the classes of each session as it is made. Its name among the extensions
    alone proves nothing: Spark goes on, with a warning, where it does not find such a class.
    """
    from pyspark.errors import PySparkException

    [extensions] = spark.sql(f"SET {conf.EXTENSIONS}").collect()
    if conf.GUARD not in str(extensions["value"]).split(","):
        raise _without()
    try:
        [answer] = spark.sql(_ASKED).collect()
    except PySparkException as error:
        condition = error.getCondition() or ""
        if condition == ShadowedError.condition:
            raise ShadowedError(str(error).split("\n", 1)[0]) from error
        if condition == _NO_CLASS:
            raise _without() from error
        raise
    version = str(answer["version"])
    if version != bundle.package_version():
        raise ShadowedError(
            f"the server of this session runs deltasource {version}, while this package is "
            f"{bundle.package_version()}: install that version here, or start the server with "
            f"{server_arguments()}"
        )


def _without() -> ConnectError:
    return ConnectError(
        "the server of this session was not started with the jar and the guard of deltasource, and "
        f"it takes no Delta from a client: start it with {server_arguments()}"
    )
