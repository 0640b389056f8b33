// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.architecture.upward.model

/** A planted dependency that the rules forbid. */
final class Uses(val other: io.github.deltasource.architecture.upward.plan.Used)
