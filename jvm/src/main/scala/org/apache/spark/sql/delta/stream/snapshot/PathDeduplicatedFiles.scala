// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import org.apache.spark.sql.functions.{coalesce, col, lit, max_by, struct, udf}
import org.apache.spark.sql.{Column, DataFrame, Dataset}

import org.apache.spark.sql.delta.actions.{AddFile, DeletionVectorDescriptor}
import org.apache.spark.sql.delta.implicits._
import org.apache.spark.sql.delta.stream.model.CanonicalPath
import org.apache.spark.sql.delta.{DeltaLogFileIndex, Snapshot}

/**
 * Lists the files of a version by replaying its log on the executors. This is for tables that are too large
 * for [[LogReplay]] and whose log spells file paths in more than one way. Delta partitions its state by the
 * path as it is spelled: a file that was removed under another spelling than it was added under stays in
 * the state if the two spellings fall into different partitions.
 */
private[snapshot] object PathDeduplicatedFiles {

  /** Returns whether a path is not relative to the table: only such paths have more than one spelling. */
  def isNeeded(snapshot: Snapshot): Boolean =
    !snapshot.stateDF.where(path.rlike("^(/|[A-Za-z][A-Za-z0-9+.-]*:)")).isEmpty

  /**
   * Returns what Delta's state contains, except that a path has one entry for all its spellings: the last
   * one, or none if the last action removes the file.
   */
  def files(snapshot: Snapshot): Dataset[AddFile] = {
    val log = snapshot.deltaLog
    val canonical = CanonicalPath.of(log, log.newDeltaHadoopConf())
    val canonicalPath = udf((path: String) => canonical(path))
    val actionOrder = struct(col(DeltaLogFileIndex.COMMIT_VERSION_COLUMN), col("add").isNotNull)
    new SnapshotActions(snapshot).all
      .where(path.isNotNull)
      .groupBy(canonicalPath(path), DeletionVectorDescriptor.uniqueIdExpression(deletionVector))
      .agg(max_by(col("add"), actionOrder).as("add"))
      .where(col("add").isNotNull)
      .select("add.*")
      .withColumn("path", log.getCanonicalPathUdf()(col("path")))
      .withColumn("dataChange", lit(false))
      .as[AddFile]
  }

  /** The same version, in a subclass because Delta's `loadActions` is protected. */
  private final class SnapshotActions(of: Snapshot)
      extends Snapshot(of.path, of.version, of.logSegment, of.deltaLog, of.checksumOpt) {
    def all: DataFrame = loadActions
  }

  private def path: Column = coalesce(col("add.path"), col("remove.path"))

  private def deletionVector: Column = coalesce(col("add.deletionVector"), col("remove.deletionVector"))
}
