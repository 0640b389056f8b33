// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.classic
import org.apache.spark.sql.hive.HiveExternalCatalog
import org.apache.spark.sql.streaming.{OutputMode, Trigger}
import org.apache.spark.sql.types._
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import org.apache.spark.sql.{SaveMode, SparkSession}

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.catalog.DeltaTableV2
import org.apache.spark.sql.delta.testing.TestTable
import org.scalatest.Assertion
import org.scalatest.funsuite.AnyFunSuite

/** Row D7 of docs/internals/behaviour.md: the table provider, also for tables registered in a catalog. */
class DeltaDataSourceTableSuite extends AnyFunSuite with DeltaDataSourceFixture {
  private def tableOf(properties: (String, String)*): DeltaTableV2 =
    source.getTable(new StructType, Array.empty, properties.toMap.asJava) match {
      case table: DeltaTableV2 => table
      case other => fail(s"$other")
    }

  test("D7: getTable returns the table of the path, with all options under lower-case names") {
    val t = table()
    val found = tableOf("PATH" -> t.path, "Other" -> "v")
    assert(found.path == new Path(t.path) && found.schema() == new StructType().add("id", LongType))
    assert(found.options == Map("path" -> t.path, "other" -> "v"))
    assert(intercept[IllegalArgumentException](tableOf()).getMessage == noPath)
  }

  test("D7: schema and partitioning come from the table, whatever the caller passes") {
    assert(source.inferSchema.isEmpty && source.inferSchema(CaseInsensitiveStringMap.empty).isEmpty)
    assert(source.inferPartitioning(null).isEmpty)
    assert(!source.supportsExternalMetadata() && source.addV1OverwriteWithSaveAsTableOption())
  }

  test("D7: types that Delta can store are supported, and intervals and times of day are not") {
    def typeOf(ddl: String): DataType = StructType.fromDDL(s"v $ddl").head.dataType
    val supported = Seq(
      "BOOLEAN",
      "BYTE",
      "SHORT",
      "INT",
      "LONG",
      "FLOAT",
      "DOUBLE",
      "DECIMAL(38, 2)",
      "STRING",
      "CHAR(3)",
      "VARCHAR(3)",
      "STRING COLLATE UTF8_LCASE",
      "BINARY",
      "DATE",
      "TIMESTAMP",
      "TIMESTAMP_NTZ",
      "VOID",
      "VARIANT",
      "ARRAY<VARIANT>"
    )
    val refused = Seq("INTERVAL DAY TO SECOND", "INTERVAL YEAR TO MONTH", "STRUCT<a: INTERVAL DAY TO SECOND>")
    for (ddl <- supported) assert(source.supportsDataType(typeOf(ddl)), ddl)
    for (ddl <- refused) assert(!source.supportsDataType(typeOf(ddl)), ddl)
    assert(!source.supportsDataType(CalendarIntervalType))
    // Not every line has these.
    for (ddl <- Seq("GEOMETRY(4326)", "GEOGRAPHY(4326)", "MAP<STRING, STRUCT<a: GEOMETRY(4326)>>"))
      assert(Try(typeOf(ddl)).toOption.forall(source.supportsDataType(_)), ddl)
    assert(Try(typeOf("TIME(6)")).toOption.forall(!source.supportsDataType(_)))
    assert(!source.supportsDataType(ArrayType(CalendarIntervalType)))
  }

  test("D7: a table registered in the session's catalog is read and streamed by its name") {
    readByName(spark, table())
  }

  test("D7: a table registered in a Hive metastore is read and streamed by its name") {
    val hive = hiveSession()
    SparkSession.setActiveSession(hive)
    try readByName(hive, table())
    finally SparkSession.setActiveSession(spark)
  }

  test("D7: a catalog that creates the data source itself can pass it the table") {
    val t = table()
    withTable(spark, t) { name =>
      val registered = catalogTable(spark, name)
      val dataSource = new DeltaDataSource
      dataSource.setCatalogTableOpt(Some(registered))
      val elsewhere = options(TestTable())
      assert(dataSource.createSource(
        sql,
        "metadata",
        None,
        "delta",
        elsewhere).toString == s"DeltaSource[file:${t.path}]")
      assert(dataSource.createSink(
        sql,
        elsewhere,
        Nil,
        OutputMode.Append).asInstanceOf[DeltaSink].catalogTable.contains(registered))
      val _ = dataSource.createRelation(sql, SaveMode.Append, elsewhere, spark.range(1).toDF())
      assert(t.version == 2)
    }
  }

  /** The catalog stores only the location of the table; schema and properties are in its log. */
  private def readByName(session: SparkSession, t: TestTable): Assertion = withTable(session, t) { name =>
    assert(catalogTable(session, name).provider.contains("delta") && catalogTable(
      session,
      name).schema.isEmpty)
    assert(session.table(name).collect().map(_.getLong(0)).toSet == Set(1L, 2L))
    assert(session.readStream.table(name).schema.fieldNames.toSeq == Seq("id"))
    assert(session.readStream.option("readChangeFeed", "true").table(name).schema.size == 4)
    val query = session.readStream.table(name).writeStream.format("noop").trigger(Trigger.AvailableNow())
      .option("checkpointLocation", t.checkpointFolder()).start()
    query.awaitTermination()
    assert(query.recentProgress.map(_.numInputRows).sum == 2)
  }

  private def withTable(session: SparkSession, t: TestTable)(body: String => Assertion): Assertion = {
    val name = "deltasource_registered"
    session.sql(s"CREATE TABLE $name USING delta LOCATION '${t.path}'").collect()
    try body(name)
    finally {
      val _ = session.sql(s"DROP TABLE $name").collect()
    }
  }

  private def catalogTable(session: SparkSession, name: String): CatalogTable =
    session.asInstanceOf[classic.SparkSession].sessionState.catalog.getTableMetadata(TableIdentifier(name))

  /** A second session on the same context. A new session reads its kind of catalog from the context's conf. */
  private def hiveSession(): SparkSession = {
    val context = spark.sparkContext
    val key = "spark.sql.catalogImplementation"
    System.setProperty("derby.stream.error.file", TestTable().folder.resolve("derby.log").toString)
    context.hadoopConfiguration
      .set("javax.jdo.option.ConnectionURL", "jdbc:derby:memory:deltasource;create=true")
    val before = context.conf.get(key, "in-memory")
    context.conf.set(key, "hive")
    try {
      val session = new classic.SparkSession(context, new java.util.HashMap[String, String])
      assert(session.sharedState.externalCatalog.unwrapped.isInstanceOf[HiveExternalCatalog])
      assert(session.sessionState.catalog.databaseExists("default"))
      session
    } finally {
      val _ = context.conf.set(key, before)
    }
  }
}
