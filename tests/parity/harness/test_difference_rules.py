# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The rules for documented differences in random scripts: what each explains and what not."""

from dataclasses import replace

from parity.generators import conf_scripts
from parity.harness import difference_rules as rules
from parity.harness.schema_conditions import CHANGED, OPTIONS, TRACK
from parity.harness.trace import Batch, Failure, Moment
from parity.history import Create
from parity.log_edits import CleanUp
from parity.script import Drain, Start, Stop, Trigger

SCRIPT = conf_scripts.script(0)


def test_only_the_schema_that_is_named_may_differ_where_a_stream_cannot_begin() -> None:
    """Any other parameter, condition, row or stream is a difference."""

    def trace(condition: str = TRACK, **parameters: str) -> tuple[Moment, ...]:
        pairs = tuple(sorted(parameters.items()))
        return (Moment("", "failed", (), (), (), Failure("run", "", condition, None, pairs, None)),)

    options = {"readChangeFeed": "true", "maxFilesPerTrigger": "1"}
    feed = replace(SCRIPT, options=options, steps=())
    one, other = (trace(readSchema=read, docLink="a") for read in "12")
    assert rules.another_schema(feed, one, other)
    assert not rules.another_schema(replace(feed, options={"readChangeFeed": "true"}), one, other)
    earlier, later = (trace(OPTIONS, version=number, dataSchema=number) for number in "12")
    assert rules.another_schema(feed, earlier, later)
    assert not rules.another_schema(feed, earlier, trace(OPTIONS, version="1", readSchema="1"))
    assert not rules.another_schema(feed, one, trace(readSchema="2", docLink="b"))
    changed = trace(CHANGED, readSchema="1"), trace(CHANGED, readSchema="2")
    assert not rules.another_schema(feed, *changed)


def test_a_change_after_the_bound_of_a_run_explains_only_its_own_failure() -> None:
    """Our AvailableNow run ends at its bound, and both deliver the same rows in the end."""
    steps = (Start(Trigger.AVAILABLE_NOW), Drain(), Stop(), Start(), Drain(), Stop())
    script = replace(SCRIPT, steps=steps)
    rest = Moment("", "over", (), (), (), None)
    came = replace(rest, batches=(Batch(0, ((0,),)),))
    failed = replace(rest, failure=Failure("run", "", CHANGED, None, (), None), state="failed")
    stock, ours = (rest, failed, rest, rest, came, rest), (rest, came, *[rest] * 4)
    assert rules.after_the_bound(script, stock, ours)
    assert not rules.after_the_bound(replace(script, steps=(Start(), *steps[1:])), stock, ours)
    assert not rules.after_the_bound(script, stock, (rest,) * 6)
    assert not rules.after_the_bound(script, (rest, rest, *stock[2:]), ours)
    lost = (rest, replace(came, state="failed"), *[rest] * 4)
    assert not rules.after_the_bound(script, stock, lost)


def test_the_last_batch_of_a_run_may_end_just_before_the_change_after_its_bound() -> None:
    """It then has the same rows as delta-spark's, which ends at the change."""
    script = replace(SCRIPT, steps=(Start(Trigger.AVAILABLE_NOW), Drain(), Stop()))

    def ended(index: int, version: int = 5, *more: int, number: int = 7) -> Moment:
        lines = [f'{{"index":{one},"reservoirVersion":{version}}}' for one in (index, *more)]
        offsets = ((0, "{}"), *enumerate(lines, 1))
        return Moment("", "over", (Batch(1, ((number,),)),), offsets, (), None)

    def explained(stock: Moment, ours: Moment) -> bool:
        failure = Failure("run", "", CHANGED, None, (), None)
        rest = Moment("", "over", (), (), (), None)
        failed = replace(stock, failure=failure, state="failed")
        return rules.after_the_bound(script, (rest, failed, rest), (rest, ours, rest))

    assert explained(ended(-20, 5, -19), ended(-1))
    assert not explained(ended(-20, 5, -19), ended(-1, number=8))
    assert not explained(ended(-20, 5, -19), ended(-1, 4))
    assert not explained(ended(-20, 5, -19), ended(2))
    assert not explained(ended(3), ended(-1))
    assert not explained(ended(-20), ended(-1, 5, -1))


def failing(condition: str | None, kind: str = "") -> Moment:
    return Moment("", "failed", (), (), (), Failure("run", kind, condition, None, (), None))


def test_both_must_fail_over_cleaned_up_commits() -> None:
    """Stock resolves its start again; nothing else explains another condition."""
    cleaned = replace(SCRIPT, history=(Create(), CleanUp(1)), steps=())
    gone, missing = "DELTA_VERSION_NOT_FOUND", "DELTA_MISSING_FILES_UNEXPECTED_VERSION"
    rest = Moment("", "over", (), (), (), None)
    assert rules.lost_start(cleaned, (failing(gone),), (failing(missing),))
    assert not rules.lost_start(cleaned, (failing(gone),), (rest,))
    assert not rules.lost_start(cleaned, (failing(CHANGED),), (failing(missing),))
    kept = replace(cleaned, history=(Create(),))
    assert not rules.lost_start(kept, (failing(gone),), (failing(missing),))


def test_only_a_feed_that_excludes_files_fails_at_a_schema_change_marker() -> None:
    """It must fail with delta-spark's NullPointerException and nothing else."""
    rest = Moment("", "over", (), (), (), None)
    options = {"readChangeFeed": "true", "excludeRegex": "a"}
    feed = replace(SCRIPT, options=options, steps=())
    broken = (failing(None, "java.lang.NullPointerException"),)
    assert rules.excluded_marker(feed, broken, (rest,))
    assert not rules.excluded_marker(feed, (failing(CHANGED),), (rest,))
    for gone in options:
        kept = {name: options[name] for name in options if name != gone}
        assert not rules.excluded_marker(replace(feed, options=kept), broken, (rest,))


def test_a_run_that_resumes_at_a_change_may_only_deliver_more() -> None:
    """Ours delivers rows that delta-spark's run leaves to the next one, or loses."""
    steps = (Start(Trigger.AVAILABLE_NOW), Drain(), Stop())
    script = replace(SCRIPT, steps=steps)
    after = ((0, '{"index":-19,"x":1}'),)
    rest = Moment("", "over", (), after, (), None)
    more = replace(rest, batches=(Batch(1, ((7,),)),), offsets=(*after, (1, "{}")))
    assert rules.past_the_change(script, (rest, rest, rest), (rest, more, rest))
    assert not rules.past_the_change(script, (rest, more, rest), (rest, rest, rest))
    failed_early = replace(rest, offsets=())
    assert not rules.past_the_change(script, (failed_early, rest, rest), (rest, rest, rest))
    plain = replace(script, steps=(Start(), *steps[1:]))
    assert not rules.past_the_change(plain, (rest, rest, rest), (rest, more, rest))


def test_a_bad_commit_of_the_backlog_may_hide_the_schema_at_the_start() -> None:
    """Only in an AvailableNow run, and only the failure may differ."""
    script = replace(SCRIPT, steps=(Start(Trigger.AVAILABLE_NOW), Drain(), Start(), Drain()))
    deleted, changed = failing("DELTA_SOURCE_TABLE_IGNORE_CHANGES"), failing(TRACK)
    stock, ours = (deleted, deleted, changed, changed), (changed,) * 4
    assert rules.bad_backlog(script, stock, ours)
    assert not rules.bad_backlog(script, ours, stock)
    assert not rules.bad_backlog(script, (deleted,) * 4, ours)
    assert not rules.bad_backlog(script, ours, ours)
    delivered = replace(changed, batches=(Batch(0, ((0,),)),))
    assert not rules.bad_backlog(script, stock, (changed, delivered, changed, changed))
    later = [replace(one, offsets=((0, "{}"),)) for one in (deleted, changed)]
    assert not rules.bad_backlog(script, (later[0],) * 2 + stock[2:], (later[1],) * 2 + ours[2:])
