// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.{Files, Path}
import java.util.Optional

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.connector.read.streaming
import org.apache.spark.sql.execution.streaming.runtime.SerializedOffset
import org.apache.spark.sql.streaming.{SourceProgress, Trigger}

import org.apache.spark.sql.delta.testing.{CountingFileSystem, JobCount, SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** Rows B70 to B74 of docs/internals/behaviour.md: what Spark's progress reports about the source. */
class DeltaSourceProgressSuite extends AnyFunSuite with SourceFixture {

  /** Version 0 creates the table; versions 1 to 3 add two files, one and one. */
  private def table(): TestTable =
    TestTable().create().append(Seq(1, 2), files = 2).append(Seq(3)).append(Seq(4))

  /** The source's progress in each trigger of one run. */
  private def run(table: TestTable, options: (String, String)*): Seq[SourceProgress] = {
    val query = spark.readStream
      .format("delta")
      .options(options.toMap)
      .load(table.path)
      .writeStream
      .format("noop")
      .option("checkpointLocation", table.checkpointFolder())
      .trigger(Trigger.AvailableNow())
      .start()
    query.awaitTermination()
    query.recentProgress.toSeq.map(_.sources.head)
  }

  private def metrics(progress: SourceProgress): Map[String, String] = progress.metrics.asScala.toMap

  private def metricsOf(source: DeltaSource, consumed: streaming.Offset): Map[String, String] =
    source.metrics(Optional.ofNullable(consumed)).asScala.toMap

  private def version(offset: String): Long =
    "\"reservoirVersion\":(\\d+)".r.findFirstMatchIn(offset).get.group(1).toLong

  test("the progress of a query reports its lag, what closed its batches, and the latest offset") {
    val t = table()
    val reported = run(t, "startingVersion" -> "0", "maxFilesPerTrigger" -> "1")
    val versions = reported.map(metrics(_).get("numVersionsOutstanding"))
    assert(versions.take(4) == Seq(Some("3"), Some("2"), Some("1"), Some("0")))
    assert(reported.forall(progress => version(progress.latestOffset) == 4))
    val closed = reported.map(metrics(_)("batchClosedBy"))
    assert(closed.take(4) == Seq.fill(3)("maxFilesPerTrigger") :+ "availableNow")

    val third = metrics(reported(2))
    val add = spark.read.json(t.commitFile(3).toString).selectExpr("add.size").where("size is not null")
    assert(third("numFilesOutstanding") == "1" && third("numBytesOutstanding") == s"${add.head().getLong(0)}")
    val age = (System.currentTimeMillis() - Files.getLastModifiedTime(t.commitFile(3)).toMillis) / 1000.0
    assert(third("secondsOutstanding").toDouble >= 0 && third("secondsOutstanding").toDouble <= age)
    assert(reported.forall(progress => metrics(progress)("planningTimeMs").toLong >= 0))
    assert(!reported.exists(metrics(_).contains("initialSnapshotPercent")))
    assert(metrics(reported(0)).keySet.intersect(Set("numFilesOutstanding", "numBytesOutstanding")).isEmpty)
  }

  for (checkpointed <- Seq(false, true))
    test(
      s"progress inside the initial snapshot reports how much of it is read (checkpoint: $checkpointed)") {
      val t = table()
      if (checkpointed) t.checkpoint()
      val source = sourceOf(t, "maxFilesPerTrigger" -> "1")
      val first = latest(source)
      source.getBatch(None, first)
      val reported = metricsOf(source, first)
      assert(reported("initialSnapshotPercent") == "25.0")
      // Delta saw the end of the log when it loaded the table.
      assert(reported("numVersionsOutstanding") == "1" && !reported.contains("numFilesOutstanding"))
      val age = System.currentTimeMillis() - Files.getLastModifiedTime(t.commitFile(3)).toMillis
      assert(math.abs(reported("secondsOutstanding").toDouble * 1000 - age) < 5000)
      assert(version(source.reportLatestOffset().json) == 4)
    }

  test("a run over an initial snapshot alone ends with nothing outstanding") {
    val last = metrics(run(table()).last)
    val outstanding = last.collect { case (name, number) if name.endsWith("Outstanding") => number }
    assert(outstanding.toSeq == Seq.fill(4)("0") && last("batchClosedBy") == "availableNow")
  }

  test("the lag inside an initial snapshot is counted from its commit's time, however old") {
    for (checkpointed <- Seq(false, true)) {
      val t = table()
      age(t.commitFile(3), seconds = 7200)
      if (checkpointed) t.checkpoint()
      val source = sourceOf(t, "maxFilesPerTrigger" -> "1")
      val reported = metricsOf(source, latest(source))("secondsOutstanding").toDouble
      assert(reported >= 7200 && reported < 7300)
    }
  }

  private def age(file: Path, seconds: Long): Unit = {
    val time = System.currentTimeMillis() - seconds * 1000
    val _ = Files.setLastModifiedTime(file, java.nio.file.attribute.FileTime.fromMillis(time))
  }

  test("a source reports nothing before its first call") {
    val source = sourceOf(table())
    assert(metricsOf(source, null).isEmpty && Option(source.reportLatestOffset()).isEmpty)
  }

  test("metrics accept an offset from a checkpoint, and are empty for a damaged one") {
    val source = sourceOf(table(), "startingVersion" -> "0")
    val end = latest(source)
    assert(metricsOf(source, SerializedOffset(end.json))("numVersionsOutstanding") == "0")
    assert(metricsOf(source, SerializedOffset("{")).isEmpty)
  }

  test("reporting makes no call to the log and starts no job") {
    def operations(reporting: Boolean): Int = {
      val t = table()
      withConf(CountingFileSystem.confs: _*) {
        val source = sourceOf(t, "maxFilesPerTrigger" -> "1")
        CountingFileSystem.of {
          Iterator
            .unfold(Option.empty[DeltaSourceOffset]) { from =>
              Option(latest(source, from.orNull)).filterNot(from.contains).map { end =>
                if (reporting) source.reportLatestOffset()
                source.getBatch(from, end)
                if (reporting) assert(JobCount.of(spark)(metricsOf(source, end)) == 0)
                (end, Some(end))
              }
            }
            .foreach(source.commit)
        }
      }
    }
    val without = operations(reporting = false)
    assert(without > 0 && operations(reporting = true) == without)
  }
}
