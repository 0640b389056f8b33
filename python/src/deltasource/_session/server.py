# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Checks which Delta a Spark Connect server uses, through SQL, since its classes are remote."""

from __future__ import annotations

from typing import Final

from deltasource._errors import ConnectError, ShadowedError
from deltasource._session import bundle, conf
from deltasource._session.command_lines import server_arguments
from deltasource._text import first_line
from deltasource._types import SessionLike

_GUARD_VERSION: Final = f"SELECT reflect('{conf.GUARD}', 'version') AS version"
_NO_CLASS: Final = "DATATYPE_MISMATCH.UNEXPECTED_CLASS_TYPE"


def require_our_extension(spark: SessionLike) -> None:
    """Raise unless the server runs our extension, in this version, and it accepts queries.

    The extension checks the classes of each session when the session is created. Its name in the
    setting proves nothing: if Spark does not find the class, it only logs a warning.
    """
    from pyspark.errors import PySparkException

    [extensions] = spark.sql(f"SET {conf.EXTENSIONS}").collect()
    if conf.GUARD not in str(extensions["value"]).split(","):
        raise _not_started_with_our_jar(_spark_version(spark))
    try:
        [answer] = spark.sql(_GUARD_VERSION).collect()
    except PySparkException as error:
        condition = error.getCondition() or ""
        if condition == ShadowedError.condition:
            raise ShadowedError(first_line(error)) from error
        if condition == _NO_CLASS:
            raise _not_started_with_our_jar(_spark_version(spark)) from error
        raise
    version = str(answer["version"])
    if version != bundle.package_version():
        raise ShadowedError(
            f"the Spark Connect server runs deltasource {version}, but this package is "
            f"{bundle.package_version()}: install that version here, or start the server with "
            f"{server_arguments(_spark_version(spark))}"
        )


def _spark_version(spark: SessionLike) -> str:
    [answer] = spark.sql("SELECT version() AS version").collect()
    return str(answer["version"]).split(" ")[0]


def _not_started_with_our_jar(spark: str) -> ConnectError:
    return ConnectError(
        "the Spark Connect server was not started with the jar and the extension of deltasource, "
        f"and it cannot load Delta from a client: start it with {server_arguments(spark)}"
    )
