// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

/** What may stay unlinked on this line of Spark alone. */
object LineMisses {
  val all: Seq[AllowedMiss] = Nil
}
