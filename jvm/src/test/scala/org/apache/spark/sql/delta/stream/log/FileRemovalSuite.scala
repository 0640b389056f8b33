// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path => LocalPath}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.stream.log.FileRemoval.{Removed, Vacuum}
import org.scalatest.funsuite.AnyFunSuite

class FileRemovalSuite extends AnyFunSuite {
  private val hour = 3600 * 1000L
  private val file = new Path("file:/t/part=a b/part-0.parquet")

  private def info(operation: String, timeMs: Long, parameters: (String, String)*): String = {
    val fields = parameters.map { case (name, value) => s""""$name":"$value"""" }.mkString(",")
    s"""{"commitInfo":{"timestamp":$timeMs,"operation":"$operation","operationParameters":{$fields}}}"""
  }

  private def vacuum(timeMs: Long, retentionMs: Long): Seq[String] =
    Seq(info("VACUUM START", timeMs, "specifiedRetentionMillis" -> s"$retentionMs"))

  private val add =
    """{"add":{"path":"part=a%20b/part-0.parquet","partitionValues":{},"size":1,"modificationTime":1,"dataChange":true}}"""
  private val change = """{"cdc":{"path":"_change_data/part-0.parquet","partitionValues":{},"size":1}}"""

  private def remove(timeMs: Long) =
    s"""{"remove":{"path":"part=a%20b/part-0.parquet","deletionTimestamp":$timeMs,"dataChange":false}}"""

  /** What a log of these commits says about the file. */
  private def find(commits: Seq[String]*): FileRemoval = {
    val log = Files.createTempDirectory("deltasource-removal")
    for ((lines, version) <- commits.zipWithIndex) write(log, version.toLong, lines)
    FileRemoval.find(new Path(log.toUri), new Configuration(), 0, file)
  }

  private def write(log: LocalPath, version: Long, lines: Seq[String]): Unit = {
    val _ = Files.write(log.resolve(f"$version%020d.json"), lines.mkString("\n").getBytes(UTF_8))
  }

  private val optimize = Seq(info("OPTIMIZE", 5 * hour), remove(5 * hour))

  test("the removal and the first VACUUM after it are found, however the path is written") {
    val found = find(Seq(add), vacuum(hour, 0), optimize, vacuum(6 * hour, 0), vacuum(7 * hour, 0))
    assert(found.removed.contains(Removed(2, Some("OPTIMIZE"), 5 * hour)))
    assert(found.vacuum.contains(Vacuum(3, 6 * hour, Some(0))))
  }

  test("a VACUUM that kept files which were removed that recently did not delete the file") {
    val found = find(Seq(add), optimize, vacuum(6 * hour, 2 * hour), vacuum(7 * hour, 2 * hour))
    assert(found.vacuum.map(_.version).contains(3L))
  }

  test("a commit that removes the file and adds it again only replaces its deletion vector") {
    assert(find(Seq(add), Seq(remove(hour), add), vacuum(2 * hour, 0)) == FileRemoval())
  }

  test("a change file may be deleted from its own commit on") {
    val found = find(Seq(info("DELETE", hour), change), vacuum(2 * hour, 0))
    assert(found == FileRemoval(Some(Removed(0, Some("DELETE"), hour)), Some(Vacuum(1, 2 * hour, Some(0)))))
  }

  test("without a removal a VACUUM is not to blame, and the search ends at the first missing commit") {
    assert(find(Seq(add), vacuum(hour, 0)) == FileRemoval())
    assert(find() == FileRemoval())
    assert(find(Seq(add), Seq("torn"), optimize).removed.map(_.version).contains(2L))
  }

  test("commits far behind the file's own are searched, too") {
    val others = Seq.fill(100)(Seq(info("WRITE", hour)))
    assert(find(Seq(add) +: others :+ optimize: _*).removed.map(_.version).contains(101L))
  }
}
