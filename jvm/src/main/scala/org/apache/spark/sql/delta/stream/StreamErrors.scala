// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import java.util.{Map => JMap}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession
import org.apache.spark.{SparkException, SparkThrowable}

import org.apache.spark.sql.delta.DeltaErrors
import org.apache.spark.sql.delta.actions.SetTransaction
import org.apache.spark.sql.delta.stream.plan.{Commit, FileList, Problem}

/**
 * Problems of one table's stream as exceptions. Where Delta Lake has a condition for it, it is that one; ours begin
 * with `DELTASOURCE_` and are all in the companion.
 */
final class StreamErrors(dataPath: String) {

  /** What the log says where losses are allowed; of commits that were read before they went, also what was in them. */
  def skipped(first: Long, last: Long, known: Seq[Commit]): String = {
    val files = known.flatMap(_.files.from(0))
    val told =
      if (known.isEmpty) ""
      else s" Of them ${files.size} files of ${files.map(FileList.bytes).sum} bytes were known."
    s"Versions $first to $last are gone from the log of $dataPath: the stream skips them, for failOnDataLoss is " +
      s"false.$told"
  }

  def of(problem: Problem): Throwable = problem match {
    case Problem.DeletedData(version, removed) =>
      DeltaErrors.deltaSourceIgnoreDeleteError(version, removed, dataPath)
    case Problem.ChangedData(version, change) =>
      DeltaErrors.deltaSourceIgnoreChangesError(version, change, dataPath)
    case Problem.OtherTable(newId, oldId) =>
      DeltaErrors.differentDeltaTableReadByStreamingSource(newId, oldId)
    case Problem.SchemaChanged(version, read, written, retryable, startOption) =>
      DeltaErrors.schemaChangedException(read, written, retryable, Some(version), startOption)
    case Problem.NonAdditiveChange(older, newer, detectedDuringStreaming) =>
      val spark = SparkSession.active
      DeltaErrors.blockStreamingReadsWithIncompatibleNonAdditiveSchemaChanges(
        spark,
        older,
        newer,
        detectedDuringStreaming
      )
    case Problem.SchemaEvolved(metadata, protocol) =>
      DeltaErrors.streamingMetadataEvolutionException(metadata.schema, metadata.configuration, protocol)
    case Problem.UntrackableLosses =>
      new IllegalArgumentException(
        "requirement failed: Using schema from schema tracking log cannot tolerate missing commit files.")
    case Problem.NoCommonSchema(from, to) =>
      DeltaErrors.streamingMetadataLogInitFailedIncompatibleMetadataException(from, to)
    case Problem.NoStartSchema(cause) =>
      DeltaErrors.failedToGetSnapshotDuringColumnMappingStreamingReadCheck(cause)
    case Problem.MissingCommits(expected, found) => DeltaErrors.failOnDataLossException(expected, found)
    case Problem.MissingTrailingCommit(expected, seen) =>
      DeltaErrors.streamingTrailingCommitMissing(expected, seen)
    case Problem.Unreadable(error) => error
    case Problem.BeyondTable(read, latest) => StreamErrors.beyondTable(read, latest, dataPath)
    case Problem.ReplacedCommit(version, path) => StreamErrors.replacedCommit(version, path)
    case Problem.NoChangeFeed(start, end) => DeltaErrors.changeDataNotRecordedException(start, start, end)
    case Problem.NotYet(feature, where) => new NotYetSupportedException(feature.name, where, dataPath)
  }
}

object StreamErrors {

  def unreadableCommit(version: Long, path: String, line: Int, cause: Throwable): Throwable =
    new StreamException(
      "DELTASOURCE_UNREADABLE_COMMIT",
      s"Line $line of the commit of version $version cannot be read: ${cause.getMessage} The file is $path. " +
        "Nothing of it was delivered; once the file is whole again, restart the query.",
      Map("version" -> version.toString, "path" -> path, "line" -> line.toString),
      Some(cause)
    )

  def emptyCommit(version: Long, path: String): Throwable =
    new StreamException(
      "DELTASOURCE_EMPTY_COMMIT",
      s"The commit of version $version holds no action; a writer may have died in it. The file is $path. " +
        "Nothing of it was delivered; once the file is whole again, restart the query.",
      Map("version" -> version.toString, "path" -> path)
    )

  /** The text of an offset may be anything, of any length. */
  def malformedOffset(metadataPath: String, json: String, cause: Throwable): Throwable =
    new StreamException(
      "DELTASOURCE_MALFORMED_OFFSET",
      s"The checkpoint of the source at $metadataPath holds an offset that cannot be read: ${shown(json)}. " +
        "Nothing was read. Restore the offset file from a copy, or start with a new checkpoint.",
      Map("metadataPath" -> metadataPath, "offset" -> shown(json)),
      Some(cause)
    )

  /** A text from outside, cut and on one line. */
  private def shown(text: String): String = text.take(200).map(c => if (c.isControl) ' ' else c)

  def unreadableStart(path: String, cause: Throwable): Throwable =
    new StreamException(
      "DELTASOURCE_UNREADABLE_START",
      s"The file in which the checkpoint remembers where the stream began cannot be read: $path. " +
        "Nothing was read. Restore it from a copy, or delete it: then the start options are asked again.",
      Map("path" -> path),
      Some(cause)
    )

  def beyondTable(read: Long, latest: Long, dataPath: String): Throwable =
    new StreamException(
      "DELTASOURCE_OFFSET_BEYOND_TABLE",
      s"The checkpoint has read the table up to version $read, but its newest version is $latest: $dataPath. " +
        "The table may have been restored from a copy. Bring back its log, or start with a new checkpoint.",
      Map("read" -> read.toString, "latest" -> latest.toString, "path" -> dataPath)
    )

  def otherRun(found: SetTransaction, batchId: Long, dataPath: String): Throwable =
    new StreamException(
      "DELTASOURCE_OTHER_RUN",
      s"The table has batch ${found.version} of query ${found.appId} from another run, which may have had other rows " +
        s"than batch $batchId that is to be written now: $dataPath. Nothing was written. Either the query runs a " +
        "second time on a copy of its checkpoint: stop one of them. Or an older checkpoint was put back: start with " +
        "a new one. Or this driver's clock is behind that of the driver that planned the batch: set it right. Where " +
        "the rows are the same, spark.deltasource.sink.refuseOtherRuns=false skips such batches.",
      Map(
        "queryId" -> found.appId,
        "batchId" -> batchId.toString,
        "found" -> found.version.toString,
        "path" -> dataPath)
    )

  def unsafeTableId(id: String, fault: String, dataPath: String): Throwable =
    new StreamException(
      "DELTASOURCE_UNSAFE_TABLE_ID",
      s"The table's id cannot be part of the name of a schema log: $fault. The id is ${shown(id)}, the table is " +
        s"$dataPath. Nothing was read or written. Someone has written this id into the table's log: find out who, or " +
        "stream the table without schemaTrackingLocation.",
      Map("tableId" -> shown(id), "path" -> dataPath)
    )

  def unsafeTrackingId(id: String, fault: String, dataPath: String): Throwable =
    new StreamException(
      "DELTASOURCE_UNSAFE_TRACKING_ID",
      s"The option streamingSourceTrackingId cannot be part of the name of a schema log: $fault. Its value is " +
        s"${shown(id)}, the table is $dataPath. Nothing was read or written. Use a short name of letters, digits and " +
        "underscores.",
      Map("option" -> "streamingSourceTrackingId", "value" -> shown(id), "path" -> dataPath)
    )

  def replacedCommit(version: Long, path: String): Throwable =
    new StreamException(
      "DELTASOURCE_COMMIT_REPLACED",
      s"The commit of version $version is no longer the file that this stream has read: $path. " +
        "If its writer replaced it, restart the query: it plans the batch from what is there now.",
      Map("version" -> version.toString, "path" -> path)
    )
}

/** A fault of the table, not of the query; its condition never changes. */
final class StreamException(
    condition: String,
    message: String,
    parameters: Map[String, String],
    cause: Option[Throwable] = None
) extends SparkException(
      s"[$condition] $message",
      cause.orNull,
      Some(condition),
      parameters,
      Array.empty,
      Some("KD00D")
    )

/** The table or the query asks for what this version of the connector does not read. */
final class NotYetSupportedException(feature: String, where: String, dataPath: String)
    extends UnsupportedOperationException(
      s"[DELTASOURCE_NOT_YET_SUPPORTED] This version of deltasource does not stream $feature yet " +
        s"($where). The table is $dataPath. Use delta-spark for this stream; its checkpoint stays valid."
    )
    with SparkThrowable {
  override def getCondition: String = "DELTASOURCE_NOT_YET_SUPPORTED"
  override def getSqlState: String = "0A000"
  override def getMessageParameters: JMap[String, String] =
    Map("feature" -> feature, "where" -> where, "path" -> dataPath).asJava
}
