// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.Files
import java.nio.file.attribute.FileTime

import org.apache.spark.SparkThrowable

import org.apache.spark.sql.delta.testing.{CountingFileSystem, SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/**
 * Commits whose file is written again. Delta's multi-cluster log store for S3 copies a commit to its final name, and a
 * reader's listing may copy it again: the content is the same, the modification time is not.
 */
class DeltaSourceCopiedCommitSuite extends AnyFunSuite with SourceFixture {
  private val cached = "spark.deltasource.log.maxInMemoryCommitBytes" -> Long.MaxValue.toString
  private val inSlices = "spark.deltasource.log.maxInMemoryCommitBytes" -> "0"
  private val oneFileBatches = Seq("startingVersion" -> "1", "maxFilesPerTrigger" -> "1")

  private def table(): TestTable = TestTable().create().append(1L to 3L, files = 3)

  private def copyAgain(t: TestTable, version: Long): Unit = {
    val file = t.commitFile(version)
    val later = Files.getLastModifiedTime(file).toMillis + 5678
    val _ = Files.setLastModifiedTime(file, FileTime.fromMillis(later))
  }

  /** Replaces a commit by another one of the same length. */
  private def replace(t: TestTable, version: Long): Unit = {
    val file = t.commitFile(version)
    val text = Files.readString(file)
    val other = text.replaceFirst("\"operation\":\"WRITE\"", "\"operation\":\"WROTE\"")
    assert(other != text && other.length == text.length)
    t.writeCommit(version, other.stripTrailing)
    copyAgain(t, version)
  }

  private def condition(body: => Any): String = intercept[Exception](body) match {
    case e: SparkThrowable => e.getCondition
    case other => fail(other)
  }

  for ((name, bounds) <- Seq("cached" -> cached, "read in slices" -> inSlices)) {
    test(s"M9: a commit copied again after its batch counts as the same, $name") {
      withConf(bounds, "spark.deltasource.log.listInterval" -> "0") {
        val t = table()
        val source = sourceOf(t, "startingVersion" -> "1")
        val first = latest(source)
        assert(rows(source.getBatch(None, first)) == Seq(1, 2, 3))
        copyAgain(t, 1)
        t.append(Seq(4))
        val second = latest(source, first)
        assert(rows(source.getBatch(Some(first), second)) == Seq(4))
        copyAgain(t, 1)
        copyAgain(t, 2)
        assert(latest(source, second) == second)
      }
    }

    test(s"M9: a commit copied again between planning and reading counts as the same, $name") {
      withConf(bounds) {
        val t = table()
        val source = sourceOf(t, oneFileBatches: _*)
        val read = Iterator.unfold((latest(source), Option.empty[DeltaSourceOffset])) { case (end, from) =>
          copyAgain(t, 1)
          Option.unless(from.contains(end)) {
            val batch = rows(source.getBatch(from, end))
            (batch, (latest(source, end), Some(end)))
          }
        }
        assert(read.toVector == Seq(Seq(1), Seq(2), Seq(3)))
      }
    }

    test(s"M9: a commit replaced by another of the same length is refused, $name") {
      withConf(bounds) {
        val t = table()
        val source = sourceOf(t, "startingVersion" -> "1")
        val first = latest(source)
        replace(t, 1)
        assert(condition(source.getBatch(None, first)) == "DELTASOURCE_COMMIT_REPLACED")
        val other = sourceOf(t, "startingVersion" -> "1")
        val end = latest(other)
        rows(other.getBatch(None, end))
        t.append(Seq(4))
        Files.writeString(
          t.commitFile(1),
          Files.readString(t.commitFile(1)).replaceFirst("\"WROTE\"", "\"WRITE\""))
        copyAgain(t, 1)
        assert(condition(latest(other, end)) == "DELTASOURCE_COMMIT_REPLACED")
      }
    }
  }

  test("M9: a commit that is read in slices is read again only to compare its content") {
    withConf(inSlices +: CountingFileSystem.confs: _*) {
      val t = TestTable().create().append(1L to 4L, files = 4)
      val source = sourceOf(t, oneFileBatches: _*)
      val first = latest(source)
      copyAgain(t, 1)
      val opens = CountingFileSystem.opensWithStatus {
        assert(rows(source.getBatch(None, first)) == Seq(1))
        val second = latest(source, first)
        assert(rows(source.getBatch(Some(first), second)) == Seq(2))
      }
      assert(opens <= 4)
    }
  }

  test("M9: a copied commit that was never read is compared by the table's id") {
    withConf("spark.deltasource.log.listInterval" -> "0") {
      val t = table().append(Seq(4))
      val source = sourceOf(t, "startingVersion" -> "2")
      val first = latest(source)
      assert(rows(source.getBatch(None, first)) == Seq(4))
      copyAgain(t, 1)
      t.append(Seq(5))
      val second = latest(source, first)
      assert(rows(source.getBatch(Some(first), second)) == Seq(5))
    }
  }
}
