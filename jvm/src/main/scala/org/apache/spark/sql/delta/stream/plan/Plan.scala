// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import scala.math.Ordering.Implicits._

import org.apache.spark.sql.delta.actions.FileAction
import org.apache.spark.sql.delta.stream.model.{Position, Problem}

/**
 * A planned batch.
 *
 * @param from    where the batch starts, exclusive
 * @param end     where the batch ends, inclusive, in the form that is stored (see `Position.normalized`)
 * @param files   the files to read, in order
 * @param problem why the batch cannot go further; a caller with files to deliver delivers them first
 * @param endReason why the batch ends where it does
 */
private[delta] final case class Plan(
    from: Position,
    end: Position,
    files: Vector[PlannedFile],
    problem: Option[Problem],
    endReason: BatchEndReason = BatchEndReason.EndOfTable
) {

  /** True if the batch advances the stream, even if it has no files. */
  def advances: Boolean = end != from.normalized

  /** Moves the end to `position`, never backwards. */
  def advancedTo(position: Position): Plan = if (position > end) copy(end = position) else this

  /** Appends a file and moves the end to its position. */
  def withFile(file: PlannedFile, position: Position): Plan = copy(end = position, files = files :+ file)

  /** Ends the batch because of a problem. */
  def blocked(problem: Problem): Plan = copy(problem = Some(problem), endReason = BatchEndReason.of(problem))

  /** Sets the reason why the batch ends. */
  def withEndReason(endReason: BatchEndReason): Plan = copy(endReason = endReason)
}

private[delta] object Plan {

  /** Returns an empty batch that starts at `from`. */
  def empty(from: Position): Plan = Plan(from, from.normalized, Vector.empty, None)
}

/** A file to read, with the version that it belongs to. */
private[stream] final case class PlannedFile(step: ScanStep.VersionFiles, action: FileAction) {
  def version: Long = step.version
  def path: String = action.path
}

/** One scanned position with its file. Without a file it is a sentinel, such as the end of a version. */
private[delta] final case class ScanEntry(position: Position, file: Option[FileAction])

/**
 * Why a planned batch ends where it does. The end of the initial snapshot is not a reason, because a batch
 * continues from it into the commits that follow.
 */
private[stream] sealed abstract class BatchEndReason

private[stream] object BatchEndReason {

  /** maxFilesPerTrigger was reached. */
  case object MaxFiles extends BatchEndReason

  /** maxBytesPerTrigger was reached. */
  case object MaxBytes extends BatchEndReason

  /** The version after the batch changes the schema or other metadata that the stream depends on. */
  case object SchemaChange extends BatchEndReason

  /** The version after the batch cannot be read, or is refused. */
  case object Failure extends BatchEndReason

  /** The run ends here. */
  case object EndOfRun extends BatchEndReason

  /** The table has no newer data. */
  case object EndOfTable extends BatchEndReason

  /** Returns the reason for a batch that ends before a problem. */
  def of(problem: Problem): BatchEndReason = problem match {
    case _: Problem.SchemaChanged | _: Problem.NonAdditiveChange => SchemaChange
    case _ => Failure
  }
}
