// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

/** How the events of one key become a set with one event for each sequence. */
private[applychanges] sealed trait EventSet {

  /** Returns the one change that events of one key and sequence amount to; None if they change nothing. */
  def merge[R](changes: Seq[Change[R]]): Either[(Option[R], Option[R]), Option[Change[R]]]

  /** Returns the events in order of their sequences, each sequence once, or the first tie. */
  final def ordered[S, R](events: Seq[Event[S, R]])(implicit
      order: Ordering[S]): Either[Tie[S, R], Seq[Event[S, R]]] = {
    val merged = EventSet.bySequence(events).map { case (sequence, changes) =>
      merge(changes).left
        .map { case (first, second) => Tie(sequence, first, second) }
        .map(_.map(Event(sequence, _)))
    }
    merged.collectFirst { case Left(tie) => Left(tie) }.getOrElse {
      Right(merged.collect { case Right(Some(event)) => event })
    }
  }
}

private[applychanges] object EventSet {

  import Change._

  /** Events that the user has given a sequence: duplicates count once, and different content is a tie. */
  case object Sequenced extends EventSet {
    override def merge[R](changes: Seq[Change[R]]): Either[(Option[R], Option[R]), Option[Change[R]]] =
      changes.distinct match {
        case Seq(change) => Right(Some(change))
        case different => Left((values(different(0)), values(different(1))))
      }
  }

  /**
   * The changes of a Delta change feed, whose sequence is the version of the commit. Within a version, a row
   * that is inserted or updated replaces one that is deleted. An update that changes nothing, or one that moves a
   * row to another key, shows by its pre-image.
   */
  case object ChangeFeed extends EventSet {
    override def merge[R](changes: Seq[Change[R]]): Either[(Option[R], Option[R]), Option[Change[R]]] = {
      val before = changes.collect { case PreImage(values) => values }.toSet
      val after = changes.collect { case upsert: Upsert[R] => upsert }.distinct
      after.filterNot(upsert => before.contains(upsert.values)) match {
        case Seq(upsert) => Right(Some(upsert))
        case Seq(first, second, _*) => Left((Some(first.values), Some(second.values)))
        case _ if after.nonEmpty => Right(None)
        case _ => Right(Some(Delete))
      }
    }
  }

  private def values[R](change: Change[R]): Option[R] = change match {
    case Upsert(values) => Some(values)
    case PreImage(values) => Some(values)
    case Delete => None
  }

  private def bySequence[S, R](events: Seq[Event[S, R]])(implicit
      order: Ordering[S]): Seq[(S, Seq[Change[R]])] = {
    val groups = Vector.newBuilder[(S, Seq[Change[R]])]
    var rest = events.sortBy(_.sequence)
    while (rest.nonEmpty) {
      val (same, later) = rest.span(event => order.equiv(event.sequence, rest.head.sequence))
      groups += same.head.sequence -> same.map(_.change)
      rest = later
    }
    groups.result()
  }
}
