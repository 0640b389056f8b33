# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The errors of `deltasource.testing`. They are not in `_errors`: only tests raise them.

DeltaSourceError            the base class of all errors of this package
├── InjectedFailure         `fail_at` made the stream fail in this batch
├── NoCommitError           an operation of a table history made no commit
└── StepError               Spark or Delta refused an operation of a table history
"""

from __future__ import annotations

from deltasource._errors import DeltaSourceError


class InjectedFailure(DeltaSourceError):  # noqa: N818 - an error that the test asked for
    """`fail_at` made the stream fail in this batch.

    Spark raises it as a StreamingQueryException, whose message contains the condition.

    Example:
        >>> from deltasource.testing import InjectedFailure
        >>> InjectedFailure.condition
        'DELTASOURCE_INJECTED_FAILURE'
    """

    condition = "DELTASOURCE_INJECTED_FAILURE"


class NoCommitError(DeltaSourceError):
    """An operation of a table history made no commit.

    Example:
        >>> from deltasource.testing import NoCommitError
        >>> NoCommitError.condition
        'DELTASOURCE_NO_COMMIT'
    """

    condition = "DELTASOURCE_NO_COMMIT"


class StepError(DeltaSourceError):
    """Spark or Delta refused an operation of a table history; `__cause__` is its exception.

    Example:
        >>> from deltasource.testing import StepError
        >>> StepError.condition
        'DELTASOURCE_STEP_FAILED'
    """

    condition = "DELTASOURCE_STEP_FAILED"
