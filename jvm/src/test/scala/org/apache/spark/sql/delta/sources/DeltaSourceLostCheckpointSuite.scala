// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.io.FileNotFoundException
import java.nio.file.Files

import org.apache.spark.sql.delta.stream.log.SnapshotRetry
import org.apache.spark.sql.delta.testing.{CountingFileSystem, SinkFixture, SourceFixture, TestTable}
import org.apache.spark.sql.delta.{DeltaLog, Snapshot}
import org.scalatest.funsuite.AnyFunSuite

/** Streams over a log whose files were deleted after this process listed it, within the list interval. */
class DeltaSourceLostCheckpointSuite extends AnyFunSuite with SourceFixture with SinkFixture {

  /** Versions 0 to 5, with a checkpoint at 4 that is deleted, all done by this process. */
  private def table(): TestTable = {
    val t = TestTable().create()
    (1L to 4L).foreach(id => t.append(Seq(id)))
    t.checkpoint().append(Seq(5L))
    Files.delete(t.commitFile(4).resolveSibling(f"${4}%020d.checkpoint.parquet"))
    t
  }

  for (maxFilesOnDriver <-
      Seq("200000", "0");
    checksums <- Seq("true", "false"))
    test(
      s"M18: the initial snapshot is read without its checkpoint, maxFilesOnDriver $maxFilesOnDriver, checksums $checksums") {
      withConf(
        "spark.deltasource.snapshot.maxFilesOnDriver" -> maxFilesOnDriver,
        "spark.databricks.delta.writeChecksumFile.enabled" -> checksums) {
        assert(batches(sourceOf(table())).flatMap(_._1).sorted == (1L to 5L))
      }
    }

  test("M18: reading a snapshot is retried once, and only if a new listing shows other files") {
    val t = table()
    def tries(snapshot: Snapshot): Int = {
      val tries = Iterator.from(1).buffered
      intercept[FileNotFoundException](new SnapshotRetry(t.log, None).withRetry(snapshot) { _ =>
        tries.next()
        throw new FileNotFoundException("planted")
      })
      tries.head - 1
    }
    assert(tries(t.log.unsafeVolatileSnapshot) == 2)
    assert(tries(t.log.unsafeVolatileSnapshot) == 1)
  }

  test("M18: a stream starts without the checkpoint after Delta's log cache was cleared") {
    val t = table()
    DeltaLog.clearCache()
    assert(batches(sourceOf(t)).flatMap(_._1).sorted == (1L to 5L))
  }

  test("M18: a stream from an older version reads its schema without the checkpoint") {
    assert(batches(sourceOf(table(), "startingVersion" -> "5")).flatMap(_._1) == Seq(5L))
  }

  test("M18: a stream writes into a table that lost its checkpoint") {
    val (t, rows) = (table(), new Rows)
    rows.add(2)
    assert(write(rows.frame, t)().nonEmpty)
    assert(ids(t).size == 7)
  }

  test("M18: a snapshot whose files exist costs no additional listing") {
    val t = TestTable().create().append(1L to 3L, files = 3)
    withConf(CountingFileSystem.confs: _*) {
      assert(
        CountingFileSystem.listings(assert(batches(sourceOf(t)).flatMap(_._1).sorted == (1L to 3L))) == 0)
    }
  }
}
