// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.stream.log.LatestSnapshotProvider
import org.apache.spark.sql.delta.{DeltaLog, Snapshot}

/**
 * Reads the latest snapshot of a target, and lists the log from time to time. Delta counts its own commit
 * as a refresh of the whole log: a run whose batches follow each other quickly would never list the log
 * again, never learn of a newer checkpoint, and rebuild the state from every commit of the run.
 */
private[sink] final class LatestTargetSnapshotProvider(
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable]) {

  /**
   * Returns the latest snapshot, and when the log was last listed. Lists it if the last listing is too old.
   *
   * @param listInterval how old a listing may be, in milliseconds; 0 lists the log each time
   * @param listedAtMs   when this method last listed the log, in milliseconds since 1970
   */
  def get(listInterval: Long, listedAtMs: Option[Long]): (Snapshot, Option[Long]) = {
    val now = deltaLog.clock.getTimeMillis()
    val isListed = listedAtMs.exists(at => at <= now && now - at < listInterval)
    val snapshot = new LatestSnapshotProvider(deltaLog, catalogTable, if (isListed) listInterval else 0).get()
    (snapshot, if (isListed) listedAtMs else Some(now))
  }
}
