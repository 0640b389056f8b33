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
import org.apache.spark.sql.connector.read.streaming.{
  ReadAllAvailable,
  ReadLimit,
  ReadMaxFiles,
  ReportsSourceMetrics
}
import org.apache.spark.sql.execution.streaming.Offset
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.{DataFrame, SparkSession}

import org.apache.spark.sql.delta.actions.Action
import org.apache.spark.sql.delta.storage.{ClosableIterator, SupportsRewinding}
import org.apache.spark.sql.delta.stream.log.{CommitParser, RewindableActions}
import org.apache.spark.sql.delta.stream.plan.{Budget, Planner, Position, PositionCodec}
import org.apache.spark.sql.delta.stream.start.StartResolver
import org.apache.spark.sql.delta.stream.{DeltaStream, StreamDoor, StreamSettings}
import org.apache.spark.sql.delta.{DeltaErrors, DeltaLog, DeltaOptions, SingleCommit, SnapshotDescriptor}

/**
 * The streaming source of a Delta table: Spark's interface, Delta's offsets and the documented members, all of them
 * views of one `DeltaStream`. What decides is in the packages beside it.
 *
 * Two of these are equal only if they are the same: the engine keys its maps by source.
 *
 * @param catalogTableOpt      the table as the catalog has it, when it was read by name
 * @param snapshotAtSourceInit the table the stream was analysed with
 * @param metadataPath         the source's own folder under the checkpoint
 * @param metadataTrackingLog  the log of tracked schemas
 * @param filters              partition predicates: which files are admitted; the numbering counts all files
 * @param planner              instead of the one the options ask for, in tests
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

  /** The shape of delta-spark 4.4.0. */
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

  /** The documented shapes. */
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

  /** The oldest documented shapes: the log's snapshot, and nothing remembered. */
  def this(spark: SparkSession, deltaLog: DeltaLog, options: DeltaOptions, filters: Seq[Expression]) =
    this(spark, deltaLog, options, deltaLog.unsafeVolatileSnapshot, "", None, filters)

  def this(spark: SparkSession, deltaLog: DeltaLog, options: DeltaOptions) =
    this(spark, deltaLog, options, Nil)

  private val settings = StreamSettings(options, spark.sessionState.conf)
  override protected val tableId: String = snapshotAtSourceInit.metadata.id

  private val door = StreamDoor(
    spark,
    deltaLog,
    catalogTableOpt,
    snapshotAtSourceInit,
    settings,
    metadataTrackingLog,
    metadataPath,
    filters
  )

  private val opened = new AtomicReference(Option.empty[DeltaStream])

  /** Opened by the first question; a source nobody asked has nothing to stop. */
  override protected def stream: DeltaStream = opened.get.getOrElse {
    val stream = door.open(planner)
    opened.set(Some(stream))
    stream
  }

  override protected def reads: CommitParser.Reads = door.reads

  override def schema: StructType = door.analysed.readSchema(spark, options.readChangeFeed)

  override def getDefaultReadLimit: ReadLimit = new DeltaSource.AdmissionLimits(options).toReadLimit

  override def prepareForTriggerAvailableNow(): Unit = stream.prepareForAvailableNow()

  override def getOffset: Option[Offset] =
    throw new UnsupportedOperationException(
      "latestOffset(Offset, ReadLimit) should be called instead of this method"
    )

  override def latestOffset(startOffset: streaming.Offset, limit: ReadLimit): streaming.Offset = {
    val start = Option(startOffset).map(toDeltaSourceOffset)
    val limits = DeltaSource.AdmissionLimits(options, limit)
    val end = stream.progress.planning(start match {
      case None => getStartingOffset(limits).map(toDeltaSourceOffset)
      case Some(_) => next(start, limits)
    })
    for (from <- start; to <- end if settings.validateOffsets) DeltaSourceOffset.validateOffsets(from, to)
    logDebug(s"previousOffset -> currentOffset: ${start.orNull} -> ${end.orNull}")
    end.orNull
  }

  override def getBatch(start: Option[Offset], end: Offset): DataFrame = {
    logDebug(s"start: $start end: $end")
    val startOffset = start.map(toDeltaSourceOffset)
    val endOffset = toDeltaSourceOffset(end)
    stream.progress.building {
      val from = stream.begin(startOffset.map(PositionCodec.position), PositionCodec.position(endOffset))
      createDataFrameBetweenOffsets(
        from.version,
        PositionCodec.index(from.place),
        from.inSnapshot,
        startOffset,
        endOffset
      )
    }
  }

  /** The end of the newest version seen, null before anything was: beyond where a batch can end by the limits. */
  override def reportLatestOffset(): streaming.Offset =
    opened.get.flatMap(_.progress.newest).map(PositionCodec.offset(tableId, _)).orNull

  /** An offset that cannot be read fails the question that needs it, and not the report of where the query is. */
  override def metrics(latestConsumedOffset: Optional[streaming.Offset]): java.util.Map[String, String] = {
    val consumed = latestConsumedOffset.toScala.map(OffsetReader.find(tableId, metadataPath, _))
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

  override def commit(end: Offset): Unit = stream.commit(PositionCodec.position(toDeltaSourceOffset(end)))

  override def stop(): Unit = opened.get.foreach(_.stop())

  override def toString: String = s"DeltaSource[${deltaLog.dataPath}]"

  /** The offset of this table in whatever form the engine or another source of ours gives it. */
  def toDeltaSourceOffset(offset: streaming.Offset): DeltaSourceOffset =
    OffsetReader.read(tableId, metadataPath, offset)

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
  ): DataFrame = {
    val files =
      stream.files(position(startVersion, startIndex, isInitialSnapshot), PositionCodec.position(endOffset))
    door.frame(files)
  }

  override def getCDCFileChangesAndCreateDataFrame(
      startVersion: Long,
      startIndex: Long,
      isInitialSnapshot: Boolean,
      endOffset: DeltaSourceOffset
  ): DataFrame =
    getFileChangesAndCreateDataFrame(startVersion, startIndex, isInitialSnapshot, endOffset)
}

object DeltaSource {

  /** The shape of delta-spark 4.4.0. */
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

  /** The documented shapes. */
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

  /** Whether the table can be read as of this version; fails when its protocol then is beyond this reader. */
  def validateProtocolAt(
      spark: SparkSession,
      deltaLog: DeltaLog,
      catalogTableOpt: Option[CatalogTable],
      version: Long
  ): Boolean =
    spark.sessionState.conf.getConf(DeltaSQLConf.FAST_DROP_FEATURE_STREAMING_ALWAYS_VALIDATE_PROTOCOL) &&
      StartResolver.readable(deltaLog, catalogTableOpt, version).nonEmpty

  /**
   * The first version committed at or after this time.
   *
   * @param canExceedLatest answer the version after the newest for a later time, instead of failing
   */
  def getStartingVersionFromTimestamp(
      spark: SparkSession,
      deltaLog: DeltaLog,
      catalogTableOpt: Option[CatalogTable],
      timestamp: Timestamp,
      canExceedLatest: Boolean = false
  ): Long =
    StartResolver.atOrAfter(spark, deltaLog, catalogTableOpt, timestamp, canExceedLatest)

  /** The actions of a commit, to be read more than once. */
  def createRewindableActionIterator(
      spark: SparkSession,
      commit: SingleCommit
  ): ClosableIterator[Action] with SupportsRewinding[Action] =
    RewindableActions.of(commit, spark.sessionState.conf.getConf(DeltaSQLConf.LOG_SIZE_IN_MEMORY_THRESHOLD))

  /** The last element, if there is one; closes the iterator. */
  def iteratorLast[T](iter: ClosableIterator[T]): Option[T] =
    try iter.reduceOption((_, last) => last)
    finally iter.close()

  /** The offset behind a file or marker, when the batch before ended at `version` (inside its snapshot or not). */
  def buildOffsetFromIndexedFile(
      tableId: String,
      lastVersion: Long,
      lastIndex: Long,
      version: Long,
      isInitialSnapshot: Boolean
  ): DeltaSourceOffset = {
    val inSnapshot = isInitialSnapshot && lastVersion == version
    PositionCodec.offset(tableId, Position(lastVersion, PositionCodec.place(lastIndex), inSnapshot))
  }

  /** What `AdmissionLimits` offers; documented beside it. */
  trait DeltaSourceAdmissionBase {

    /** Whether anything was asked for in this batch yet. */
    def commitProcessedInBatch: Boolean

    /** Whether the file is in the batch; spends the budget either way. Markers are always in, and free. */
    def admit(file: AdmittableFile): Boolean

    /** The same for files that must not be parted; the first group of a batch is always in. */
    def admit(files: Seq[AdmittableFile]): Boolean

    /** Whether a file would still be admitted. */
    def hasCapacity: Boolean
  }

  /**
   * A batch's limits in the shape that the documentation and Delta's V2 source know: it spends itself. An adapter on
   * `Budget` for them; our planners use that.
   *
   * @param maxFiles files of a batch; by default 1000, or no limit where the options limit bytes
   * @param maxBytes bytes of a batch; by default the options'
   */
  case class AdmissionLimits(
      options: DeltaOptions,
      maxFiles: Option[Int] = None,
      maxBytes: Option[Long] = None
  ) extends DeltaSourceAdmissionBase {
    private val left = new AtomicReference(
      Budget(
        maxFiles.getOrElse(AdmissionLimits.defaultFiles(options)).toLong,
        maxBytes.orElse(options.maxBytesPerTrigger).getOrElse(Long.MaxValue)
      )
    )
    private val processed = new AtomicBoolean(false)

    def budget: Budget = left.get

    def toReadLimit: ReadLimit = AdmissionLimits.toReadLimit(options)

    override def commitProcessedInBatch: Boolean = processed.get

    override def hasCapacity: Boolean = !budget.isExhausted

    override def admit(file: AdmittableFile): Boolean = {
      processed.set(true)
      !file.hasFileAction || !spend(1, file.getFileSize).isExhausted
    }

    override def admit(files: Seq[AdmittableFile]): Boolean =
      files.isEmpty || {
        val size = files.map(_.getFileSize).sum
        val isFirst = !processed.getAndSet(true)
        spend(files.size.toLong, size).holds(files.size.toLong, size) || isFirst
      }

    private def spend(count: Long, size: Long): Budget = left.getAndUpdate(_.spend(count, size))
  }

  object AdmissionLimits {

    /** The limits of one batch; none when everything is allowed. Fails for kinds of limits it does not know. */
    def apply(options: DeltaOptions, limit: ReadLimit): Option[AdmissionLimits] = limit match {
      case _: ReadAllAvailable => None
      case files: ReadMaxFiles => Some(new AdmissionLimits(options, maxFiles = Some(files.maxFiles)))
      case bytes: ReadMaxBytes => Some(new AdmissionLimits(options, maxBytes = Some(bytes.maxBytes)))
      case both: CompositeLimit =>
        Some(new AdmissionLimits(options, Some(both.maxFiles.maxFiles), Some(both.bytes.maxBytes)))
      case other => throw DeltaErrors.unknownReadLimit(other.toString)
    }

    /** The limit the engine should ask with, by the options. */
    def toReadLimit(options: DeltaOptions): ReadLimit =
      (options.maxFilesPerTrigger, options.maxBytesPerTrigger) match {
        case (Some(files), Some(bytes)) =>
          CompositeLimit(ReadMaxBytes(bytes), ReadLimit.maxFiles(files).asInstanceOf[ReadMaxFiles])
        case (None, Some(bytes)) => ReadMaxBytes(bytes)
        case (files, None) =>
          ReadLimit.maxFiles(files.getOrElse(DeltaOptions.MAX_FILES_PER_TRIGGER_OPTION_DEFAULT))
      }

    private def defaultFiles(options: DeltaOptions): Int =
      if (options.maxBytesPerTrigger.isDefined) Int.MaxValue
      else DeltaOptions.MAX_FILES_PER_TRIGGER_OPTION_DEFAULT
  }
}
