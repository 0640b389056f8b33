# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Every sink script: what a batch does to a table, and why it is refused."""

from parity.sink.catalogue.casts import CASTS
from parity.sink.catalogue.complete import COMPLETE
from parity.sink.catalogue.features import FEATURES
from parity.sink.catalogue.once import ONCE
from parity.sink.catalogue.plain import PLAIN
from parity.sink.catalogue.schema import SCHEMA

SCRIPTS = PLAIN + ONCE + COMPLETE + SCHEMA + CASTS + FEATURES
