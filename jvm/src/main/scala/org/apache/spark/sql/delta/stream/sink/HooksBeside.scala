// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.util.ThreadUtils

/**
 * What Delta's hooks behind a commit do, beside what the engine does next: checksum files until the batch ends, and
 * checkpoints beside the batches that follow.
 */
private[sink] final class HooksBeside {

  val checksums = new Aside("checksum file", HooksBeside.threads)
  val checkpoints = new Checkpoints

  /** Before a batch: waits for a checksum file, and fails as anything has that is over. */
  def check(): Unit = {
    checksums.finish()
    checkpoints.check()
  }

  /** The engine has noted the batch. Who waited for it may remove the table: nothing but a checkpoint is written now. */
  def batchEnds(): Unit = checksums.finish()

  /** At the end of a run: waits for all. */
  def finish(): Unit = {
    checksums.finish()
    checkpoints.finish()
  }
}

private object HooksBeside {

  /** Of their own: no batch is to wait for the checkpoint of another table. */
  private lazy val threads =
    ThreadUtils.newDaemonCachedThreadPool("deltasource-checksum", maxThreadNumber = 8, keepAliveSeconds = 60)
}
