// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.execution.QueryExecutionException

import org.apache.commons.io.FileUtils
import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.testing.{SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** B91: a stream that starts on a damaged log says which file is damaged. */
class DeltaSourceDamagedLogSuite extends AnyFunSuite with SourceFixture {

  private def logFiles(table: TestTable): Seq[Path] =
    Files.list(table.commitFile(0).getParent).iterator.asScala.toSeq

  /** Replaces a file of the log, as seen by a process that has not read the table. */
  private def replace(table: TestTable, file: Path, content: Array[Byte]): TestTable = {
    // The checksums of Hadoop's local file system.
    logFiles(table).filter(_.toString.endsWith(".json.crc")).foreach(Files.delete)
    Files.deleteIfExists(file.resolveSibling(s".${file.getFileName}.crc"))
    Files.write(file, content)
    DeltaLog.clearCache()
    table
  }

  /** Removes the files with the table's protocol and metadata, which Delta reads instead of the commits. */
  private def withoutChecksums(table: TestTable): TestTable = {
    logFiles(table).filter(_.toString.endsWith(".crc")).foreach(Files.delete)
    table
  }

  private def torn(table: TestTable, version: Long): TestTable = {
    val file = table.commitFile(version)
    replace(table, file, Files.readAllBytes(file).dropRight(20))
  }

  private def appended(commits: Int): TestTable =
    (1 to commits).foldLeft(TestTable().create())((table, id) => table.append(Seq(id.toLong)))

  for (version <- Seq(1L, 3L))
    test(s"B91: a query does not start on a torn commit, and names its line: version $version of 3") {
      val table = torn(withoutChecksums(appended(3)), version)
      val error = refused(spark.readStream.format("delta").load(table.path))
      assert(error.getCondition == "DELTASOURCE_UNREADABLE_COMMIT", s"$error")
      assert(error.getMessageParameters.get("path").endsWith(table.commitFile(version).getFileName.toString))
      assert(error.getMessageParameters.containsKey("line") && error.isInstanceOf[QueryExecutionException])
    }

  test("B91: a stream that meets the torn commit when it reconstructs a version names it, too") {
    val table = torn(appended(3), 3)
    val source = sourceOf(table)
    val error = refused(latest(source))
    assert(error.getCondition == "DELTASOURCE_UNREADABLE_COMMIT", s"$error")
    assert(error.getMessageParameters.get("version") == "3")
  }

  for (version <- Seq(2L, 3L))
    test(s"B27: an initial snapshot with an empty commit fails until the file is restored: $version of 3") {
      val table = appended(3)
      val file = table.commitFile(version)
      val content = Files.readAllBytes(file)
      replace(table, file, Array.empty)
      val error = refused(latest(sourceOf(table)))
      assert(error.getCondition == "DELTASOURCE_EMPTY_COMMIT", s"$error")
      assert(error.getMessageParameters.get("version") == s"$version")
      assert(error.getMessageParameters.get("path").endsWith(file.getFileName.toString))
      // In the same driver, which has the table in its cache.
      Files.write(file, content)
      assert(batches(sourceOf(table)).flatMap(_._1) == Seq(1, 2, 3))
    }

  test("B27: an empty commit is not needed if a checkpoint of the table has its version") {
    val table = appended(2).checkpoint()
    replace(table, table.commitFile(1), Array.empty)
    assert(batches(sourceOf(table)).flatMap(_._1) == Seq(1, 2))
  }

  test("B91: a damaged checkpoint of the table is named if no older one replaces it") {
    val table = withoutChecksums(appended(2).checkpoint())
    val checkpoint =
      logFiles(table).find(_.toString.endsWith(".checkpoint.parquet")).getOrElse(fail("no file"))
    Files.delete(table.commitFile(0))
    replace(table, checkpoint, Array.fill(500)('x'.toByte))
    val error = refused(spark.readStream.format("delta").load(table.path))
    assert(error.getCondition == "DELTASOURCE_UNREADABLE_LOG_FILE", s"$error")
    assert(error.getMessageParameters.get("path").endsWith(checkpoint.getFileName.toString))
    assert(error.isInstanceOf[QueryExecutionException])
  }

  test("B91: a checkpoint that is damaged after the table was opened is named") {
    val table = withoutChecksums(appended(2).checkpoint())
    val checkpoint =
      logFiles(table).find(_.toString.endsWith(".checkpoint.parquet")).getOrElse(fail("no file"))
    Files.delete(table.commitFile(0))
    DeltaLog.clearCache()
    val source = sourceOf(table)
    Files.deleteIfExists(checkpoint.resolveSibling(s".${checkpoint.getFileName}.crc"))
    Files.write(checkpoint, "junk".getBytes)
    val error = refused(batches(source))
    assert(error.getCondition == "DELTASOURCE_UNREADABLE_LOG_FILE", s"$error")
  }

  test("B93: a commit that is missing in the middle of the log is not blamed on its cleanup") {
    val table = appended(4)
    val source = sourceOf(table, "startingVersion" -> "1")
    Files.delete(table.commitFile(3))
    val error = refused(batches(source))
    assert(error.getCondition == "DELTA_MISSING_FILES_UNEXPECTED_VERSION", s"$error")
    assert(s"$error".contains("Version 2 still exists, so cleanup has not deleted"), s"$error")
  }

  test("B91: a _last_checkpoint that cannot be read is not needed") {
    val table = appended(2).checkpoint()
    replace(table, table.commitFile(0).resolveSibling("_last_checkpoint"), "{torn".getBytes)
    assert(batches(sourceOf(table)).flatMap(_._1) == Seq(1, 2))
  }

  test("B91: a table that is deleted while a stream waits is named") {
    withConf("spark.deltasource.log.listInterval" -> "0") {
      val table = appended(2)
      val source = sourceOf(table)
      val (_, end) = batches(source).last
      FileUtils.deleteDirectory(Path.of(table.path).toFile)
      val error = refused(latest(source, end))
      assert(error.getCondition == "DELTASOURCE_LOG_READ_FAILED", s"$error")
      assert(error.getMessageParameters.get("path").endsWith(s"${table.path}/_delta_log"), s"$error")
    }
  }

  test("B91: a sink names a torn commit of its target") {
    val (source, target) = (appended(1), torn(withoutChecksums(appended(2)), 2))
    val query = spark.readStream.format("delta").load(source.path).writeStream.format("delta")
      .option("checkpointLocation", source.checkpointFolder())
    val error = refused {
      val running = query.start(target.path)
      try running.processAllAvailable()
      catch { case e: org.apache.spark.sql.streaming.StreamingQueryException => throw e.getCause }
      finally running.stop()
    }
    assert(error.getCondition == "DELTASOURCE_UNREADABLE_COMMIT", s"$error")
  }

  test("B91: another error of Spark, and one about another file, stay as they are") {
    val folder = Files.createTempDirectory("deltasource-garbage")
    Files.write(folder.resolve("a.parquet"), Array.fill(500)('x'.toByte))
    val readsData = refused(org.apache.spark.sql.delta.stream.log.UnreadableLogFile.naming(
      spark.sessionState.newHadoopConf())(spark.read.schema("id LONG").parquet(folder.toString).collect()))
    assert(readsData.getCondition.startsWith("FAILED_READ_FILE."), s"$readsData")
  }
}
