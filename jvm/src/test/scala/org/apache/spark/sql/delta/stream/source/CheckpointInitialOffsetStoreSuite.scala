// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import java.nio.file.{Files, Path}

import org.apache.spark.SparkThrowable

import org.apache.hadoop.conf.Configuration
import org.apache.spark.sql.delta.stream.model.{IndexInVersion, Position}
import org.scalatest.funsuite.AnyFunSuite

class CheckpointInitialOffsetStoreSuite extends AnyFunSuite {
  private def folder(): Path = Files.createTempDirectory("deltasource start").resolve("sources/0")

  private def memory(folder: Path, table: String = "id") =
    new CheckpointInitialOffsetStore(new Configuration, folder.toString, table)

  private val begin = Position(6, IndexInVersion.Begin, inSnapshot = false)
  private val ends = Seq(
    Position(6, IndexInVersion.File(3), inSnapshot = false),
    Position(7, IndexInVersion.Begin, inSnapshot = false),
    Position(6, IndexInVersion.File(3), inSnapshot = true)
  )

  test("a checkpoint without the file remembers no start") {
    assert(memory(folder()).recall().isEmpty)
  }

  test("what is remembered is there for the next run, whole, and the newest wins") {
    val at = folder()
    val starts = InitialOffset("Latest", begin, None) +:
      ends.map(end => InitialOffset("Version(6)", begin.copy(inSnapshot = end.inSnapshot), Some(end)))
    for (start <- starts) {
      memory(at).remember(start)
      assert(memory(at).recall().contains(start))
    }
    val file = at.resolve("start")
    assert(Files.isRegularFile(file) && Files.readString(file).startsWith("{\"tableId\":\"id\""))
  }

  for (manager <- Seq("FileContextBasedCheckpointFileManager", "FileSystemBasedCheckpointFileManager"))
    test(s"M7: the newest start wins, and one whose first batch is committed is none: $manager") {
      val at = folder()
      val conf = new Configuration
      conf.set(
        "spark.sql.streaming.checkpointFileManagerClass",
        s"org.apache.spark.sql.execution.streaming.checkpointing.$manager")
      def memory = new CheckpointInitialOffsetStore(conf, at.toString, "id")
      memory.done()
      for (end <- None +: ends.map(Option(_))) {
        memory.remember(InitialOffset("Latest", begin, end))
        assert(memory.recall().map(_.end).contains(end))
      }
      memory.done()
      assert(memory.recall().isEmpty && !Files.exists(at.resolve("start")))
      memory.remember(InitialOffset("Latest", begin, None))
      assert(memory.recall().nonEmpty)
    }

  test("M7: a batch is done once the engine has noted one") {
    val at = folder()
    val notes = at.getParent.resolveSibling("commits")
    assert(!memory(at).hasBatchDone)
    Files.createDirectories(notes)
    assert(!memory(at).hasBatchDone)
    Files.writeString(notes.resolve("0"), "v1")
    assert(memory(at).hasBatchDone)
  }

  test("the start of another table is none") {
    val at = folder()
    memory(at).remember(InitialOffset("Latest", begin, None))
    assert(memory(at, "other").recall().isEmpty)
  }

  for (text <-
      Seq("", "garbage", "{}", """{"tableId":"id","asked":"Latest","version":"x","inSnapshot":false}"""))
    test(s"a file that cannot be read is refused by its path, and left alone: '$text'") {
      val at = folder()
      Files.createDirectories(at)
      Files.writeString(at.resolve("start"), text)
      val error = intercept[Exception](memory(at).recall()) match {
        case e: SparkThrowable => e
        case other => fail(other)
      }
      assert(error.getCondition == "DELTASOURCE_UNREADABLE_START")
      assert(error.getMessageParameters.get("path").endsWith("sources/0/start"))
      assert(Files.readString(at.resolve("start")) == text)
    }
}
