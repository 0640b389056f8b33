// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.delta.stream.applychanges.Change._

/** Type 2: the history of a key, as rows that do not overlap. */
private[applychanges] object TypeTwo {

  /**
   * A row of history: the key has had these values from `start` until `end`, or has them still.
   *
   * @param values those of the last event of the row, so columns that are not tracked are the newest
   */
  final case class Interval[+S, +R](start: S, end: Option[S], values: R)

  /**
   * What to do for one key.
   *
   * @param removed  rows of the target to remove
   * @param inserted rows to insert
   * @param state    events to remember, because the rows do not show them
   */
  final case class Outcome[S, R, P](
      removed: Seq[(P, Interval[S, R])],
      inserted: Seq[Interval[S, R]],
      state: Seq[Event[S, R]])

  /**
   * Returns what the events of a batch change.
   *
   * @param rows    the key's rows in the target, and where they are
   * @param state   the key's events in the state
   * @param events  the key's events in the batch
   * @param ties    how events with the same sequence are merged
   * @param tracked returns the tracked columns of a row
   * @param continued returns the values of an event that continues a row, from those of the row and of the event
   */
  def fold[S, R, P](
      rows: Seq[(P, Interval[S, R])],
      state: Seq[Event[S, R]],
      events: Seq[Event[S, R]],
      ties: EventSet)(tracked: R => Any, continued: (R, R) => R)(implicit
      order: Ordering[S]): Either[Tie[S, R], Outcome[S, R, P]] =
    for {
      batch <- ties.ordered(events)
      ordered <- ties.ordered(shown(rows.map(_._2), state) ++ batch)
    } yield {
      val all = continuing(ordered)(tracked, continued)
      val history = intervals(all)(tracked)
      val (before, after) = (rows.map(_._2).toSet, history.toSet)
      val known = shown(history, Nil).toSet ++ state
      Outcome(
        removed = rows.filterNot(row => after(row._2)),
        inserted = history.filterNot(before),
        state = all.filterNot(known))
    }

  /**
   * Returns the events that the rows and the state show. If both have an upsert with one sequence, it is that of
   * the state: the row may have later values in columns that are not tracked.
   */
  private def shown[S, R](rows: Seq[Interval[S, R]], state: Seq[Event[S, R]]): Seq[Event[S, R]] = {
    val starts = rows.map(_.start).toSet
    val upserts = rows.map(row => Event(row.start, Upsert(row.values)))
    val deletes = rows.flatMap(_.end).filterNot(starts).map(Event(_, Delete))
    val remembered = state.map(event => event.sequence -> (event.change == Delete)).toSet
    state ++ (upserts ++ deletes).filterNot(event => remembered(event.sequence -> (event.change == Delete)))
  }

  /** Lets each event that continues a row have the values that this row and the event give. */
  private def continuing[S, R](
      events: Seq[Event[S, R]])(tracked: R => Any, continued: (R, R) => R): Seq[Event[S, R]] =
    events.foldLeft(Vector.empty[Event[S, R]]) {
      case (before, Event(sequence, Upsert(newer))) =>
        val values = before.lastOption match {
          case Some(Event(_, Upsert(older))) if tracked(older) == tracked(newer) => continued(older, newer)
          case _ => newer
        }
        before :+ Event(sequence, Upsert(values))
      case (before, event) => before :+ event
    }

  /** Cuts events with distinct, rising sequences into the rows of their history. */
  private def intervals[S, R](events: Seq[Event[S, R]])(tracked: R => Any): Seq[Interval[S, R]] = {
    val (closed, open) = events.foldLeft((Vector.empty[Interval[S, R]], Option.empty[Interval[S, R]])) {
      case ((closed, Some(row)), Event(_, Upsert(values))) if tracked(row.values) == tracked(values) =>
        (closed, Some(row.copy(values = values)))
      case ((closed, open), Event(sequence, Upsert(values))) =>
        (closed ++ open.map(_.copy(end = Some(sequence))), Some(Interval(sequence, None, values)))
      case ((closed, open), Event(sequence, _)) =>
        (closed ++ open.map(_.copy(end = Some(sequence))), None)
    }
    closed ++ open
  }
}
