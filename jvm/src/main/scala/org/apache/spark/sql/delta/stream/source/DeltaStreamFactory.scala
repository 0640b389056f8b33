// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.{DataFrame, SparkSession}

import org.apache.spark.sql.delta.sources.DeltaSourceMetadataTrackingLog
import org.apache.spark.sql.delta.stream.conf.{PrefetchLimits, StreamSettings}
import org.apache.spark.sql.delta.stream.log.parse.CommitParser
import org.apache.spark.sql.delta.stream.log.{
  CommitFinder,
  DeltaTableLog,
  LatestSnapshotProvider,
  SnapshotFiles,
  TableLog
}
import org.apache.spark.sql.delta.stream.model.StreamErrors
import org.apache.spark.sql.delta.stream.plan.{AppendPlanner, ChangeFeedPlanner, PlannedFile, Planner}
import org.apache.spark.sql.delta.stream.scan.{
  AppendScan,
  BatchScan,
  ChangeFeedScan,
  DataFileErrors,
  PartitionFilter
}
import org.apache.spark.sql.delta.stream.schema.{AnalyzedTable, SchemaHandling, TableWithSchema}
import org.apache.spark.sql.delta.{DeltaLog, Snapshot, SnapshotDescriptor}

/**
 * Opens the stream of a table by wiring its parts together.
 *
 * @param snapshot the table when the query was analyzed
 * @param schemaLog  the schema log, if the stream tracks schemaLog
 * @param openFiles  returns the files of a version, in the order of an initial snapshot
 */
private[delta] final case class DeltaStreamFactory(
    spark: SparkSession,
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable],
    snapshot: SnapshotDescriptor,
    settings: StreamSettings,
    schemaLog: Option[DeltaSourceMetadataTrackingLog],
    metadataPath: String,
    filters: Seq[Expression],
    openFiles: Snapshot => SnapshotFiles
) {

  /** The table as the stream reads it. */
  val analyzed: AnalyzedTable = AnalyzedTable.of(snapshot, schemaLog, settings.schema)

  private val table: SnapshotDescriptor = analyzed.table

  private val tracking =
    SchemaHandling.of(spark, analyzed, schemaLog, metadataPath, settings.schema, settings.readChangeFeed)

  /** @param chosen a planner to use in tests, instead of the one that the settings select */
  def open(chosen: Option[Planner]): DeltaStream = {
    val errors = new StreamErrors(deltaLog.dataPath.toString)
    new DeltaStream(
      log,
      chosen.getOrElse(planner),
      tracking.schemaPolicy,
      if (isDeltaSharing) settings.withoutCaching else settings,
      table.version,
      () => new StartVersionResolver(spark, deltaLog, catalogTable, latestSnapshot, settings).resolve(),
      initialOffsets,
      tracking.tracker,
      errors
    )
  }

  private def log: TableLog = {
    val commits = CommitFinder.of(deltaLog, catalogTable, table)
    new DeltaTableLog(
      deltaLog,
      catalogTable,
      fileActionFilter,
      commits,
      latestSnapshot,
      settings.maxInMemoryCommitBytes,
      prefetchLimits,
      openFiles)
  }

  /** Selects the file actions of a commit that the stream reads. */
  def fileActionFilter: CommitParser.FileActionFilter =
    if (settings.readChangeFeed) CommitParser.ChangeFeed else CommitParser.AppendOnly

  /** Returns a batch as a DataFrame. */
  def frame(files: Seq[PlannedFile]): DataFrame = {
    val read = TableWithSchema.withProtocolFor(table, files.map(_.action))
    val scan = if (read eq table) tableScan else scanOf(read)
    scan.frame(files)
  }

  /** The scan that nearly all batches use. */
  private lazy val tableScan: BatchScan = scanOf(table)

  private lazy val fileErrors: DataFileErrors = DataFileErrors.of(spark, deltaLog)

  private def scanOf(read: SnapshotDescriptor): BatchScan =
    if (settings.readChangeFeed) new ChangeFeedScan(spark, deltaLog, read, fileErrors)
    else new AppendScan(spark, deltaLog, read, settings.excludeRegex, fileErrors)

  /** Files that `excludeRegex` excludes are free in a change feed. Other streams count, then drop them. */
  private def planner: Planner = {
    val inPartitions = PartitionFilter(spark, table.metadata.partitionSchema, filters)
    if (settings.readChangeFeed)
      new ChangeFeedPlanner(file =>
        inPartitions(file) && settings.excludeRegex.forall(_.findFirstIn(file.path).isEmpty))
    else new AppendPlanner(inPartitions)
  }

  private def isDeltaSharing: Boolean = CommitFinder.isDeltaSharingLog(deltaLog)

  private def latestSnapshot: LatestSnapshotProvider =
    new LatestSnapshotProvider(deltaLog, catalogTable, settings.listInterval)

  private def prefetchLimits: PrefetchLimits =
    if (settings.reuseLog) settings.prefetchLimits else PrefetchLimits.none

  private def initialOffsets: InitialOffsetStore =
    if (metadataPath.isEmpty || isDeltaSharing) InitialOffsetStore.none
    else new CheckpointInitialOffsetStore(spark.sessionState.newHadoopConf(), metadataPath, table.metadata.id)
}
