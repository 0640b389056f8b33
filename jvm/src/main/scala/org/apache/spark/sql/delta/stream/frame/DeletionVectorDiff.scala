// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.frame

import java.io.FileNotFoundException

import scala.util.Try

import org.apache.spark.util.ThreadUtils

import org.apache.spark.sql.delta.actions.{DeletionVectorDescriptor, FileAction}
import org.apache.spark.sql.delta.deletionvectors.{RoaringBitmapArray, RoaringBitmapArrayFormat, StoredBitmap}
import org.apache.spark.sql.delta.storage.dv.DeletionVectorStore
import org.apache.spark.sql.delta.{DeltaErrors, DeltaLog}

/** Which rows of a file were deleted, or came back, when its deletion vector was replaced by another. */
final class DeletionVectorDiff(deltaLog: DeltaLog) {
  import DeletionVectorDiff._

  private lazy val store = DeletionVectorStore.createInstance(deltaLog.newDeltaHadoopConf())

  /**
   * For each pair the file removed with a vector of just the rows deleted, and the file added with one of just those
   * that came back; more than one of a kind where there are too many rows for one vector.
   */
  def of(pairs: Seq[FilePair]): Map[FilePair, Seq[FileAction]] =
    if (pairs.isEmpty) Map.empty
    else
      ThreadUtils
        .parmap(pairs, "deletion-vectors", math.min(pairs.size, threads))(pair => pair -> Try(diff(pair)))
        .map { case (pair, found) => pair -> found.get }
        .toMap

  /** A first vector is all that was deleted, and need not be opened. */
  private def diff(pair: FilePair): Seq[FileAction] =
    (Option(pair.remove.deletionVector), Option(pair.add.deletionVector)) match {
      case (None, None) => Nil
      case (None, Some(deleted)) => Seq(pair.remove.copy(deletionVector = deleted))
      case (Some(restored), None) => Seq(pair.add.copy(deletionVector = restored))
      case (Some(before), Some(after)) =>
        val (old, now) = (rows(before), rows(after))
        inline(minus(now, old)).map(vector => pair.remove.copy(deletionVector = vector)) ++
          inline(minus(old, now)).map(vector => pair.add.copy(deletionVector = vector))
    }

  private def rows(vector: DeletionVectorDescriptor): RoaringBitmapArray =
    try StoredBitmap.create(vector, deltaLog.dataPath).load(store)
    catch {
      case e: FileNotFoundException => throw DeltaErrors.logFileNotFoundExceptionForStreamingSource(e)
    }
}

object DeletionVectorDiff {
  private val threads = 8

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
