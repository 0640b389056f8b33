// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.stream.log.LatestSnapshot
import org.apache.spark.sql.delta.{DeltaLog, Snapshot}

/**
 * Reads the latest snapshot of a target, and lists the log from time to time. Delta counts its own commit
 * as a refresh of the whole log: a run whose batches follow each other quickly would never list the log
 * again, never learn of a newer checkpoint, and rebuild the state from every commit of the run.
 */
private[sink] final class LatestTargetSnapshot(deltaLog: DeltaLog, catalogTable: Option[CatalogTable]) {

  private val lastListedAtMs = new AtomicReference(Option.empty[Long])

  /**
   * Returns the latest snapshot. Lists the log if the last listing by this method is too old.
   *
   * @param listInterval how old a listing may be, in milliseconds; 0 lists the log each time
   */
  def get(listInterval: Long): Snapshot = {
    val now = deltaLog.clock.getTimeMillis()
    val isListed = lastListedAtMs.get.exists(at => at <= now && now - at < listInterval)
    val snapshot = new LatestSnapshot(deltaLog, catalogTable, if (isListed) listInterval else 0).get()
    if (!isListed) lastListedAtMs.set(Some(now))
    snapshot
  }
}
