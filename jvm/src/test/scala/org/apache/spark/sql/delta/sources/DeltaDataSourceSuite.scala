// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.execution.datasources.{DataSource, HadoopFsRelation}
import org.apache.spark.sql.sources.InsertableRelation
import org.apache.spark.sql.streaming.OutputMode
import org.apache.spark.sql.types._
import org.apache.spark.sql.{Row, SaveMode}

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.DeltaTimeTravelSpec
import org.apache.spark.sql.delta.catalog.DeltaTableV2
import org.apache.spark.sql.delta.testing.{SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** The rows D1 to D11 of docs/behaviour.md. */
class DeltaDataSourceSuite extends AnyFunSuite with SourceFixture {
  private val source = new DeltaDataSource
  private def sql = spark.sqlContext
  private def table(): TestTable = TestTable().create().append(Seq(1, 2))
  private def options(t: TestTable, more: (String, String)*) = Map("path" -> t.path) ++ more

  private def message(body: => Any): String = intercept[Exception](body).getMessage
  private def condition(body: => Any): String = intercept[Exception](body) match {
    case e: SparkThrowable => e.getCondition
    case other => fail(other)
  }

  test("D1: the alias delta is this class, and this class is ours") {
    assert(DataSource.lookupDataSource("delta", spark.sessionState.conf) == classOf[DeltaDataSource])
    assert(source.shortName() == "delta")
    val origin = classOf[DeltaDataSource].getProtectionDomain.getCodeSource.getLocation
    assert(origin == classOf[DeltaSource].getProtectionDomain.getCodeSource.getLocation)
  }

  test("D2: a relation reads the table, can be inserted into, and needs a path") {
    val t = table()
    val relation = source.createRelation(sql, options(t))
    assert(relation.isInstanceOf[HadoopFsRelation] && relation.isInstanceOf[InsertableRelation])
    assert(spark.baseRelationToDataFrame(relation).count() == 2)
    assert(message(source.createRelation(sql, Map.empty[String, String])) == "'path' is not specified")
  }

  test("D2: time travel comes from the options") {
    val t = table().append(Seq(3))
    val old = source.createRelation(sql, options(t, "versionAsOf" -> "1"))
    assert(spark.baseRelationToDataFrame(old).count() == 2)
  }

  test("D2: the five change-feed keys reach the relation") {
    val t = TestTable().create("id LONG", "TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')")
    t.append(Seq(1)).append(Seq(2)).append(Seq(3))
    def ids(more: (String, String)*) = {
      val relation = source.createRelation(sql, options(t, more :+ ("readChangeFeed" -> "true"): _*))
      val rows = spark.baseRelationToDataFrame(relation)
      assert(rows.columns.toSeq == Seq("id", "_change_type", "_commit_version", "_commit_timestamp"))
      rows.collect().map(_.getLong(0)).sorted.toSeq
    }
    val time = new java.sql.Timestamp(t.log.getSnapshotAt(2).timestamp).toString
    withConf("spark.databricks.delta.loadFileSystemConfigsFromDataFrameOptions" -> "false") {
      assert(ids("startingVersion" -> "2") == Seq(2, 3))
      assert(ids("startingVersion" -> "1", "endingVersion" -> "2") == Seq(1, 2))
      assert(ids("startingTimestamp" -> time) == Seq(2, 3))
      assert(ids("startingVersion" -> "1", "endingTimestamp" -> time) == Seq(1, 2))
    }
  }

  test("D2: options reach the table's file system unless the conf says no") {
    def passed() =
      DeltaTableOptions.of(source.createRelation(sql, options(table(), "fs.deltasource.key" -> "v")))
    assert(passed().get("fs.deltasource.key").contains("v"))
    withConf("spark.databricks.delta.loadFileSystemConfigsFromDataFrameOptions" -> "false") {
      assert(!passed().contains("fs.deltasource.key"))
    }
  }

  test("D3: a write makes the table with its partition columns and properties, in every mode") {
    val t = TestTable()
    val data = spark.range(4).selectExpr("id", "id % 2 AS p")
    val partitioned = options(
      t,
      DeltaSourceUtils.PARTITIONING_COLUMNS_KEY -> DeltaDataSource.encodePartitioningColumns(Seq("p"))
    )
    val relation = source.createRelation(
      sql,
      SaveMode.ErrorIfExists,
      partitioned ++ Map("delta.appendOnly" -> "false"),
      data
    )
    assert(spark.baseRelationToDataFrame(relation).count() == 4)
    assert(t.log.update().metadata.partitionColumns == Seq("p"))
    assert(t.log.update().metadata.configuration.get("delta.appendOnly").contains("false"))
    source.createRelation(sql, SaveMode.Append, partitioned, data)
    assert(spark.read.format("delta").load(t.path).count() == 8)
    source.createRelation(sql, SaveMode.Overwrite, partitioned, data)
    assert(spark.read.format("delta").load(t.path).count() == 4)
    source.createRelation(sql, SaveMode.Ignore, partitioned, data)
    assert(spark.read.format("delta").load(t.path).count() == 4)
  }

  test("D3: table properties that Delta does not know are refused, and nothing is written") {
    val t = TestTable()
    assert(condition(source.createRelation(
      sql,
      SaveMode.Append,
      options(t, "delta.noSuchThing" -> "1"),
      spark.range(1).toDF()
    )) ==
      "DELTA_UNKNOWN_CONFIGURATION")
    assert(t.log.update().version < 0)
    assert(message(source.createRelation(
      sql,
      SaveMode.Append,
      Map.empty[String, String],
      spark.range(1).toDF()
    )) ==
      "'path' is not specified")
  }

  private val wrong = new StructType().add("other", StringType)

  test("D4: createSource names a missing path, then a schema, then a table without one") {
    def create(schema: Option[StructType], parameters: Map[String, String]) =
      source.createSource(sql, "metadata", schema, "delta", parameters)
    assert(message(create(Some(wrong), Map.empty)) == "'path' is not specified")
    val none = TestTable()
    val refused = message(create(Some(wrong), options(none)))
    assert(refused.contains("DELTA_READ_SOURCE_SCHEMA_CONFLICT"))
    assert(refused.contains("Delta does not support specifying the schema at read time."))
    assert(message(create(None, options(none))).contains(
      "Table schema is not set.  Write data into it or use CREATE TABLE to set the schema."
    ))
    assert(condition(create(None, options(none))) == "DELTA_SCHEMA_NOT_SET")
  }

  test("D4: a schema equal to the table's is accepted when called directly") {
    val t = table()
    val schema = new StructType().add("id", LongType)
    assert(source.createSource(sql, "metadata", Some(schema), "delta", options(t)).isInstanceOf[DeltaSource])
    assert(condition(source.createSource(
      sql,
      "metadata",
      Some(wrong),
      "delta",
      options(t)
    )) == "DELTA_READ_SOURCE_SCHEMA_CONFLICT")
  }

  test(
    "D5: the source's schema is the table's without what is internal, with the change feed's columns if asked"
  ) {
    val t = TestTable().create("id LONG, g LONG GENERATED ALWAYS AS (id + 1), c STRING COMMENT 'kept'")
    val (name, schema) = source.sourceSchema(sql, None, "delta", options(t))
    assert(name == "delta" && schema.fieldNames.toSeq == Seq("id", "g", "c"))
    assert(schema("g").metadata == Metadata.empty && schema("c").getComment().contains("kept"))
    val feed = source.sourceSchema(sql, None, "delta", options(t, "readChangeFeed" -> "true"))._2
    assert(feed.fieldNames.drop(3).toSeq == Seq("_change_type", "_commit_version", "_commit_timestamp"))
  }

  test("D5: time travel in the path or in the options is refused in both words") {
    val t = table()
    for (parameters <- Seq(
        options(t, "versionAsOf" -> "1"),
        options(t, "timestampAsOf" -> "2020-01-01"),
        Map("path" -> s"${t.path}@v1")
      )) {
      assert(condition(source.sourceSchema(
        sql,
        None,
        "delta",
        parameters
      )) == "DELTA_UNSUPPORTED_TIME_TRAVEL_VIEWS")
      assert(message(source.sourceSchema(
        sql,
        None,
        "delta",
        parameters
      )).contains("Cannot time travel views, subqueries or streams."))
    }
    assert(message(source.sourceSchema(sql, None, "delta", Map.empty)) == "'path' is not specified")
  }

  test("D6: a sink takes append and complete, with path, partition columns and options") {
    val t = table()
    for (mode <- Seq(OutputMode.Append, OutputMode.Complete))
      source.createSink(sql, options(t, "mergeSchema" -> "true"), Seq("p"), mode) match {
        case sink: DeltaSink =>
          assert(
            sink.path == new Path(t.path) && sink.partitionColumns == Seq("p") && sink.outputMode == mode
          )
          assert(sink.options.canMergeSchema)
        case other => fail(s"$other")
      }
    val refused = message(source.createSink(sql, options(t), Nil, OutputMode.Update))
    assert(
      refused.contains(s"Data source ${classOf[DeltaDataSource].getName} does not support Update output mode")
    )
    assert(condition(source.createSink(
      sql,
      options(t),
      Nil,
      OutputMode.Update
    )) == "DELTA_UNSUPPORTED_OUTPUT_MODE")
    assert(message(source.createSink(sql, Map.empty, Nil, OutputMode.Append)) == "'path' is not specified")
  }

  test("D7: getTable is the table of the path; a table registered in the catalog is read by its name") {
    val t = table()
    val properties = java.util.Map.of("path", t.path)
    assert(source.getTable(
      new StructType,
      Array.empty,
      properties
    ).asInstanceOf[DeltaTableV2].path == new Path(t.path))
    assert(message(source.getTable(
      new StructType,
      Array.empty,
      java.util.Map.of[String, String]()
    )) == "'path' is not specified")
    assert(source.inferSchema.isEmpty && source.inferPartitioning(null).isEmpty)
    spark.sql(s"CREATE TABLE d7 USING delta LOCATION '${t.path}'")
    try assert(spark.table("d7").collect().toSet == Set(Row(1L), Row(2L)))
    finally {
      val _ = spark.sql("DROP TABLE d7").collect()
    }
  }

  test("D7: types that Delta can store are supported, and intervals and times are not") {
    val geometry = DataType.fromDDL("g GEOMETRY(4326)").asInstanceOf[StructType].head.dataType
    for (supported <- Seq(
        LongType,
        StringType,
        VariantType,
        NullType,
        geometry,
        ArrayType(VariantType),
        MapType(StringType, new StructType().add("v", geometry))
      ))
      assert(source.supportsDataType(supported), supported)
    for (refused <- Seq(
        CalendarIntervalType,
        DayTimeIntervalType(),
        YearMonthIntervalType(),
        TimeType(6),
        ArrayType(CalendarIntervalType)
      ))
      assert(!source.supportsDataType(refused), refused)
  }

  test("D8: a version or a time travels there, with where it came from") {
    def spec(pairs: (String, String)*) = DeltaDataSource.getTimeTravelVersion(pairs.toMap)
    assert(spec().isEmpty)
    assert(spec("versionAsOf" -> "3").contains(DeltaTimeTravelSpec(None, Some(3), Some("dfReader"))))
    assert(spec(
      "VERSIONASOF" -> "3",
      "__time_travel_source__" -> "x"
    ).flatMap(_.creationSource).contains("x"))
    assert(spec("timestampAsOf" -> "2020-01-01").flatMap(_.timestamp).map(_.toString).contains("2020-01-01"))
    assert(condition(spec("versionAsOf" -> "x")) == "DELTA_TIME_TRAVEL_INVALID_BEGIN_VALUE")
    assert(condition(spec(
      "versionAsOf" -> "1",
      "timestampAsOf" -> "2020-01-01"
    )) == "DELTA_ONEOF_IN_TIMETRAVEL")
  }

  private lazy val partitioned = {
    val t = TestTable().create("id LONG, p LONG", "PARTITIONED BY (p)")
    t.sql(s"INSERT INTO ${t.name} VALUES (1, 1), (2, 2)")
  }

  test("D9: a path is its table's root, the partition values on the way, and the version behind an @") {
    val path = partitioned.path
    def parsed(text: String) = DeltaDataSource.parsePathIdentifier(spark, text)
    assert(parsed(path) == ((new Path(path), Nil, None)))
    assert(parsed(s"$path/p=1") == ((new Path(path), Seq("p" -> "1"), None)))
    assert(parsed(s"$path@v0")._3.flatMap(_.version).contains(0L))
    assert(parsed("/no/such/table") == ((new Path("/no/such/table"), Nil, None)))
    assert(condition(parsed(s"$path/x")) == "DELTA_INVALID_PARTITION_PATH")
    assert(DeltaDataSource.parsePathIdentifier(spark, path, Map.empty[String, String]) == parsed(path))
  }

  test("D9: partition values become predicates, of partition columns and with a file behind them only") {
    val snapshot = partitioned.log.update()
    def filters(pairs: (String, String)*) =
      DeltaDataSource.verifyAndCreatePartitionFilters("path", snapshot, pairs)
    assert(filters().isEmpty && filters("p" -> "1").map(_.toString) == Seq("('p = 1)"))
    assert(condition(filters("p" -> "5")) == "DELTA_PATH_DOES_NOT_EXIST")
    assert(message(filters("id" -> "1", "p" -> "2")).contains("`id`"))
  }

  test("D10: the option keys are constants, for Java too") {
    val forwarders = classOf[DeltaDataSource].getMethods.filter(_.getName.endsWith("_KEY")).map(m =>
      m.getName -> m.invoke(null)).toMap
    assert(forwarders == Map(
      "TIME_TRAVEL_SOURCE_KEY" -> "__time_travel_source__",
      "TIME_TRAVEL_TIMESTAMP_KEY" -> "timestampAsOf",
      "TIME_TRAVEL_VERSION_KEY" -> "versionAsOf",
      "CDC_START_VERSION_KEY" -> "startingVersion",
      "CDC_START_TIMESTAMP_KEY" -> "startingTimestamp",
      "CDC_END_VERSION_KEY" -> "endingVersion",
      "CDC_END_TIMESTAMP_KEY" -> "endingTimestamp",
      "CDC_ENABLED_KEY" -> "readChangeFeed"
    ))
    assert(DeltaDataSource.CDC_ENABLED_KEY_LEGACY == "readChangeData")
  }

  test("D11: the schema log's root is found under both names, the longer one first") {
    def location(pairs: (String, String)*) =
      DeltaDataSource.extractSchemaTrackingLocationConfig(spark, pairs.toMap)
    assert(location().isEmpty && location("SCHEMALOCATION" -> "a").contains("a"))
    assert(location("schemaLocation" -> "a", "schemaTrackingLocation" -> "b").contains("b"))
  }

  test("D11: the schema log lies under its root, by table and tracking id, and can be turned off") {
    val t = table()
    val snapshot = t.log.update()
    val root = t.checkpointFolder("schemas")
    val parameters = Map("schemaTrackingLocation" -> root, "streamingSourceTrackingId" -> "one")
    val made = Seq(
      DeltaDataSource.getMetadataTrackingLogForDeltaSource(spark, snapshot, parameters),
      DeltaDataSource.getMetadataTrackingLogForDeltaSource(spark, snapshot, parameters, None),
      DeltaDataSource.getMetadataTrackingLogForDeltaSource(spark, snapshot, parameters, None, false),
      DeltaDataSource.getMetadataTrackingLogForDeltaSource(spark, snapshot, None, parameters)
    )
    assert(made.forall(_.nonEmpty))
    val folders = new java.io.File(root).list().toSeq
    assert(folders == Seq(s"_schema_log_${snapshot.metadata.id}_one"))
    assert(DeltaDataSource.getMetadataTrackingLogForDeltaSource(
      spark,
      snapshot,
      Map.empty[String, String]
    ).isEmpty)
    withConf("spark.databricks.delta.streaming.schemaTracking.enabled" -> "false") {
      val error = intercept[UnsupportedOperationException](
        DeltaDataSource.getMetadataTrackingLogForDeltaSource(spark, snapshot, parameters)
      )
      assert(error.getMessage == "Schema tracking location is not supported for Delta streaming source")
    }
  }
}

private object DeltaTableOptions {

  /** The options the table behind a relation was opened with. */
  def of(relation: org.apache.spark.sql.sources.BaseRelation): Map[String, String] = relation match {
    case files: HadoopFsRelation =>
      files.location.asInstanceOf[org.apache.spark.sql.delta.files.TahoeFileIndex].deltaLog.options
    case other => throw new IllegalArgumentException(s"$other")
  }
}
