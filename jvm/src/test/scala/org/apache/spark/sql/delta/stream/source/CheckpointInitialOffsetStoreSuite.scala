// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import java.nio.file.{Files, Path}

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.execution.streaming.checkpointing.{
  FileContextBasedCheckpointFileManager,
  FileSystemBasedCheckpointFileManager
}

import org.apache.hadoop.conf.Configuration
import org.apache.spark.sql.delta.stream.model.{IndexInVersion, Position}
import org.scalatest.funsuite.AnyFunSuite

class CheckpointInitialOffsetStoreSuite extends AnyFunSuite {
  private def folder(): Path = Files.createTempDirectory("deltasource start").resolve("sources/0")

  private def store(folder: Path, table: String = "id") =
    new CheckpointInitialOffsetStore(new Configuration, folder.toString, table)

  private val begin = Position(6, IndexInVersion.Begin, inSnapshot = false)
  private val ends = Seq(
    Position(6, IndexInVersion.File(3), inSnapshot = false),
    Position(7, IndexInVersion.Begin, inSnapshot = false),
    Position(6, IndexInVersion.File(3), inSnapshot = true)
  )

  test("a checkpoint without the file has no stored start") {
    assert(store(folder()).load().isEmpty)
  }

  test("the next run finds the whole stored start, and the newest one wins") {
    val at = folder()
    val starts = InitialOffset("Latest", begin, None) +:
      ends.map(end => InitialOffset("Version(6)", begin.copy(inSnapshot = end.inSnapshot), Some(end)))
    for (start <- starts) {
      store(at).save(start)
      assert(store(at).load().contains(start))
    }
    val file = at.resolve("start")
    assert(Files.isRegularFile(file) && Files.readString(file).startsWith("{\"tableId\":\"id\""))
  }

  for (manager <-
      Seq(classOf[FileContextBasedCheckpointFileManager], classOf[FileSystemBasedCheckpointFileManager]))
    test(
      s"M7: the newest start wins, and none is left once the first batch is committed: ${manager.getSimpleName}") {
      val at = folder()
      val conf = new Configuration
      conf.set("spark.sql.streaming.checkpointFileManagerClass", manager.getName)
      def store = new CheckpointInitialOffsetStore(conf, at.toString, "id")
      store.delete()
      for (end <- None +: ends.map(Option(_))) {
        store.save(InitialOffset("Latest", begin, end))
        assert(store.load().map(_.end).contains(end))
      }
      store.delete()
      assert(store.load().isEmpty && !Files.exists(at.resolve("start")))
      store.save(InitialOffset("Latest", begin, None))
      assert(store.load().nonEmpty)
    }

  test("M7: a batch is done once the engine's commit log has one") {
    val at = folder()
    val commitLog = at.getParent.resolveSibling("commits")
    assert(!store(at).hasCommittedBatch)
    Files.createDirectories(commitLog)
    assert(!store(at).hasCommittedBatch)
    Files.writeString(commitLog.resolve("0"), "v1")
    assert(store(at).hasCommittedBatch)
  }

  test("the start of another table is ignored") {
    val at = folder()
    store(at).save(InitialOffset("Latest", begin, None))
    assert(store(at, "other").load().isEmpty)
  }

  for (text <-
      Seq(
        "",
        "garbage",
        "{}",
        """{"tableId":"id","startOption":"Latest","version":"x","inSnapshot":false}"""))
    test(s"a file that cannot be read fails with its path, and is left unchanged: '$text'") {
      val at = folder()
      Files.createDirectories(at)
      Files.writeString(at.resolve("start"), text)
      val error = intercept[Exception](store(at).load()) match {
        case e: SparkThrowable => e
        case other => fail(other)
      }
      assert(error.getCondition == "DELTASOURCE_UNREADABLE_START")
      assert(error.getMessageParameters.get("path").endsWith("sources/0/start"))
      assert(Files.readString(at.resolve("start")) == text)
    }
}
