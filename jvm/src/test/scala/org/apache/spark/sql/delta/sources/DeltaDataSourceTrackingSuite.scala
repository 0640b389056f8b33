// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.spark.sql.delta.testing.TestTable
import org.scalatest.funsuite.AnyFunSuite

/** Row D11 of behaviour.md: where the schema log is, what it contains, and which source may use it. */
class DeltaDataSourceTrackingSuite extends AnyFunSuite with DeltaDataSourceFixture {
  private def schemaLocation(t: TestTable): String = t.checkpointFolder("schemas")
  private def first(t: TestTable): String = t.checkpointFolder() + "/sources/0"
  private def second(t: TestTable): String = t.checkpointFolder() + "/sources/1"

  private def tracking(t: TestTable, more: (String, String)*): Map[String, String] =
    options(t, "schemaTrackingLocation" -> schemaLocation(t)) ++ more

  private def logOf(
      t: TestTable,
      parameters: Map[String, String],
      source: Option[String] = None,
      merge: Boolean = false): Option[DeltaSourceMetadataTrackingLog] =
    DeltaDataSource.getMetadataTrackingLogForDeltaSource(
      spark,
      t.log.update(),
      None,
      parameters,
      source,
      merge)

  /** Tracked as of version 0 by the first source; versions 1 and 2 add a column each. */
  private def tracked(): TestTable = {
    val t = TestTable().create()
    val now = t.log.update()
    logOf(t, tracking(t)).get
      .writeNewMetadata(PersistedMetadata(now.metadata.id, now.version, now.metadata, now.protocol, first(t)))
    t.sql(s"ALTER TABLE ${t.name} ADD COLUMN (a LONG)").sql(s"ALTER TABLE ${t.name} ADD COLUMN (b LONG)")
  }

  private def version(log: Option[DeltaSourceMetadataTrackingLog]): Option[Long] =
    log.flatMap(_.getCurrentTrackedMetadata).map(_.deltaCommitVersion)

  test("D11: the schema log location is read under both option names, the longer one first") {
    def location(pairs: (String, String)*) =
      DeltaDataSource.extractSchemaTrackingLocationConfig(spark, pairs.toMap)
    assert(location().isEmpty && location("SCHEMALOCATION" -> "a").contains("a"))
    assert(location("schemaLocation" -> "a", "SchemaTrackingLocation" -> "b").contains("b"))
  }

  test(
    "D11: the schema log is in a folder named by table and tracking id; there is none without a location") {
    val t = table()
    def folders = Using.resource(Files.list(Path.of(schemaLocation(t)))) { files =>
      files.iterator.asScala.map(_.getFileName.toString).toVector.sorted
    }
    val name = s"_schema_log_${t.log.update().metadata.id}"
    assert(logOf(t, options(t)).isEmpty)
    assert(logOf(t, tracking(t)).nonEmpty && folders == Seq(name))
    assert(logOf(t, tracking(t, "streamingSourceTrackingId" -> "mine")).nonEmpty)
    assert(folders == Seq(name, s"${name}_mine"))
  }

  test("D11: consecutive schema changes are merged into one if requested") {
    val t = tracked()
    assert(version(logOf(t, tracking(t), Some(first(t)))).contains(0L))
    assert(version(logOf(t, tracking(t), Some(first(t)), merge = true)).contains(2L))
  }

  test("D11: a schema log belongs to one source of one checkpoint") {
    val t = tracked()
    for (body <- Seq(
        () => logOf(t, tracking(t), Some(second(t))),
        () => source.createSource(sql, second(t), None, "delta", tracking(t))))
      assert(
        intercept[IllegalArgumentException](body()).getMessage.contains("schema location has been reused"))
  }

  test("D11: a stream with a schema log starts with its schema, merged with later changes by default") {
    val t = tracked()
    def columns = source.sourceSchema(sql, None, "delta", tracking(t))._2.fieldNames.toSeq
    withConf(
      "spark.databricks.delta.streaming.schemaTracking.mergeConsecutiveSchemaChanges.enabled" -> "false") {
      assert(columns == Seq("id"))
    }
    assert(columns == Seq("id", "a", "b"))
  }

  test("D11: a schema log location is refused if the conf turns schema tracking off") {
    val t = table()
    withConf("spark.databricks.delta.streaming.schemaTracking.enabled" -> "false") {
      for (body <- Seq(
          () => logOf(t, tracking(t)),
          () => source.sourceSchema(sql, None, "delta", tracking(t)),
          () => source.createSource(sql, first(t), None, "delta", tracking(t)))) {
        val refused = intercept[UnsupportedOperationException](body())
        assert(refused.getMessage == "Schema tracking location is not supported for Delta streaming source")
      }
      assert(source.sourceSchema(sql, None, "delta", options(t))._2.fieldNames.toSeq == Seq("id"))
    }
  }

  test("D11: the documented overloads take three, four and five arguments") {
    import DeltaDataSource.{getMetadataTrackingLogForDeltaSource => openLog}
    val t = tracked()
    val now = t.log.update()
    assert(openLog(spark, now, options(t)).isEmpty)
    assert(version(openLog(spark, now, tracking(t))).contains(0L))
    assert(version(openLog(spark, now, tracking(t), Some(first(t)))).contains(0L))
    assert(intercept[IllegalArgumentException](openLog(spark, now, tracking(t), Some(second(t)))).getMessage
      .contains("schema location has been reused"))
    assert(version(openLog(spark, now, tracking(t), Some(first(t)), false)).contains(0L))
    assert(version(openLog(spark, now, tracking(t), Some(first(t)), true)).contains(2L))
  }

  test("M8: a tracking id that points outside the location is refused before anything is written") {
    val t = table()
    val before = t.folder.toFile.list.toSet
    for (id <- Seq("x/../../../../escaped", "x/..", "x" * 300)) {
      val unsafe = tracking(t, "streamingSourceTrackingId" -> id)
      for (body <- Seq(
          () => source.sourceSchema(sql, None, "delta", unsafe),
          () => source.createSource(sql, first(t), None, "delta", unsafe),
          () => logOf(t, unsafe)))
        assert(condition(body()) == "DELTASOURCE_UNSAFE_TRACKING_ID")
    }
    assert(t.folder.toFile.list.toSet == before)
  }

  test("M8: a table id in the log that points outside the location is refused") {
    val t = table()
    val line = Files.readAllLines(t.commitFile(0)).asScala.find(_.contains("\"metaData\"")).get
    t.writeCommit(2, line.replace(t.log.update().metadata.id, "../../../../escaped"))
    assert(condition(source.sourceSchema(sql, None, "delta", tracking(t))) == "DELTASOURCE_UNSAFE_TABLE_ID")
    assert(!Files.exists(Path.of(schemaLocation(t))))
  }
}
