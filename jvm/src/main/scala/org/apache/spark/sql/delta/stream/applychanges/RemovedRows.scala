// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import java.util.UUID

import org.apache.spark.sql.delta.actions.{Action, AddFile, DeletionVectorDescriptor}
import org.apache.spark.sql.delta.deletionvectors.{RoaringBitmapArray, RoaringBitmapArrayFormat, StoredBitmap}
import org.apache.spark.sql.delta.storage.dv.DeletionVectorStore
import org.apache.spark.sql.delta.util.{PathWithFileSystem, Utils => DeltaUtils}
import org.apache.spark.sql.delta.{DeltaLog, Snapshot}

/** Removes rows of files by deletion vectors. */
private[applychanges] final class RemovedRows(snapshot: Snapshot) {

  private val deltaLog: DeltaLog = snapshot.deltaLog
  private val conf = deltaLog.newDeltaHadoopConf()
  private val store = DeletionVectorStore.createInstance(conf)

  /**
   * Returns the actions that remove these rows. Writes one file with the new vectors, and none if all rows of each
   * file are removed.
   *
   * @param removed for each file, the positions of rows that are there
   */
  def actions(removed: Seq[(AddFile, RoaringBitmapArray)]): Seq[Action] = {
    val vectors = removed.map { case (file, rows) => file -> merged(file, rows) }
    val (emptied, rest) = vectors.partition { case (file, vector) =>
      file.numPhysicalRecords.contains(vector.cardinality)
    }
    emptied.map(_._1.remove) ++ (if (rest.isEmpty) Nil else write(rest))
  }

  private def merged(file: AddFile, rows: RoaringBitmapArray): RoaringBitmapArray =
    Option(file.deletionVector).fold(rows) { vector =>
      val all = StoredBitmap.create(vector, deltaLog.dataPath).load(store).copy()
      all.or(rows)
      all
    }

  private def write(vectors: Seq[(AddFile, RoaringBitmapArray)]): Seq[Action] = {
    val id = UUID.randomUUID()
    val prefix = DeltaUtils.getRandomPrefix(DeltaUtils.getRandomPrefixLength(snapshot.metadata))
    val table = PathWithFileSystem.withConf(deltaLog.dataPath, conf)
    val writer = store.createWriter(store.generateFileNameInTable(table, id, prefix))
    try vectors.flatMap { case (file, rows) =>
        rows.runOptimize()
        val range = writer.write(rows.serializeAsByteArray(RoaringBitmapArrayFormat.Portable))
        val vector = DeletionVectorDescriptor.onDiskWithRelativePath(
          id = id,
          randomPrefix = prefix,
          sizeInBytes = range.length,
          cardinality = rows.cardinality,
          offset = Some(range.offset))
        val (add, remove) = file.removeRows(vector, updateStats = true)
        Seq(add, remove)
      }
    finally writer.close()
  }
}
