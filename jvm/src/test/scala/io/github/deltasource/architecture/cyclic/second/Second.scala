// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.architecture.cyclic.second

/** One half of a planted cycle. */
final class Second(val other: Option[io.github.deltasource.architecture.cyclic.first.First])
object Second { def none: Option[io.github.deltasource.architecture.cyclic.first.First] = None }
