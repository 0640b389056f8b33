// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import scala.annotation.tailrec
import scala.math.Ordering.Implicits._

import org.apache.spark.sql.delta.actions.FileAction
import org.apache.spark.sql.delta.stream.model.{FileList, IndexInVersion, Position, Problem, SplitRule}

/**
 * Plans the batches of a change feed. A version is split only where its [[SplitRule]] allows it. A version
 * that must not be split is admitted as a whole if it fits, or if nothing was admitted before it; otherwise
 * it ends the batch. An exhausted budget also ends the batch, after the version that exhausted it
 * (docs/internals/design/0005-change-feed.md).
 *
 * @param accepts which files belong to the stream; the other files cost nothing
 */
private[stream] final class ChangeFeedPlanner(accepts: FileAction => Boolean) extends Planner {
  import ChangeFeedPlanner.Draft

  /** Plans ranges and batches without limits, where it does not matter how a version may be split. */
  private val unlimitedPlanner = new AppendPlanner(accepts)

  override def acceptsAllFiles: Boolean = accepts == AcceptAllFiles

  override def plan(steps: Iterator[ScanStep], from: Position, budget: Budget): Plan =
    if (budget == Budget.unlimited) unlimitedPlanner.plan(steps, from, budget)
    else planWithinBudget(steps, Draft(Plan.empty(from), budget, nothingAdmitted = true))

  override def planRange(steps: Iterator[ScanStep], from: Position, to: Position): Plan =
    unlimitedPlanner.planRange(steps, from, to)

  override def entries(steps: Iterator[ScanStep], from: Position): Iterator[Either[Problem, ScanEntry]] =
    unlimitedPlanner.entries(steps, from)

  @tailrec
  private def planWithinBudget(steps: Iterator[ScanStep], draft: Draft): Plan =
    if (draft.budget.isExhausted) draft.plan.withEndReason(draft.budget.reachedLimit)
    else if (!steps.hasNext) draft.plan
    else
      steps.next() match {
        case ScanStep.Blocked(problem) => draft.plan.blocked(problem)
        case change: ScanStep.SchemaChange =>
          draft.plan.advancedTo(change.batchEnd(draft.plan.from)).withEndReason(BatchEndReason.SchemaChange)
        case step: ScanStep.VersionFiles =>
          admit(step, draft) match {
            case Right(extended) => planWithinBudget(steps, extended)
            case Left(plan) => plan
          }
      }

  /** Returns the finished plan (Left) if the batch ends before or inside the version. */
  private def admit(step: ScanStep.VersionFiles, draft: Draft): Either[Plan, Draft] = {
    val files = step.filesAfter(draft.plan.from).filter { case (file, _) => accepts(file.action) }
    step.splitRule match {
      case SplitRule.ChangeFiles => admitWhole(files.toVector, sentinels = 0, draft)(identity)
      case SplitRule.Nowhere =>
        val sentinels = if (draft.plan.from < step.at(IndexInVersion.Begin)) 2 else 1
        admitWhole(
          files.toVector,
          sentinels,
          draft)(_.advancedTo(step.at(IndexInVersion.End).normalized))
      case SplitRule.Anywhere =>
        admitOneByOne(files, draft.copy(nothingAdmitted = false))
          .map(_.advancedTo(step.at(IndexInVersion.End).normalized))
    }
  }

  /**
   * Admits all files of a version or none of them.
   *
   * @param sentinels how many sentinels (the beginning and the end of the version) are admitted with the files;
   *                each costs as much as a file
   * @param finish  what to do with the plan after the files were added
   */
  private def admitWhole(files: Vector[(PlannedFile, IndexInVersion)], sentinels: Int, draft: Draft)(
      finish: Plan => Plan
  ): Either[Plan, Draft] = {
    val count = files.size.toLong + sentinels
    val bytes = files.map { case (file, _) => FileList.bytes(file.action) }.sum
    if (count == 0) Right(draft)
    else if (draft.nothingAdmitted || draft.budget.fits(count, bytes)) {
      val plan = files.foldLeft(draft.plan) { case (plan, (file, index)) =>
        plan.withFile(file, file.step.at(index))
      }
      Right(Draft(finish(plan), draft.budget.spend(count, bytes), nothingAdmitted = false))
    } else Left(draft.plan.withEndReason(draft.budget.exceededLimit(count, bytes)))
  }

  @tailrec
  private def admitOneByOne(
      files: Iterator[(PlannedFile, IndexInVersion)],
      draft: Draft): Either[Plan, Draft] =
    if (!files.hasNext) Right(draft)
    else {
      val (file, index) = files.next()
      draft.budget.admit(FileList.bytes(file.action)) match {
        case Some(remaining) =>
          val plan = draft.plan.withFile(file, file.step.at(index))
          admitOneByOne(files, draft.copy(plan = plan, budget = remaining))
        case None => Left(draft.plan.withEndReason(draft.budget.reachedLimit))
      }
    }
}

private[stream] object ChangeFeedPlanner {

  /**
   * A batch while it is being planned.
   *
   * @param budget          the remaining budget
   * @param nothingAdmitted true as long as neither a file nor a sentinel was admitted
   */
  private final case class Draft(plan: Plan, budget: Budget, nothingAdmitted: Boolean) {
    def advancedTo(position: Position): Draft = copy(plan = plan.advancedTo(position))
  }
}
