// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.{DataFrame, SparkSession}

import org.apache.spark.sql.delta.sources.DeltaSourceMetadataTrackingLog
import org.apache.spark.sql.delta.stream.conf.{LogMemoryLimits, PrefetchLimits, StreamSettings}
import org.apache.spark.sql.delta.stream.log.parse.CommitParser
import org.apache.spark.sql.delta.stream.log.{
  CommitFiles,
  DeltaTableLog,
  LatestSnapshot,
  SnapshotFiles,
  TableLog
}
import org.apache.spark.sql.delta.stream.model.StreamErrors
import org.apache.spark.sql.delta.stream.plan.{AppendPlanner, ChangeFeedPlanner, PlannedFile, Planner}
import org.apache.spark.sql.delta.stream.scan.{AppendScan, BatchScan, ChangeFeedScan, PartitionFilter}
import org.apache.spark.sql.delta.stream.schema.{AnalyzedTable, SchemaTracking, TableWithSchema}
import org.apache.spark.sql.delta.{DeltaLog, Snapshot, SnapshotDescriptor}

/**
 * Opens the stream of a table by wiring its parts together.
 *
 * @param snapshot the table when the query was analyzed
 * @param schemas  the schema log, if the stream tracks schemas
 * @param filesOf  returns the files of a version, in the order of an initial snapshot
 */
private[delta] final case class DeltaStreamFactory(
    spark: SparkSession,
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable],
    snapshot: SnapshotDescriptor,
    settings: StreamSettings,
    schemas: Option[DeltaSourceMetadataTrackingLog],
    metadataPath: String,
    filters: Seq[Expression],
    filesOf: Snapshot => SnapshotFiles
) {

  /** The table as the stream reads it. */
  val analyzed: AnalyzedTable = AnalyzedTable.of(snapshot, schemas, settings.schema)

  private val table: SnapshotDescriptor = analyzed.table

  private val tracking =
    SchemaTracking.of(spark, analyzed, schemas, metadataPath, settings.schema, settings.readChangeFeed)

  /** @param chosen a planner to use in tests, instead of the one that the settings select */
  def open(chosen: Option[Planner]): DeltaStream = {
    val errors = new StreamErrors(deltaLog.dataPath.toString)
    new DeltaStream(
      log,
      chosen.getOrElse(planner),
      tracking.schema,
      if (isShared) settings.withoutCaching else settings,
      table.version,
      () => new StartVersionResolver(spark, deltaLog, catalogTable, newest, settings).resolve(),
      memory,
      tracking.tracker,
      errors
    )
  }

  private def log: TableLog = {
    val commits = CommitFiles.of(deltaLog, catalogTable, table)
    new DeltaTableLog(deltaLog, catalogTable, reads, commits, newest, bounds, filesOf)
  }

  /** Selects the file actions of a commit that the stream reads. */
  def reads: CommitParser.FileActionFilter =
    if (settings.readChangeFeed) CommitParser.ChangeFeed else CommitParser.Appends

  /** Returns a batch as a DataFrame. */
  def frame(files: Seq[PlannedFile]): DataFrame = {
    val read = TableWithSchema.of(table, files.map(_.action))
    val frame = if (read eq table) ofTable else frameOf(read)
    frame.of(files)
  }

  /** The scan that nearly all batches use. */
  private lazy val ofTable: BatchScan = frameOf(table)

  private def frameOf(read: SnapshotDescriptor): BatchScan =
    if (settings.readChangeFeed) new ChangeFeedScan(spark, deltaLog, read)
    else new AppendScan(spark, deltaLog, read, settings.excludeRegex)

  /** Files that `excludeRegex` excludes are free in a change feed. Other streams count, then drop them. */
  private def planner: Planner = {
    val inPartitions = PartitionFilter(spark, table.metadata.partitionSchema, filters)
    if (settings.readChangeFeed)
      new ChangeFeedPlanner(file =>
        inPartitions(file) && settings.excludeRegex.forall(_.findFirstIn(file.path).isEmpty))
    else new AppendPlanner(inPartitions)
  }

  private def isShared: Boolean = CommitFiles.areShared(deltaLog)

  private def newest: LatestSnapshot = new LatestSnapshot(deltaLog, catalogTable, settings.listInterval)

  private def bounds: LogMemoryLimits =
    if (settings.reuseLog) settings.memoryLimits
    else settings.memoryLimits.copy(readAhead = PrefetchLimits.none)

  private def memory: InitialOffsetStore =
    if (metadataPath.isEmpty || isShared) InitialOffsetStore.none
    else new CheckpointInitialOffsetStore(spark.sessionState.newHadoopConf(), metadataPath, table.metadata.id)
}
