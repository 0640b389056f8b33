# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Makes a stream fail in chosen batches, once in each."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, TypeAlias, cast, get_args

from deltasource._errors import ConnectError
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.validation import is_count, validate
from deltasource._testing.errors import InjectedFailure

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BatchFunction: TypeAlias = "Callable[[DataFrame, int], object]"
"""A function for `DataStreamWriter.foreachBatch`: it takes the rows of a batch and its id."""

When: TypeAlias = Literal["before", "after"]

BATCH_ALLOWED: Final = "must be the id of a batch, from 0, or several of them"
FUNCTION_ALLOWED: Final = "must be a function of a DataFrame and a batch id, as foreachBatch takes"
WHEN_ALLOWED: Final = 'must be "before" or "after"'

REMOTE: Final = (
    "fail_at does not work over Spark Connect: there the function of foreachBatch is copied to the "
    "server, and the copy does not remember after a restart that it has failed. Test it with a "
    "classic session, or use replay_last_batch"
)


@with_keyword_hints
def fail_at(
    batch: int | Collection[int], function: BatchFunction, *, when: When = "after"
) -> FailAt:
    """Wrap a function of `foreachBatch` so that the stream fails once in each chosen batch.

    When the query is started again with the same checkpoint, Spark repeats the batch, and the
    function runs for it without a failure. So the rows of a batch that failed "after" the function
    reach it twice: a function that is not idempotent writes them twice.

    Create it once, outside of the function that starts the query: it remembers its failures. Use it
    in one query only, of classic Spark. Over Spark Connect the function runs in another process:
    there `run_with_failures` raises ConnectError, and `DataStreamWriter.foreachBatch` with this
    function fails with PySparkPicklingError, caused by ConnectError.

    Args:
        batch: The id of the batch to fail in, counted from 0 since the checkpoint was new; or
            several of them.
        function: The function that writes a batch.
        when: "after" (the default) fails when the function has written the batch and Spark has not
            recorded that it is done. "before" fails before the function is called.

    Returns:
        The function to pass to `foreachBatch`.

    Raises:
        OptionsError: An argument is invalid.

    Example:
        >>> from deltasource.testing import InjectedFailure, fail_at
        >>> write = fail_at(1, lambda rows, batch: print("wrote batch", batch))
        >>> write(None, 0)
        wrote batch 0
        >>> try:
        ...     write(None, 1)
        ... except InjectedFailure as failure:
        ...     print(failure)
        wrote batch 1
        [DELTASOURCE_INJECTED_FAILURE] fail_at stopped the query after its function, in batch 1
        >>> write(None, 1)
        wrote batch 1
    """
    batches = (batch,) if isinstance(batch, int) else batch
    validate(
        ("batch", batch, _are_batches(batches), BATCH_ALLOWED),
        ("function", function, callable(function), FUNCTION_ALLOWED),
        ("when", when, when in get_args(When), WHEN_ALLOWED),
    )
    return FailAt(frozenset(batches), function, when)


class FailAt:
    """A function for `foreachBatch` that fails once in each chosen batch; `fail_at` creates it.

    Args:
        batches: The ids of the batches.
        function: The function that writes a batch.
        when: Whether to fail "before" or "after" it.

    Example:
        >>> from deltasource.testing import fail_at
        >>> write = fail_at([0, 2], print)
        >>> write.failed, write.pending
        ((), (0, 2))
    """

    def __init__(self, batches: frozenset[int], function: BatchFunction, when: When) -> None:
        self._batches = batches
        self._function = function
        self._when = when
        self._failed: tuple[int, ...] = ()
        self._was_called = False

    @property
    def was_called(self) -> bool:
        """Whether a query has called it."""
        return self._was_called

    @property
    def failed(self) -> tuple[int, ...]:
        """The batches that have failed, in the order in which they failed."""
        return self._failed

    @property
    def pending(self) -> tuple[int, ...]:
        """The batches that are still to fail, sorted."""
        return tuple(sorted(self._batches.difference(self._failed)))

    def __call__(self, rows: DataFrame, batch_id: int) -> None:
        """Call the function for a batch, and fail if it is the turn of this batch."""
        self._was_called = True
        if self._when == "before":
            self._fail_if_due(batch_id)
        self._function(rows, batch_id)
        if self._when == "after":
            self._fail_if_due(batch_id)

    def __reduce__(self) -> NoReturn:
        """Refuse to be copied to another process: the copy would fail again after each restart."""
        raise ConnectError(REMOTE)

    def _fail_if_due(self, batch_id: int) -> None:
        if batch_id not in self.pending:
            return
        self._failed += (batch_id,)
        raise InjectedFailure(
            f"fail_at stopped the query {self._when} its function, in batch {batch_id}"
        )


def _are_batches(batches: Any) -> bool:
    if not isinstance(batches, Collection) or not batches:
        return False
    return all(map(is_count, cast(Collection[object], batches)))
