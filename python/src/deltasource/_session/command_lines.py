# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The command lines that start Spark with our jar, for messages and for `submit-args`."""

from __future__ import annotations

import hashlib
import os
import shlex
import tempfile
from pathlib import Path

from deltasource._errors import JarError
from deltasource._session import bundle, conf


def restart_advice() -> str:
    """Return how to start Spark with our jar."""
    return (
        f"Start with `spark-submit {submit_flags(bundle.jar_path())} app.py` (`python -m "
        "deltasource submit-args` prints these arguments), where app.py calls "
        "`deltasource.configure(builder)`; or in a new Python process call "
        "`deltasource.configure(builder)` after all other settings of the builder, and before the "
        "first session. In a notebook whose platform has started Spark, call "
        "`deltasource.attach(spark)`: that is enough for streams, not for SQL"
    )


def substituted_flags(jar: Path, other_jars: str | None = None) -> str:
    """Return the arguments of spark-submit for `spark-submit $(python -m deltasource submit-args)`.

    A shell splits what a command printed at white space, and does not read quotes in it. If the
    path of the jar needs quotes, the arguments name a link to the jar in the user's cache.
    """
    path = jar if needs_no_quotes(str(jar)) else _link(jar)
    jars = f"{path},{other_jars}" if other_jars else path
    return f"--jars {jars} --driver-class-path {path}"


def needs_no_quotes(text: str) -> bool:
    """Return whether a shell takes a text as it is."""
    return shlex.quote(text) == text


def submit_flags(jar: Path) -> str:
    """Return the arguments of spark-submit that put a jar first on the class path, quoted."""
    quoted = shlex.quote(str(jar))
    path = quoted if quoted.startswith("'") else f"'{quoted}'"
    return f"--jars {path} --driver-class-path {path}"


def server_arguments(spark: str | None = None) -> str:
    """Return the arguments that start a Connect server of a version of Spark with our jar."""
    settings = {
        conf.EXTENSIONS: conf.with_guard(""),
        conf.CATALOG: conf.DELTA_CATALOG,
        **conf.s3_log_stores({}),
    }
    flags = (f"--conf {key}={value}" for key, value in settings.items())
    return " ".join((submit_flags(bundle.jar_path(spark)), *flags))


def _link(jar: Path) -> Path:
    """Create a link to a jar, in a folder whose path needs no quotes."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = next(
        (
            one
            for one in (cache, Path(tempfile.gettempdir()))
            if one.is_absolute() and needs_no_quotes(str(one))
        ),
        None,
    )
    if folder is None:
        raise JarError(
            f"a shell would split the path of the jar, {jar}, and so it would that of a link in "
            f'{cache}. Run: eval "spark-submit {submit_flags(jar)} app.py"'
        )
    # Each installation has its own link: two environments may have the same version.
    installation = hashlib.sha256(os.fsencode(jar)).hexdigest()[:16]
    link = folder / "deltasource" / installation / jar.name
    link.parent.mkdir(parents=True, exist_ok=True)
    try:
        link.symlink_to(jar)
    except FileExistsError:
        if link.readlink() != jar:
            raise
    return link
