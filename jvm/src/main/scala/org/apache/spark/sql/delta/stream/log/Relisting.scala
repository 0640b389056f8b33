// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.FileNotFoundException

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.{DeltaLog, Snapshot}

/**
 * A snapshot that Delta keeps in memory names files that may have been deleted since the log was listed: a checkpoint,
 * or commits that a later checkpoint replaced. Reading such a snapshot is tried once more, from a fresh listing, if
 * that names other files.
 */
private[delta] final class Relisting(deltaLog: DeltaLog, catalogTable: Option[CatalogTable]) {
  import Relisting._

  /** @param read may read any file the snapshot is made of */
  def reading[A](snapshot: Snapshot)(read: Snapshot => A): A =
    try read(snapshot)
    catch {
      case e: Exception if isFileGone(e) => read(of(snapshot).getOrElse(throw e))
    }

  /** The same version of the same table made from other files; none where a fresh listing shows none. */
  def of(stale: Snapshot): Option[Snapshot] = {
    val newest = deltaLog.update(catalogTableOpt = catalogTable)
    val fresh =
      if (newest.version <= stale.version) newest
      else deltaLog.getSnapshotAt(stale.version, catalogTableOpt = catalogTable)
    Option.when(
      fresh.version == stale.version && fresh.metadata.id == stale.metadata.id &&
        fresh.logSegment != stale.logSegment)(fresh)
  }
}

private[delta] object Relisting {

  /** Spark wraps the failure of an executor. */
  def isFileGone(failure: Throwable): Boolean =
    Iterator.iterate(Option(failure))(
      _.flatMap(e => Option(e.getCause))).takeWhile(_.nonEmpty).flatten.exists {
      case _: FileNotFoundException => true
      case e: SparkThrowable => e.getCondition == "FAILED_READ_FILE.FILE_NOT_EXIST"
      case _ => false
    }
}
