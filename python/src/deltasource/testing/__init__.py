# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Helpers for the tests of your own streams; the fixtures are in `deltasource.testing.plugin`."""

from deltasource._testing.drain import drain
from deltasource._testing.errors import InjectedFailure, NoCommitError, StepError
from deltasource._testing.exactly_once import assert_exactly_once
from deltasource._testing.failures import BatchFunction, FailAt, fail_at
from deltasource._testing.recovery import RecoveryResult, replay_last_batch, run_with_failures
from deltasource._testing.session import local_session
from deltasource._testing.step import Step
from deltasource._testing.table_history import TableHistory

__all__ = [
    "BatchFunction",
    "FailAt",
    "InjectedFailure",
    "NoCommitError",
    "RecoveryResult",
    "Step",
    "StepError",
    "TableHistory",
    "assert_exactly_once",
    "drain",
    "fail_at",
    "local_session",
    "replay_last_batch",
    "run_with_failures",
]
