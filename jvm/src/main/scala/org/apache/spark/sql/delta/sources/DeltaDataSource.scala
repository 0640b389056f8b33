// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.util.{Map => JMap}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.connector.catalog.{SupportsV1OverwriteWithSaveAsTable, Table, TableProvider}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.execution.streaming.{Sink, Source}
import org.apache.spark.sql.sources.{
  BaseRelation,
  CreatableRelationProvider,
  DataSourceRegister,
  RelationProvider,
  StreamSinkProvider,
  StreamSourceProvider
}
import org.apache.spark.sql.streaming.OutputMode
import org.apache.spark.sql.types.{DataType, StructType}
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import org.apache.spark.sql.{DataFrame, SQLContext, SaveMode, SparkSession}

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.commands.cdc.CDCReader
import org.apache.spark.sql.delta.util.Utils
import org.apache.spark.sql.delta.{
  DeltaErrors,
  DeltaLog,
  DeltaOptions,
  DeltaTimeTravelSpec,
  DeltaV2Mode,
  Snapshot,
  SnapshotDescriptor
}

/**
 * The data source `delta`. Streams go through our source and sink. Everything else, batch reads and writes with their
 * options and confs, is answered by the published data source, which the bundle carries as `PublishedDeltaDataSource`.
 * Made by Spark, without arguments, whenever the name is used.
 */
class DeltaDataSource
    extends RelationProvider
    with CreatableRelationProvider
    with StreamSourceProvider
    with StreamSinkProvider
    with DataSourceRegister
    with TableProvider
    with SupportsV1OverwriteWithSaveAsTable {

  private val published = new PublishedDeltaDataSource
  private var catalogTableOpt = Option.empty[CatalogTable]

  /** The table as the catalog has it, for a catalog that makes its source itself. */
  def setCatalogTableOpt(catalogTable: Option[CatalogTable]): Unit = {
    catalogTableOpt = catalogTable
    published.setCatalogTableOpt(catalogTable)
  }

  override def shortName(): String = published.shortName()

  def inferSchema: StructType = published.inferSchema()

  override def inferSchema(options: CaseInsensitiveStringMap): StructType = published.inferSchema(options)

  override def inferPartitioning(options: CaseInsensitiveStringMap): Array[Transform] =
    published.inferPartitioning(options)

  override def supportsExternalMetadata(): Boolean = published.supportsExternalMetadata()

  override def supportsDataType(dataType: DataType): Boolean = published.supportsDataType(dataType)

  override def addV1OverwriteWithSaveAsTableOption(): Boolean =
    published.addV1OverwriteWithSaveAsTableOption()

  override def getTable(
      schema: StructType,
      partitioning: Array[Transform],
      properties: JMap[String, String]): Table = published.getTable(schema, partitioning, properties)

  override def createRelation(sqlContext: SQLContext, parameters: Map[String, String]): BaseRelation =
    published.createRelation(sqlContext, parameters)

  override def createRelation(
      sqlContext: SQLContext,
      mode: SaveMode,
      parameters: Map[String, String],
      data: DataFrame): BaseRelation = published.createRelation(sqlContext, mode, parameters, data)

  override def sourceSchema(
      sqlContext: SQLContext,
      schema: Option[StructType],
      providerName: String,
      parameters: Map[String, String]): (String, StructType) = {
    val spark = sqlContext.sparkSession
    val conf = spark.sessionState.conf
    val changeFeed = CDCReader.isCDCRead(new CaseInsensitiveStringMap(parameters.asJava))
    val known = schema.filter { _ =>
      new DeltaV2Mode(conf).shouldBypassSchemaValidationForStreaming(parameters.asJava)
    }
    shortName() -> known.fold {
      val path = StreamTable.path(parameters)
      StreamTable.refuseTimeTravel(spark, path.toString, parameters)
      val mergeKey = DeltaSQLConf.DELTA_STREAMING_ENABLE_SCHEMA_TRACKING_MERGE_CONSECUTIVE_CHANGES
      val log = tableLog(spark, path, parameters)
      val table = StreamTable.of(spark, log, catalogTableOpt, parameters, None, conf.getConf(mergeKey))
      table.verify(schema)
      table.analysed.readSchema(spark, changeFeed)
    }(columns => if (changeFeed) CDCReader.cdcReadSchema(columns) else columns)
  }

  override def createSource(
      sqlContext: SQLContext,
      metadataPath: String,
      schema: Option[StructType],
      providerName: String,
      parameters: Map[String, String]): Source = {
    val spark = sqlContext.sparkSession
    val path = StreamTable.path(parameters)
    val options = new DeltaOptions(parameters, spark.sessionState.conf)
    val log = tableLog(spark, path, parameters)
    val table =
      StreamTable.of(spark, log, catalogTableOpt, parameters, Some(metadataPath), mergeChanges = false)
    table.verify(schema)
    DeltaSource(spark, log, catalogTableOpt, options, table.snapshot, metadataPath, table.schemaLog)
  }

  override def createSink(
      sqlContext: SQLContext,
      parameters: Map[String, String],
      partitionColumns: Seq[String],
      outputMode: OutputMode): Sink = {
    val path = StreamTable.path(parameters)
    if (outputMode != OutputMode.Append && outputMode != OutputMode.Complete)
      throw DeltaErrors.outputModeNotSupportedException(getClass.getName, outputMode.toString)
    val options = new DeltaOptions(parameters, sqlContext.sparkSession.sessionState.conf)
    new DeltaSink(sqlContext, path, partitionColumns, outputMode, options, catalogTableOpt)
  }

  private def tableLog(spark: SparkSession, path: Path, parameters: Map[String, String]): DeltaLog =
    Utils.getDeltaLogFromTableOrPath(spark, catalogTableOpt, path, parameters)
}

/** The option keys and the members that others link to; they answer what the published ones answer. */
object DeltaDataSource {
  final val TIME_TRAVEL_SOURCE_KEY = "__time_travel_source__"
  final val TIME_TRAVEL_TIMESTAMP_KEY = "timestampAsOf"
  final val TIME_TRAVEL_VERSION_KEY = "versionAsOf"
  final val CDC_START_VERSION_KEY = "startingVersion"
  final val CDC_START_TIMESTAMP_KEY = "startingTimestamp"
  final val CDC_END_VERSION_KEY = "endingVersion"
  final val CDC_END_TIMESTAMP_KEY = "endingTimestamp"
  final val CDC_ENABLED_KEY = "readChangeFeed"
  final val CDC_ENABLED_KEY_LEGACY = "readChangeData"

  /** Column names as the text that a writer's options carry them in. */
  def encodePartitioningColumns(columns: Seq[String]): String =
    PublishedDeltaDataSource.encodePartitioningColumns(columns)

  def decodePartitioningColumns(text: String): Seq[String] =
    PublishedDeltaDataSource.decodePartitioningColumns(text)

  /**
   * What a path names: the root of the table it lies in, the partition values on the way there, and the version or time
   * after an `@`. A path that lies in no table is returned as it is.
   *
   * @param options what the file system is opened with
   */
  def parsePathIdentifier(
      spark: SparkSession,
      userPath: String,
      options: Map[String, String]): (Path, Seq[(String, String)], Option[DeltaTimeTravelSpec]) =
    PublishedDeltaDataSource.parsePathIdentifier(spark, userPath, options)

  /** The documented shape, without options for the file system. */
  def parsePathIdentifier(
      spark: SparkSession,
      userPath: String): (Path, Seq[(String, String)], Option[DeltaTimeTravelSpec]) =
    parsePathIdentifier(spark, userPath, Map.empty[String, String])

  /** Partition values of a path as predicates. Fails for a column that is no partition column, and for no file. */
  def verifyAndCreatePartitionFilters(
      userPath: String,
      snapshot: Snapshot,
      partitionFilters: Seq[(String, String)]): Seq[Expression] =
    PublishedDeltaDataSource.verifyAndCreatePartitionFilters(userPath, snapshot, partitionFilters)

  /** The version or time that options ask for. Fails when both are given, and when a version is no number. */
  def getTimeTravelVersion(parameters: Map[String, String]): Option[DeltaTimeTravelSpec] =
    PublishedDeltaDataSource.getTimeTravelVersion(parameters)

  /** The location of the schema log; of its two names `schemaTrackingLocation` wins. */
  def extractSchemaTrackingLocationConfig(spark: SparkSession, parameters: Map[String, String])
      : Option[String] = PublishedDeltaDataSource.extractSchemaTrackingLocationConfig(spark, parameters)

  /**
   * The schema log of a stream; see [[SchemaLog]]. The shape of 4.4.0.
   *
   * @param sourceMetadataPathOpt         the source's own folder in the checkpoint, once there is one
   * @param mergeConsecutiveSchemaChanges take consecutive commits that only change the schema as one change
   */
  def getMetadataTrackingLogForDeltaSource(
      spark: SparkSession,
      sourceSnapshot: SnapshotDescriptor,
      catalogTableOpt: Option[CatalogTable],
      parameters: Map[String, String],
      sourceMetadataPathOpt: Option[String] = None,
      mergeConsecutiveSchemaChanges: Boolean = false): Option[DeltaSourceMetadataTrackingLog] =
    SchemaLog.open(
      spark,
      sourceSnapshot,
      catalogTableOpt,
      parameters,
      sourceMetadataPathOpt,
      mergeConsecutiveSchemaChanges)

  /** The documented shapes. Defaults would clash with those above, so there is one for each number of arguments. */
  def getMetadataTrackingLogForDeltaSource(
      spark: SparkSession,
      sourceSnapshot: Snapshot,
      parameters: Map[String, String],
      sourceMetadataPathOpt: Option[String],
      mergeConsecutiveSchemaChanges: Boolean): Option[DeltaSourceMetadataTrackingLog] =
    SchemaLog.open(
      spark,
      sourceSnapshot,
      None,
      parameters,
      sourceMetadataPathOpt,
      mergeConsecutiveSchemaChanges)

  def getMetadataTrackingLogForDeltaSource(
      spark: SparkSession,
      sourceSnapshot: Snapshot,
      parameters: Map[String, String],
      sourceMetadataPathOpt: Option[String]): Option[DeltaSourceMetadataTrackingLog] =
    getMetadataTrackingLogForDeltaSource(spark, sourceSnapshot, parameters, sourceMetadataPathOpt, false)

  def getMetadataTrackingLogForDeltaSource(
      spark: SparkSession,
      sourceSnapshot: Snapshot,
      parameters: Map[String, String]): Option[DeltaSourceMetadataTrackingLog] =
    getMetadataTrackingLogForDeltaSource(spark, sourceSnapshot, parameters, None, false)
}
