// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.execution.streaming.Source
import org.apache.spark.sql.streaming.OutputMode
import org.apache.spark.sql.types._

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.DeltaAnalysisException
import org.apache.spark.sql.delta.testing.TestTable
import org.scalatest.funsuite.AnyFunSuite

/** Rows D4 to D6 of behaviour.md: how streaming sources and sinks are created, and what is refused. */
class DeltaDataSourceStreamSuite extends AnyFunSuite with DeltaDataSourceFixture {
  private val conflict = "DELTA_READ_SOURCE_SCHEMA_CONFLICT"
  private val noSchemaAtReadTime = "Delta does not support specifying the schema at read time."
  private val notSet = "Table schema is not set.  Write data into it or use CREATE TABLE to set the schema."
  private val id = new StructType().add("id", LongType)
  private val other = new StructType().add("other", StringType)

  private def create(schema: Option[StructType], parameters: Map[String, String]): Source =
    source.createSource(sql, "metadata", schema, "delta", parameters)

  private def schemaOf(parameters: Map[String, String], requested: Option[StructType] = None): StructType = {
    val (name, schema) = source.sourceSchema(sql, requested, "delta", parameters)
    assert(name == "delta")
    schema
  }

  test("D4: createSource checks the path, then the options, the given schema, and the table's schema") {
    val noTable = TestTable()
    val badOption = "maxFilesPerTrigger" -> "0"
    assert(message(create(Some(other), Map(badOption))) == noPath)
    assert(intercept[IllegalArgumentException](create(None, none)).getMessage == noPath)
    assert(condition(create(Some(other), options(noTable, badOption))) == "DELTA_ILLEGAL_OPTION")
    val refused = intercept[DeltaAnalysisException](create(Some(other), options(noTable)))
    assert(refused.getCondition == conflict && refused.getMessage.contains(noSchemaAtReadTime))
    val without = intercept[DeltaAnalysisException](create(None, options(noTable)))
    assert(without.getCondition == "DELTA_SCHEMA_NOT_SET" && without.getMessage.contains(notSet))
  }

  test("D4: a schema equal to the table's is accepted in a direct call, any other is refused") {
    val t = table()
    assert(create(Some(id), options(t)).isInstanceOf[DeltaSource])
    assert(schemaOf(options(t), Some(id)) == id)
    val others = Seq(
      other,
      new StructType().add("ID", LongType),
      new StructType().add("id", IntegerType),
      new StructType().add("id", LongType, nullable = false),
      id.add("more", LongType)
    )
    for (requested <- others;
      body <- Seq(() => create(Some(requested), options(t)), () => schemaOf(options(t), Some(requested)))) {
      val refused = intercept[DeltaAnalysisException](body())
      assert(refused.getCondition == conflict && refused.getMessage.contains(noSchemaAtReadTime), requested)
    }
  }

  test("D4: the given schema may be nullable where the table's is not") {
    val t = TestTable().create("id LONG NOT NULL")
    assert(create(Some(id), options(t)).isInstanceOf[DeltaSource])
  }

  test("D4: an empty schema, passed by a catalog that stores no columns, means the table's schema") {
    assert(create(Some(new StructType), options(table())).isInstanceOf[DeltaSource])
    assert(schemaOf(options(table()), Some(new StructType)) == id)
    assert(condition(create(Some(new StructType), options(TestTable()))) == "DELTA_SCHEMA_NOT_SET")
  }

  test("D4: through readStream Spark refuses even the table's own schema") {
    val refused = message(spark.readStream.schema(id).format("delta").load(table().path))
    assert(refused.contains("source does not support user-specified schema"))
  }

  // The schema that delta-spark 4.4.0 returns for this table, character by character. Char and varchar columns keep
  // Spark's metadata of their type. A default value is kept as well, because readers use it too.
  private lazy val annotated = {
    val t = TestTable()
    t.sql(s"""CREATE TABLE ${t.name} (
             |  id BIGINT GENERATED ALWAYS AS IDENTITY COMMENT 'key', day DATE,
             |  year INT GENERATED ALWAYS AS (year(day)) COMMENT 'of day', word STRING DEFAULT 'x', code CHAR(3),
             |  name VARCHAR(9) NOT NULL, deep STRUCT<a: CHAR(2), b: VARIANT>)
             |USING delta PARTITIONED BY (year) TBLPROPERTIES (
             |  'delta.feature.allowColumnDefaults' = 'supported', 'delta.columnMapping.mode' = 'name')
             |""".stripMargin)
  }

  private val annotatedFields = Seq(
    """{"name":"id","type":"long","nullable":true,"metadata":{"comment":"key"}}""",
    """{"name":"day","type":"date","nullable":true,"metadata":{}}""",
    """{"name":"year","type":"integer","nullable":true,"metadata":{"comment":"of day"}}""",
    """{"name":"word","type":"string","nullable":true,"metadata":{"CURRENT_DEFAULT":"'x'"}}""",
    """{"name":"code","type":"string","nullable":true,"metadata":{"__CHAR_VARCHAR_TYPE_STRING":"char(3)"}}""",
    """{"name":"name","type":"string","nullable":false,"metadata":{"__CHAR_VARCHAR_TYPE_STRING":"varchar(9)"}}""",
    """{"name":"deep","type":{"type":"struct","fields":[{"name":"a","type":"string","nullable":true,"metadata":{}},""" +
      """{"name":"b","type":"variant","nullable":true,"metadata":{}}]},"nullable":true,""" +
      """"metadata":{"__CHAR_VARCHAR_TYPE_STRING":"struct<a:char(2),b:variant>"}}"""
  )

  private val changeFields = Seq(
    """{"name":"_change_type","type":"string","nullable":true,"metadata":{}}""",
    """{"name":"_commit_version","type":"long","nullable":true,"metadata":{}}""",
    """{"name":"_commit_timestamp","type":"timestamp","nullable":true,"metadata":{}}"""
  )

  private def json(fields: Seq[String]) = fields.mkString("""{"type":"struct","fields":[""", ",", "]}")

  test("D5: the source's schema is the table's without internal metadata, as in delta-spark 4.4.0") {
    val internal =
      Set("delta.identity.step", "delta.generationExpression", "delta.columnMapping.physicalName")
    assert(internal.forall(annotated.log.update().schema.json.contains))
    assert(schemaOf(options(annotated)).json == json(annotatedFields))
  }

  test("D5: the columns of the change feed come last, also with the option's older name") {
    for (key <- Seq("readChangeFeed", "READCHANGEDATA"))
      assert(schemaOf(options(annotated, key -> "true")).json == json(annotatedFields ++ changeFields), key)
    assert(schemaOf(options(annotated, "readChangeFeed" -> "false")).json == json(annotatedFields))
    assert(condition(schemaOf(Map("readChangeFeed" -> "yes"))) == "DELTA_ILLEGAL_OPTION")
  }

  test("D5: time travel in path or options is refused with Delta's and the documented message") {
    val t = table()
    for (parameters <- Seq(
        options(t, "versionAsOf" -> "1"),
        options(t, "timestampAsOf" -> "2020-01-01"),
        Map("path" -> s"${t.path}@v1"),
        Map("path" -> s"${t.path}@20200101000000000"),
        options(TestTable(), "versionAsOf" -> "1")
      )) {
      val refused = intercept[DeltaAnalysisException](schemaOf(parameters, Some(other)))
      assert(refused.getCondition == "DELTA_UNSUPPORTED_TIME_TRAVEL_VIEWS")
      assert(refused.getMessage.contains("streams or change data feed queries."))
      assert(refused.getMessage.contains("Cannot time travel views, subqueries or streams."))
    }
  }

  test("D5: sourceSchema reports a missing path, and a table without a schema") {
    assert(message(schemaOf(none, Some(other))) == noPath)
    assert(message(schemaOf(options(TestTable()))).contains(notSet))
  }

  test("D5: the schema given for a catalog-managed table is returned without opening the table") {
    val managed = Map("io.unitycatalog.tableId" -> "1", "delta.feature.catalogManaged" -> "supported")
    assert(schemaOf(managed, Some(other)) == other)
    assert(message(schemaOf(managed)) == noPath)
    withConf("spark.databricks.delta.v2.enableMode" -> "NONE")(assert(message(schemaOf(
      managed,
      Some(other))) == noPath))
  }

  test("D6: a sink supports append and complete mode, and has the path, partition columns and options") {
    val t = table()
    for (mode <- Seq(OutputMode.Append, OutputMode.Complete))
      source.createSink(sql, options(t, "mergeSchema" -> "true"), Seq("p"), mode) match {
        case sink: DeltaSink =>
          assert(
            sink.path == new Path(t.path) && sink.partitionColumns == Seq("p") && sink.outputMode == mode)
          assert(sink.options.canMergeSchema && sink.catalogTable.isEmpty)
        case sink => fail(s"$sink")
      }
  }

  test("D6: createSink checks the path, then the output mode, then the options") {
    val badOption = "mergeSchema" -> "yes"
    assert(message(source.createSink(sql, none, Nil, OutputMode.Update)) == noPath)
    val refused =
      intercept[DeltaAnalysisException](source.createSink(
        sql,
        options(table(), badOption),
        Nil,
        OutputMode.Update))
    assert(refused.getCondition == "DELTA_UNSUPPORTED_OUTPUT_MODE")
    val name = classOf[DeltaDataSource].getName
    assert(refused.getMessage.contains(s"Data source $name does not support Update output mode"))
    assert(condition(source.createSink(sql, options(table(), badOption), Nil, OutputMode.Append)) ==
      "DELTA_ILLEGAL_OPTION")
  }
}
