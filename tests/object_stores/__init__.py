# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Streams on an object store: S3A against a local S3 server, which counts the requests."""
