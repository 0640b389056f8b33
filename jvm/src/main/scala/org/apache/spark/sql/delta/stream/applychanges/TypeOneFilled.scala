// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.delta.stream.applychanges.Change._

/**
 * Type 1 where a null does not replace a value: each column has its newest value since the key's last delete. The
 * events that a column still has a value of are kept in the state.
 */
private[applychanges] object TypeOneFilled {

  /**
   * What to do for one key.
   *
   * @param removed  rows of the target to remove
   * @param inserted the row to insert
   * @param state    events to remember
   */
  final case class Outcome[S, R, P](
      removed: Seq[P],
      inserted: Option[Event[S, R]],
      state: Seq[Event[S, R]])

  /**
   * Returns what the events of a batch change.
   *
   * @param rows   the key's rows in the target, where they are and what they show; None if it does not count
   * @param state  the key's events in the state
   * @param events the key's events in the batch
   * @param fill   returns a row with its nulls replaced by the values of an older one; None if nothing is replaced
   */
  def fold[S, R, P](
      rows: Seq[(P, Option[Event[S, R]])],
      state: Seq[Event[S, R]],
      events: Seq[Event[S, R]],
      ties: EventSet)(fill: (R, R) => Option[R])(implicit
      order: Ordering[S]): Either[Tie[S, R], Outcome[S, R, P]] =
    for {
      batch <- ties.ordered(events)
      all <- ties.ordered(shown(rows.flatMap(_._2), state) ++ batch)
    } yield {
      val alive = all.reverseIterator.takeWhile(_.change != Delete).toList
      val (row, contributing) = filled(alive)(fill)
      val isSame = rows.map { case (_, shown) => row.nonEmpty && shown == row }
      // The row alone shows the one event that it was made of.
      val needed = if (contributing.sizeIs > 1) contributing else Nil
      val known = state.toSet
      Outcome(
        removed = rows.zip(isSame).collect { case ((position, _), false) => position },
        inserted = row.filterNot(_ => isSame.contains(true)),
        state = (all.findLast(_.change == Delete) ++ needed).filterNot(known).toSeq
      )
    }

  /** A row counts as its event unless the state has that: then the row was filled. */
  private def shown[S, R](rows: Seq[Event[S, R]], state: Seq[Event[S, R]]): Seq[Event[S, R]] = {
    val known = state.collect { case Event(sequence, _: Upsert[R]) => sequence }.toSet
    state ++ rows.filterNot(row => known(row.sequence))
  }

  /** @param newestFirst upserts. Returns the row, and those of them that it has a value of */
  private def filled[S, R](newestFirst: List[Event[S, R]])(
      fill: (R, R) => Option[R]): (Option[Event[S, R]], List[Event[S, R]]) = newestFirst match {
    case (newest @ Event(sequence, Upsert(values))) :: older =>
      val (all, contributing) = older.foldLeft((values, List(newest))) {
        case ((values, contributing), event @ Event(_, Upsert(earlier))) =>
          fill(values, earlier).fold((values, contributing))(_ -> (event :: contributing))
        case (result, _) => result
      }
      (Some(Event(sequence, Upsert(all))), contributing)
    case _ => (None, Nil)
  }
}
