// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.internal.SQLConf

import org.apache.spark.sql.delta.DeltaOptions
import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.stream.conf.StreamSettings
import org.apache.spark.sql.delta.stream.model.{IndexInVersion, Position, StreamErrors}
import org.apache.spark.sql.delta.stream.plan.{AppendPlanner, Budget}
import org.apache.spark.sql.delta.testing.{InMemoryTableLog, Schemas}
import org.scalatest.Suite

/** Streams over an in-memory log. */
trait DeltaStreamFixture extends Suite {
  protected val schema = Schemas.untracked(Metadata(id = "id"))

  protected def settings(options: (String, String)*)(confs: (String, String)*): StreamSettings = {
    val conf = new SQLConf
    confs.foreach { case (key, value) => conf.setConfString(key, value) }
    StreamSettings(new DeltaOptions(options.toMap, conf), conf)
  }

  protected def stream(
      log: InMemoryTableLog,
      streamSettings: StreamSettings = settings("startingVersion" -> "0")(),
      start: => Option[Long] = Some(0),
      startStore: InitialOffsetStore = InitialOffsetStore.none
  ): DeltaStream =
    new DeltaStream(
      log,
      new AppendPlanner(_ => true),
      schema.copy(version = log.cachedLatestVersion()),
      streamSettings,
      log.cachedLatestVersion(),
      () => start.map(StartVersion(_)),
      startStore,
      None,
      new StreamErrors("/t")
    )

  protected def at(version: Long, index: IndexInVersion = IndexInVersion.Begin) =
    Position(version, index, inSnapshot = false)

  protected def condition(body: => Any): String = intercept[Exception](body) match {
    case e: SparkThrowable => e.getCondition
    case other => fail(other)
  }

  protected def history(commits: Vector[Long]*): InMemoryTableLog =
    commits.zipWithIndex.foldLeft(new InMemoryTableLog) { case (log, (sizes, version)) =>
      log.append(version.toLong, sizes: _*)
    }

  protected val one = Budget(1, 100)
}
