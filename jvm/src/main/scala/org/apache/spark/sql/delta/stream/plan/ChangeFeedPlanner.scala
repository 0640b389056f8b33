// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import scala.annotation.tailrec
import scala.math.Ordering.Implicits._

import org.apache.spark.sql.delta.actions.FileAction

/**
 * Plans batches of a change feed. A version is cut only where its [[Cut]] allows; one that must not be cut is admitted
 * as a whole if it fits or if nothing was admitted before it, and else ends the batch. So does a spent budget, behind
 * the version that spent it (docs/design/0005-change-feed.md).
 *
 * @param accepts which files belong to the stream at all; the others cost nothing
 */
final class ChangeFeedPlanner(accepts: FileAction => Boolean) extends Planner {
  import ChangeFeedPlanner.Draft

  private val everything = new AppendPlanner(accepts)

  override def acceptsEvery: Boolean = accepts == EveryFile

  override def plan(steps: Iterator[Step], from: Position, budget: Budget): Plan =
    if (budget == Budget.unlimited) everything.plan(steps, from, budget)
    else limited(steps, Draft(Plan.at(from), budget, untouched = true))

  override def range(steps: Iterator[Step], from: Position, to: Position): Plan =
    everything.range(steps, from, to)

  override def entries(steps: Iterator[Step], from: Position): Iterator[Either[Problem, Entry]] =
    everything.entries(steps, from)

  @tailrec
  private def limited(steps: Iterator[Step], draft: Draft): Plan =
    if (draft.budget.isExhausted) draft.plan.closed(draft.budget.limit)
    else if (!steps.hasNext) draft.plan
    else
      steps.next() match {
        case Step.Barred(problem) => draft.plan.barred(problem)
        case change: Step.SchemaChange =>
          draft.plan.reaching(change.from(draft.plan.from)).closed(Closing.SchemaChange)
        case segment: Step.Segment =>
          admit(segment, draft) match {
            case Right(longer) => limited(steps, longer)
            case Left(plan) => plan
          }
      }

  /** Left is where the batch ends before or inside the segment. */
  private def admit(segment: Step.Segment, draft: Draft): Either[Plan, Draft] = {
    val files = segment.behind(draft.plan.from).filter { case (file, _) => accepts(file.action) }
    segment.cut match {
      case Cut.ChangeFiles => whole(files.toVector, markers = 0, draft)(identity)
      case Cut.Nowhere =>
        val markers = if (draft.plan.from < segment.at(Place.Begin)) 2 else 1
        whole(files.toVector, markers, draft)(_.reaching(segment.at(Place.End).settled))
      case Cut.Anywhere =>
        oneByOne(files, draft.copy(untouched = false)).map(_.reaching(segment.at(Place.End).settled))
    }
  }

  /** Where markers are admitted with the files, they cost as much as files. */
  private def whole(files: Vector[(PlannedFile, Place)], markers: Int, draft: Draft)(
      ending: Plan => Plan
  ): Either[Plan, Draft] = {
    val count = files.size.toLong + markers
    val bytes = files.map { case (file, _) => FileList.bytes(file.action) }.sum
    if (count == 0) Right(draft)
    else if (draft.untouched || draft.budget.holds(count, bytes)) {
      val plan = files.foldLeft(draft.plan) { case (plan, (file, place)) =>
        plan.taking(file, file.segment.at(place))
      }
      Right(Draft(ending(plan), draft.budget.spend(count, bytes), untouched = false))
    } else Left(draft.plan.closed(draft.budget.limit(count, bytes)))
  }

  @tailrec
  private def oneByOne(files: Iterator[(PlannedFile, Place)], draft: Draft): Either[Plan, Draft] =
    if (!files.hasNext) Right(draft)
    else {
      val (file, place) = files.next()
      draft.budget.admit(FileList.bytes(file.action)) match {
        case Some(left) =>
          val plan = draft.plan.taking(file, file.segment.at(place))
          oneByOne(files, draft.copy(plan = plan, budget = left))
        case None => Left(draft.plan.closed(draft.budget.limit))
      }
    }
}

object ChangeFeedPlanner {

  /** @param untouched nothing was admitted yet, not even a marker */
  private final case class Draft(plan: Plan, budget: Budget, untouched: Boolean) {
    def reaching(position: Position): Draft = copy(plan = plan.reaching(position))
  }
}
