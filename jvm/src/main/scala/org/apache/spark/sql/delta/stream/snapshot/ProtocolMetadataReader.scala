// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import scala.annotation.tailrec
import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.functions.{col, struct, to_json}

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.delta.Snapshot
import org.apache.spark.sql.delta.actions.{Action, Checkpoint, FileAction, Metadata, Protocol}
import org.apache.spark.sql.delta.stream.concurrent.ParallelMap
import org.apache.spark.sql.delta.stream.conf.StreamConf
import org.apache.spark.sql.delta.stream.log.parse.ActionLine
import org.apache.spark.sql.delta.stream.log.{CommitOpener, RefreshingHadoopConf}

/**
 * Reads the protocol and metadata of a table version on the driver: from the commits since the checkpoint, newest
 * first, until both are known, and only then from the checkpoint. Delta runs a job over all of them, which takes
 * most of the time in which a stream starts (docs/design/0016-protocol-and-metadata.md).
 */
private[delta] object ProtocolMetadataReader extends Logging {

  /** With more bytes of commits since the checkpoint, executors read them faster than the driver. */
  val maxCommitBytes: Long = 64L << 20

  /**
   * Returns the protocol and metadata of the version, in an element each, as Delta's job does. Returns nothing
   * if the job must find them: if the version has no commits since its checkpoint, or too many bytes of them, if
   * the session keeps nothing on the driver, or if anything cannot be read; the job then reports what is wrong.
   * Called by the bundle's `Snapshot` (project/PatchedClasses.scala).
   */
  def read(snapshot: Snapshot): Array[Snapshot#ReconstructedProtocolMetadataICTAndLMC] = {
    // Delta finds the in-commit timestamp itself when it needs it.
    def element(protocol: Option[Protocol], metadata: Option[Metadata]) =
      snapshot.ReconstructedProtocolMetadataICTAndLMC(protocol.orNull, metadata.orNull, None, None)
    find(snapshot, maxCommitBytes).filter(_.isComplete).toArray.flatMap { found =>
      Seq(element(found.protocol, None), element(None, found.metadata))
    }
  }

  private[snapshot] def find(snapshot: Snapshot, maxBytes: Long): Option[SchemaActions] = {
    val spark = SparkSession.active
    val commits = snapshot.logSegment.deltas
    val isOff = spark.sessionState.conf.getConf(StreamConf.maxFilesOnDriver) == 0
    if (isOff || commits.isEmpty || commits.iterator.map(_.getLen).sum > maxBytes) None
    else
      try Some(find(spark, snapshot, commits))
      catch {
        case NonFatal(e) =>
          logInfo(
            s"cannot read the protocol and metadata of ${snapshot.path} at version ${snapshot.version} on the " +
              "driver: Delta runs a job for them",
            e)
          None
      }
  }

  private def find(spark: SparkSession, snapshot: Snapshot, commits: Seq[FileStatus]): SchemaActions = {
    val log = snapshot.deltaLog
    val opener = new CommitOpener(log.store, RefreshingHadoopConf.fixed(log.newDeltaHadoopConf()))
    val parsed =
      newestFirst(Vector.empty, commits.sortBy(-LogReplay.firstVersion(_)).toList, firstRound)(parse(opener))
    ParsedCommits.put(snapshot, parsed.map(commit => commit.path -> commit.files).toMap)
    val found = newest(parsed)
    if (found.isComplete) found else found.orOlder(checkpointActions(spark, snapshot))
  }

  /**
   * Parses commits in rounds, newest first, until both actions are known. Each round is larger than the last.
   */
  @tailrec
  private def newestFirst(parsed: Vector[Parsed], commits: List[FileStatus], roundSize: Int)(
      parse: FileStatus => Parsed): Vector[Parsed] =
    if (newest(parsed).isComplete || commits.isEmpty) parsed
    else {
      val (round, older) = commits.splitAt(roundSize)
      val more = ParallelMap(round, "protocol-metadata", threads)(parse)
      newestFirst(parsed ++ more, older, (roundSize * 8).min(largestRound))(parse)
    }

  private def newest(newestFirst: Seq[Parsed]): SchemaActions =
    newestFirst.foldLeft(SchemaActions())((found, commit) => found.orOlder(commit.schema))

  private def parse(opener: CommitOpener)(commit: FileStatus): Parsed = {
    val lines = opener.lines(commit)
    try {
      val (files, others) = lines.flatMap(ActionLine.readState).toVector.partitionMap {
        case file: FileAction => Left(file)
        case other => Right(other)
      }
      Parsed(commit.getPath, SchemaActions.of(others.iterator), files)
    } finally lines.close()
  }

  private def checkpointActions(spark: SparkSession, snapshot: Snapshot): SchemaActions =
    snapshot.checkpointProvider.loadProtocolMetadataActions(spark, snapshot.deltaLog).fold(SchemaActions()) {
      actions =>
        val json = actions
          .where(col("protocol").isNotNull || col("metaData").isNotNull)
          .select(to_json(struct("protocol", "metaData")))
        SchemaActions.of(json.collect().iterator.map(row => ActionLine.bind(row.getString(0))))
    }

  private final case class Parsed(path: Path, schema: SchemaActions, files: Vector[FileAction])

  /** What is known of the protocol and metadata of a version. */
  private[snapshot] final case class SchemaActions(
      protocol: Option[Protocol] = None,
      metadata: Option[Metadata] = None) {

    def isComplete: Boolean = protocol.nonEmpty && metadata.nonEmpty

    def orOlder(older: SchemaActions): SchemaActions =
      copy(protocol = protocol.orElse(older.protocol), metadata = metadata.orElse(older.metadata))
  }

  private object SchemaActions {

    /** Finds them among these actions. Fails if the files of the commit are in a manifest. */
    def of(actions: Iterator[Action]): SchemaActions = actions.foldLeft(SchemaActions()) {
      case (found, protocol: Protocol) => found.copy(protocol = Some(protocol))
      case (found, metadata: Metadata) => found.copy(metadata = Some(metadata))
      case (_, _: Checkpoint) =>
        throw new UnsupportedOperationException("the commit lists files in a manifest")
      case (found, _) => found
    }
  }

  /** On an object store, reading waits more than it computes. */
  private val threads = 32

  /** How many commits are read at once: few first, because some tables have the metadata in each commit. */
  private val firstRound = 8
  private val largestRound = 4096
}
