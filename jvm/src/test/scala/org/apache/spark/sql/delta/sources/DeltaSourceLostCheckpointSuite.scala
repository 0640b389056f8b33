// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.io.FileNotFoundException
import java.nio.file.Files

import org.apache.spark.sql.delta.stream.log.SnapshotReload
import org.apache.spark.sql.delta.testing.{CountingFileSystem, SinkFixture, SourceFixture, TestTable}
import org.apache.spark.sql.delta.{DeltaLog, Snapshot}
import org.scalatest.funsuite.AnyFunSuite

/** A stream over a log whose files went since this process listed it, within the interval of listings. */
class DeltaSourceLostCheckpointSuite extends AnyFunSuite with SourceFixture with SinkFixture {

  /** Versions 0 to 5 with a checkpoint at 4 that is deleted, all of it by this process. */
  private def table(): TestTable = {
    val t = TestTable().create()
    (1L to 4L).foreach(id => t.append(Seq(id)))
    t.checkpoint().append(Seq(5L))
    Files.delete(t.commitFile(4).resolveSibling(f"${4}%020d.checkpoint.parquet"))
    t
  }

  for (driverFiles <-
      Seq("200000", "0");
    checksums <- Seq("true", "false"))
    test(
      s"M18: the initial snapshot is read without its checkpoint, driverFiles $driverFiles, checksums $checksums") {
      withConf(
        "spark.deltasource.snapshot.driverFiles" -> driverFiles,
        "spark.databricks.delta.writeChecksumFile.enabled" -> checksums) {
        assert(batches(sourceOf(table())).flatMap(_._1).sorted == (1L to 5L))
      }
    }

  test("M18: a snapshot is read once more, and only if a fresh listing shows other files") {
    val t = table()
    def tries(snapshot: Snapshot): Int = {
      val tries = Iterator.from(1).buffered
      intercept[FileNotFoundException](new SnapshotReload(t.log, None).withReload(snapshot) { _ =>
        tries.next()
        throw new FileNotFoundException("planted")
      })
      tries.head - 1
    }
    assert(tries(t.log.unsafeVolatileSnapshot) == 2)
    assert(tries(t.log.unsafeVolatileSnapshot) == 1)
  }

  test("M18: a stream whose schema is read anew begins without the checkpoint") {
    val t = table()
    DeltaLog.clearCache()
    assert(batches(sourceOf(t)).flatMap(_._1).sorted == (1L to 5L))
  }

  test("M18: a stream from an older version reads its schema without the checkpoint") {
    assert(batches(sourceOf(table(), "startingVersion" -> "5")).flatMap(_._1) == Seq(5L))
  }

  test("M18: a running stream whose table lost its checkpoint writes on") {
    val (t, rows) = (table(), new Rows)
    rows.add(2)
    assert(write(rows.frame, t)().nonEmpty)
    assert(ids(t).size == 7)
  }

  test("M18: a snapshot whose files are there costs no listing more") {
    val t = TestTable().create().append(1L to 3L, files = 3)
    withConf(CountingFileSystem.confs: _*) {
      assert(
        CountingFileSystem.listings(assert(batches(sourceOf(t)).flatMap(_._1).sorted == (1L to 3L))) == 1)
    }
  }
}
