// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.util.ThreadUtils

import org.apache.spark.sql.delta.stream.concurrent.BackgroundTaskRunner

/**
 * Runs two of Delta's post-commit hooks in the background. A checksum file is written while the engine ends
 * the batch; a checkpoint may take as long as the batches that follow.
 */
private[sink] final class AsyncPostCommitHooks {

  val checksums = new BackgroundTaskRunner("checksum file", AsyncPostCommitHooks.threads)
  val checkpoints = new AsyncCheckpointWriter

  /** Waits for the checksum file. Throws the error of a checksum file or checkpoint that has failed. */
  def beforeBatch(): Unit = {
    checksums.await()
    checkpoints.throwIfFailed()
  }

  /**
   * Waits for the checksum file, after the engine has written the batch to its commit log. A caller that
   * waited for the batch may then delete the table: from here on nothing but a checkpoint is still being
   * written. Throws the error of a checksum file that has failed.
   */
  def afterBatch(): Unit = checksums.await()

  /** Waits for the checksum file and the checkpoint. Throws the error of the one that has failed. */
  def afterRun(): Unit = {
    checksums.await()
    checkpoints.await()
  }
}

private[sink] object AsyncPostCommitHooks {

  /** Separate from the checkpoint threads: no batch may wait for the checkpoint of another table. */
  private lazy val threads =
    ThreadUtils.newDaemonCachedThreadPool("deltasource-checksum", maxThreadNumber = 8, keepAliveSeconds = 60)
}
