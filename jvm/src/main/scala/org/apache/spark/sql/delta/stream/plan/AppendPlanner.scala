// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import scala.annotation.tailrec
import scala.math.Ordering.Implicits._

import org.apache.spark.sql.delta.actions.FileAction

/**
 * Plans batches of a plain stream: file by file, any commit may be cut. The beginnings and ends of versions cost
 * nothing, so a batch that is full still moves past commits without files, up to the next file.
 *
 * @param accepts which files belong to the stream at all (partition predicates); the others cost nothing
 */
final class AppendPlanner(accepts: FileAction => Boolean) extends Planner {
  import AppendPlanner.Admission

  override def acceptsEvery: Boolean = accepts == EveryFile

  override def plan(steps: Iterator[Step], from: Position, budget: Budget): Plan =
    proceed(steps, Plan.at(from), budget, None)

  override def range(steps: Iterator[Step], from: Position, to: Position): Plan =
    proceed(steps, Plan.at(from), Budget.unlimited, Some(to))

  override def entries(steps: Iterator[Step], from: Position): Iterator[Either[Problem, Entry]] =
    steps.flatMap {
      case Step.Barred(problem) => Iterator.single(Left(problem))
      case change: Step.SchemaChange => Iterator.single(Right(Entry(change.from(from), None)))
      case segment: Step.Segment =>
        val begin = Entry(segment.at(Place.Begin), None)
        val files = segment.behind(from).collect {
          case (file, place) if accepts(file.action) => Entry(segment.at(place), Some(file.action))
        }
        val end = Entry(segment.at(Place.End), None)
        (Iterator.single(begin) ++ files ++ Iterator.single(end)).map(Right(_))
    }

  @tailrec
  private def proceed(steps: Iterator[Step], plan: Plan, budget: Budget, to: Option[Position]): Plan =
    if (!steps.hasNext) plan
    else
      steps.next() match {
        case Step.Barred(problem) => plan.barred(problem)
        case change: Step.SchemaChange =>
          plan.reaching(to.fold(change.from(plan.from))(_.min(change.end))).closed(Closing.SchemaChange)
        case segment: Step.Segment =>
          admit(segment.behind(plan.from), segment, plan, budget, to) match {
            case Admission(taken, Some(left)) => proceed(steps, taken, left, to)
            case Admission(taken, None) => taken
          }
      }

  @tailrec
  private def admit(
      files: Iterator[(PlannedFile, Place)],
      segment: Step.Segment,
      plan: Plan,
      budget: Budget,
      to: Option[Position]
  ): Admission =
    if (!files.hasNext) {
      val end = segment.at(Place.End).settled
      val clipped = to.fold(end)(end.min(_))
      Admission(plan.reaching(clipped), Some(budget))
    } else {
      val (file, place) = files.next()
      val position = segment.at(place)
      if (to.exists(_ < position)) Admission(to.fold(plan)(plan.reaching(_)), None)
      else if (!accepts(file.action)) admit(files, segment, plan.reaching(position), budget, to)
      else
        budget.admit(FileList.bytes(file.action)) match {
          case Some(left) => admit(files, segment, plan.taking(file, position), left, to)
          case None => Admission(plan.closed(budget.limit), None)
        }
    }
}

object AppendPlanner {

  /** `left` is none once the batch ends inside the segment. */
  private final case class Admission(plan: Plan, left: Option[Budget])
}
