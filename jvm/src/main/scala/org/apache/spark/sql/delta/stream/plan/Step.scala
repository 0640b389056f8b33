// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

/** What a stream meets next on its way through the log. */
sealed abstract class Step

object Step {

  /** The files of one version: those of the initial snapshot, or those its commit adds to the stream. */
  final case class Segment(version: Long, inSnapshot: Boolean, files: FileList) extends Step {
    def at(place: Place): Position = Position(version, place, inSnapshot)
  }

  /** The way ends here. */
  final case class Barred(problem: Problem) extends Step
}
