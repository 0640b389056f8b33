// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.streaming.{StreamingQueryException, Trigger}

import org.apache.spark.sql.delta.testing.{SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** B90: a stream whose data file is gone says which, and which VACUUM deleted it. */
class DeltaSourceVacuumedFileSuite extends AnyFunSuite with SourceFixture {

  private val vectors = "TBLPROPERTIES (delta.enableDeletionVectors = true)"
  private val changeFeed = "TBLPROPERTIES (delta.enableChangeDataFeed = true)"
  private val both =
    "TBLPROPERTIES (delta.enableChangeDataFeed = true, delta.enableDeletionVectors = true)"

  private def vacuum(table: TestTable): TestTable =
    withConf("spark.databricks.delta.retentionDurationCheck.enabled" -> "false")(
      table.sql(s"VACUUM ${table.name} RETAIN 0 HOURS")
    )

  private def isNamed(error: SparkThrowable, table: TestTable, version: Long, said: String*): Unit = {
    val text = s"$error"
    assert(error.getCondition == "DELTASOURCE_FILE_VACUUMED", text)
    val parameters = error.getMessageParameters.asScala
    assert(parameters.get("version").contains(s"$version"), text)
    assert(parameters.get("path").exists(_.endsWith(table.path)), text)
    assert(!Files.exists(Path.of(new java.net.URI(parameters("file")))), text)
    assert(text.contains("start again with a new checkpoint and a new or emptied target"), text)
    said.foreach(part => assert(text.contains(part)))
  }

  /** A table whose first two versions with rows were compacted, and their files deleted. */
  private def compacted(clause: String = ""): TestTable = {
    val table = TestTable().create(clause = clause).append(Seq(1)).append(Seq(2))
    vacuum(table.sql(s"OPTIMIZE ${table.name}"))
  }

  for (clause <- Seq("", vectors))
    test(s"B90: a file that OPTIMIZE and VACUUM removed is named, with both: '$clause'") {
      val table = compacted(clause)
      val error = refused(firstBatch(table, "startingVersion" -> "1", "maxFilesPerTrigger" -> "1"))
      isNamed(error, table, 1, "Version 3 (OPTIMIZE)", "The VACUUM of version 4", "kept files for 0 hours")
    }

  test("B90: a file that something else deleted is named, and the log does not say why") {
    val table = TestTable().create().append(Seq(1))
    val files = Files.list(Path.of(table.path)).iterator.asScala.toSeq
    files.filter(_.getFileName.toString.contains(".parquet")).foreach(Files.delete)
    isNamed(refused(firstBatch(table)), table, 1, "The log does not say who deleted it.")
  }

  test("B90: a change file that VACUUM deleted is named, and so is a removed file of a change feed") {
    val updated = TestTable().create(clause = changeFeed).append(Seq(1, 2), files = 1)
    vacuum(updated.sql(s"UPDATE ${updated.name} SET id = 3 WHERE id = 1"))
    val options = Seq("readChangeFeed" -> "true", "startingVersion" -> "2")
    isNamed(
      refused(firstBatch(updated, options: _*)),
      updated,
      2,
      "Version 2 (UPDATE)",
      "The VACUUM of version 3")

    val emptied = TestTable().create(clause = changeFeed).append(Seq(1))
    vacuum(emptied.sql(s"DELETE FROM ${emptied.name}"))
    isNamed(refused(firstBatch(emptied, options: _*)), emptied, 2, "Version 2 (DELETE)")
  }

  test("B90: a deletion vector that is gone is named, on the driver and in a task") {
    def rewritten: TestTable = {
      val table = TestTable().create(clause = both).append(1L to 9L, files = 1)
      (1 to 2).foreach(id => table.sql(s"DELETE FROM ${table.name} WHERE id = $id"))
      table
    }
    val compared = vacuum(rewritten)
    val changes = Seq("readChangeFeed" -> "true", "startingVersion" -> "3")
    isNamed(refused(firstBatch(compared, changes: _*)), compared, 3)

    val read = rewritten
    val deletionVectors =
      Files.list(Path.of(read.path)).iterator.asScala.filter(_.toString.endsWith(".bin")).toSeq
    deletionVectors.foreach(Files.delete)
    val error = refused(firstBatch(read))
    assert(error.getCondition == "DELTASOURCE_FILE_VACUUMED" && s"$error".contains(".bin"), s"$error")
  }

  test("B90: with Spark's conf that ignores missing files, the stream reads on without them") {
    val table = compacted()
    val read = withConf("spark.sql.files.ignoreMissingFiles" -> "true") {
      firstBatch(table, "startingVersion" -> "1")
    }
    assert(read == Nil)
  }

  test("B90: a query fails with the same error into our sink and into noop, and when it is restarted") {
    val table = compacted()
    def run(format: String): SparkThrowable = {
      val stream = spark.readStream.format("delta").option("startingVersion", "1")
        .option("maxFilesPerTrigger", "1").load(table.path)
      val writer = stream.writeStream.format(format).trigger(Trigger.AvailableNow())
        .option("checkpointLocation", table.checkpointFolder(format))
      refused {
        try writer.start(table.checkpointFolder("target")).awaitTermination()
        catch { case e: StreamingQueryException => throw e.getCause }
      }
    }
    for (format <- Seq("delta", "noop"); _ <- 1 to 2)
      isNamed(run(format), table, 1, "The VACUUM of version 4")
  }
}
