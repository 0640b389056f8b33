// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.expressions.Expression

import org.apache.spark.sql.delta.coordinatedcommits.CoordinatedCommitsUtils
import org.apache.spark.sql.delta.stream.frame.{AppendFrame, BatchFrame, ChangeFrame}
import org.apache.spark.sql.delta.stream.log.{
  CommitFiles,
  CommitParser,
  CoordinatedCommits,
  DeltaTableLog,
  LogFolder
}
import org.apache.spark.sql.delta.stream.plan.Problem.Feature
import org.apache.spark.sql.delta.stream.plan.{AppendPlanner, ChangeFeedPlanner, Planner, Problem}
import org.apache.spark.sql.delta.stream.schema.StreamSchema
import org.apache.spark.sql.delta.stream.start.{CheckpointStart, StartMemory, StartResolver}
import org.apache.spark.sql.delta.{DeltaLog, NoMapping, SnapshotDescriptor}

/**
 * Opens the stream of a table: refuses what is not served yet, by name, and puts the parts together. The only place
 * that knows all rooms.
 */
final case class StreamDoor(
    spark: SparkSession,
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable],
    table: SnapshotDescriptor,
    settings: StreamSettings,
    tracksSchema: Boolean,
    metadataPath: String,
    filters: Seq[Expression]
) {

  /** @param chosen instead of the one the settings ask for, in tests */
  def open(chosen: Option[Planner]): DeltaStream = {
    val errors = new StreamErrors(table.metadata.id, deltaLog.dataPath.toString)
    unsupported.foreach(feature => throw errors.of(Problem.NotYet(feature, "when the stream was opened")))
    new DeltaStream(
      new DeltaTableLog(spark, deltaLog, catalogTable, settings.driverFiles, reads, commits),
      chosen.getOrElse(planner),
      StreamSchema(table.metadata, table.protocol),
      if (isShared) settings.remembersNothing else settings,
      table.version,
      () => new StartResolver(spark, deltaLog, catalogTable, settings).resolve(),
      memory,
      errors
    )
  }

  /** Which file actions of a commit the stream is made of. */
  def reads: CommitParser.Reads =
    if (settings.readChangeFeed) CommitParser.Changed else CommitParser.Added

  /** How its batches become frames. */
  def frame: BatchFrame =
    if (settings.readChangeFeed) new ChangeFrame(spark, deltaLog, table)
    else new AppendFrame(deltaLog, table, settings.excludeRegex)

  /** A change feed's excluded files cost nothing, a plain stream's are paid for and dropped by its frame. */
  private def planner: Planner = {
    val inPartitions = PartitionPredicate(spark, table.metadata.partitionSchema, filters)
    if (settings.readChangeFeed)
      new ChangeFeedPlanner(file =>
        inPartitions(file) && settings.excludeRegex.forall(_.findFirstIn(file.path).isEmpty))
    else new AppendPlanner(inPartitions)
  }

  /** Delta Sharing writes what it was sent as a log of its own making, and writes it anew when it is sent more. */
  private def isShared: Boolean = deltaLog.logPath.toUri.getScheme == "delta-sharing-log"

  private def commits: CommitFiles =
    if (isShared || table.isCatalogOwned || CoordinatedCommitsUtils.tablePropertiesPresent(table.metadata))
      new CoordinatedCommits(deltaLog, catalogTable)
    else new LogFolder(deltaLog, deltaLog.newDeltaHadoopConf())

  private def memory: StartMemory =
    if (metadataPath.isEmpty || isShared) StartMemory.none
    else new CheckpointStart(spark.sessionState.newHadoopConf(), metadataPath, table.metadata.id)

  private def unsupported: Option[Feature] = Seq(
    tracksSchema -> Feature.SchemaTracking,
    (table.metadata.columnMappingMode != NoMapping) -> Feature.ColumnMapping
  ).collectFirst { case (true, feature) => feature }
}
