// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import org.apache.spark.sql.functions.{coalesce, col, lit, max_by, struct, udf}
import org.apache.spark.sql.{Column, DataFrame, Dataset}

import org.apache.spark.sql.delta.actions.{AddFile, DeletionVectorDescriptor}
import org.apache.spark.sql.delta.implicits._
import org.apache.spark.sql.delta.stream.CanonicalPath
import org.apache.spark.sql.delta.{DeltaLogFileIndex, Snapshot}

/**
 * The files of a version by replaying its log on the executors, for tables too large for [[LogReplay]] whose log spells
 * the paths of its files in more than one way. Delta partitions its state by the spelling: a file that was removed in
 * another spelling than it was added in stays there if the two fall into different partitions.
 */
private[snapshot] object DistributedReplay {

  /** Only a path that is not relative to the table has other spellings. */
  def isNeeded(snapshot: Snapshot): Boolean =
    !snapshot.stateDF.where(path.rlike("^(/|[A-Za-z][A-Za-z0-9+.-]*:)")).isEmpty

  /** What Delta's state has, but of all spellings of a path only the last, and none if that was removed. */
  def files(snapshot: Snapshot): Dataset[AddFile] = {
    val log = snapshot.deltaLog
    val canonical = CanonicalPath.of(log, log.newDeltaHadoopConf())
    val spelled = udf((path: String) => canonical(path))
    val last = struct(col(DeltaLogFileIndex.COMMIT_VERSION_COLUMN), col("add").isNotNull)
    new Actions(snapshot).all
      .where(path.isNotNull)
      .groupBy(spelled(path), DeletionVectorDescriptor.uniqueIdExpression(vector))
      .agg(max_by(col("add"), last).as("add"))
      .where(col("add").isNotNull)
      .select("add.*")
      .withColumn("path", log.getCanonicalPathUdf()(col("path")))
      .withColumn("dataChange", lit(false))
      .as[AddFile]
  }

  /** The same version, for what it lets only those below it see. */
  private final class Actions(of: Snapshot)
      extends Snapshot(of.path, of.version, of.logSegment, of.deltaLog, of.checksumOpt) {
    def all: DataFrame = loadActions
  }

  private def path: Column = coalesce(col("add.path"), col("remove.path"))

  private def vector: Column = coalesce(col("add.deletionVector"), col("remove.deletionVector"))
}
