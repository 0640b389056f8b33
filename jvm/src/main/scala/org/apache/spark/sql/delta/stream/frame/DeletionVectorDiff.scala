// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.frame

import java.io.FileNotFoundException

import org.apache.spark.sql.delta.actions.{AddFile, DeletionVectorDescriptor, RemoveFile}
import org.apache.spark.sql.delta.deletionvectors.{RoaringBitmapArray, RoaringBitmapArrayFormat, StoredBitmap}
import org.apache.spark.sql.delta.storage.dv.DeletionVectorStore
import org.apache.spark.sql.delta.stream.ParallelMap
import org.apache.spark.sql.delta.{DeltaErrors, DeltaLog}

/** Which rows of a file were deleted, or came back, when its deletion vector was replaced by another. */
final class DeletionVectorDiff(deltaLog: DeltaLog) {
  import DeletionVectorDiff._

  private lazy val store = DeletionVectorStore.createInstance(deltaLog.newDeltaHadoopConf())

  def of(pairs: Seq[FilePair]): Map[FilePair, Difference] =
    if (pairs.isEmpty) Map.empty
    else ParallelMap(pairs, "deletion-vectors", threads)(pair => pair -> diff(pair)).toMap

  /** A first vector is all that was deleted, and need not be opened. */
  private def diff(pair: FilePair): Difference =
    (Option(pair.remove.deletionVector), Option(pair.add.deletionVector)) match {
      case (None, None) => difference(pair, deleted = Nil, restored = Nil)
      case (None, Some(after)) => difference(pair, deleted = Seq(after), restored = Nil)
      case (Some(before), None) => difference(pair, deleted = Nil, restored = Seq(before))
      case (Some(before), Some(after)) =>
        val (old, now) = (rows(before), rows(after))
        difference(pair, deleted = inline(minus(now, old)), restored = inline(minus(old, now)))
    }

  private def rows(vector: DeletionVectorDescriptor): RoaringBitmapArray =
    try StoredBitmap.create(vector, deltaLog.dataPath).load(store)
    catch {
      case e: FileNotFoundException => throw DeltaErrors.logFileNotFoundExceptionForStreamingSource(e)
    }
}

object DeletionVectorDiff {

  /**
   * A file whose vector was replaced: removed, with a vector of just the rows deleted, and added, with one of just
   * those that came back; more than once where there are too many rows for one vector.
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

  /** In bytes. Delta hands inline vectors to its readers as texts of at most 65,535 bytes, a quarter longer. */
  private val longest = 48 * 1024

  private def minus(one: RoaringBitmapArray, other: RoaringBitmapArray): RoaringBitmapArray = {
    val rest = one.copy()
    rest.andNot(other)
    rest
  }

  /** Vectors that hold these rows between them, each short enough to travel in its descriptor. */
  def inline(rows: RoaringBitmapArray): Seq[DeletionVectorDescriptor] =
    if (rows.isEmpty) Nil
    else {
      rows.runOptimize()
      val bytes = rows.serializeAsByteArray(RoaringBitmapArrayFormat.Portable)
      if (bytes.length <= longest) Seq(DeletionVectorDescriptor.inlineInLog(bytes, rows.cardinality))
      else {
        val (low, high) = rows.toArray.splitAt((rows.cardinality / 2).toInt)
        Seq(low, high).flatMap(half => inline(RoaringBitmapArray(half.toSeq: _*)))
      }
    }
}
