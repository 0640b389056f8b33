// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.streaming.{StreamingQueryException, Trigger}

import org.apache.spark.sql.delta.testing.{SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** B92: a stream whose data file cannot be read says which, of which table and version, and why. */
class DeltaSourceDamagedFileSuite extends AnyFunSuite with SourceFixture {

  private val vectors = "delta.enableDeletionVectors = true"
  private val changeFeed = "delta.enableChangeDataFeed = true"

  private def tableWith(properties: String*): TestTable =
    TestTable().create(clause =
      if (properties.isEmpty) "" else properties.mkString("TBLPROPERTIES (", ", ", ")"))

  private def files(table: TestTable, suffix: String): Seq[Path] =
    Files.list(Path.of(table.path)).iterator.asScala.filter(_.toString.endsWith(suffix)).toSeq

  /** Overwrites all data files of the table, or its deletion vectors; Hadoop's checksums do not show it. */
  private def damage(table: TestTable, suffix: String = ".parquet")(
      change: Array[Byte] => Array[Byte]): TestTable = {
    files(table, ".crc").foreach(Files.delete)
    val damaged = files(table, suffix)
    assert(damaged.nonEmpty)
    damaged.foreach(file => Files.write(file, change(Files.readAllBytes(file))))
    table
  }

  private def garbage(bytes: Array[Byte]): Array[Byte] = Array.fill(bytes.length)('x'.toByte)

  /** The pages are damaged; the footer, which is read first, is not. */
  private def garbledPages(bytes: Array[Byte]): Array[Byte] =
    bytes.take(4) ++ garbage(bytes.slice(4, bytes.length / 4)) ++ bytes.drop(bytes.length / 4)

  private def isNamed(
      error: SparkThrowable,
      table: TestTable,
      version: Long,
      suffix: String = ".parquet"): Unit = {
    val text = s"$error"
    assert(error.getCondition == "DELTASOURCE_UNREADABLE_DATA_FILE", text)
    val parameters = error.getMessageParameters.asScala
    assert(parameters.get("version").contains(s"$version"), text)
    assert(parameters.get("path").exists(_.endsWith(table.path)), text)
    assert(
      Files.exists(Path.of(new java.net.URI(parameters("file")))) && parameters("file").endsWith(suffix),
      text)
    assert(!parameters("reason").contains(table.path), text)
    val _ = assert(text.contains("restore it from a copy"), text)
  }

  for {
    (damaged, change) <- Seq("file" -> garbage _, "page" -> garbledPages _)
    properties <- Seq(Nil, Seq(vectors))
  } test(s"B92: a damaged $damaged is named, with properties: '${properties.mkString}'") {
    val table = damage(tableWith(properties: _*).append(1L to 1000L))(change)
    isNamed(refused(firstBatch(table)), table, 1)
  }

  test("B92: a damaged file of a change feed is named") {
    val table = tableWith(changeFeed).append(Seq(1, 2))
    val _ = damage(table)(garbage)
    val options = Seq("readChangeFeed" -> "true", "startingVersion" -> "1")
    isNamed(refused(firstBatch(table, options: _*)), table, 1)
  }

  test("B92: a damaged deletion vector is named, on the driver and in a task") {
    def deletedTwice: TestTable = {
      val table = tableWith(vectors, changeFeed).append(1L to 9L)
      (1 to 2).foreach(id => table.sql(s"DELETE FROM ${table.name} WHERE id = $id"))
      damage(table, ".bin")(_.take(1))
    }
    val compared = deletedTwice
    val changes = Seq("readChangeFeed" -> "true", "startingVersion" -> "3")
    isNamed(refused(firstBatch(compared, changes: _*)), compared, 3, ".bin")
    val read = deletedTwice
    isNamed(refused(firstBatch(read)), read, 3)
  }

  test("B92: with Spark's conf that ignores damaged files, the stream reads on without them") {
    val table = damage(tableWith().append(Seq(1)))(garbage)
    val read = withConf("spark.sql.files.ignoreCorruptFiles" -> "true")(firstBatch(table))
    assert(read == Nil)
  }

  test(
    "B92: a query fails with the same error into our sink and into noop, and reads on from a restored file") {
    val table = tableWith().append(Seq(1))
    val good = files(table, "c000.snappy.parquet").map(file => file -> Files.readAllBytes(file))
    val _ = damage(table)(garbage)
    def run(format: String): Unit = {
      val stream = spark.readStream.format("delta").load(table.path)
      val writer = stream.writeStream.format(format).trigger(Trigger.AvailableNow())
        .option("checkpointLocation", table.checkpointFolder(format))
      try writer.start(table.checkpointFolder("target")).awaitTermination()
      catch { case e: StreamingQueryException => throw e.getCause }
    }
    for (format <- Seq("delta", "noop"))
      isNamed(refused(run(format)), table, 1)
    good.foreach { case (file, bytes) => Files.write(file, bytes) }
    Seq("delta", "noop").foreach(run)
    assert(spark.read.format("delta").load(table.checkpointFolder("target")).count() == 1)
  }
}
