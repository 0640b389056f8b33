# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The logger of this package."""

from __future__ import annotations

import logging
from typing import Final

LOG: Final = logging.getLogger("deltasource")
