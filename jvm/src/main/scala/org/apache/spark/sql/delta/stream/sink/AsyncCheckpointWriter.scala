// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf.LEAF_NODE_DEFAULT_PARALLELISM
import org.apache.spark.util.ThreadUtils

import org.apache.spark.sql.delta.Snapshot
import org.apache.spark.sql.delta.sources.DeltaSQLConf.DELTA_SNAPSHOT_PARTITIONS
import org.apache.spark.sql.delta.stream.concurrent.BackgroundTaskRunner

/**
 * Writes the checkpoints of a target in the background, one at a time, so that no batch waits for the table's
 * state to be built. If the process exits before a checkpoint is written, a later commit writes another one.
 */
private[sink] final class AsyncCheckpointWriter
    extends BackgroundTaskRunner("checkpoint", AsyncCheckpointWriter.threads) with Logging {
  import AsyncCheckpointWriter._

  /** A clone, shared by all checkpoints, because the confs set in it must not apply to the query. */
  private lazy val session = SparkSession.active.cloneSession()

  /**
   * Returns whether to write a checkpoint now: none is being written, and either Delta would write one, or the
   * last one is at least a checkpoint interval old: the process may have exited before a checkpoint that was due
   * was written.
   *
   * @param version            the committed version
   * @param postCommitSnapshot the table after the commit
   * @param isDueForDelta      whether Delta would write one at this version
   */
  def isDue(version: Long, postCommitSnapshot: Snapshot)(isDueForDelta: => Boolean): Boolean =
    canStart && (isDueForDelta || {
      val last = latestVersion.max(postCommitSnapshot.logSegment.checkpointProvider.version)
      version - last.max(0) >= postCommitSnapshot.deltaLog.checkpointInterval(postCommitSnapshot.metadata)
    })

  /**
   * Starts writing a checkpoint and returns at once. Fails with an `IllegalArgumentException` if one cannot
   * start now (see [[canStart]]).
   *
   * @param version         the table version to write a checkpoint of
   * @param logSize         the size of the log that the state is rebuilt from; evaluated in the background
   * @param writeCheckpoint evaluated in the background, with the cloned session active
   */
  def write(version: Long)(logSize: => LogSize)(writeCheckpoint: => Unit): Unit = {
    val (cloned, queryConf) = (session, SparkSession.active.sessionState.conf)
    start(cloned, version) {
      val tasks = tasksFor(logSize)
      taskCountConfs.foreach { entry =>
        cloned.sessionState.conf.setConf(entry, queryConf.getConf(entry).orElse(tasks))
      }
      writeCheckpoint
    }
  }

  /**
   * Returns None if the size of the log cannot be read. This only logs a warning: a file that cannot be read
   * here cannot be read for the checkpoint either, and Delta reports the error there.
   */
  private def tasksFor(logSize: => LogSize): Option[Int] =
    try Some(logSize.tasks)
    catch {
      case NonFatal(e) =>
        logWarning(
          "cannot read the size of the log: the checkpoint is written with Delta's default number of tasks",
          e)
        None
    }
}

private[sink] object AsyncCheckpointWriter {

  /**
   * The size of the log that the state of a version is rebuilt from, tombstones included.
   *
   * @param checkpointBytes the bytes of the version's last checkpoint
   * @param commitBytes     the bytes of the commits since that checkpoint
   */
  final case class LogSize(checkpointBytes: Long, commitBytes: Long) {

    /**
     * How many tasks rebuild the state, at least 1. Delta uses fifty tasks for a small table too, and a batch
     * waits for all of them where there are fewer cores.
     */
    def tasks: Int =
      (1 + (checkpointBytes * checkpointCompression + commitBytes) / bytesPerTask).min(maxTasks).toInt
  }

  /** The number of tasks that read the log, and the number of tasks that build the state from it. */
  private val taskCountConfs = Seq(LEAF_NODE_DEFAULT_PARALLELISM, DELTA_SNAPSHOT_PARTITIONS)

  /** 64 MiB of commits, which is about 60,000 files as JSON. */
  private val bytesPerTask = 64L << 20

  /** How many times smaller a checkpoint is than the JSON lines of the same actions. */
  private val checkpointCompression = 8L

  /** Delta's default number of state partitions. */
  private val maxTasks = 50L

  private lazy val threads =
    ThreadUtils.newDaemonCachedThreadPool(
      "deltasource-checkpoint",
      maxThreadNumber = 8,
      keepAliveSeconds = 60)
}
