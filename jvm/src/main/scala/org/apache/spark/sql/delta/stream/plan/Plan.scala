// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import scala.math.Ordering.Implicits._

import org.apache.spark.sql.delta.actions.FileAction

/**
 * One planned stretch of a stream.
 *
 * @param end     how far it reaches, settled
 * @param files   the files it reads, in order
 * @param problem what keeps it from going further; whoever has files to deliver delivers them first
 * @param closing what it ended at
 */
final case class Plan(
    from: Position,
    end: Position,
    files: Vector[PlannedFile],
    problem: Option[Problem],
    closing: Closing = Closing.EndOfTable
) {
  def moved: Boolean = end != from.settled

  /** Never backwards. */
  def reaching(position: Position): Plan = if (position > end) copy(end = position) else this

  def taking(file: PlannedFile, position: Position): Plan = copy(end = position, files = files :+ file)

  def barred(problem: Problem): Plan = copy(problem = Some(problem), closing = Closing.of(problem))

  def closed(closing: Closing): Plan = copy(closing = closing)
}

object Plan {
  def at(from: Position): Plan = Plan(from, from.settled, Vector.empty, None)
}

/** A file on the way, with the version it belongs to. */
final case class PlannedFile(segment: Step.Segment, action: FileAction) {
  def version: Long = segment.version
  def path: String = action.path
}

/** One place on the way, with the file that lies there unless it is a marker. */
final case class Entry(position: Position, file: Option[FileAction])
