// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf.LEAF_NODE_DEFAULT_PARALLELISM
import org.apache.spark.util.ThreadUtils

import org.apache.spark.sql.delta.sources.DeltaSQLConf.DELTA_SNAPSHOT_PARTITIONS

/**
 * Writes the checkpoints of a target beside the batches that follow, one at a time, so that no batch waits for the
 * table's state. One that is lost, because the process ends, is made up for after the next commits.
 */
private[sink] final class Checkpoints extends Aside("checkpoint", Checkpoints.threads) with Logging {
  import Checkpoints._

  /** One for all of them, for what is set there is not the query's. */
  private lazy val session = SparkSession.active.cloneSession()

  /**
   * Begins one, where that is free.
   *
   * @param log how large what it is made from is, which is asked beside the batches too
   */
  def write(version: Long)(log: => LogSize)(checkpoint: => Unit): Unit = {
    val (own, said) = (session, SparkSession.active.sessionState.conf)
    begin(own, version) {
      val tasks = tasksFor(log)
      parallel.foreach(conf => own.sessionState.conf.setConf(conf, said.getConf(conf).orElse(tasks)))
      checkpoint
    }
  }

  /** What cannot be read for it cannot be read for the checkpoint either, and that is where Delta says so. */
  private def tasksFor(log: => LogSize): Option[Int] =
    try Some(log.tasks)
    catch {
      case NonFatal(e) =>
        logWarning(
          "how large the log is cannot be told: its checkpoint is written by as many tasks as Delta takes",
          e)
        None
    }
}

private[sink] object Checkpoints {

  /**
   * The bytes of what the state of a version is rebuilt from, with the files that were removed: its last checkpoint,
   * and the commits since.
   */
  final case class LogSize(checkpoint: Long, commits: Long) {

    /**
     * How many tasks rebuild the state. Delta makes fifty of it for a small table too, and a batch waits for them all
     * where there are fewer cores.
     */
    def tasks: Int = (1 + (checkpoint * compression + commits) / bytesPerTask).min(mostTasks).toInt
  }

  /** What says how many tasks read the log, and how many make the state of what they have read. */
  private val parallel = Seq(LEAF_NODE_DEFAULT_PARALLELISM, DELTA_SNAPSHOT_PARTITIONS)

  /** Some 60,000 files, as text. */
  private val bytesPerTask = 64L << 20

  /** So many times smaller is a checkpoint than the lines it stands for. */
  private val compression = 8L

  /** What Delta takes where the user does not say. */
  private val mostTasks = 50L

  private lazy val threads =
    ThreadUtils.newDaemonCachedThreadPool(
      "deltasource-checkpoint",
      maxThreadNumber = 8,
      keepAliveSeconds = 60)
}
