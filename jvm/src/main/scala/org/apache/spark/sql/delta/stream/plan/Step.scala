// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import scala.math.Ordering.Implicits._

/** What a stream meets next on its way through the log. */
sealed abstract class Step

object Step {

  /**
   * The files of one version: those of the initial snapshot, or those its commit adds to the stream.
   *
   * @param committed when the version was made, in milliseconds since 1970; only a change feed asks
   */
  final case class Segment(
      version: Long,
      inSnapshot: Boolean,
      files: FileList,
      cut: Cut = Cut.Anywhere,
      committed: CommitTime = CommitTime.unknown
  ) extends Step {
    def at(place: Place): Position = Position(version, place, inSnapshot)

    /** The files that a stream which has come to that position has still to read, each with its place. */
    def behind(position: Position): Iterator[(PlannedFile, Place)] = {
      val first = position.nextFile(version)
      files.from(first).map(PlannedFile(this, _)).zip(Iterator.iterate(first)(_ + 1).map(Place.File(_)))
    }
  }

  /** A version that changes what the stream has to know of the table: a restart goes on with that. */
  final case class SchemaChange(version: Long) extends Step {

    /** Where an empty batch ends that makes the engine commit the one in front of the change. */
    val end: Position = at(Place.AfterSchemaChange)

    /** A batch from there ends in front of the change; behind it there is nowhere to go. */
    def from(position: Position): Position = position.max(at(Place.SchemaChange))

    private def at(place: Place): Position = Position(version, place, inSnapshot = false)
  }

  /** The way ends here. */
  final case class Barred(problem: Problem) extends Step
}
