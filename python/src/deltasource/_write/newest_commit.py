# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Whether the newest commit of a target is whole.

With a checksum file of the table, Delta does not read that commit, and would write the next one.
Afterwards the table could not be read, and the damaged commit would not be the newest any more.
"""

from __future__ import annotations

import json
from typing import Final

from deltasource._checkpoint.commit import damaged, empty
from deltasource._checkpoint.hadoop_path import HadoopPath
from deltasource._checkpoint.offset_log import checksum_differs
from deltasource._session.checksum_error import ChecksumError
from deltasource._text import short_repr

_LOG: Final = "_delta_log"
_END: Final = 64 * 1024
"""How many bytes of a commit are read, which may be very large: a writer that fails leaves an end
that is not whole."""


def require_whole(table: HadoopPath, version: int) -> None:
    """Raise CommitError if the end of a commit is damaged, EmptyCommitError if it has no action.

    Nothing is checked if the file does not exist, as after a checkpoint of the table, or if the
    file system fails: the query reports that.
    """
    file = table / _LOG / f"{version:020}.json"
    try:
        end = file.read_end(_END)
    except ChecksumError:
        raise damaged(file, version, checksum_differs(file)) from None
    except OSError:
        return
    lines = end.strip().rsplit(b"\n", 1)
    last = lines[-1]
    if not last:
        raise empty(file, version)
    is_part = len(lines) == 1 and len(end) == _END
    if not (last.endswith(b"}") if is_part else _is_action(last)):
        why = f"its last line is truncated or not JSON: {short_repr(last.decode(errors='replace'))}"
        raise damaged(file, version, why)


def _is_action(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
