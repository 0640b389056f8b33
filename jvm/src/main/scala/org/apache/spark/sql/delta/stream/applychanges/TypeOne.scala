// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.delta.stream.applychanges.Change._

/** A row of the target: its sequence, unless it was not written by us, and where it is. */
private[applychanges] final case class StoredRow[+S, +P](sequence: Option[S], position: P)

/** Type 1: a key has the row of its last event, or none if that is a delete. */
private[applychanges] object TypeOne {

  /**
   * What to do for one key.
   *
   * @param removed    rows of the target to remove
   * @param inserted   the row to insert: its sequence and values
   * @param tombstone  a delete to remember
   * @param duplicates rows of the target that an event of the batch repeats, or contradicts: both have the same
   *                   sequence, and the row's values have not been read
   * @param ignored    how many events of the batch came too late to change anything, or were known
   */
  final case class Outcome[+S, +R, +P](
      removed: Seq[P] = Nil,
      inserted: Option[Event[S, R]] = None,
      tombstone: Option[S] = None,
      duplicates: Seq[(P, R)] = Nil,
      ignored: Int = 0)

  /**
   * Returns what the events of a batch change.
   *
   * @param rows       the key's rows in the target
   * @param tombstones the key's deletes in the state
   * @param events     the key's events in the batch
   * @param ties       how events with the same sequence are merged
   */
  def fold[S, R, P](
      rows: Seq[StoredRow[S, P]],
      tombstones: Seq[S],
      events: Seq[Event[S, R]],
      ties: EventSet)(implicit order: Ordering[S]): Either[Tie[S, R], Outcome[S, R, P]] =
    ties.ordered(events).flatMap { ordered =>
      val tombstone = tombstones.maxOption
      // If a process died between its two commits, the target still has rows that its state has deleted.
      val (deleted, live) =
        rows.partition(_.sequence.exists(sequence => tombstone.exists(order.gt(_, sequence))))
      val newest = live.flatMap(_.sequence).maxOption
      val stale = Outcome[S, R, P](removed = deleted.map(_.position), ignored = ordered.size)
      ordered.lastOption match {
        case Some(Event(sequence, change)) if !(newest ++ tombstone).exists(order.gt(_, sequence)) =>
          val removed = rows.map(_.position)
          val isKnownRow = newest.exists(order.equiv(_, sequence))
          val isKnownDelete = tombstone.exists(order.equiv(_, sequence))
          (change, ties) match {
            case (Delete, EventSet.Sequenced) if isKnownRow => Left(Tie(sequence, None, None))
            case (Delete, _) if isKnownRow => Right(stale)
            case (Delete, _) if isKnownDelete && removed.isEmpty => Right(stale)
            case (Delete, _) => Right(Outcome(removed, tombstone = Option.when(!isKnownDelete)(sequence)))
            case (Upsert(values), EventSet.Sequenced) if isKnownDelete =>
              Left(Tie(sequence, Some(values), None))
            case (Upsert(values), _) if isKnownRow =>
              val same = live.filter(_.sequence.exists(order.equiv(_, sequence)))
              Right(stale.copy(duplicates = same.map(_.position -> values)))
            case (upsert, _) => Right(Outcome(removed, inserted = Some(Event(sequence, upsert))))
          }
        case _ => Right(stale)
      }
    }
}
