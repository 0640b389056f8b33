// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.DataFrame
import org.apache.spark.storage.StorageLevel

private[stream] object Cached {

  /** Caches the rows of a DataFrame while they are used, on disk if they do not fit into memory. */
  def using[A](frame: DataFrame)(use: DataFrame => A): A = {
    val stored = frame.persist(StorageLevel.MEMORY_AND_DISK)
    try use(stored)
    finally { val _ = stored.unpersist() }
  }
}
