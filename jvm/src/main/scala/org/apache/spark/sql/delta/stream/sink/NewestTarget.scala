// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.stream.log.NewestSnapshot
import org.apache.spark.sql.delta.{DeltaLog, Snapshot}

/**
 * The newest version of a target. Delta takes a commit of its own for news of the whole log: a run whose batches follow
 * each other quickly would never list it again, never know of a newer checkpoint, and hold all commits of the run as
 * what the state is made from.
 */
private[sink] final class NewestTarget(deltaLog: DeltaLog, catalogTable: Option[CatalogTable]) {

  private val listed = new AtomicReference(Option.empty[Long])

  /** @param listInterval so many milliseconds after the log was listed it is listed again; 0 lists each time */
  def get(listInterval: Long): Snapshot = {
    val now = deltaLog.clock.getTimeMillis()
    val isListed = listed.get.exists(at => at <= now && now - at < listInterval)
    val newest = new NewestSnapshot(deltaLog, catalogTable, if (isListed) listInterval else 0).get()
    if (!isListed) listed.set(Some(now))
    newest
  }
}
