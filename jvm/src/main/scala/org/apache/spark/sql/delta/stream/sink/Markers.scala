// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.actions.SetTransaction
import org.apache.spark.sql.delta.stream.log.{
  ActionLine,
  CommitFile,
  CommitFiles,
  CommitIdentity,
  CommitOpener,
  Relisting,
  RenewedHadoopConf
}
import org.apache.spark.sql.delta.util.FileNames
import org.apache.spark.sql.delta.{DeltaLog, Snapshot}

/**
 * Which batch of a query a table has: the marker, an action `txn` of Delta's protocol. It is looked for where it is
 * cheap to find, and believed only where all markers of the version are told: in the version's checksum file; in what
 * is known of an earlier version and the commits since; and only then in the table's state, which Delta has to build.
 */
private[sink] final class Markers(
    val queryId: String,
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable]) {
  import Markers._

  private val opener = new CommitOpener(deltaLog.store, RenewedHadoopConf.of(deltaLog))
  private val cell = new AtomicReference(Option.empty[Known])

  /** The last one at that version; of a table that is not there yet there is none. */
  def last(snapshot: Snapshot): Option[SetTransaction] =
    if (snapshot.version < 0) None else found(snapshot)

  private def found(snapshot: Snapshot): Option[SetTransaction] = {
    val told = snapshot.checksumOpt.flatMap(_.setTransactions).map(ofQuery)
    val found = told.filter(agrees).orElse(since(snapshot)).getOrElse {
      new Relisting(deltaLog, catalogTable).reading(snapshot)(state => ofQuery(state.setTransactions))
    }
    learn(snapshot.version, snapshot, found)
    found
  }

  /**
   * That version has this one.
   *
   * @param snapshot of it or of a later one: what else was committed in between is not known
   */
  def learn(version: Long, snapshot: Snapshot, marker: Option[SetTransaction]): Unit = cell.set(
    snapshot.logSegment.deltas.reverseIterator.collectFirst { case FileNames.DeltaFile(file, `version`) =>
      Known(CommitFile(version, file), marker)
    })

  /** Markers do not go back, unless the table was made anew: then, or if a checksum file is wrong, the state tells. */
  private def agrees(told: Option[SetTransaction]): Boolean =
    cell.get.flatMap(_.marker).forall(known => told.exists(_.version >= known.version))

  private def since(snapshot: Snapshot): Option[Option[SetTransaction]] =
    cell.get.filter(_.isUsefulFor(snapshot.version)).flatMap { known =>
      val commits = CommitFiles.of(deltaLog, catalogTable, snapshot)
      val versions = known.commit.version to snapshot.version
      val files =
        if (commits.byName) versions.flatMap(commits.find)
        else commits.list(versions.head).takeWhile(_.version <= versions.last)
      Option.when(files.size == versions.size && files.headOption.exists(isSame(_, known.commit))) {
        files.tail.flatMap(markers).lastOption.orElse(known.marker)
      }
    }

  /** If it is undecided, the state is asked. */
  private def isSame(found: CommitFile, known: CommitFile): Boolean =
    found.identity.compare(known.identity) == CommitIdentity.Same

  private def markers(file: CommitFile): Option[SetTransaction] = {
    val lines = opener.lines(file.status)
    try lines.map(ActionLine.read).collectFirst { case marker: SetTransaction if isOurs(marker) => marker }
    finally lines.close()
  }

  private def ofQuery(markers: Seq[SetTransaction]): Option[SetTransaction] = markers.find(isOurs)

  private def isOurs(marker: SetTransaction): Boolean = marker.appId == queryId
}

private[sink] object Markers {

  /** A table that has got more commits than that since the last batch is asked for its state. */
  private val mostCommits = 100

  /** Of a version, by the file of its commit. */
  private final case class Known(commit: CommitFile, marker: Option[SetTransaction]) {

    /** A table that was recreated may have fewer versions than before. */
    def isUsefulFor(version: Long): Boolean =
      commit.version <= version && version - commit.version < mostCommits
  }
}
