// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.util.{Map => JMap}

import scala.annotation.unused
import scala.jdk.CollectionConverters._

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.expressions.{EqualTo, Expression, Literal}
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
import org.apache.spark.sql.delta.commands.cdc.CDCReader
import org.apache.spark.sql.delta.util.{JsonUtils, PartitionUtils}
import org.apache.spark.sql.delta.{
  DeltaConfigs,
  DeltaErrors,
  DeltaGeoSpatial,
  DeltaLog,
  DeltaOptions,
  DeltaTableUtils,
  DeltaTimeTravelSpec,
  DeltaV2Mode,
  Snapshot,
  SnapshotDescriptor
}

/**
 * The data source `delta`: batch reads and writes through Delta's own table and commands, streams through our source.
 * Made by Spark, without arguments, whenever the name is used.
 */
class DeltaDataSource
    extends RelationProvider
    with CreatableRelationProvider
    with StreamSourceProvider
    with StreamSinkProvider
    with DataSourceRegister
    with TableProvider
    with SupportsV1OverwriteWithSaveAsTable
    with Logging {
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
      properties: JMap[String, String]
  ): Table = {
    val options = new CaseInsensitiveStringMap(properties)
    DeltaTableV2(SparkSession.active, pathOf(options.asScala.toMap), options = properties.asScala.toMap)
  }

  override def createRelation(sqlContext: SQLContext, parameters: Map[String, String]): BaseRelation = {
    DeltaOptions.verifyOptions(CaseInsensitiveMap(parameters))
    val spark = sqlContext.sparkSession
    val path = pathOf(parameters)
    DeltaTableV2(
      spark,
      path,
      catalogTable = catalogTableOpt,
      timeTravelOpt = getTimeTravelVersion(parameters),
      options = fileSystemOptions(spark, parameters) ++ changeFeedOptions(parameters)
    ).toBaseRelation
  }

  override def createRelation(
      sqlContext: SQLContext,
      mode: SaveMode,
      parameters: Map[String, String],
      data: DataFrame
  ): BaseRelation = {
    val spark = sqlContext.sparkSession
    val deltaLog = logOf(spark, pathOf(parameters), parameters)
    val partitionColumns =
      parameters.get(DeltaSourceUtils.PARTITIONING_COLUMNS_KEY).map(decodePartitioningColumns)
    WriteIntoDelta(
      deltaLog = deltaLog,
      mode = mode,
      options = new DeltaOptions(parameters, spark.sessionState.conf),
      partitionColumns = partitionColumns.getOrElse(Nil),
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
      parameters: Map[String, String]
  ): (String, StructType) = {
    val spark = sqlContext.sparkSession
    val changeFeed = CDCReader.isCDCRead(new CaseInsensitiveStringMap(parameters.asJava))
    val trusted = schema.filter { _ =>
      new DeltaV2Mode(spark.sessionState.conf).shouldBypassSchemaValidationForStreaming(parameters.asJava)
    }
    trusted.map(shortName() -> _).getOrElse {
      val path = pathOf(parameters)
      StreamTable.refuseTimeTravel(spark, path.toString, parameters)
      val snapshot = snapshotOf(spark, path, parameters)
      val table = getMetadataTrackingLogForDeltaSource(
        spark,
        snapshot,
        catalogTableOpt,
        parameters,
        mergeConsecutiveSchemaChanges = spark.sessionState.conf
          .getConf(DeltaSQLConf.DELTA_STREAMING_ENABLE_SCHEMA_TRACKING_MERGE_CONSECUTIVE_CHANGES)
      ).flatMap(_.getCurrentTrackedMetadata.map(_.dataSchema)).getOrElse(snapshot.schema)
      StreamTable.verifySchema(schema, table)
      shortName() -> SourceSchema.of(spark, table, changeFeed)
    }
  }

  override def createSource(
      sqlContext: SQLContext,
      metadataPath: String,
      schema: Option[StructType],
      providerName: String,
      parameters: Map[String, String]
  ): Source = {
    val spark = sqlContext.sparkSession
    val path = pathOf(parameters)
    val options = new DeltaOptions(parameters, spark.sessionState.conf)
    val snapshot = snapshotOf(spark, path, parameters)
    val tracking = getMetadataTrackingLogForDeltaSource(
      spark,
      snapshot,
      catalogTableOpt,
      parameters,
      sourceMetadataPathOpt = Some(metadataPath)
    )
    val table = tracking.flatMap(_.getCurrentTrackedMetadata.map(_.dataSchema)).getOrElse(snapshot.schema)
    StreamTable.verifySchema(schema, table)
    DeltaSource(spark, snapshot.deltaLog, catalogTableOpt, options, snapshot, metadataPath, tracking)
  }

  override def createSink(
      sqlContext: SQLContext,
      parameters: Map[String, String],
      partitionColumns: Seq[String],
      outputMode: OutputMode
  ): Sink = {
    val path = pathOf(parameters)
    if (outputMode != OutputMode.Append && outputMode != OutputMode.Complete)
      throw DeltaErrors.outputModeNotSupportedException(getClass.getName, outputMode.toString)
    val options = new DeltaOptions(parameters, sqlContext.sparkSession.sessionState.conf)
    new DeltaSink(sqlContext, path, partitionColumns, outputMode, options, catalogTableOpt)
  }

  private def snapshotOf(spark: SparkSession, path: Path, parameters: Map[String, String]): Snapshot =
    logOf(spark, path, parameters).update(catalogTableOpt = catalogTableOpt)

  private def logOf(spark: SparkSession, path: Path, parameters: Map[String, String]): DeltaLog =
    catalogTableOpt match {
      case Some(table) => DeltaLog.forTable(spark, table, parameters)
      case None => DeltaLog.forTable(spark, path, parameters)
    }
}

/** The option keys, and how paths, time travel and schema tracking are read from options. */
object DeltaDataSource extends Logging {
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

  /** As below, without options for the file system. */
  def parsePathIdentifier(
      spark: SparkSession,
      userPath: String
  ): (Path, Seq[(String, String)], Option[DeltaTimeTravelSpec]) =
    parsePathIdentifier(spark, userPath, Map.empty[String, String])

  /**
   * What a path names: the root of the table it lies in, the partition values on the way there, and the version or
   * time behind an `@`. A path that lies in no table is taken as it is.
   */
  def parsePathIdentifier(
      spark: SparkSession,
      userPath: String,
      options: Map[String, String]
  ): (Path, Seq[(String, String)], Option[DeltaTimeTravelSpec]) = {
    val (text, timeTravel) = DeltaTableUtils.extractIfPathContainsTimeTravel(spark, userPath, options)
    val path = new Path(text)
    val root = DeltaTableUtils.findDeltaTableRoot(spark, path, options).getOrElse(path)
    val partitions =
      if (root == path) Nil
      else {
        val below = path.toString.substring(root.toString.length + 1)
        logWarning(
          s"$userPath names a partition of the table $root; read the table and filter with where instead"
        )
        try PartitionUtils.parsePathFragmentAsSeq(below)
        catch {
          case _: ArrayIndexOutOfBoundsException => throw DeltaErrors.partitionPathParseException(below)
        }
      }
    (root, partitions, timeTravel)
  }

  /** Partition values as predicates; fails for a column the table is not partitioned by, and when no file matches. */
  def verifyAndCreatePartitionFilters(
      userPath: String,
      snapshot: Snapshot,
      partitionFilters: Seq[(String, String)]
  ): Seq[Expression] = {
    val unknown = partitionFilters.map(_._1).filterNot(snapshot.metadata.partitionColumns.contains)
    if (unknown.nonEmpty) {
      val fragment = partitionFilters.map { case (column, value) => s"$column=$value" }.mkString("/")
      throw DeltaErrors.partitionPathInvolvesNonPartitionColumnException(unknown, fragment)
    }
    val filters = partitionFilters.map { case (column, value) =>
      EqualTo(UnresolvedAttribute(Seq(column)), Literal(value))
    }
    if (filters.nonEmpty) {
      val files =
        DeltaLog.filterFileList(snapshot.metadata.partitionSchema, snapshot.allFiles.toDF(), filters)
      if (files.isEmpty) throw DeltaErrors.pathNotExistsException(userPath)
    }
    filters
  }

  /** The version or time asked for in the options; fails when both are, or when a version is no number. */
  def getTimeTravelVersion(parameters: Map[String, String]): Option[DeltaTimeTravelSpec] = {
    val options = CaseInsensitiveMap(parameters)
    val source = options.get(TIME_TRAVEL_SOURCE_KEY).orElse(Some("dfReader"))
    (options.get(TIME_TRAVEL_TIMESTAMP_KEY), options.get(TIME_TRAVEL_VERSION_KEY)) match {
      case (Some(_), Some(_)) => throw DeltaErrors.provideOneOfInTimeTravel
      case (Some(timestamp), None) => Some(DeltaTimeTravelSpec(Some(Literal(timestamp)), None, source))
      case (None, Some(text)) =>
        val version =
          try text.toLong
          catch {
            case e: NumberFormatException =>
              throw DeltaErrors.timeTravelInvalidBeginValue(TIME_TRAVEL_VERSION_KEY, e)
          }
        Some(DeltaTimeTravelSpec(None, Some(version), source))
      case (None, None) => None
    }
  }

  /** The root of the schema log, under either of its two names. */
  def extractSchemaTrackingLocationConfig(
      @unused spark: SparkSession,
      parameters: Map[String, String]
  ): Option[String] = {
    val options = CaseInsensitiveMap(parameters)
    val names = Seq(DeltaOptions.SCHEMA_TRACKING_LOCATION, DeltaOptions.SCHEMA_TRACKING_LOCATION_ALIAS)
    names.flatMap(options.get).headOption
  }

  /**
   * The log of tracked schemas, if the options ask for one.
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
      mergeConsecutiveSchemaChanges: Boolean = false
  ): Option[DeltaSourceMetadataTrackingLog] =
    extractSchemaTrackingLocationConfig(spark, parameters).map { location =>
      if (!spark.sessionState.conf.getConf(DeltaSQLConf.DELTA_STREAMING_ENABLE_SCHEMA_TRACKING))
        throw new UnsupportedOperationException(
          "Schema tracking location is not supported for Delta streaming source"
        )
      DeltaSourceMetadataTrackingLog.create(
        spark,
        location,
        sourceSnapshot.metadata.id,
        sourceSnapshot.dataPath.toString,
        parameters,
        sourceMetadataPathOpt,
        mergeConsecutiveSchemaChanges,
        Some(DeltaSourceMetadataEvolutionSupport
          .getMergedConsecutiveMetadataChanges(spark, sourceSnapshot.deltaLog, catalogTableOpt, _))
      )
    }

  /** The documented shapes. */
  def getMetadataTrackingLogForDeltaSource(
      spark: SparkSession,
      sourceSnapshot: Snapshot,
      parameters: Map[String, String],
      sourceMetadataPathOpt: Option[String],
      mergeConsecutiveSchemaChanges: Boolean
  ): Option[DeltaSourceMetadataTrackingLog] =
    getMetadataTrackingLogForDeltaSource(
      spark,
      sourceSnapshot,
      None,
      parameters,
      sourceMetadataPathOpt,
      mergeConsecutiveSchemaChanges
    )

  def getMetadataTrackingLogForDeltaSource(
      spark: SparkSession,
      sourceSnapshot: Snapshot,
      parameters: Map[String, String],
      sourceMetadataPathOpt: Option[String]
  ): Option[DeltaSourceMetadataTrackingLog] =
    getMetadataTrackingLogForDeltaSource(spark, sourceSnapshot, parameters, sourceMetadataPathOpt, false)

  def getMetadataTrackingLogForDeltaSource(
      spark: SparkSession,
      sourceSnapshot: Snapshot,
      parameters: Map[String, String]
  ): Option[DeltaSourceMetadataTrackingLog] =
    getMetadataTrackingLogForDeltaSource(spark, sourceSnapshot, parameters, None, false)

  private val changeFeedKeys = Seq(
    CDC_ENABLED_KEY,
    CDC_START_VERSION_KEY,
    CDC_START_TIMESTAMP_KEY,
    CDC_END_VERSION_KEY,
    CDC_END_TIMESTAMP_KEY
  )

  private def changeFeedOptions(parameters: Map[String, String]): Map[String, String] = {
    val options = CaseInsensitiveMap(parameters)
    if (CDCReader.isCDCRead(new CaseInsensitiveStringMap(parameters.asJava)))
      changeFeedKeys.flatMap(key => options.get(key).map(key -> _)).toMap + (CDC_ENABLED_KEY -> "true")
    else Map.empty
  }

  private def fileSystemOptions(spark: SparkSession, parameters: Map[String, String]): Map[String, String] =
    if (spark.sessionState.conf.getConf(DeltaSQLConf.LOAD_FILE_SYSTEM_CONFIGS_FROM_DATAFRAME_OPTIONS))
      parameters
    else Map.empty

  private def pathOf(parameters: Map[String, String]): Path =
    new Path(CaseInsensitiveMap(parameters).getOrElse("path", throw DeltaErrors.pathNotSpecifiedException))
}
