// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.internal.SQLConf

import org.apache.spark.sql.delta.DeltaOptions
import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.stream.conf.StreamSettings
import org.apache.spark.sql.delta.stream.model.{IndexInVersion, Position, StreamErrors}
import org.apache.spark.sql.delta.stream.plan.{AcceptAllFiles, AppendPlanner, Planner}
import org.apache.spark.sql.delta.testing.{InMemoryTableLog, Schemas}

/** Streams over an in-memory log whose commits are a second apart, with a clock that tests set. */
trait ProgressFixture {
  protected final class Watch {
    var wall = 1000000L
    var ticks = 0L
    var slept = Vector.empty[Long]
    val clock: StreamClock = StreamClock(() => wall, () => ticks, sleep)

    private def sleep(millis: Long): Unit = {
      slept :+= millis
      ticks += millis
    }
  }

  protected def at(version: Long, index: IndexInVersion = IndexInVersion.Begin): Position =
    Position(version, index, inSnapshot = false)

  protected def history(commits: Vector[Long]*): InMemoryTableLog =
    commits.zipWithIndex.foldLeft(new InMemoryTableLog) { case (log, (sizes, version)) =>
      log.append(version.toLong, sizes: _*)
    }

  protected def stream(
      log: InMemoryTableLog,
      watch: Watch = new Watch,
      start: Option[Long] = Some(0),
      planner: Planner = new AppendPlanner(AcceptAllFiles),
      options: Map[String, String] = Map.empty,
      listInterval: String = "10s"
  ): DeltaStream = {
    val conf = new SQLConf
    conf.setConfString("spark.deltasource.log.listInterval", listInterval)
    val starting = start.map(version => "startingVersion" -> version.toString)
    new DeltaStream(
      log,
      planner,
      Schemas.untracked(Metadata(id = "id"), log.cachedLatestVersion()),
      StreamSettings(new DeltaOptions(options ++ starting, conf), conf),
      log.cachedLatestVersion(),
      () => start.map(StartVersion(_)),
      InitialOffsetStore.none,
      None,
      new StreamErrors("/t"),
      watch.clock
    )
  }

  /** The known metrics of a stream. */
  protected def report(stream: DeltaStream, consumed: Option[Position]): Map[String, String] =
    (for (metric <- stream.progress.metrics(consumed); text <- metric.text) yield metric.name -> text).toMap

  /** The outstanding versions, files, bytes and seconds. */
  protected def lag(stream: DeltaStream, consumed: Option[Position]): Seq[Option[String]] = {
    val known = report(stream, consumed)
    Seq("numVersionsOutstanding", "numFilesOutstanding", "numBytesOutstanding", "secondsOutstanding")
      .map(known.get)
  }
}
