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
import org.apache.spark.sql.delta.stream.conf.ApplyChangesSettings
import org.apache.spark.sql.delta.stream.datasource.{SchemaLogFactory, StreamTable}
import org.apache.spark.sql.delta.{
  DeltaErrors,
  DeltaOptions,
  DeltaTimeTravelSpec,
  DeltaV2Mode,
  Snapshot,
  SnapshotDescriptor
}

/**
 * The data source `delta`. Streams use our source and sink. Everything else (batch reads and writes with
 * their options and confs) goes to the published data source, which the bundle contains as
 * `UpstreamDeltaDataSource`. Spark creates an instance, without arguments, each time the name is used.
 */
class DeltaDataSource
    extends RelationProvider
    with CreatableRelationProvider
    with StreamSourceProvider
    with StreamSinkProvider
    with DataSourceRegister
    with TableProvider
    with SupportsV1OverwriteWithSaveAsTable {

  private val upstream = new UpstreamDeltaDataSource
  private var catalogTableOpt = Option.empty[CatalogTable]

  /** Sets the catalog's entry of the table. Called by a catalog that creates its source itself. */
  def setCatalogTableOpt(catalogTable: Option[CatalogTable]): Unit = {
    catalogTableOpt = catalogTable
    upstream.setCatalogTableOpt(catalogTable)
  }

  override def shortName(): String = upstream.shortName()

  def inferSchema: StructType = upstream.inferSchema()

  override def inferSchema(options: CaseInsensitiveStringMap): StructType = upstream.inferSchema(options)

  override def inferPartitioning(options: CaseInsensitiveStringMap): Array[Transform] =
    upstream.inferPartitioning(options)

  override def supportsExternalMetadata(): Boolean = upstream.supportsExternalMetadata()

  override def supportsDataType(dataType: DataType): Boolean = upstream.supportsDataType(dataType)

  override def addV1OverwriteWithSaveAsTableOption(): Boolean =
    upstream.addV1OverwriteWithSaveAsTableOption()

  override def getTable(
      schema: StructType,
      partitioning: Array[Transform],
      properties: JMap[String, String]): Table = upstream.getTable(schema, partitioning, properties)

  override def createRelation(sqlContext: SQLContext, parameters: Map[String, String]): BaseRelation =
    upstream.createRelation(sqlContext, parameters)

  override def createRelation(
      sqlContext: SQLContext,
      mode: SaveMode,
      parameters: Map[String, String],
      data: DataFrame): BaseRelation = upstream.createRelation(sqlContext, mode, parameters, data)

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
      StreamTable.rejectTimeTravel(spark, path.toString, parameters)
      val mergeKey = DeltaSQLConf.DELTA_STREAMING_ENABLE_SCHEMA_TRACKING_MERGE_CONSECUTIVE_CHANGES
      val table = StreamTable.of(spark, path, catalogTableOpt, parameters, None, conf.getConf(mergeKey))
      table.verify(schema)
      table.analyzed.readSchema(spark, changeFeed)
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
    val table =
      StreamTable.of(spark, path, catalogTableOpt, parameters, Some(metadataPath), mergeChanges = false)
    table.verify(schema)
    DeltaSource(
      spark,
      table.snapshot.deltaLog,
      catalogTableOpt,
      options,
      table.snapshot,
      metadataPath,
      table.schemaLog)
  }

  override def createSink(
      sqlContext: SQLContext,
      parameters: Map[String, String],
      partitionColumns: Seq[String],
      outputMode: OutputMode): Sink = {
    val path = StreamTable.path(parameters)
    if (outputMode != OutputMode.Append && outputMode != ApplyChangesSettings.otherOutputMode(parameters))
      throw DeltaErrors.outputModeNotSupportedException(getClass.getName, outputMode.toString)
    val options = new DeltaOptions(parameters, sqlContext.sparkSession.sessionState.conf)
    new DeltaSink(sqlContext, path, partitionColumns, outputMode, options, catalogTableOpt)
  }
}

/** The option keys and members that other code links to. They behave like the published ones. */
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

  /** Encodes column names as text for a writer's options. */
  def encodePartitioningColumns(columns: Seq[String]): String =
    UpstreamDeltaDataSource.encodePartitioningColumns(columns)

  def decodePartitioningColumns(text: String): Seq[String] =
    UpstreamDeltaDataSource.decodePartitioningColumns(text)

  /**
   * Splits a path into the root of its table, the partition values in the rest of the path, and the version
   * or time after an `@`. Returns a path outside of any table unchanged.
   *
   * @param options the options to open the file system with
   */
  def parsePathIdentifier(
      spark: SparkSession,
      userPath: String,
      options: Map[String, String]): (Path, Seq[(String, String)], Option[DeltaTimeTravelSpec]) =
    UpstreamDeltaDataSource.parsePathIdentifier(spark, userPath, options)

  /** The documented signature, without options for the file system. */
  def parsePathIdentifier(
      spark: SparkSession,
      userPath: String): (Path, Seq[(String, String)], Option[DeltaTimeTravelSpec]) =
    parsePathIdentifier(spark, userPath, Map.empty[String, String])

  /** Returns a path's partition values as predicates. Fails for other columns, and if no file matches. */
  def verifyAndCreatePartitionFilters(
      userPath: String,
      snapshot: Snapshot,
      partitionFilters: Seq[(String, String)]): Seq[Expression] =
    UpstreamDeltaDataSource.verifyAndCreatePartitionFilters(userPath, snapshot, partitionFilters)

  /** Returns the version or time in the options. Fails if both are set or the version is not a number. */
  def getTimeTravelVersion(parameters: Map[String, String]): Option[DeltaTimeTravelSpec] =
    UpstreamDeltaDataSource.getTimeTravelVersion(parameters)

  /** Returns the location of the schema log. Of its two option names, `schemaTrackingLocation` wins. */
  def extractSchemaTrackingLocationConfig(spark: SparkSession, parameters: Map[String, String])
      : Option[String] = UpstreamDeltaDataSource.extractSchemaTrackingLocationConfig(spark, parameters)

  /**
   * Opens the schema log of a stream; see [[SchemaLogFactory]]. The signature of 4.4.0.
   *
   * @param sourceMetadataPathOpt         the source's own folder in the checkpoint, once there is one
   * @param mergeConsecutiveSchemaChanges treat consecutive commits that only change the schema as one change
   */
  def getMetadataTrackingLogForDeltaSource(
      spark: SparkSession,
      sourceSnapshot: SnapshotDescriptor,
      catalogTableOpt: Option[CatalogTable],
      parameters: Map[String, String],
      sourceMetadataPathOpt: Option[String] = None,
      mergeConsecutiveSchemaChanges: Boolean = false): Option[DeltaSourceMetadataTrackingLog] =
    SchemaLogFactory.open(
      spark,
      sourceSnapshot,
      catalogTableOpt,
      parameters,
      sourceMetadataPathOpt,
      mergeConsecutiveSchemaChanges)

  /** The documented overloads, one per number of arguments: defaults would clash with those above. */
  def getMetadataTrackingLogForDeltaSource(
      spark: SparkSession,
      sourceSnapshot: Snapshot,
      parameters: Map[String, String],
      sourceMetadataPathOpt: Option[String],
      mergeConsecutiveSchemaChanges: Boolean): Option[DeltaSourceMetadataTrackingLog] =
    SchemaLogFactory.open(
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
