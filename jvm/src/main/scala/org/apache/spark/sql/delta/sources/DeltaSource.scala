// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.sql.Timestamp
import java.util.Optional
import java.util.concurrent.atomic.{AtomicBoolean, AtomicReference}

import scala.jdk.CollectionConverters._
import scala.jdk.OptionConverters._

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.connector.read.streaming
import org.apache.spark.sql.connector.read.streaming.{ReadLimit, ReportsSourceMetrics}
import org.apache.spark.sql.execution.streaming.Offset
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.{DataFrame, SparkSession}

import org.apache.spark.sql.delta.actions.Action
import org.apache.spark.sql.delta.files.DeltaSourceSnapshot
import org.apache.spark.sql.delta.storage.{ClosableIterator, SupportsRewinding}
import org.apache.spark.sql.delta.stream.conf.{ReadLimits, StreamSettings}
import org.apache.spark.sql.delta.stream.datasource.OffsetReader
import org.apache.spark.sql.delta.stream.log.UnreadableLogFile
import org.apache.spark.sql.delta.stream.log.parse.{CommitParser, RewindableActions}
import org.apache.spark.sql.delta.stream.model.{Position, PositionCodec}
import org.apache.spark.sql.delta.stream.plan.{Budget, Planner}
import org.apache.spark.sql.delta.stream.source.{DeltaStream, DeltaStreamFactory, StartVersionResolver}
import org.apache.spark.sql.delta.{DeltaLog, DeltaOptions, SingleCommit, SnapshotDescriptor}

/**
 * The streaming source of a Delta table: Spark's interface, Delta's offsets and the documented members, all
 * of them views of one `DeltaStream`. The decisions are made in the packages of `stream`.
 *
 * Two sources are equal only if they are the same object: the engine keys its maps by source.
 *
 * @param catalogTableOpt      the catalog's entry of the table, if it was read by name
 * @param snapshotAtSourceInit the table the stream was analyzed with
 * @param metadataPath         the source's own folder in the checkpoint
 * @param metadataTrackingLog  the schema log, if the stream tracks schemas
 * @param filters              partition predicates that select the files; the file indexes count all files
 * @param planner              a planner to use in tests, instead of the one that the options select
 */
final class DeltaSource private[delta] (
    spark: SparkSession,
    deltaLog: DeltaLog,
    catalogTableOpt: Option[CatalogTable],
    override protected val options: DeltaOptions,
    val snapshotAtSourceInit: SnapshotDescriptor,
    val metadataPath: String,
    metadataTrackingLog: Option[DeltaSourceMetadataTrackingLog],
    filters: Seq[Expression],
    planner: Option[Planner]
) extends DeltaSourceBase
    with DeltaSourceCDCSupport
    with ReportsSourceMetrics
    with Logging {

  /** The signature of delta-spark 4.4.0. */
  def this(
      spark: SparkSession,
      deltaLog: DeltaLog,
      catalogTableOpt: Option[CatalogTable],
      options: DeltaOptions,
      snapshotAtSourceInit: SnapshotDescriptor,
      metadataPath: String,
      metadataTrackingLog: Option[DeltaSourceMetadataTrackingLog] = None,
      filters: Seq[Expression] = Nil
  ) =
    this(
      spark,
      deltaLog,
      catalogTableOpt,
      options,
      snapshotAtSourceInit,
      metadataPath,
      metadataTrackingLog,
      filters,
      planner = None
    )

  /** The documented overloads. */
  def this(
      spark: SparkSession,
      deltaLog: DeltaLog,
      options: DeltaOptions,
      snapshotAtSourceInit: SnapshotDescriptor,
      metadataPath: String,
      metadataTrackingLog: Option[DeltaSourceMetadataTrackingLog],
      filters: Seq[Expression]
  ) =
    this(spark, deltaLog, None, options, snapshotAtSourceInit, metadataPath, metadataTrackingLog, filters)

  def this(
      spark: SparkSession,
      deltaLog: DeltaLog,
      options: DeltaOptions,
      snapshotAtSourceInit: SnapshotDescriptor,
      metadataPath: String,
      metadataTrackingLog: Option[DeltaSourceMetadataTrackingLog]
  ) =
    this(spark, deltaLog, options, snapshotAtSourceInit, metadataPath, metadataTrackingLog, Nil)

  def this(
      spark: SparkSession,
      deltaLog: DeltaLog,
      options: DeltaOptions,
      snapshotAtSourceInit: SnapshotDescriptor,
      metadataPath: String
  ) =
    this(spark, deltaLog, options, snapshotAtSourceInit, metadataPath, None)

  /** The oldest documented overloads: the log's snapshot, no checkpoint folder and no schema log. */
  def this(spark: SparkSession, deltaLog: DeltaLog, options: DeltaOptions, filters: Seq[Expression]) =
    this(spark, deltaLog, options, deltaLog.unsafeVolatileSnapshot, "", None, filters)

  def this(spark: SparkSession, deltaLog: DeltaLog, options: DeltaOptions) =
    this(spark, deltaLog, options, Nil)

  private val settings = StreamSettings(options, spark.sessionState.conf)
  override protected val tableId: String = snapshotAtSourceInit.metadata.id

  private val factory = DeltaStreamFactory(
    spark,
    deltaLog,
    catalogTableOpt,
    snapshotAtSourceInit,
    settings,
    metadataTrackingLog,
    metadataPath,
    filters,
    openFiles = new DeltaSourceSnapshot(spark, _, Nil, settings.maxFilesOnDriver)
  )

  private val opened = new AtomicReference(Option.empty[DeltaStream])

  /** Opens the stream at first use, so a source that was never used has nothing to stop. */
  override protected def stream: DeltaStream = opened.get.getOrElse {
    val stream = factory.open(planner)
    opened.set(Some(stream))
    stream
  }

  override protected def fileActionFilter: CommitParser.FileActionFilter = factory.fileActionFilter

  override def schema: StructType = factory.analyzed.readSchema(spark, options.readChangeFeed)

  override def getDefaultReadLimit: ReadLimit = settings.limits.requestedLimit

  override def prepareForTriggerAvailableNow(): Unit = stream.prepareForAvailableNow()

  override def getOffset: Option[Offset] =
    throw new UnsupportedOperationException(
      "latestOffset(Offset, ReadLimit) should be called instead of this method"
    )

  override def latestOffset(startOffset: streaming.Offset, limit: ReadLimit): streaming.Offset = {
    val start = Option(startOffset).map(toDeltaSourceOffset)
    stream.idleWait.await()
    val end = namingLogFiles(stream.progress.planning {
      stream.latestOffset(start.map(PositionCodec.position), settings.limits.budget(limit))
    }).map(PositionCodec.offset(tableId, _))
    for (from <- start; to <- end if settings.validateOffsets) DeltaSourceOffset.validateOffsets(from, to)
    logDebug(s"previousOffset -> currentOffset: ${start.orNull} -> ${end.orNull}")
    end.orNull
  }

  override def getBatch(start: Option[Offset], end: Offset): DataFrame = {
    logDebug(s"start: $start end: $end")
    val to = positionOf(end)
    namingLogFiles(stream.progress.building(frame(stream.batchStart(start.map(positionOf), to), to)))
  }

  private def namingLogFiles[A](readLog: => A): A =
    UnreadableLogFile.naming(deltaLog.newDeltaHadoopConf())(readLog)

  private def positionOf(offset: streaming.Offset): Position =
    PositionCodec.position(toDeltaSourceOffset(offset))

  private def frame(from: Position, to: Position): DataFrame = factory.frame(stream.files(from, to))

  /** Returns the end of the latest version seen, or null. It may be beyond what one batch may read. */
  override def reportLatestOffset(): streaming.Offset =
    opened.get.flatMap(_.progress.latestKnown).map(PositionCodec.offset(tableId, _)).orNull

  /** Reports nothing for an unreadable offset: the call that needs the offset fails, not the metrics. */
  override def metrics(latestConsumedOffset: Optional[streaming.Offset]): java.util.Map[String, String] = {
    val consumed = latestConsumedOffset.toScala.map(OffsetReader.tryParse(tableId, metadataPath, _))
    val known = for {
      stream <- opened.get.toSeq
      metric <- consumed match {
        case Some(Left(_)) => Nil
        case Some(Right(offset)) => stream.progress.metrics(Some(PositionCodec.position(offset)))
        case None => stream.progress.metrics(None)
      }
      text <- metric.text
    } yield metric.name -> text
    known.toMap.asJava
  }

  override def commit(end: Offset): Unit = stream.commit(positionOf(end))

  override def stop(): Unit = opened.get.foreach(_.stop())

  override def toString: String = s"DeltaSource[${deltaLog.dataPath}]"

  /** Converts an offset of this table from any form that the engine or another source of ours uses. */
  def toDeltaSourceOffset(offset: streaming.Offset): DeltaSourceOffset =
    OffsetReader.parse(tableId, metadataPath, offset)

  override def createDataFrameBetweenOffsets(
      startVersion: Long,
      startIndex: Long,
      isInitialSnapshot: Boolean,
      startOffset: Option[DeltaSourceOffset],
      endOffset: DeltaSourceOffset
  ): DataFrame =
    getFileChangesAndCreateDataFrame(startVersion, startIndex, isInitialSnapshot, endOffset)

  override def getFileChangesAndCreateDataFrame(
      startVersion: Long,
      startIndex: Long,
      isInitialSnapshot: Boolean,
      endOffset: DeltaSourceOffset
  ): DataFrame =
    frame(position(startVersion, startIndex, isInitialSnapshot), PositionCodec.position(endOffset))

  override def getCDCFileChangesAndCreateDataFrame(
      startVersion: Long,
      startIndex: Long,
      isInitialSnapshot: Boolean,
      endOffset: DeltaSourceOffset
  ): DataFrame =
    getFileChangesAndCreateDataFrame(startVersion, startIndex, isInitialSnapshot, endOffset)
}

object DeltaSource {

  /** The signature of delta-spark 4.4.0. */
  def apply(
      spark: SparkSession,
      deltaLog: DeltaLog,
      catalogTableOpt: Option[CatalogTable],
      options: DeltaOptions,
      snapshotAtSourceInit: SnapshotDescriptor,
      metadataPath: String,
      metadataTrackingLog: Option[DeltaSourceMetadataTrackingLog] = None,
      filters: Seq[Expression] = Nil
  ): DeltaSource =
    new DeltaSource(
      spark,
      deltaLog,
      catalogTableOpt,
      options,
      snapshotAtSourceInit,
      metadataPath,
      metadataTrackingLog,
      filters
    )

  /** The documented overloads. */
  def apply(
      spark: SparkSession,
      deltaLog: DeltaLog,
      options: DeltaOptions,
      snapshotAtSourceInit: SnapshotDescriptor,
      metadataPath: String,
      metadataTrackingLog: Option[DeltaSourceMetadataTrackingLog],
      filters: Seq[Expression]
  ): DeltaSource =
    new DeltaSource(
      spark,
      deltaLog,
      options,
      snapshotAtSourceInit,
      metadataPath,
      metadataTrackingLog,
      filters
    )

  def apply(
      spark: SparkSession,
      deltaLog: DeltaLog,
      options: DeltaOptions,
      snapshotAtSourceInit: SnapshotDescriptor,
      metadataPath: String,
      metadataTrackingLog: Option[DeltaSourceMetadataTrackingLog]
  ): DeltaSource =
    new DeltaSource(spark, deltaLog, options, snapshotAtSourceInit, metadataPath, metadataTrackingLog)

  def apply(
      spark: SparkSession,
      deltaLog: DeltaLog,
      options: DeltaOptions,
      snapshotAtSourceInit: SnapshotDescriptor,
      metadataPath: String
  ): DeltaSource =
    new DeltaSource(spark, deltaLog, options, snapshotAtSourceInit, metadataPath)

  def apply(
      spark: SparkSession,
      deltaLog: DeltaLog,
      options: DeltaOptions,
      filters: Seq[Expression]
  ): DeltaSource = new DeltaSource(spark, deltaLog, options, filters)

  def apply(spark: SparkSession, deltaLog: DeltaLog, options: DeltaOptions): DeltaSource =
    new DeltaSource(spark, deltaLog, options)

  /** Whether the table can be read at this version. Fails if its protocol then is not supported. */
  def validateProtocolAt(
      spark: SparkSession,
      deltaLog: DeltaLog,
      catalogTableOpt: Option[CatalogTable],
      version: Long
  ): Boolean =
    spark.sessionState.conf.getConf(DeltaSQLConf.FAST_DROP_FEATURE_STREAMING_ALWAYS_VALIDATE_PROTOCOL) &&
      StartVersionResolver.readable(deltaLog, catalogTableOpt, version).nonEmpty

  /**
   * Returns the first version committed at or after this time.
   *
   * @param canExceedLatest for a later time, return the version after the latest instead of failing
   */
  def getStartingVersionFromTimestamp(
      spark: SparkSession,
      deltaLog: DeltaLog,
      catalogTableOpt: Option[CatalogTable],
      timestamp: Timestamp,
      canExceedLatest: Boolean = false
  ): Long =
    StartVersionResolver.atOrAfter(spark, deltaLog, catalogTableOpt, timestamp, canExceedLatest)

  /** Returns the actions of a commit, which can be read more than once. */
  def createRewindableActionIterator(
      spark: SparkSession,
      commit: SingleCommit
  ): ClosableIterator[Action] with SupportsRewinding[Action] =
    RewindableActions.of(commit, spark.sessionState.conf.getConf(DeltaSQLConf.LOG_SIZE_IN_MEMORY_THRESHOLD))

  /** Returns the last element, if there is one, and closes the iterator. */
  def iteratorLast[T](iter: ClosableIterator[T]): Option[T] =
    try iter.reduceOption((_, last) => last)
    finally iter.close()

  /** Returns the offset after a file or sentinel. The last batch ended at `version`, in its snapshot or not. */
  def buildOffsetFromIndexedFile(
      tableId: String,
      lastVersion: Long,
      lastIndex: Long,
      version: Long,
      isInitialSnapshot: Boolean
  ): DeltaSourceOffset = {
    val inSnapshot = isInitialSnapshot && lastVersion == version
    PositionCodec.offset(tableId, Position(lastVersion, PositionCodec.fromOffsetIndex(lastIndex), inSnapshot))
  }

  /** The interface of `AdmissionLimits`, kept for code that is compiled against it. */
  trait DeltaSourceAdmissionBase {

    /** Whether a file or sentinel was offered for this batch yet. */
    def commitProcessedInBatch: Boolean

    /** Whether the file is in the batch; spends the budget either way. Sentinels are always in, and free. */
    def admit(file: AdmittableFile): Boolean

    /** The same for files that must not be split; the first group of a batch is always in. */
    def admit(files: Seq[AdmittableFile]): Boolean

    /** Whether a file would still be admitted. */
    def hasCapacity: Boolean
  }

  /**
   * A batch's limits, in the documented form that Delta's V2 source uses: mutable, `admit` spends the budget.
   * Adapts `Budget` to that form; our planners use `Budget` itself.
   *
   * @param maxFiles files per batch; by default 1000, or no limit if the options limit bytes
   * @param maxBytes bytes per batch; by default the limit in the options
   */
  case class AdmissionLimits(
      options: DeltaOptions,
      maxFiles: Option[Int] = None,
      maxBytes: Option[Long] = None
  ) extends DeltaSourceAdmissionBase {
    private val left =
      new AtomicReference(ReadLimits.fromOptions(options).budget(ReadLimits(maxFiles, maxBytes)))
    private val processed = new AtomicBoolean(false)

    def budget: Budget = left.get

    def toReadLimit: ReadLimit = AdmissionLimits.toReadLimit(options)

    override def commitProcessedInBatch: Boolean = processed.get

    override def hasCapacity: Boolean = !budget.isExhausted

    override def admit(file: AdmittableFile): Boolean = {
      processed.set(true)
      !file.hasFileAction || !takeAndGetPrevious(1, file.getFileSize).isExhausted
    }

    override def admit(files: Seq[AdmittableFile]): Boolean =
      files.isEmpty || {
        val size = files.map(_.getFileSize).sum
        val isFirst = !processed.getAndSet(true)
        takeAndGetPrevious(files.size.toLong, size).fits(files.size.toLong, size) || isFirst
      }

    private def takeAndGetPrevious(count: Long, size: Long): Budget = left.getAndUpdate(_.spend(count, size))
  }

  object AdmissionLimits {

    /** Returns the limits of one batch, or None if there is no limit. Fails for unknown kinds of limits. */
    def apply(options: DeltaOptions, limit: ReadLimit): Option[AdmissionLimits] =
      ReadLimits.fromEngine(limit).map(limits =>
        new AdmissionLimits(options, limits.maxFiles, limits.maxBytes))

    /** Returns the limit that the engine should use, according to the options. */
    def toReadLimit(options: DeltaOptions): ReadLimit = ReadLimits.fromOptions(options).requestedLimit
  }
}
