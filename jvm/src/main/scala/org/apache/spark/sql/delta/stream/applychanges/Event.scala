// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

/**
 * A change of one key.
 *
 * @tparam S the type of its sequence
 * @tparam R the values of a row, without the columns that we add. Two rows are the same if they are equal
 */
private[applychanges] final case class Event[+S, +R](sequence: S, change: Change[R])

/** What an event does to its key. */
private[applychanges] sealed trait Change[+R]

private[applychanges] object Change {

  /** The key has these values from here on. */
  final case class Upsert[+R](values: R) extends Change[R]

  /** The key has no row from here on. */
  case object Delete extends Change[Nothing]

  /** A change feed says that the key had these values before a version updated its row. */
  final case class PreImage[+R](values: R) extends Change[R]
}

/**
 * Two events of one key with the same sequence and different content.
 *
 * @param first and `second` are the values of their rows; None for a delete
 */
private[applychanges] final case class Tie[+S, +R](sequence: S, first: Option[R], second: Option[R])
