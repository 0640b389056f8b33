# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The scripts by name."""

from parity.catalogue import changes, layouts, limits, loss, offsets, restarts, starts

PARTS = {
    "restarts": restarts.SCRIPTS,
    "limits": limits.SCRIPTS,
    "starts": starts.SCRIPTS,
    "changes": changes.SCRIPTS,
    "layouts": layouts.SCRIPTS,
    "loss": loss.SCRIPTS,
    "offsets": offsets.SCRIPTS,
}
SCRIPTS = tuple(script for part in PARTS.values() for script in part)
