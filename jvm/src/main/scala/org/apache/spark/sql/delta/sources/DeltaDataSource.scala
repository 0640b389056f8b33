// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.util.{Map => JMap}

import scala.annotation.unused
import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
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
import org.apache.spark.sql.types.{DataType, StructType, VariantType}
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import org.apache.spark.sql.{DataFrame, SQLContext, SaveMode, SparkSession}

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.catalog.DeltaTableV2
import org.apache.spark.sql.delta.commands.WriteIntoDelta
import org.apache.spark.sql.delta.stream.schema.SourceSchema
import org.apache.spark.sql.delta.util.JsonUtils
import org.apache.spark.sql.delta.{
  DeltaConfigs,
  DeltaErrors,
  DeltaGeoSpatial,
  DeltaOptions,
  DeltaTimeTravelSpec,
  DeltaV2Mode,
  Snapshot,
  SnapshotDescriptor
}

/**
 * The data source `delta`: batch reads and writes through Delta's own table and commands, streams through our source
 * and sink. Made by Spark, without arguments, whenever the name is used.
 */
class DeltaDataSource
    extends RelationProvider
    with CreatableRelationProvider
    with StreamSourceProvider
    with StreamSinkProvider
    with DataSourceRegister
    with TableProvider
    with SupportsV1OverwriteWithSaveAsTable {
  import DeltaDataSource._

  private var catalogTableOpt = Option.empty[CatalogTable]

  /** The table as the catalog has it, for a catalog that makes its source itself. */
  def setCatalogTableOpt(catalogTable: Option[CatalogTable]): Unit = catalogTableOpt = catalogTable

  override def shortName(): String = DeltaSourceUtils.NAME

  // A table tells its own schema and partitioning; Spark asks the provider only to be told nothing.
  def inferSchema: StructType = new StructType()
  override def inferSchema(options: CaseInsensitiveStringMap): StructType = inferSchema
  override def inferPartitioning(options: CaseInsensitiveStringMap): Array[Transform] = Array.empty

  override def supportsDataType(dataType: DataType): Boolean = dataType match {
    case _: VariantType => true
    case other => DeltaGeoSpatial.isGeoSpatialType(other) || super.supportsDataType(other)
  }

  override def getTable(
      schema: StructType,
      partitioning: Array[Transform],
      properties: JMap[String, String]): Table = {
    val options = properties.asScala.toMap
    DeltaTableV2(SparkSession.active, TablePath.of(options), options = options)
  }

  override def createRelation(sqlContext: SQLContext, parameters: Map[String, String]): BaseRelation = {
    DeltaOptions.verifyOptions(CaseInsensitiveMap(parameters))
    val spark = sqlContext.sparkSession
    DeltaTableV2(
      spark,
      TablePath.of(parameters),
      catalogTable = catalogTableOpt,
      timeTravelOpt = getTimeTravelVersion(parameters),
      options = RelationOptions.of(spark, parameters)
    ).toBaseRelation
  }

  override def createRelation(
      sqlContext: SQLContext,
      mode: SaveMode,
      parameters: Map[String, String],
      data: DataFrame): BaseRelation = {
    val spark = sqlContext.sparkSession
    val deltaLog = TablePath.log(spark, catalogTableOpt, TablePath.of(parameters), parameters)
    val partitionColumns = parameters.get(DeltaSourceUtils.PARTITIONING_COLUMNS_KEY)
    WriteIntoDelta(
      deltaLog = deltaLog,
      mode = mode,
      options = new DeltaOptions(parameters, spark.sessionState.conf),
      partitionColumns = partitionColumns.fold(Seq.empty[String])(decodePartitioningColumns),
      configuration = DeltaConfigs.validateConfigurations(parameters.filter(_._1.startsWith("delta."))),
      data = data,
      catalogTableOpt = catalogTableOpt
    ).run(spark)
    deltaLog.createRelation(catalogTableOpt = catalogTableOpt)
  }

  override def sourceSchema(
      sqlContext: SQLContext,
      schema: Option[StructType],
      providerName: String,
      parameters: Map[String, String]): (String, StructType) = {
    val spark = sqlContext.sparkSession
    val conf = spark.sessionState.conf
    val changeFeed = RelationOptions.isChangeFeed(parameters)
    val trusted = schema.filter { _ =>
      new DeltaV2Mode(conf).shouldBypassSchemaValidationForStreaming(parameters.asJava)
    }
    shortName() -> trusted.getOrElse {
      val path = TablePath.of(parameters)
      StreamTable.refuseTimeTravel(spark, path.toString, parameters)
      val mergeKey = DeltaSQLConf.DELTA_STREAMING_ENABLE_SCHEMA_TRACKING_MERGE_CONSECUTIVE_CHANGES
      val log = TablePath.log(spark, catalogTableOpt, path, parameters)
      val table = StreamTable.of(spark, log, catalogTableOpt, parameters, None, conf.getConf(mergeKey))
      table.verify(schema)
      SourceSchema.of(spark, table.schema, changeFeed)
    }
  }

  override def createSource(
      sqlContext: SQLContext,
      metadataPath: String,
      schema: Option[StructType],
      providerName: String,
      parameters: Map[String, String]): Source = {
    val spark = sqlContext.sparkSession
    val path = TablePath.of(parameters)
    val options = new DeltaOptions(parameters, spark.sessionState.conf)
    val log = TablePath.log(spark, catalogTableOpt, path, parameters)
    val table =
      StreamTable.of(spark, log, catalogTableOpt, parameters, Some(metadataPath), mergeChanges = false)
    table.verify(schema)
    SchemaTracking.verifyAcknowledged(spark, parameters, metadataPath, table.tracking)
    DeltaSource(spark, log, catalogTableOpt, options, table.snapshot, metadataPath, table.tracking)
  }

  override def createSink(
      sqlContext: SQLContext,
      parameters: Map[String, String],
      partitionColumns: Seq[String],
      outputMode: OutputMode): Sink = {
    val path = TablePath.of(parameters)
    if (outputMode != OutputMode.Append && outputMode != OutputMode.Complete)
      throw DeltaErrors.outputModeNotSupportedException(getClass.getName, outputMode.toString)
    val options = new DeltaOptions(parameters, sqlContext.sparkSession.sessionState.conf)
    new DeltaSink(sqlContext, path, partitionColumns, outputMode, options, catalogTableOpt)
  }
}

/** The option keys, and the members that read paths, time travel and schema tracking, for others who link to them. */
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
  def encodePartitioningColumns(columns: Seq[String]): String = JsonUtils.toJson(columns)

  def decodePartitioningColumns(text: String): Seq[String] = JsonUtils.fromJson[Seq[String]](text)

  /** See [[TablePath]]. */
  def parsePathIdentifier(
      spark: SparkSession,
      userPath: String,
      options: Map[String, String]): (Path, Seq[(String, String)], Option[DeltaTimeTravelSpec]) = {
    val path = TablePath.parse(spark, userPath, options)
    (path.root, path.partitions, path.timeTravel)
  }

  /** The documented shape, without options for the file system. */
  def parsePathIdentifier(
      spark: SparkSession,
      userPath: String): (Path, Seq[(String, String)], Option[DeltaTimeTravelSpec]) =
    parsePathIdentifier(spark, userPath, Map.empty[String, String])

  /** See [[PartitionFilters]]. */
  def verifyAndCreatePartitionFilters(
      userPath: String,
      snapshot: Snapshot,
      partitionFilters: Seq[(String, String)]): Seq[Expression] =
    PartitionFilters.of(userPath, snapshot, partitionFilters)

  /** See [[TimeTravelOptions]]. */
  def getTimeTravelVersion(parameters: Map[String, String]): Option[DeltaTimeTravelSpec] =
    TimeTravelOptions.of(parameters)

  /** See [[SchemaTracking]]. */
  def extractSchemaTrackingLocationConfig(@unused spark: SparkSession, parameters: Map[String, String])
      : Option[String] = SchemaTracking.root(parameters)

  /**
   * See [[SchemaTracking]]. The shape of 4.4.0.
   *
   * @param sourceMetadataPathOpt         the source's own folder under the checkpoint, once there is one
   * @param mergeConsecutiveSchemaChanges take a run of commits that only change the schema as one change
   */
  def getMetadataTrackingLogForDeltaSource(
      spark: SparkSession,
      sourceSnapshot: SnapshotDescriptor,
      catalogTableOpt: Option[CatalogTable],
      parameters: Map[String, String],
      sourceMetadataPathOpt: Option[String] = None,
      mergeConsecutiveSchemaChanges: Boolean = false): Option[DeltaSourceMetadataTrackingLog] =
    SchemaTracking.log(
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
    SchemaTracking.log(
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
