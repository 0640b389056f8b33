// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log.parse

import java.io.{ByteArrayInputStream, IOException}
import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.SparkThrowable

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.delta.stream.model.{Commit, CommitFile, SplitRule}
import org.scalatest.funsuite.AnyFunSuite

class LargeCommitSuite extends AnyFunSuite {

  /** A commit file that counts how often it is opened, and how many of its bytes are read. */
  private class Source(lines: Iterable[String], end: String = "\n") {
    private val bytes = lines.mkString("", end, end).getBytes(UTF_8)
    var opened = 0
    var read = 0L

    val file: CommitFile = CommitFile(3, new FileStatus(size, false, 1, 1, 0, new Path("/log/3.json")))

    def size: Long = bytes.length.toLong

    def commit(reads: CommitParser.FileActionFilter = CommitParser.AppendOnly): Commit =
      new LargeCommit(file, reads)((lastSeen, from) => {
        opened += 1
        val in = new ByteArrayInputStream(bytes, from.toInt, bytes.length) {
          override def read(into: Array[Byte], at: Int, length: Int): Int = {
            val got = super.read(into, at, length)
            Source.this.read += got.max(0).toLong
            got
          }
        }
        LargeCommit.OpenedCommit(lastSeen, in)
      }).parse()
  }

  private def add(path: String, size: Long, change: Boolean = true): String =
    s"""{"add":{"path":"$path","partitionValues":{},"size":$size,"modificationTime":5,"dataChange":$change}}"""

  private val commitInfo = """{"commitInfo":{"timestamp":1,"operation":"WRITE","operationParameters":{}}}"""

  private def lines(files: Int): Vector[String] =
    commitInfo +: Vector.tabulate(files)(i => add(s"ü-$i", i.toLong + 1, change = i % 7 != 3))

  private def assertSame(one: Commit, other: Commit): Unit = {
    assert(one.copy(files = other.files, contentHash = other.contentHash) == other)
    assert(one.contentHash.nonEmpty && one.files.size == other.files.size)
    for (index <-
        Seq(0L, 1L, 999L, 1000L, 1001L, 2500L, one.files.size - 1, one.files.size, one.files.size + 9)) {
      assert(one.files.from(index).toVector == other.files.from(index).toVector)
      assert(one.files.bytesFrom(index) == other.files.bytesFrom(index))
    }
  }

  for ((name, end) <- Seq("LF" -> "\n", "CRLF" -> "\r\n"))
    test(s"a large commit equals the same commit in memory, from any of its files on, with $name") {
      val all = lines(4000)
      for (reads <- Seq(CommitParser.AppendOnly, CommitParser.ChangeFeed)) {
        val source = new Source(all, end)
        assertSame(source.commit(reads), CommitParser.parse(source.file, all.iterator, reads))
      }
    }

  test("change files are found among other lines, and the split rule is the same as in memory") {
    val change = """{"cdc":{"path":"c","partitionValues":{},"size":7,"dataChange":false}}"""
    val vector =
      ""","deletionVector":{"storageType":"u","pathOrInlineDv":"x","offset":1,"sizeInBytes":2,"cardinality":3}"""
    val removed = s"""{"remove":{"path":"a","dataChange":true,"size":3}}"""
    val withVector = add("v", 1).replace("}}", s"$vector}}}")
    val kinds =
      Seq(SplitRule.ChangeFiles -> change, SplitRule.Nowhere -> withVector, SplitRule.Anywhere -> removed)
    for ((cut, line) <- kinds) {
      val all = lines(1500) :+ line
      val source = new Source(all)
      val found = source.commit(CommitParser.ChangeFeed)
      assert(found.splitRule == cut)
      assertSame(found, CommitParser.parse(source.file, all.iterator, CommitParser.ChangeFeed))
    }
  }

  test("each slice of files is read once, from its own offset, however batches cut it") {
    val source = new Source(lines(20000))
    val commit = source.commit()
    assert(source.opened == 1 && source.read == source.size)
    val batches = Iterator.iterate(0L)(_ + 300).takeWhile(_ < commit.files.size)
    assert(batches.flatMap(commit.files.from(_).take(300)).size == commit.files.size)
    val slices = (commit.files.size + CommitFileBuffer.filesPerSlice - 1) / CommitFileBuffer.filesPerSlice
    assert(source.opened == 1 + slices)
    // Each slice may read up to one buffer past its end.
    assert(source.read < 2 * source.size + slices * 65536)
  }

  test("a damaged line is reported by its number before anything is delivered") {
    val error = intercept[Exception](new Source(lines(3) :+ """{"add":{""").commit())
    assert(error.asInstanceOf[SparkThrowable].getCondition == "DELTASOURCE_UNREADABLE_COMMIT")
    assert(error.getMessage.contains("Line 5 "))
  }

  test("M9: before a slice is read, the file is compared with its last status and content hash") {
    val all = lines(4000).mkString("", "\n", "\n").getBytes(UTF_8)
    def seen(time: Long) =
      CommitFile(3, new FileStatus(all.length.toLong, false, 1, 1, time, new Path("/log/3.json")))
    var compared = Vector.empty[CommitFile]
    val commit = new LargeCommit(seen(1), CommitParser.AppendOnly)((lastSeen, from) => {
      compared :+= lastSeen
      val in = new ByteArrayInputStream(all, from.toInt, all.length)
      LargeCommit.OpenedCommit(seen(compared.size + 1L).copy(contentHash = lastSeen.contentHash), in)
    }).parse()
    for (index <- Seq(0L, 2500L)) assert(commit.files.from(index).hasNext)
    assert(compared.map(_.status.getModificationTime) == Seq(1, 2, 3))
    assert(compared.map(_.contentHash) == Seq(None, commit.contentHash, commit.contentHash))
  }

  test("a slice is read again if reading it fails, and after three attempts the error names the file") {
    val all = lines(4000).mkString("", "\n", "\n").getBytes(UTF_8)
    val file = CommitFile(3, new FileStatus(all.length.toLong, false, 1, 1, 0, new Path("/log/3.json")))
    var failures = 0
    val commit = new LargeCommit(file, CommitParser.AppendOnly)((lastSeen, from) =>
      if (failures == 0)
        LargeCommit.OpenedCommit(lastSeen, new ByteArrayInputStream(all, from.toInt, all.length))
      else {
        failures -= 1
        LargeCommit.OpenedCommit(lastSeen, () => throw new IOException("reset"))
      }).parse()
    failures = 2
    assert(commit.files.from(0).next().path == "ü-0")
    failures = 3
    val error = intercept[Exception](commit.files.from(2500).hasNext)
    assert(error.asInstanceOf[SparkThrowable].getCondition == "DELTASOURCE_LOG_READ_FAILED")
    assert(error.getMessage.contains("/log/3.json") && error.getMessage.contains("reset"))
  }
}
