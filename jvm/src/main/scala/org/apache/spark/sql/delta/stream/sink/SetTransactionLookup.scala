// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.actions.SetTransaction
import org.apache.spark.sql.delta.stream.log.parse.ActionLine
import org.apache.spark.sql.delta.stream.log.{CommitFinder, CommitOpener, RefreshingHadoopConf, SnapshotRetry}
import org.apache.spark.sql.delta.stream.model.{CommitFile, CommitIdentity}
import org.apache.spark.sql.delta.util.FileNames
import org.apache.spark.sql.delta.{DeltaLog, Snapshot}

/**
 * Finds a query's last SetTransaction in a table: the `txn` action of Delta's protocol, whose version is the
 * query's last batch. It tries the cheap sources first, and trusts a source only when it lists every
 * SetTransaction of the version:
 *
 *  1. the version's checksum file;
 *  1. the SetTransaction cached for an earlier version, and the commits since;
 *  1. the table's state, which Delta has to build.
 *
 * @param queryId the query's id, which is the `appId` of its SetTransactions
 */
private[sink] final class SetTransactionLookup(
    val queryId: String,
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable]) {
  import SetTransactionLookup._

  private val opener = new CommitOpener(deltaLog.store, RefreshingHadoopConf.of(deltaLog))

  /**
   * Returns the query's last SetTransaction at the snapshot's version. Returns None if the query has none,
   * or if the table does not exist yet.
   *
   * @param cached its last SetTransaction at an earlier version, if known
   */
  def find(snapshot: Snapshot, cached: Option[Cached]): Option[SetTransaction] =
    if (snapshot.version < 0) None
    else {
      val fromChecksum = snapshot.checksumOpt.flatMap(_.setTransactions).map(ofQuery)
      fromChecksum.filter(isNotBehind(cached, _)).orElse(fromCommitsSince(snapshot, cached)).getOrElse {
        new SnapshotRetry(deltaLog, catalogTable).withRetry(snapshot)(state => ofQuery(state.setTransactions))
      }
    }

  /**
   * Returns whether a checksum file may be trusted. A query's batches never go back, unless the table was
   * recreated. If they do, or if the checksum file is wrong, the next source is tried.
   */
  private def isNotBehind(cached: Option[Cached], fromChecksum: Option[SetTransaction]): Boolean =
    cached.flatMap(_.transaction).forall(known => fromChecksum.exists(_.version >= known.version))

  /** Returns None if the cache cannot be used, and Some(None) if the query has no SetTransaction. */
  private def fromCommitsSince(snapshot: Snapshot, cached: Option[Cached]): Option[Option[SetTransaction]] =
    cached.filter(_.isUsableFor(snapshot.version)).flatMap { cached =>
      val commits = CommitFinder.of(deltaLog, catalogTable, snapshot)
      val versions = cached.commit.version to snapshot.version
      val files =
        if (commits.hasCheapLookup) versions.flatMap(commits.findKnown)
        else commits.list(versions.head).takeWhile(_.version <= versions.last)
      Option.when(files.size == versions.size && files.headOption.exists(isSame(_, cached.commit))) {
        files.tail.flatMap(readFrom).lastOption.orElse(cached.transaction)
      }
    }

  /** Returns false if the two may be different files: the table's state is read then. */
  private def isSame(file: CommitFile, cached: CommitFile): Boolean =
    file.identity.compare(cached.identity) == CommitIdentity.Same

  private def readFrom(file: CommitFile): Option[SetTransaction] = {
    val lines = opener.lines(file.status)
    try lines.map(ActionLine.read).collectFirst {
        case transaction: SetTransaction if isOfQuery(transaction) => transaction
      }
    finally lines.close()
  }

  private def ofQuery(transactions: Seq[SetTransaction]): Option[SetTransaction] =
    transactions.find(isOfQuery)

  private def isOfQuery(transaction: SetTransaction): Boolean = transaction.appId == queryId
}

private[sink] object SetTransactionLookup {

  /** With this many commits since the cached version, or more, the table's state is read instead. */
  private val commitLimit = 100

  /**
   * The query's last SetTransaction at one version.
   *
   * @param commit the commit file of the version, which says whether the table was recreated
   */
  private[sink] final case class Cached(commit: CommitFile, transaction: Option[SetTransaction]) {

    /** A table that was recreated may have fewer versions than before. */
    def isUsableFor(version: Long): Boolean =
      commit.version <= version && version - commit.version < commitLimit
  }

  private[sink] object Cached {

    /**
     * Returns the query's last SetTransaction at a version, to be cached. Returns None if the snapshot does not
     * list the version's commit.
     *
     * @param snapshot of this version or a later one. The SetTransaction holds for `version` only, because
     *                 other commits may have been made in between
     */
    def of(version: Long, snapshot: Snapshot, transaction: Option[SetTransaction]): Option[Cached] =
      snapshot.logSegment.deltas.reverseIterator.collectFirst { case FileNames.DeltaFile(file, `version`) =>
        Cached(CommitFile(version, file), transaction)
      }
  }
}
