// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.Files

import org.apache.spark.sql.execution.streaming.runtime.SerializedOffset

import org.apache.spark.sql.delta.testing.{DeniedFileSystem, SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** Bad input ends in a typed error that names what is wrong, and nothing is lost. */
class DeltaSourceInputSuite extends AnyFunSuite with SourceFixture {

  private def refuses(condition: String)(body: => Any): Unit = {
    val _ = assert(refused(body).getCondition == condition)
  }

  private lazy val table = (1L to 4L).foldLeft(TestTable().create())((table, id) => table.append(Seq(id)))

  for ((option, value) <- Seq(
      "maxFilesPerTrigger" -> "-1",
      "maxFilesPerTrigger" -> "0",
      "maxFilesPerTrigger" -> "abc",
      "maxBytesPerTrigger" -> "-1",
      "maxBytesPerTrigger" -> "0",
      "startingVersion" -> "-1",
      "startingVersion" -> "x",
      "ignoreDeletes" -> "maybe",
      "failOnDataLoss" -> "no"
    ))
    test(s"$option = $value is refused with the option's name when the source is created") {
      val error = refused(sourceOf(table, option -> value))
      assert(error.getCondition == "DELTA_ILLEGAL_OPTION" && error.getMessageParameters.get("name") == option)
      assert(error.getMessageParameters.get("input") == value)
    }

  test("startingVersion and startingTimestamp together are refused") {
    refuses("DELTA_STARTING_VERSION_AND_TIMESTAMP_BOTH_SET") {
      sourceOf(table, "startingVersion" -> "1", "startingTimestamp" -> "2020-01-01")
    }
  }

  test("an invalid regular expression is refused") {
    refuses("DELTA_REGEX_OPT_SYNTAX_ERROR")(sourceOf(table, "excludeRegex" -> "("))
  }

  test("a startingVersion after the latest one is refused, or waits if the conf allows it") {
    val beyond = "startingVersion" -> "99"
    refuses("DELTA_VERSION_NOT_FOUND")(latest(sourceOf(table, beyond)))
    withConf("spark.databricks.delta.changeDataFeed.timestampOutOfRange.enabled" -> "true") {
      assert(latest(sourceOf(table, beyond)) == null)
    }
  }

  test("startingTimestamp starts at the first commit at or after it; one after the last commit is refused") {
    val times = (1L to 4L).map(version => table.log.getSnapshotAt(version).timestamp)
    val from = new java.sql.Timestamp(times(1)).toString
    assert(batches(sourceOf(table, "startingTimestamp" -> from)).flatMap(_._1) == Seq(2, 3, 4))
    refuses("DELTA_TIMESTAMP_GREATER_THAN_COMMIT")(latest(sourceOf(
      table,
      "startingTimestamp" -> "2999-01-01"
    )))
    refuses("DELTA_TIMESTAMP_INVALID")(latest(sourceOf(table, "startingTimestamp" -> "soon")))
  }

  private def offset(json: String) = SerializedOffset(json)

  private def json(
      version: Long,
      index: Long = 0,
      id: String = table.log.update().metadata.id,
      format: Int = 1,
      inSnapshot: Boolean = false
  ) =
    s"""{"sourceVersion":$format,"reservoirId":"$id","reservoirVersion":$version,"index":$index,"isStartingVersion":$inSnapshot}"""

  for (broken <- Seq("garbage", "5", "[]", "null", ""))
    test(s"a malformed offset is refused with its checkpoint folder: '$broken'") {
      val error = refused(latest(sourceOf(table), offset(broken)))
      assert(error.getCondition == "DELTASOURCE_MALFORMED_OFFSET")
      assert(error.getMessageParameters.get("metadataPath").endsWith("/sources/0"))
    }

  test("a truncated offset is refused") {
    refuses("DELTA_INVALID_SOURCE_OFFSET_FORMAT")(latest(sourceOf(table), offset(json(1).dropRight(40))))
  }

  test("an offset of another table is refused with both ids") {
    val error = refused(latest(sourceOf(table), offset(json(1, id = "other"))))
    assert(error.getCondition == "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE")
    assert(s"$error".contains("other") && s"$error".contains(table.log.unsafeVolatileTableId))
  }

  test("an offset of a newer format is refused") {
    refuses("DELTA_INVALID_FORMAT_FROM_SOURCE_VERSION")(latest(sourceOf(table), offset(json(1, format = 4))))
  }

  test("an offset after the latest version is refused; at the beginning of the next version it waits") {
    refuses("DELTASOURCE_OFFSET_BEYOND_TABLE")(latest(sourceOf(table), offset(json(9))))
    val next = offset(json(table.version + 1, index = -1))
    assert(latest(sourceOf(table), next).json == next.json)
  }

  private def readBeyondTable(body: => Any): String = {
    val error = refused(body)
    assert(error.getCondition == "DELTASOURCE_OFFSET_BEYOND_TABLE", s"$error")
    assert(error.getMessageParameters.get("latest") == "4")
    error.getMessageParameters.get("read")
  }

  for ((at, index, format, inSnapshot, read) <- Seq(
      ("the beginning of version 7", -1L, 1, false, "6"),
      ("the beginning of version 7 in the newer format", -100L, 3, false, "6"),
      ("a file of version 7", 0L, 1, false, "7"),
      ("a file of the initial snapshot of version 7", 0L, 1, true, "7"),
      ("the beginning of the initial snapshot of version 7", -1L, 1, true, "7")
    ))
    test(s"B6: an offset at $at of a table of 4 versions says that version $read was read") {
      val end = offset(json(7, index, format = format, inSnapshot = inSnapshot))
      assert(readBeyondTable(latest(sourceOf(table), end)) == read)
      // After a restart, Spark first asks for the last batch again.
      val start = offset(json(6, inSnapshot = inSnapshot))
      assert(readBeyondTable(sourceOf(table).getBatch(Some(start), end)) == read)
      assert(readBeyondTable(sourceOf(table).getBatch(None, end)) == read)
    }

  test("B6: an initial snapshot of the version after the latest is refused, too") {
    val end = offset(json(5, index = 0, inSnapshot = true))
    assert(readBeyondTable(latest(sourceOf(table), end)) == "5")
    assert(readBeyondTable(sourceOf(table).getBatch(None, end)) == "5")
  }

  test("a missing commit in the middle is refused after the data before it") {
    val t = (1L to 5L).foldLeft(TestTable().create())((table, id) => table.append(Seq(id)))
    t.checkpoint()
    t.append(Seq(6))
    Files.delete(t.commitFile(3))
    val source = sourceOf(t, "startingVersion" -> "1")
    val end = latest(source)
    assert(rows(source.getBatch(None, end)) == Seq(1, 2))
    val error = refused(latest(source, end))
    assert(error.getCondition == "DELTA_MISSING_FILES_UNEXPECTED_VERSION")
    assert(batches(sourceOf(t, "startingVersion" -> "1", "failOnDataLoss" -> "false")).flatMap(_._1) == Seq(
      1, 2, 4, 5,
      6
    ))
  }

  test("a torn last line stops the stream with version, file and line, until the file is complete") {
    val t = TestTable().create().append(Seq(1))
    val source = sourceOf(t, "startingVersion" -> "1")
    val first = latest(source)
    t.append(Seq(2))
    val whole = Files.readAllBytes(t.commitFile(2))
    Files.write(t.commitFile(2), whole.dropRight(20))
    def assertUnreadable(): Unit = {
      val error = refused(latest(source, first))
      assert(error.getCondition == "DELTASOURCE_UNREADABLE_COMMIT")
      assert(error.getMessageParameters.get("path").endsWith("00002.json"))
      val _ = assert(Seq("version", "line").forall(error.getMessageParameters.containsKey))
    }
    assertUnreadable() // found by the file system's checksum
    Files.delete(t.commitFile(2).resolveSibling(".00000000000000000002.json.crc"))
    assertUnreadable() // found by its last line
    Files.write(t.commitFile(2), whole)
    assert(rows(source.getBatch(Some(first), latest(source, first))) == Seq(2))
  }

  test("a commit without read permission stops the stream with version, file and cause") {
    val t = TestTable().create().append(Seq(1)).append(Seq(2))
    val error = withConf(DeniedFileSystem.confs: _*) {
      val source = sourceOf(t, "startingVersion" -> "1")
      val first = latest(source)
      assert(rows(source.getBatch(None, first)) == Seq(1))
      refused(latest(source, first))
    }
    assert(error.getCondition == "DELTASOURCE_UNREADABLE_COMMIT")
    assert(s"$error".contains("00002.json") && s"$error".contains("Permission denied"))
  }

  test("an empty commit file stops the stream") {
    val t = TestTable().create().append(Seq(1))
    val source = sourceOf(t)
    val first = latest(source)
    Files.write(t.commitFile(2), Array.empty[Byte])
    refuses("DELTASOURCE_EMPTY_COMMIT")(latest(source, first))
  }

  test("a stream of a table with a schema and no rows waits") {
    val t = TestTable().create()
    val source = sourceOf(t)
    val first = latest(source)
    assert(rows(source.getBatch(None, first)).isEmpty && latest(source, first) == first)
    t.append(Seq(1))
    assert(rows(source.getBatch(Some(first), latest(source, first))) == Seq(1))
  }

  test("a partly read snapshot that can no longer be rebuilt is refused") {
    val t = (1L to 3L).foldLeft(TestTable().create())((table, id) => table.append(Seq(id)))
    val first = latest(sourceOf(t, "maxFilesPerTrigger" -> "1"))
    t.checkpoint()
    t.append(Seq(4)).checkpoint()
    (0L to 3L).foreach(version => Files.delete(t.commitFile(version)))
    Files.delete(t.commitFile(0).resolveSibling("00000000000000000003.checkpoint.parquet"))
    org.apache.spark.sql.delta.DeltaLog.clearCache()
    refuses("DELTA_LOG_FILE_NOT_FOUND_FOR_STREAMING_SOURCE")(latest(sourceOf(t), offset(first.json)))
  }

  test("a stream from latest continues from the same place after a restart") {
    val t = TestTable().create().append(Seq(1))
    val newest = "startingVersion" -> "latest"
    assert(latest(sourceOf(t, newest)) == null)
    t.append(Seq(2))
    val restarted = sourceOf(t, newest)
    val end = latest(restarted)
    t.append(Seq(3))
    assert(rows(sourceOf(t, newest).getBatch(None, end)) == Seq(2))
  }
}
