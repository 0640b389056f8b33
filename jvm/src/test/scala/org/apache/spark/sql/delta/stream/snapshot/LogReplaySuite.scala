// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import java.nio.file.Files

import org.apache.spark.sql.delta.actions.{Action, AddFile, FileAction, RemoveFile}
import org.apache.spark.sql.delta.stream.model.CanonicalPath
import org.apache.spark.sql.delta.testing.{FatalFileSystem, JobCount, SharedSession, TestTable}
import org.apache.spark.sql.delta.{DeltaLog, Snapshot}
import org.scalacheck.{Gen, Shrink}
import org.scalatest.concurrent.{Signaler, ThreadSignaler, TimeLimits}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class LogReplaySuite extends AnyFunSuite with SharedSession with ScalaCheckPropertyChecks
    with TimeLimits {

  private val vectors = "TBLPROPERTIES ('delta.enableDeletionVectors' = true)"

  private def replayed(snapshot: Snapshot, maxFiles: Long = 1000): Option[Set[AddFile]] =
    new LogReplay(spark, snapshot.deltaLog, maxFiles).files(snapshot).map { files =>
      assert(files.forall(_.stats == null))
      files.map(comparable).toSet
    }

  private def known(snapshot: Snapshot): Set[AddFile] =
    snapshot.allFilesViaStateReconstruction.collect().map(comparable).toSet

  /** Without statistics, and with missing tags as an empty map: Delta has two ways to write them. */
  private def comparable(file: AddFile): AddFile = file.copy(stats = null, tags = file.tagsOrEmpty)

  /** The snapshot as a new process reads it, without the commits that were parsed for its metadata. */
  private def fresh(table: TestTable): Snapshot = {
    DeltaLog.clearCache()
    val snapshot = table.log.update()
    val _ = ParsedCommits.take(snapshot)
    snapshot
  }

  private val paths =
    Seq(
      "a",
      "p=1/part-0.parquet",
      "a%20b",
      "p=1/%C3%A9",
      "dir//x",
      "dir/../y",
      "/abs/z",
      "file:///abs/z",
      "file:/abs/z",
      "/abs/z%20%23",
      "file:///abs/z%20%23",
      "file://<table>/a",
      "<table>/a%20b",
      "s3://bucket/q%2Fr"
    )

  private val vector = Gen.option(Gen.chooseNum(1, 3)).map(_.fold("") { number =>
    s""","deletionVector":{"storageType":"u","pathOrInlineDv":"$number","offset":1,"sizeInBytes":2,"cardinality":3}"""
  })

  private val line: Gen[String] = for {
    path <- Gen.oneOf(paths)
    vector <- vector
    change <- Gen.oneOf(true, false)
    more <- Gen.oneOf("", ""","tags":{"x":"y"}""", ""","baseRowId":4,"defaultRowCommitVersion":2""")
    add = s"""{"add":{"path":"$path","partitionValues":{"p":"1"},"size":7,"modificationTime":5,""" +
      s""""dataChange":$change,"stats":"{}"$vector$more}}"""
    remove = s"""{"remove":{"path":"$path","deletionTimestamp":9,"dataChange":$change$vector}}"""
    line <- Gen.frequency(3 -> add, 2 -> remove, 1 -> """{"txn":{"appId":"a","version":1}}""")
  } yield line

  /** Shrinking would make empty commits, which no log has. */
  private implicit def noShrink[A]: Shrink[A] = Shrink.shrinkAny

  private val commit = Gen.chooseNum(1, 6).flatMap(Gen.containerOfN[Vector, String](_, line))
  private val history = Gen.chooseNum(1, 6).flatMap(Gen.containerOfN[Vector, Vector[String]](_, commit))

  test("M20: replay gives the files left after the actions of any log, and those of Delta's state") {
    forAll(history, Gen.chooseNum(0, 6), Gen.oneOf(true, false), minSuccessful(8)) {
      (drawn, checkpoint, isParsed) =>
        val table = TestTable().create("id LONG, p STRING", s"PARTITIONED BY (p) $vectors")
        val commits = drawn.map(_.map(_.replace("<table>", table.path)))
        val first = table.version + 1
        for ((lines, i) <- commits.zipWithIndex) {
          table.writeCommit(first + i, lines: _*)
          // A checkpoint of a wrong state would hide the error from replay.
          if (i == checkpoint && isRight(table, known(fresh(table)), commits.take(i + 1))) table.checkpoint()
        }
        val snapshot = fresh(table)
        // As at the start of a stream over a table without checksum files.
        if (isParsed) { val _ = ProtocolMetadataReader.find(snapshot, Long.MaxValue) }
        val found = replayed(snapshot)
        assert(found.map(_.map(keyed(table))).contains(live(table, commits)), commits)
        val state = known(snapshot)
        if (isRight(table, state, commits)) assert(found.contains(state), commits)
    }
  }

  /** Delta's state may have a file removed under another spelling of its path, or one for each spelling. */
  private def isRight(table: TestTable, state: Set[AddFile], commits: Vector[Vector[String]]): Boolean = {
    val files = state.toVector.map(keyed(table))
    files.toSet == live(table, commits) && files.distinct.size == files.size
  }

  private def keyed(table: TestTable)(file: FileAction): (String, Option[String]) =
    CanonicalPath.of(table.log, table.log.newDeltaHadoopConf())(file.path) ->
      Option(file.deletionVector).map(_.uniqueId)

  /** The files left after applying the actions one by one. */
  private def live(table: TestTable, commits: Vector[Vector[String]]): Set[(String, Option[String])] =
    commits.flatten.map(Action.fromJson).foldLeft(Set.empty[(String, Option[String])]) {
      case (files, add: AddFile) => files + keyed(table)(add)
      case (files, remove: RemoveFile) => files - keyed(table)(remove)
      case (files, _) => files
    }

  test("reading a checkpoint takes one job, commits none") {
    val table = TestTable().create().append(1L to 3L, files = 3)
    val beforeCheckpoint = fresh(table)
    assert(JobCount.of(spark)(assert(replayed(beforeCheckpoint).exists(_.size == 3))) == 0)
    table.checkpoint().append(4L to 5L, files = 2)
    val afterCheckpoint = fresh(table)
    assert(JobCount.of(spark)(assert(replayed(afterCheckpoint).exists(_.size == 5))) == 1)
  }

  for (format <- Seq("parquet", "json"))
    test(s"a V2 checkpoint in $format is read with all its sidecars") {
      withConf(
        "spark.databricks.delta.checkpointV2.topLevelFileFormat" -> format,
        "spark.databricks.delta.checkpoint.partSize" -> "2") {
        val table = TestTable().create("id LONG", "TBLPROPERTIES ('delta.checkpointPolicy' = 'v2')")
        table.append(1L to 6L, files = 6).checkpoint().append(7L to 8L, files = 2)
        val snapshot = fresh(table)
        assert(Files.list(table.commitFile(0).resolveSibling("_sidecars")).count() > 1)
        assert(replayed(snapshot).exists(_.size == 8) && replayed(snapshot).contains(known(snapshot)))
      }
    }

  test("if the checksum file has another number of files, Delta's state is read instead") {
    val table = TestTable().create().append(1L to 3L, files = 3)
    val checksum = table.commitFile(1).resolveSibling(f"${1}%020d.crc")
    val text = Files.readString(checksum)
    Files.writeString(checksum, text.replaceFirst("\"numFiles\":3", "\"numFiles\":4"))
    Files.delete(checksum.resolveSibling(s".${checksum.getFileName}.crc"))
    assert(replayed(fresh(table)).isEmpty)
  }

  test("a compacted commit file is replayed in place of its commits") {
    val table = TestTable().create().append(1L to 3L, files = 3)
    table.sql(s"DELETE FROM ${table.name} WHERE id = 1").append(4L to 5L, files = 2)
    val compacted = table.commitFile(1).resolveSibling(f"${1}%020d.${2}%020d.compacted.json")
    val live = table.log.getSnapshotAt(2).allFiles.collect().map(_.json)
    Files.write(compacted, live.mkString("", "\n", "\n").getBytes("UTF-8"))
    withConf("spark.databricks.delta.deltaLog.minorCompaction.useForReads" -> "true") {
      val snapshot = fresh(table)
      assert(snapshot.logSegment.deltas.exists(_.getPath.getName.contains("compacted")))
      assert(replayed(snapshot).map(_.map(_.path).toSet).contains(known(snapshot).map(_.path)))
    }
  }

  test("too many files are left to Delta, with or without a checksum file that has their number") {
    val table = TestTable().create().append(1L to 3L, files = 3)
    assert(replayed(fresh(table), maxFiles = 2).isEmpty)
    assert(replayed(fresh(table), maxFiles = 3).nonEmpty)
    for (version <- 0L to 1L)
      Files.deleteIfExists(table.commitFile(version).resolveSibling(f"$version%020d.crc"))
    assert(replayed(fresh(table), maxFiles = 2).isEmpty)
    table.checkpoint()
    assert(replayed(fresh(table), maxFiles = 2).isEmpty)
    assert(replayed(fresh(table), maxFiles = 3).nonEmpty)
  }

  test("a log that cannot be read is left to Delta, which reports the error") {
    val table = TestTable().create().append(1L to 3L)
    val snapshot = fresh(table)
    table.writeCommit(1, """{"add":{"path":""")
    assert(replayed(snapshot).isEmpty)
    val whole =
      """{"add":{"path":"a","partitionValues":{},"size":1,"modificationTime":1,"dataChange":true}}"""
    table.writeCommit(1, whole)
    assert(replayed(snapshot).map(_.size) == Some(1))
    table.writeCommit(1, whole, """{"checkpoint":{"version":1}}""")
    assert(replayed(snapshot).isEmpty)
  }

  test("M12: a fatal error while a commit is read reaches the caller") {
    implicit val interrupting: Signaler = ThreadSignaler
    val snapshot = fresh(TestTable().create().append(1L to 3L))
    val error = new NoClassDefFoundError("planted")
    val thrown = withConf(FatalFileSystem.confs: _*)(FatalFileSystem.opening(f"${1}%020d.json", error) {
      failAfter(10.seconds)(intercept[Throwable](replayed(snapshot)))
    })
    assert(thrown eq error)
  }
}
