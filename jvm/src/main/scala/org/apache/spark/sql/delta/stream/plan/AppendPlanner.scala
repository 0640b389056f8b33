// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import scala.annotation.tailrec
import scala.math.Ordering.Implicits._

import org.apache.spark.sql.delta.actions.FileAction
import org.apache.spark.sql.delta.stream.model.{FileList, IndexInVersion, Position, Problem}

/**
 * Plans the batches of an append-only stream. Files are admitted one by one, and any commit may be split. The
 * beginning and end of a version cost nothing, so a full batch still moves past commits without files, up to
 * the next file.
 *
 * @param accepts which files belong to the stream (partition predicates); the other files cost nothing
 */
private[stream] final class AppendPlanner(accepts: FileAction => Boolean) extends Planner {
  import AppendPlanner.Admission

  override def acceptsAllFiles: Boolean = accepts == AcceptAllFiles

  override def plan(steps: Iterator[ScanStep], from: Position, budget: Budget): Plan =
    planSteps(steps, Plan.empty(from), budget, None)

  override def planRange(steps: Iterator[ScanStep], from: Position, to: Position): Plan =
    planSteps(steps, Plan.empty(from), Budget.unlimited, Some(to))

  override def entries(steps: Iterator[ScanStep], from: Position): Iterator[Either[Problem, ScanEntry]] =
    steps.flatMap {
      case ScanStep.Blocked(problem) => Iterator.single(Left(problem))
      case change: ScanStep.SchemaChange => Iterator.single(Right(ScanEntry(change.batchEnd(from), None)))
      case step: ScanStep.VersionFiles =>
        val begin = ScanEntry(step.at(IndexInVersion.Begin), None)
        val files = step.filesAfter(from).collect {
          case (file, index) if accepts(file.action) => ScanEntry(step.at(index), Some(file.action))
        }
        val end = ScanEntry(step.at(IndexInVersion.End), None)
        (Iterator.single(begin) ++ files ++ Iterator.single(end)).map(Right(_))
    }

  @tailrec
  private def planSteps(
      steps: Iterator[ScanStep],
      plan: Plan,
      budget: Budget,
      to: Option[Position]): Plan =
    if (!steps.hasNext) plan
    else
      steps.next() match {
        case ScanStep.Blocked(problem) => plan.blocked(problem)
        case change: ScanStep.SchemaChange =>
          plan.advancedTo(
            to.fold(change.batchEnd(plan.from))(_.min(change.end))).withEndReason(BatchEndReason.SchemaChange)
        case step: ScanStep.VersionFiles =>
          admitFiles(step.filesAfter(plan.from), step, plan, budget, to) match {
            case Admission(extended, Some(remaining)) => planSteps(steps, extended, remaining, to)
            case Admission(extended, None) => extended
          }
      }

  @tailrec
  private def admitFiles(
      files: Iterator[(PlannedFile, IndexInVersion)],
      step: ScanStep.VersionFiles,
      plan: Plan,
      budget: Budget,
      to: Option[Position]
  ): Admission =
    if (!files.hasNext) {
      val end = step.at(IndexInVersion.End).normalized
      val clipped = to.fold(end)(end.min(_))
      Admission(plan.advancedTo(clipped), Some(budget))
    } else {
      val (file, index) = files.next()
      val position = step.at(index)
      if (to.exists(_ < position)) Admission(to.fold(plan)(plan.advancedTo(_)), None)
      else if (!accepts(file.action)) admitFiles(files, step, plan.advancedTo(position), budget, to)
      else
        budget.admit(FileList.bytes(file.action)) match {
          case Some(remaining) =>
            admitFiles(files, step, plan.withFile(file, position), remaining, to)
          case None => Admission(plan.withEndReason(budget.reachedLimit), None)
        }
    }
}

private[stream] object AppendPlanner {

  /**
   * The plan after the files of one version were admitted.
   *
   * @param remaining the remaining budget, or None if the batch ends inside the version
   */
  private final case class Admission(plan: Plan, remaining: Option[Budget])
}
