// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import scala.annotation.tailrec
import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.functions.{col, struct, to_json}

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.delta.actions.{
  Action,
  AddFile,
  Checkpoint,
  FileAction,
  Metadata,
  Protocol,
  RemoveFile
}
import org.apache.spark.sql.delta.stream.concurrent.ParallelMap
import org.apache.spark.sql.delta.stream.conf.StreamConf
import org.apache.spark.sql.delta.stream.log.parse.ActionLine
import org.apache.spark.sql.delta.stream.log.{CommitOpener, RefreshingHadoopConf}
import org.apache.spark.sql.delta.stream.model.FileSystemFailure
import org.apache.spark.sql.delta.{DeltaLog, Snapshot}

/**
 * Reads the protocol and metadata of a table version on the driver: from the commits since the checkpoint, newest
 * first, until both are known, and only then from the checkpoint. Delta runs a job over all of them, which takes
 * most of the time in which a stream starts (docs/internals/design/0016-protocol-and-metadata.md).
 */
private[delta] object ProtocolMetadataReader extends Logging {

  /** With more bytes of commits since the checkpoint, executors read them faster than the driver. */
  val maxCommitBytes: Long = 64L << 20

  /**
   * Returns an element with the protocol and one with the metadata of the version, as Delta's job does. Returns
   * an empty array if Delta must find them: if the version has a checksum file, if there are no commits
   * since its checkpoint or too many bytes of them, if `spark.deltasource.snapshot.maxFilesOnDriver` is 0, or if
   * a commit cannot be read; Delta's job then reports what is wrong. Called by the bundle's `Snapshot`
   * (project/PatchedClasses.scala).
   */
  def read(snapshot: Snapshot): Array[Snapshot#ReconstructedProtocolMetadataICTAndLMC] = {
    // Delta finds the in-commit timestamp itself when it needs it.
    def element(protocol: Option[Protocol], metadata: Option[Metadata]) =
      snapshot.ReconstructedProtocolMetadataICTAndLMC(protocol.orNull, metadata.orNull, None, None)
    val found = if (snapshot.checksumOpt.nonEmpty) None else find(snapshot, maxCommitBytes)
    found.filter(_.isComplete).toArray.flatMap { actions =>
      Seq(element(actions.protocol, None), element(None, actions.metadata))
    }
  }

  private[snapshot] def find(snapshot: Snapshot, maxBytes: Long): Option[SchemaActions] =
    inCommits(snapshot, maxBytes).map { found =>
      if (found.isComplete) found else found.orOlder(inCheckpoint(snapshot))
    }

  /** Returns what the commits since the checkpoint say, or None if they must be left to Delta's job. */
  private def inCommits(snapshot: Snapshot, maxBytes: Long): Option[SchemaActions] =
    try {
      val maxFiles = SparkSession.active.sessionState.conf.getConf(StreamConf.maxFilesOnDriver)
      val commits = Option(snapshot.logSegment).toSeq.flatMap(_.deltas)
      if (maxFiles == 0 || commits.isEmpty || commits.iterator.map(_.getLen).sum > maxBytes) None
      else {
        val parsed = parseCommits(snapshot.deltaLog, commits)
        if (parsed.map(_.files.size.toLong).sum <= maxFiles)
          ParsedCommits.put(snapshot, parsed.map(commit => commit.path -> commit.files).toMap)
        Some(newest(parsed))
      }
    } catch {
      case NonFatal(e) if !FileSystemFailure.isInterrupt(e) =>
        logInfo(
          s"cannot read the protocol and metadata of ${snapshot.path} at version ${snapshot.version} on the " +
            "driver: Delta runs a job for them",
          e)
        None
    }

  private def parseCommits(log: DeltaLog, commits: Seq[FileStatus]): Vector[Parsed] = {
    val opener = new CommitOpener(log.store, RefreshingHadoopConf.fixed(log.newDeltaHadoopConf()))
    newestFirst(Vector.empty, commits.sortBy(-LogReplay.firstVersion(_)).toList, firstRound)(parse(opener))
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
      val actions = lines.tapEach(refuseManifest).flatMap(ActionLine.readState).toVector
      val files = actions.collect {
        case file: AddFile => file
        case file: RemoveFile => file
      }
      Parsed(commit.getPath, SchemaActions.of(actions.iterator), files)
    } finally lines.close()
  }

  /** A `commitInfo` of a table whose files are in manifests says where the last one is. */
  private def refuseManifest(line: String): Unit =
    if (line.contains("\"lastManifestCommit\""))
      throw new UnsupportedOperationException("the table lists files in manifests")

  private def inCheckpoint(snapshot: Snapshot): SchemaActions = {
    val actions =
      snapshot.logSegment.checkpointProvider.loadProtocolMetadataActions(
        SparkSession.active,
        snapshot.deltaLog)
    actions.fold(SchemaActions()) { found =>
      val json = found
        .where(col("protocol").isNotNull || col("metaData").isNotNull)
        .select(to_json(struct("protocol", "metaData")))
      SchemaActions.of(json.collect().iterator.map(row => ActionLine.bind(row.getString(0))))
    }
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
  private val firstRound = threads
  private val largestRound = 4096
}
