// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import scala.collection.mutable

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.classic.ClassicConversions.castToImpl

import org.apache.spark.sql.delta.deletionvectors.{RoaringBitmapArray, RoaringBitmapArrayFormat}

/**
 * What the actions of a batch amount to.
 *
 * @param removed for each file, the positions of the rows to remove
 * @param counts  how many rows and events there are of each kind
 */
private[applychanges] final case class Summary(
    removed: Map[String, RoaringBitmapArray],
    counts: Summary.Counts)

private[applychanges] object Summary {

  /**
   * @param inserted   rows that are inserted, without those that replace a row
   * @param updated    rows that replace a row
   * @param deleted    rows that are removed, without those that are replaced
   * @param remembered events that the state has to remember
   * @param compared   events to compare with rows of the target
   * @param ignored    events that change nothing
   * @param late       rows among the inserted that may have been deleted by an event that is forgotten
   */
  final case class Counts(
      inserted: Long = 0,
      updated: Long = 0,
      deleted: Long = 0,
      remembered: Long = 0,
      compared: Long = 0,
      ignored: Long = 0,
      late: Long = 0) {

    def written: Long = inserted + updated

    def +(other: Counts): Counts = Counts(
      inserted + other.inserted,
      updated + other.updated,
      deleted + other.deleted,
      remembered + other.remembered,
      compared + other.compared,
      ignored + other.ignored,
      late + other.late
    )
  }

  /**
   * Runs the fold, if its result is not cached yet.
   *
   * @param isLate whether a row that is inserted may have been deleted by an event that is forgotten
   */
  def of(actions: DataFrame, isLate: InternalRow => Boolean): Summary = {
    val parts =
      castToImpl(actions).queryExecution.toRdd.mapPartitions(rows =>
        Iterator(part(rows, isLate))).collect().toSeq
    val removed = parts.flatMap(_._1).groupMapReduce(_._1)(file => RoaringBitmapArray.readFrom(file._2)) {
      (one, other) =>
        one.or(other)
        one
    }
    Summary(removed, parts.map(_._2).fold(Counts())(_ + _))
  }

  /** A bitmap is sent to the driver in its own format. */
  private def part(
      rows: Iterator[InternalRow],
      isLate: InternalRow => Boolean): (Map[String, Array[Byte]], Counts) = {
    val removed = mutable.Map.empty[String, RoaringBitmapArray]
    val counts = rows.foldLeft(Counts()) { (counts, row) =>
      val isUpdate = row.getInt(Records.ChangeOf) == Records.Update
      (row.getInt(Records.Kind): @unchecked) match {
        case Records.Insert if isUpdate => counts.copy(updated = counts.updated + 1)
        case Records.Insert =>
          counts.copy(inserted = counts.inserted + 1, late = counts.late + (if (isLate(row)) 1 else 0))
        case Records.Remove =>
          val positions = removed.getOrElseUpdate(row.getString(Records.File), RoaringBitmapArray())
          // Without deletion vectors there are no positions, only files.
          if (row.getLong(Records.Index) >= 0) positions.add(row.getLong(Records.Index))
          if (isUpdate) counts else counts.copy(deleted = counts.deleted + 1)
        case Records.Remember => counts.copy(remembered = counts.remembered + 1)
        case Records.Compare => counts.copy(compared = counts.compared + 1)
        case Records.Ignore => counts.copy(ignored = counts.ignored + row.getLong(Records.Index))
      }
    }
    (removed.view.mapValues(_.serializeAsByteArray(RoaringBitmapArrayFormat.Portable)).toMap, counts)
  }
}
