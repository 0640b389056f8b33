// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.FileNotFoundException

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.stream.model.Causes
import org.apache.spark.sql.delta.{DeltaLog, Snapshot}

/**
 * Retries reading a snapshot whose files are gone. A snapshot that Delta keeps in memory refers to files that
 * may have been deleted since the log was listed: a checkpoint, or commits that a later checkpoint replaced.
 * Reading it is retried once, from a new listing, if that shows other files.
 */
private[delta] final class SnapshotRetry(deltaLog: DeltaLog, catalogTable: Option[CatalogTable]) {
  import SnapshotRetry._

  /**
   * Returns what `read` returns. If it fails because a file no longer exists, calls it once more with the
   * reloaded snapshot; fails with the first error if a new listing shows no other files.
   *
   * @param read may read any file the snapshot consists of
   */
  def withRetry[A](snapshot: Snapshot)(read: Snapshot => A): A =
    try read(snapshot)
    catch {
      case e: Exception if isFileMissing(e) => read(reload(snapshot).getOrElse(throw e))
    }

  /**
   * Returns the same version of the same table, reconstructed from other files; `None` if a new listing does
   * not show any.
   */
  def reload(stale: Snapshot): Option[Snapshot] = {
    val latest = deltaLog.update(catalogTableOpt = catalogTable)
    val fresh =
      if (latest.version <= stale.version) latest
      else deltaLog.getSnapshotAt(stale.version, catalogTableOpt = catalogTable)
    Option.when(
      fresh.version == stale.version && fresh.metadata.id == stale.metadata.id &&
        fresh.logSegment != stale.logSegment)(fresh)
  }
}

private[delta] object SnapshotRetry {

  /** Whether the error, or one of its causes, reports a missing file: Spark wraps errors of executors. */
  def isFileMissing(failure: Throwable): Boolean =
    Causes.of(failure).exists {
      case _: FileNotFoundException => true
      case e: SparkThrowable => e.getCondition == "FAILED_READ_FILE.FILE_NOT_EXIST"
      case _ => false
    }
}
