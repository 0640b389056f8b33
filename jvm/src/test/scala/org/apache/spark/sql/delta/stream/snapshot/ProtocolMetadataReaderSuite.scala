// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import java.nio.file.Files

import scala.jdk.CollectionConverters.IteratorHasAsScala
import scala.util.Try

import org.apache.spark.SparkThrowable

import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.testing.{CountingFileSystem, JobCount, SharedSession, TestTable}
import org.apache.spark.sql.delta.{DeltaLog, Snapshot}
import org.scalatest.funsuite.AnyFunSuite

/** The bundle's `Snapshot` asks [[ProtocolMetadataReader]]; Delta's job is the reference. */
class ProtocolMetadataReaderSuite extends AnyFunSuite with SharedSession {

  private val byJob = "spark.deltasource.snapshot.maxFilesOnDriver" -> "0"

  /** The snapshot as a new process reads it, without checksum files. */
  private def fresh(table: TestTable): Snapshot = {
    val files = Files.list(table.commitFile(0).getParent)
    try
      files.iterator.asScala.filter(file =>
        file.toString.endsWith(".crc") && !file.getFileName.toString.startsWith(
          ".")).foreach(Files.delete)
    finally files.close()
    DeltaLog.clearCache()
    table.log.update()
  }

  private def found(table: TestTable): (Protocol, Metadata, Long) = {
    val snapshot = fresh(table)
    (snapshot.protocol, snapshot.metadata, snapshot.timestamp)
  }

  private def assertSame(table: TestTable): Unit = {
    val snapshot = fresh(table)
    val isRead = ProtocolMetadataReader.read(snapshot).nonEmpty
    assert(isRead == snapshot.logSegment.deltas.nonEmpty)
    val _ = assert(found(table) == withConf(byJob)(found(table)))
  }

  private def jobs(table: TestTable): Int = JobCount.of(spark)(fresh(table))

  private def set(property: String, value: String)(table: TestTable): TestTable =
    table.sql(s"ALTER TABLE ${table.name} SET TBLPROPERTIES ('$property' = '$value')")

  private val append: TestTable => TestTable = _.append(Seq(1L))

  test("protocol, metadata and timestamp are those that Delta's job finds, after each commit") {
    val commits = Seq[TestTable => TestTable](
      append,
      set("k", "ä"),
      append,
      _.checkpoint(),
      append,
      set("delta.enableDeletionVectors", "true"),
      set("delta.enableInCommitTimestamps", "true"),
      append,
      _.checkpoint(),
      append
    )
    val _ = commits.foldLeft(TestTable().create("id LONG", "COMMENT 'no name'")) { (table, commit) =>
      assertSame(commit(table))
      table
    }
  }

  for (format <- Seq("parquet", "json"))
    test(s"protocol and metadata are found in a V2 checkpoint in $format") {
      withConf("spark.databricks.delta.checkpointV2.topLevelFileFormat" -> format) {
        val table = TestTable().create("id LONG", "TBLPROPERTIES ('delta.checkpointPolicy' = 'v2')")
        table.append(Seq(1L)).checkpoint().append(Seq(2L))
        assertSame(table)
      }
    }

  test("there is no job, except over a checkpoint that is needed") {
    val table = TestTable().create().append(Seq(1L))
    assert(jobs(table) == 0 && withConf(byJob)(jobs(table)) == 1)
    table.checkpoint().append(Seq(2L))
    assert(jobs(table) == 1 && ProtocolMetadataReader.read(fresh(table)).nonEmpty)
    set("delta.enableDeletionVectors", "true")(table)
    assert(jobs(table) == 0)
  }

  test("with a checksum file, nothing else is read") {
    val table = TestTable().create().append(Seq(1L)).checkpoint().append(Seq(2L))
    DeltaLog.clearCache()
    val snapshot = table.log.update()
    assert(snapshot.checksumOpt.nonEmpty && ProtocolMetadataReader.read(snapshot).isEmpty)
    assert(ParsedCommits.take(snapshot).isEmpty)
  }

  /** Writes this many commits by hand, without a checkpoint, after `first`. */
  private def commits(table: TestTable, first: Long, count: Int): Unit =
    (first until first + count).foreach { version =>
      table.writeCommit(version, """{"commitInfo":{}}""", s"""{"txn":{"appId":"a","version":$version}}""")
    }

  test("once the protocol and metadata are known, only the commits of the same round are opened") {
    val table = TestTable().create()
    commits(table, first = 1, count = 40)
    table.writeCommit(41, Files.readString(table.commitFile(0)).trim)
    withConf(CountingFileSystem.confs: _*) {
      assert(CountingFileSystem.opensWithStatus(fresh(table)) == 32)
    }
  }

  test("protocol and metadata are found after any number of newer commits") {
    val table = TestTable().create()
    commits(table, first = 1, count = 40)
    assertSame(table)
  }

  test("the files of an initial snapshot are those of the commits read for its protocol and metadata") {
    val table = TestTable().create().append(1L to 3L, files = 3)
    withConf(CountingFileSystem.confs: _*) {
      val snapshot = fresh(table)
      def replay = new LogReplay(spark, snapshot.deltaLog, 1000).files(snapshot).map(_.size)
      assert(CountingFileSystem.opensWithStatus(assert(replay.contains(3))) == 0)
      // What was parsed is used once.
      assert(CountingFileSystem.opensWithStatus(assert(replay.contains(3))) == 2)
    }
  }

  test("with more bytes than the limit, the commits are left to Delta's job") {
    val snapshot = fresh(TestTable().create().append(Seq(1L)))
    val bytes = snapshot.logSegment.deltas.map(_.getLen).sum
    assert(ProtocolMetadataReader.find(snapshot, bytes).nonEmpty)
    assert(ProtocolMetadataReader.find(snapshot, bytes - 1).isEmpty)
  }

  test("a compacted commit file is read in place of its commits") {
    val table = TestTable().create().append(Seq(1L))
    set("k", "v")(table)
    val compacted = table.commitFile(1).resolveSibling(f"${1}%020d.${2}%020d.compacted.json")
    val lines = Seq(1L, 2L).flatMap(version => Files.readAllLines(table.commitFile(version)).toArray.toSeq)
    Files.write(compacted, lines.mkString("", "\n", "\n").getBytes("UTF-8"))
    table.append(Seq(2L))
    withConf("spark.databricks.delta.deltaLog.minorCompaction.useForReads" -> "true") {
      assert(fresh(table).logSegment.deltas.exists(_.getPath.getName.contains("compacted")))
      assertSame(table)
    }
  }

  for ((name, lines) <- Map(
      "torn" -> Seq("""{"commitInfo":{"timestamp":1}}""", """{"add":{"path":"""),
      "empty" -> Seq(""),
      "with a manifest" -> Seq("""{"checkpoint":{"version":1}}"""),
      "after a manifest" -> Seq(
        """{"commitInfo":{"timestamp":1,"lastManifestCommit":{"version":0,"contentRootVersion":0}}}""")
    ))
    test(s"a commit that is $name gives what Delta's job gives") {
      val table = TestTable().create().append(Seq(1L)).writeCommit(2, lines: _*)
      def outcome = Try(found(table)).toEither.left.map {
        case e: SparkThrowable => e.getCondition
        case e => e.getClass.getName
      }
      assert(outcome == withConf(byJob)(outcome))
    }
}
