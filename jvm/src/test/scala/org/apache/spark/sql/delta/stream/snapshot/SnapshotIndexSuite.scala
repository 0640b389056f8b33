// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.implicits._
import org.apache.spark.sql.delta.testing.{InMemoryTableLog, JobCount, SharedSession, TestTable}
import org.scalatest.funsuite.AnyFunSuite

class SnapshotIndexSuite extends AnyFunSuite with SharedSession {

  /** A supplementary character sorts after U+FF5E as UTF-8 bytes and before it as UTF-16. */
  private val paths = Seq("b", "a", "B", "z", "～", "\uD83D\uDE00", "é")
  private val ordered = Seq("B", "a", "b", "z", "é", "～", "\uD83D\uDE00")

  private def files(paths: Seq[String]): Seq[AddFile] = paths.map(InMemoryTableLog.file(_))

  private def indexes(files: Seq[AddFile]): Seq[SnapshotIndex] = {
    val dataset = spark.createDataset(files)
    Seq(DriverIndex.collect(dataset), ExecutorIndex.sort(spark, dataset, count = 30000))
  }

  test("files are ordered by modification time, then by the bytes of their path") {
    val early = InMemoryTableLog.file("zz").copy(modificationTime = -1)
    for (index <- indexes(files(paths) :+ early))
      assert(index.from(0).map(_.path).toSeq == "zz" +: ordered)
  }

  test("files added with dataChange=false belong to the snapshot") {
    val rewritten = files(paths).map(_.copy(dataChange = false))
    for (index <- indexes(rewritten)) assert(index.from(0).map(_.path).toSeq == ordered)
  }

  test("reading may start at any index, and ends with the last file") {
    val many = (0 until 25).map(i => InMemoryTableLog.file(f"$i%02d"))
    for (index <- indexes(many); first <- Seq(0, 1, 12, 24, 25, 99)) {
      assert(index.size == 25)
      assert(index.from(first.toLong).map(_.path.toInt).toSeq == (first until 25))
    }
  }

  test("an index of a table with few files is collected by one job, and read without any") {
    val table = TestTable().create().append(1L to 3L, files = 3)
    val snapshot = table.log.update()
    val index = SnapshotIndex.of(spark, snapshot, 100)
    assert(index.isInstanceOf[DriverIndex])
    assert(JobCount.of(spark)(index.from(1).size) == 0)
  }

  test("an index of many files stays on the executors, and a batch fetches its slice by one job") {
    val table = TestTable().create().append(1L to 3L, files = 3)
    val index = SnapshotIndex.of(spark, table.log.update(), maxFilesOnDriver = 2)
    assert(index.isInstanceOf[ExecutorIndex])
    assert(JobCount.of(spark)(index.from(1).next()) == 1)
    index.close()
    index.close()
  }

  test("statistics are not kept") {
    val table = TestTable().create().append(1L to 3L)
    assert(SnapshotIndex.of(spark, table.log.update(), 100).from(0).forall(_.stats == null))
  }

  test("M17: files with the same modification time are ordered in Spark's own tests, too") {
    System.setProperty("spark.testing", "true")
    try assert(SnapshotOrder.sorted(files(paths)).map(_.path) == ordered)
    finally System.clearProperty("spark.testing"): Unit
  }

  for ((name, maxFilesOnDriver, partitions) <- Seq(
      ("on the driver", 100L, "50"),
      ("on the executors", 0L, "50"),
      ("on the executors, in two partitions", 0L, "2")))
    test(s"M20: a file removed under another spelling of its path is not listed, $name") {
      withConf("spark.databricks.delta.snapshotPartitions" -> partitions) {
        val table = TestTable().create()
        def add(path: String) =
          s"""{"add":{"path":"$path","partitionValues":{},"size":1,"modificationTime":1,"dataChange":true}}"""
        def remove(path: String) =
          s"""{"remove":{"path":"$path","deletionTimestamp":${System.currentTimeMillis()},"dataChange":false}}"""
        val inside = s"file://${table.path}/d"
        table
          .writeCommit(1, add("/a/b"), add("/a/b%20c%23"), add("kept"), add("d"), add("file:///again"))
          .writeCommit(2, remove("file:/a/b"), remove("file:///a/b%20c%23"), remove(inside), remove("/again"))
          .writeCommit(3, add("file:/again"))
        DeltaLog.clearCache()
        val index = SnapshotIndex.of(spark, table.log.update(), maxFilesOnDriver)
        assert(index.from(0).map(_.path.replaceAll("/+", "/")).toSet == Set("file:/again", "kept"))
        assert(index.size == 2)
        index.close()
      }
    }
}
