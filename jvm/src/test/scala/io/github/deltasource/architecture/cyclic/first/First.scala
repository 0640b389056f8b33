// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.architecture.cyclic.first

/** One half of a planted cycle. */
final class First(val other: io.github.deltasource.architecture.cyclic.second.Second)
