// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.util.Properties
import java.util.concurrent.atomic.AtomicReference

import scala.concurrent.duration.Duration
import scala.concurrent.{Await, ExecutionContext, ExecutionContextExecutor, Future}

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.util.ThreadUtils

import org.apache.spark.sql.delta.sources.DeltaSQLConf.DELTA_SNAPSHOT_PARTITIONS

/**
 * Writes the checkpoints of a target beside the batches that follow, one at a time, so that no batch waits for the
 * table's state. One that is lost, because the process ends, is made up for after the next commits.
 */
private[sink] final class Checkpoints {
  import Checkpoints._

  private val last = new AtomicReference(Begun(version = 0, Future.unit))

  def isFree: Boolean = last.get.done.isCompleted

  /** Of the last one that was begun, 0 for none. */
  def lastVersion: Long = last.get.version

  /** @param files how many the table has, if that is known */
  def write(version: Long, files: Option[Long])(checkpoint: => Unit): Unit = {
    val spark = SparkSession.active
    finish()
    last.set(Begun(version, Future(alone(small(spark, files), version)(checkpoint))(threads)))
  }

  /** Waits for the one that is being written, and fails as it has failed. */
  def finish(): Unit = Await.result(last.get.done, Duration.Inf)

  /** Fails as the last one has, if that is over. */
  def check(): Unit = if (isFree) finish()
}

private[sink] object Checkpoints {

  private final case class Begun(version: Long, done: Future[Unit])

  private lazy val threads: ExecutionContextExecutor = ExecutionContext.fromExecutor(
    ThreadUtils.newDaemonCachedThreadPool(
      "deltasource-checkpoint",
      maxThreadNumber = 8,
      keepAliveSeconds = 60))

  /** So many files are the state of one task: some 50 MB. */
  private val filesPerTask = 50000L

  /** What Delta takes where the user does not say. */
  private val mostTasks = 50L

  /**
   * A session in which the state of a small table is rebuilt by few tasks. Delta makes fifty of it, and a batch waits
   * for them all where there are fewer cores.
   */
  private def small(spark: SparkSession, files: Option[Long]): SparkSession = {
    val own = spark.cloneSession()
    val conf = own.sessionState.conf
    for (count <- files if conf.getConf(DELTA_SNAPSHOT_PARTITIONS).isEmpty)
      conf.setConf(DELTA_SNAPSHOT_PARTITIONS, Some((1 + count / filesPerTask).min(mostTasks).toInt))
    own
  }

  /** Not in the query's group of jobs, which is cancelled when the query stops, nor in its execution. */
  private def alone(spark: SparkSession, version: Long)(work: => Unit): Unit = {
    val context = spark.sparkContext
    context.setLocalProperties(new Properties)
    context.setJobDescription(s"checkpoint of version $version")
    spark.withActive(work)
  }
}
