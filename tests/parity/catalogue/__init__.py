# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The scripts by part. Those about features that ours lacks: see `parity.unsupported`."""

from parity.catalogue import (
    changes,
    confs,
    features,
    feed,
    feed_stops,
    forms,
    layouts,
    limits,
    loss,
    mapping,
    offsets,
    restarts,
    schema_stops,
    schemas,
    starts,
    tracking,
    tracking_runs,
    vectors,
)
from parity.unsupported import FEED, PENDING, VECTORS

EVERY = {
    "restarts": restarts.SCRIPTS,
    "limits": limits.SCRIPTS,
    "starts": starts.SCRIPTS,
    "changes": changes.SCRIPTS,
    "layouts": layouts.SCRIPTS + forms.SCRIPTS,
    "loss": loss.SCRIPTS,
    "offsets": offsets.SCRIPTS,
    "vectors": vectors.SCRIPTS,
    "schemas": schemas.SCRIPTS + mapping.SCRIPTS + schema_stops.SCRIPTS,
    "tracking": tracking.SCRIPTS + tracking_runs.SCRIPTS,
    "features": features.SCRIPTS,
    "confs": confs.SCRIPTS,
    "feed": feed.SCRIPTS + feed_stops.SCRIPTS,
}
WAITING = {"vectors": VECTORS, "feed": FEED}
PARTS = {name: part for name, part in EVERY.items() if WAITING.get(name) not in PENDING}
SCRIPTS = tuple(script for part in PARTS.values() for script in part)
