// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import org.apache.spark.sql.SparkSession

import org.apache.spark.sql.delta.DeltaLog

/** A tiny Delta table, by default of one column `id`. Each write is one commit. */
final class TestTable(spark: SparkSession, val folder: Path) {
  val path: String = folder.resolve("table").toString
  val name: String = s"delta.`$path`"

  def log: DeltaLog = DeltaLog.forTable(spark, path)

  def create(columns: String = "id LONG", clause: String = ""): TestTable =
    sql(s"CREATE TABLE $name ($columns) USING delta $clause")

  /** Appends these ids, in this many files of equal size. */
  def append(ids: Seq[Long], files: Int = 1): TestTable = {
    import spark.implicits._
    spark.sparkContext.parallelize(ids, files).toDF("id").write.format("delta").mode("append").save(path)
    this
  }

  def sql(text: String): TestTable = {
    spark.sql(text).collect()
    this
  }

  def checkpoint(): TestTable = {
    log.checkpoint(log.update())
    this
  }

  def commitFile(version: Long): Path = Path.of(path, "_delta_log", f"$version%020d.json")

  /** Writes a commit by hand, for content that no writer produces. */
  def writeCommit(version: Long, lines: String*): TestTable = {
    val file = commitFile(version)
    // Hadoop's checksum of the previous content of this file.
    Files.deleteIfExists(file.resolveSibling(s".${file.getFileName}.crc"))
    Files.write(file, lines.mkString("", "\n", "\n").getBytes(UTF_8))
    this
  }

  /** The latest version, -1 if there is no table. */
  def version: Long = log.update().version

  def checkpointFolder(name: String = "checkpoint"): String = folder.resolve(name).toString
}

object TestTable {
  def apply(): TestTable = new TestTable(SharedSession.spark, Files.createTempDirectory("deltasource-table"))
}
