# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Random row scripts that combine session confs, options and schema changes.

Each leg has its own confs and options, so that a stream may track schemas in one run and continue
over a change without tracking in the next.
"""

import random

from parity.catalogue.schemas import DELTA
from parity.generators import row_scripts
from parity.generators.schema_histories import FEED, HISTORIES, history
from parity.history import Alter, Create, History
from parity.script import Drain, Script, Start, Step, Stop, Trigger

UNSAFE = "streaming.unsafeReadOnIncompatibleColumnMappingSchemaChanges.enabled"
SWITCHES = {
    "streaming.offsetValidation.enabled": "false",
    "streaming.trailingCommitValidation.enabled": "false",
    "changeDataFeed.timestampOutOfRange.enabled": "true",
    "tableFeatures.fastDropFeature.alwaysValidateProtocolInStreaming.enabled": "false",
    "streaming.schemaTracking.enabled": "false",
    "streaming.schemaTracking.mergeConsecutiveSchemaChanges.enabled": "false",
    "streaming.schemaTracking.metadataPathCheck.enabled": "false",
    "streaming.allowSchemaLocationOutsideCheckpointLocation": "true",
    "streaming.ignoreInternalMetadataForSchemaChange.enabled": "false",
    UNSAFE: "true",
    "streaming.unsafeReadOnIncompatibleSchemaChangesDuringStreamStart.enabled": "true",
    "streaming.unsafeReadOnPartitionColumnChanges.enabled": "true",
    "streaming.unsafeReadOnNullabilityChange.enabled": "true",
    "typeWidening.allowTypeChangeStreamingDeltaSource": "false",
    "typeWidening.enableStreamingSchemaTracking": "true",
    "typeWidening.bypassStreamingTypeChangeCheck": "true",
    "loadFileSystemConfigsFromDataFrameOptions": "false",
}
"""Delta's confs that affect a stream, each with a value that is not its default."""

ALLOWED = ("allowSourceColumnRename", "allowSourceColumnDrop", "allowSourceColumnTypeChange")
ALLOWED_BY_CONF = (*ALLOWED, "allowSourceColumnRenameAndDrop")
HASHED = ".ckpt_<hash>"
OFTEN = (
    *(UNSAFE, UNSAFE, UNSAFE),
    "streaming.unsafeReadOnIncompatibleSchemaChangesDuringStreamStart.enabled",
    "streaming.unsafeReadOnNullabilityChange.enabled",
    *("typeWidening.enableStreamingSchemaTracking",) * 2,
    "typeWidening.bypassStreamingTypeChangeCheck",
    "typeWidening.allowTypeChangeStreamingDeltaSource",
    "streaming.schemaTracking.mergeConsecutiveSchemaChanges.enabled",
)
"""The confs about schema changes, which are drawn more often."""


def script(seed: int) -> Script:
    dice = random.Random(f"confs {seed}")
    ops = history(dice.randrange(HISTORIES))
    first = dice.randint(2, len(ops))
    feed = fed(ops[:first]) and dice.random() < 0.5
    return Script(
        name=f"confs {seed}",
        why="made up",
        cites="",
        history=ops[:first],
        options=options(dice, row_scripts.commits(ops[:first]), feed=feed),
        steps=steps(dice, ops[first:], row_scripts.commits(ops)),
    )


def fed(ops: History) -> bool:
    created = ops[0]
    assert isinstance(created, Create)
    if "enableChangeDataFeed" in created.properties:
        return True
    return any(isinstance(op, Alter) and FEED in op.change for op in ops)


def options(dice: random.Random, commits: int, *, feed: bool) -> dict[str, str]:
    """The options of every leg."""
    found = {**dice.choice((*row_scripts.LIMITS, {}, {}, {})), **start(dice, commits)}
    if feed:
        found[dice.choice(("readChangeFeed", "readChangeFeed", "readChangeData"))] = "true"
    if not feed and dice.random() < 0.7:
        found[dice.choice((*row_scripts.POLICIES, "ignoreChanges", "ignoreFileDeletion"))] = "true"
    if dice.random() < 0.08:
        found["excludeRegex"] = "part-00000"
    if dice.random() < 0.08:
        found["failOnDataLoss"] = "false"
    return found


def start(dice: random.Random, commits: int) -> dict[str, str]:
    """As in other scripts, less often from the newest version: the allowed difference about the
    recorded start hides any other."""
    found = row_scripts.start(dice, commits)
    if found.get("startingVersion") == "latest" and dice.random() < 0.7:
        return {"startingVersion": "1"}
    if "startingTimestamp" in found and dice.random() < 0.2:
        return {"startingTimestamp": "2100-01-01"}
    return found


def steps(dice: random.Random, later: History, commits: int) -> tuple[Step, ...]:
    drawn = [dice.choice((*SWITCHES, *OFTEN)) for _ in range(dice.choice((0, 1, 1, 2, 2, 3)))]
    tracked = dice.random() < 0.6
    if tracked and dice.random() < 0.2:
        drawn.append(UNSAFE)
    location = place(dice)

    def begin(_first: bool) -> Start:
        kinds = (Trigger.DEFAULT,) * 7 + (Trigger.AVAILABLE_NOW,) * 2 + (Trigger.ONCE,)
        here = tracked != (dice.random() < 0.2)
        return Start(
            dice.choice(kinds),
            {**(location if here else {}), **known(dice, commits)},
            confs(dice, drawn, commits),
        )

    count = dice.choice((1, 1, 2))
    chances = row_scripts.Chances(read=0.6, forget=0.3, uncommit=0.2, write=0.5)
    found = row_scripts.runs(dice, later, count, begin, step, chances)
    for _ in range(dice.choice((1, 1, 2))):
        found += [begin(False), Drain(), Stop()]
    return tuple(found)


def step(dice: random.Random) -> Step:
    return row_scripts.batches(dice) if dice.random() < 0.6 else Drain()


def place(dice: random.Random) -> dict[str, str]:
    """The schema tracking location, under either name of the option."""
    name = dice.choice(("schemaTrackingLocation", "schemaTrackingLocation", "schemaLocation"))
    outside = dice.random() < 0.08
    found = {name: "<checkpoint>-elsewhere" if outside else "<checkpoint>/schema"}
    if dice.random() < 0.15:
        found["streamingSourceTrackingId"] = "first"
    return found


def known(dice: random.Random, commits: int) -> dict[str, str]:
    """Options that acknowledge schema changes for a run."""
    if dice.random() < 0.5:
        return {}
    names = ALLOWED if dice.random() < 0.4 else dice.sample(ALLOWED, 1)
    return {name: always(dice, commits) for name in names}


def always(dice: random.Random, commits: int) -> str:
    return "always" if dice.random() < 0.7 else str(dice.randrange(1, commits))


def confs(dice: random.Random, drawn: list[str], commits: int) -> dict[str, str]:
    """The confs of a run: the script's, perhaps without some or with another one."""
    names = [name for name in drawn if dice.random() < 0.7]
    if dice.random() < 0.15:
        names.append(dice.choice((*SWITCHES, *OFTEN)))
    found = {DELTA + name: SWITCHES[name] for name in names}
    if dice.random() < 0.15:
        name = f"{DELTA}streaming.{dice.choice(ALLOWED_BY_CONF)}{dice.choice(('', HASHED))}"
        found[name] = always(dice, commits)
    return found
