# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Every batch script: which rows a write replaces, why a write is refused, what a read returns."""

from parity.batch.catalogue.feeds import OF_CHANGES
from parity.batch.catalogue.modes import MODES_AND_WAYS
from parity.batch.catalogue.options import WRITTEN
from parity.batch.catalogue.reads import READ
from parity.batch.catalogue.refused import REFUSED, SWITCHED
from parity.batch.catalogue.replace import REPLACED
from parity.batch.catalogue.schema import SCHEMAS
from parity.batch.catalogue.where import PARTIAL

OTHERS = MODES_AND_WAYS + SCHEMAS + PARTIAL + REFUSED + WRITTEN + READ + OF_CHANGES
SCRIPTS = REPLACED + OTHERS
CORE = SWITCHED + tuple(one for one in (*REPLACED[::3], *OTHERS[::12]) if one not in SWITCHED)
"""A sample for pytest: neighbours are alike, and a script takes two seconds."""
