# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What queries say of themselves: heard, kept and handed on."""
