// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.architecture.upward.plan

/** The planted class that `Uses` must not use. */
final class Used
