// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.scan

import scala.util.control.NonFatal

import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.actions.{AddFile, DeletionVectorDescriptor, RemoveFile}
import org.apache.spark.sql.delta.deletionvectors.{RoaringBitmapArray, RoaringBitmapArrayFormat, StoredBitmap}
import org.apache.spark.sql.delta.storage.dv.DeletionVectorStore
import org.apache.spark.sql.delta.stream.concurrent.ParallelMap

/** Finds the rows of a file that were deleted or restored when its deletion vector was replaced. */
private[scan] final class DeletionVectorDiff(deltaLog: DeltaLog, fileErrors: DataFileErrors) {
  import DeletionVectorDiff._

  private lazy val store = DeletionVectorStore.createInstance(deltaLog.newDeltaHadoopConf())

  /**
   * Returns the difference for each pair. Reads the deletion vectors on several threads. Fails with
   * `DELTASOURCE_FILE_VACUUMED` if the file of a vector is gone, and with `DELTASOURCE_UNREADABLE_DATA_FILE` if it
   * cannot be read.
   */
  def diff(pairs: Seq[FilePair]): Map[FilePair, Difference] =
    if (pairs.isEmpty) Map.empty
    else ParallelMap(pairs, "deletion-vectors", threads)(pair => pair -> diff(pair)).toMap

  /** Opens the vectors only if there are two: a single one is the difference. */
  private def diff(pair: FilePair): Difference =
    (Option(pair.remove.deletionVector), Option(pair.add.deletionVector)) match {
      case (None, None) => difference(pair, deleted = Nil, restored = Nil)
      case (None, Some(after)) => difference(pair, deleted = Seq(after), restored = Nil)
      case (Some(before), None) => difference(pair, deleted = Nil, restored = Seq(before))
      case (Some(before), Some(after)) =>
        val (rowsBefore, rowsAfter) = (rows(pair, before), rows(pair, after))
        difference(
          pair,
          deleted = inline(minus(rowsAfter, rowsBefore)),
          restored = inline(minus(rowsBefore, rowsAfter)))
    }

  /** Returns the row indexes in a vector. */
  private def rows(pair: FilePair, vector: DeletionVectorDescriptor): RoaringBitmapArray =
    try StoredBitmap.create(vector, deltaLog.dataPath).load(store)
    catch {
      case NonFatal(e) if vector.isOnDisk && DataFileErrors.isReadFailure(e) =>
        throw fileErrors.toException(vector.absolutePath(deltaLog.dataPath), Some(pair.version), e)
    }
}

private[scan] object DeletionVectorDiff {

  /**
   * The actions for a file whose deletion vector was replaced. There is more than one action in a list if
   * there are too many rows for one vector.
   *
   * @param deleted  removes the file, with a vector of just the rows that were deleted
   * @param restored adds the file, with a vector of just the rows that were restored
   */
  final case class Difference(deleted: Seq[RemoveFile], restored: Seq[AddFile])

  private val threads = 8

  private def difference(
      pair: FilePair,
      deleted: Seq[DeletionVectorDescriptor],
      restored: Seq[DeletionVectorDescriptor]
  ): Difference = Difference(
    deleted.map(vector => pair.remove.copy(deletionVector = vector)),
    restored.map(vector => pair.add.copy(deletionVector = vector))
  )

  /**
   * The size of an inline vector, in bytes. Delta passes it to its readers as text, which is a quarter
   * longer and must not exceed 65,535 bytes.
   */
  private val maxInlineBytes = 48 * 1024

  private def minus(rows: RoaringBitmapArray, excluded: RoaringBitmapArray): RoaringBitmapArray = {
    val result = rows.copy()
    result.andNot(excluded)
    result
  }

  /**
   * Returns inline vectors that together contain these rows, each short enough for its descriptor. Returns
   * none if there are no rows.
   */
  def inline(rows: RoaringBitmapArray): Seq[DeletionVectorDescriptor] =
    if (rows.isEmpty) Nil
    else {
      rows.runOptimize()
      val bytes = rows.serializeAsByteArray(RoaringBitmapArrayFormat.Portable)
      if (bytes.length <= maxInlineBytes) Seq(DeletionVectorDescriptor.inlineInLog(bytes, rows.cardinality))
      else {
        val (low, high) = rows.toArray.splitAt((rows.cardinality / 2).toInt)
        Seq(low, high).flatMap(half => inline(RoaringBitmapArray(half.toSeq: _*)))
      }
    }
}
