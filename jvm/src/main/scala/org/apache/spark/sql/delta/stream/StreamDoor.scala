// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.{DataFrame, SparkSession}

import org.apache.spark.sql.delta.files.DeltaSourceSnapshot
import org.apache.spark.sql.delta.sources.DeltaSourceMetadataTrackingLog
import org.apache.spark.sql.delta.stream.frame.{AppendFrame, BatchFrame, ChangeFrame}
import org.apache.spark.sql.delta.stream.log.{
  CommitFiles,
  CommitParser,
  DeltaTableLog,
  LogBounds,
  NewestSnapshot,
  ReadAhead,
  TableLog
}
import org.apache.spark.sql.delta.stream.plan.{AppendPlanner, ChangeFeedPlanner, PlannedFile, Planner}
import org.apache.spark.sql.delta.stream.schema.{AnalysedTable, ReadTable, Tracking}
import org.apache.spark.sql.delta.stream.start.{CheckpointStart, StartMemory, StartResolver}
import org.apache.spark.sql.delta.{DeltaLog, Snapshot, SnapshotDescriptor}

/**
 * Opens the stream of a table: puts the parts together. The only place that knows all rooms.
 *
 * @param snapshot the table when the query was analysed
 * @param schemas  the log of schemas, if the stream tracks them
 */
final case class StreamDoor(
    spark: SparkSession,
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable],
    snapshot: SnapshotDescriptor,
    settings: StreamSettings,
    schemas: Option[DeltaSourceMetadataTrackingLog],
    metadataPath: String,
    filters: Seq[Expression]
) {

  /** The table as the stream reads it. */
  val analysed: AnalysedTable = AnalysedTable.of(snapshot, schemas, settings.schema)

  private val table: SnapshotDescriptor = analysed.table

  private val tracking =
    Tracking.of(spark, analysed, schemas, metadataPath, settings.schema, settings.readChangeFeed)

  /** @param chosen instead of the one the settings ask for, in tests */
  def open(chosen: Option[Planner]): DeltaStream = {
    val errors = new StreamErrors(deltaLog.dataPath.toString)
    new DeltaStream(
      log,
      chosen.getOrElse(planner),
      tracking.schema,
      if (isShared) settings.remembersNothing else settings,
      table.version,
      () => new StartResolver(spark, deltaLog, catalogTable, newest, settings).resolve(),
      memory,
      tracking.tracker,
      errors
    )
  }

  private def log: TableLog = {
    def filesOf(version: Snapshot) = new DeltaSourceSnapshot(spark, version, Nil, settings.driverFiles)
    val commits = CommitFiles.of(deltaLog, catalogTable, table)
    new DeltaTableLog(deltaLog, catalogTable, reads, commits, newest, bounds, filesOf)
  }

  /** Which file actions of a commit the stream is made of. */
  def reads: CommitParser.Reads =
    if (settings.readChangeFeed) CommitParser.Changed else CommitParser.Added

  /** A batch as a frame. */
  def frame(files: Seq[PlannedFile]): DataFrame = {
    val read = ReadTable.of(table, files.map(_.action))
    val frame = if (read eq table) ofTable else frameOf(read)
    frame.of(files)
  }

  /** For nearly all batches. */
  private lazy val ofTable: BatchFrame = frameOf(table)

  private def frameOf(read: SnapshotDescriptor): BatchFrame =
    if (settings.readChangeFeed) new ChangeFrame(spark, deltaLog, read)
    else new AppendFrame(spark, deltaLog, read, settings.excludeRegex)

  /** A change feed's excluded files cost nothing, a plain stream's are paid for and dropped by its frame. */
  private def planner: Planner = {
    val inPartitions = PartitionPredicate(spark, table.metadata.partitionSchema, filters)
    if (settings.readChangeFeed)
      new ChangeFeedPlanner(file =>
        inPartitions(file) && settings.excludeRegex.forall(_.findFirstIn(file.path).isEmpty))
    else new AppendPlanner(inPartitions)
  }

  private def isShared: Boolean = CommitFiles.areShared(deltaLog)

  private def newest: NewestSnapshot = new NewestSnapshot(deltaLog, catalogTable, settings.listInterval)

  private def bounds: LogBounds =
    if (settings.reuseLog) settings.bounds else settings.bounds.copy(readAhead = ReadAhead.nothing)

  private def memory: StartMemory =
    if (metadataPath.isEmpty || isShared) StartMemory.none
    else new CheckpointStart(spark.sessionState.newHadoopConf(), metadataPath, table.metadata.id)
}
