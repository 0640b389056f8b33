// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import org.apache.spark.sql.SparkSession

import com.fasterxml.jackson.core.JsonProcessingException
import org.apache.spark.sql.delta.{DeltaErrors, DeltaThrowable}

/**
 * Converts the problems of one table's stream to exceptions. Where Delta Lake has an error condition for a
 * problem, the exception is Delta's own with a longer message (`ExplainedDeltaError`). Our own conditions start
 * with `DELTASOURCE_` and are in the companion object; those of the sink's targets are in `TargetErrors`, and those
 * of data files in `DataFileErrors`.
 *
 * @param dataPath the path of the table
 */
private[delta] final class StreamErrors(dataPath: String) {

  /**
   * Returns the log message for commits that are skipped because failOnDataLoss is false.
   *
   * @param first the first missing version
   * @param last  the last missing version
   * @param known the missing commits that were read before they disappeared; the message counts their files
   */
  def skippedVersionsMessage(first: Long, last: Long, known: Seq[Commit]): String = {
    val files = known.flatMap(_.files.from(0))
    val lost =
      if (known.isEmpty) ""
      else
        s" ${known.size} of these commits had already been read; they contain ${files.size} files with " +
          s"${files.map(FileList.bytes).sum} bytes."
    s"Skipping versions $first to $last of $dataPath: they are missing from the transaction log, and " +
      s"failOnDataLoss is false.$lost"
  }

  /** Returns the exception for a problem. */
  def toException(problem: Problem): Throwable =
    ExplainedDeltaError(exceptionOf(problem), dataPath, advice(problem))

  /** Returns what Delta's message does not say. */
  private def advice(problem: Problem): String = problem match {
    case Problem.MissingCommits(expected, _, isPreceded) =>
      val damaged =
        if (isPreceded)
          s"Version ${expected - 1} still exists, so cleanup has not deleted the missing commits: the log is damaged, " +
            "and a longer retention does not prevent this. "
        else ""
      damaged + "If the commits can be restored from a copy, restore them and restart the query: nothing is lost, and " +
        "no new checkpoint is needed."
    case _: Problem.DeletedData =>
      "In Python: on_change=\"ignore_deletes\", or on_change=\"skip_commits\" to skip each commit that removes rows."
    case _: Problem.ChangedData =>
      "In Python: on_change=\"skip_commits\", or on_change=\"reemit\" to read rewritten files again."
    case _: Problem.OtherTable =>
      "With a new checkpoint alone, all rows would be written again: use a new or emptied target, too. If the query " +
        "reads several tables, keep the order that they had."
    case _: Problem.SchemaChanged =>
      "If the error comes again after a restart, no single schema can read the data before and after the change: " +
        "track the schema, or use a new checkpoint."
    case _: Problem.MissingTrailingCommit =>
      "If the commits can be restored from a copy, restore them and restart the query; otherwise use a new checkpoint, " +
        "and a new or emptied target."
    case _ => ""
  }

  private def exceptionOf(problem: Problem): Throwable = problem match {
    case Problem.DeletedData(version, removed) =>
      DeltaErrors.deltaSourceIgnoreDeleteError(version, removed, dataPath)
    case Problem.ChangedData(version, change) =>
      DeltaErrors.deltaSourceIgnoreChangesError(version, change, dataPath)
    case Problem.OtherTable(newId, oldId) =>
      DeltaErrors.differentDeltaTableReadByStreamingSource(newId, oldId)
    case Problem.SchemaChanged(version, read, written, retryable, hasStartOption) =>
      DeltaErrors.schemaChangedException(read, written, retryable, Some(version), hasStartOption)
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
    case Problem.DataLossNotAllowedWithTracking =>
      new IllegalArgumentException(
        "requirement failed: Using schema from schema tracking log cannot tolerate missing commit files.")
    case Problem.NoCommonSchema(from, to) =>
      DeltaErrors.streamingMetadataLogInitFailedIncompatibleMetadataException(from, to)
    case Problem.NoStartSchema(cause) =>
      DeltaErrors.failedToGetSnapshotDuringColumnMappingStreamingReadCheck(cause)
    case Problem.MissingCommits(expected, found, _) => DeltaErrors.failOnDataLossException(expected, found)
    case Problem.MissingTrailingCommit(expected, seen) =>
      DeltaErrors.streamingTrailingCommitMissing(expected, seen)
    case Problem.Unreadable(error) => error
    case Problem.OffsetBeyondTable(read, latest) => StreamErrors.beyondTable(read, latest, dataPath)
    case Problem.ReplacedCommit(version, path) => StreamErrors.replacedCommit(version, path)
    case Problem.NoChangeFeed(start, end) => DeltaErrors.changeDataNotRecordedException(start, start, end)
    case Problem.UnsupportedFeature(feature, where) =>
      new NotYetSupportedException(feature.name, where, dataPath)
  }
}

private[delta] object StreamErrors {

  /** Delta cannot list the log of a table. Its message about a missing commit does not say what to do. */
  def explained(failure: Throwable with DeltaThrowable, dataPath: String): Throwable =
    if (failure.getCondition == "DELTA_VERSIONS_NOT_CONTIGUOUS")
      ExplainedDeltaError(
        failure,
        dataPath,
        "A commit between these versions is missing. Restore it from a copy, then restart the query.")
    else failure

  /** A line of a commit file cannot be read. `line` counts from 1. */
  def unreadableCommit(version: Long, path: String, line: Int, cause: Throwable): Throwable =
    new StreamException(
      "DELTASOURCE_UNREADABLE_COMMIT",
      s"Line $line of the commit file of version $version cannot be read: ${reason(cause)} " +
        s"The file is $path. The query has used nothing of this version. Restore the complete file, then " +
        "restart the query.",
      Map("version" -> version.toString, "path" -> path, "line" -> line.toString),
      Some(cause)
    )

  private def reason(cause: Throwable): String = cause match {
    // The full message also has locations inside the line, and the Scala classes that Jackson was building.
    case json: JsonProcessingException =>
      val text = json.getOriginalMessage.replaceAll(""" \(start marker at \[Source[^\]]*\]\)""", "")
      s"${text.stripSuffix(".")}."
    case other => other.getMessage
  }

  /** A commit file is there but cannot be opened, such as one without read permission. */
  def unopenableCommit(version: Long, path: String, cause: Throwable): Throwable =
    new StreamException(
      "DELTASOURCE_UNREADABLE_COMMIT",
      s"The commit file of version $version cannot be opened: ${cause.getMessage} The file is $path. The " +
        "query has used nothing of this version. Check that the query may read the file, then restart the query.",
      Map("version" -> version.toString, "path" -> path),
      Some(cause)
    )

  /** A commit file contains no action. */
  def emptyCommit(version: Long, path: String): Throwable =
    new StreamException(
      "DELTASOURCE_EMPTY_COMMIT",
      s"The commit file of version $version contains no action: $path. The writer may have failed " +
        "while writing it. The query has used nothing of this version. Restore the complete file, then " +
        "restart the query.",
      Map("version" -> version.toString, "path" -> path)
    )

  /** A file of the log that is not a commit cannot be read, such as a checkpoint of the table. */
  def unreadableLogFile(path: String, cause: Throwable): Throwable =
    new StreamException(
      "DELTASOURCE_UNREADABLE_LOG_FILE",
      s"A file of the table's log cannot be read: $path. The reason is: ${printable(cause.toString)}. No data was " +
        "delivered. Restore the complete file from a copy, then restart the query. If it is a checkpoint of the " +
        "table, an older checkpoint together with all commits after it works as well.",
      Map("path" -> path, "reason" -> printable(cause.toString)),
      Some(cause)
    )

  /**
   * An offset in the checkpoint cannot be parsed.
   *
   * @param metadataPath the source's own folder in the checkpoint
   * @param json         the text of the offset: any characters, any length
   */
  def malformedOffset(metadataPath: String, json: String, cause: Throwable): Throwable =
    new StreamException(
      "DELTASOURCE_MALFORMED_OFFSET",
      s"The checkpoint of the source at $metadataPath contains an offset that cannot be read: " +
        s"${printable(json)}. No data was read. Restore the offset file from a backup, or start with a new " +
        "checkpoint and a new or emptied target.",
      Map("metadataPath" -> metadataPath, "offset" -> printable(json)),
      Some(cause)
    )

  /** Shortens external text, and replaces control characters, so that it fits on one line. */
  private[stream] def printable(text: String, longest: Int = 200): String =
    text.take(longest).map(c => if (c.isControl) ' ' else c)

  /** The checkpoint file with the start position of the stream cannot be read. */
  def unreadableStart(path: String, cause: Throwable): Throwable =
    new StreamException(
      "DELTASOURCE_UNREADABLE_START",
      s"The checkpoint file that records where the stream started cannot be read: $path. No data was read. " +
        "Restore the file from a backup, or delete it to evaluate the start options again.",
      Map("path" -> path),
      Some(cause)
    )

  /** The checkpoint has read version `read`, which is beyond the table's latest version `latest`. */
  def beyondTable(read: Long, latest: Long, dataPath: String): Throwable =
    new StreamException(
      "DELTASOURCE_OFFSET_BEYOND_TABLE",
      s"The checkpoint has read the table up to version $read, but the table's latest version is $latest: " +
        s"$dataPath. The table may have been restored from an older copy. Restore its transaction log, or " +
        "start with a new checkpoint and a new or emptied target.",
      Map("read" -> read.toString, "latest" -> latest.toString, "path" -> dataPath)
    )

  /** The table's id must not be used in a schema log's path. `reason` says why (see `SchemaLogName`). */
  def unsafeTableId(id: String, reason: String, dataPath: String): Throwable =
    new StreamException(
      "DELTASOURCE_UNSAFE_TABLE_ID",
      s"The table's id cannot be used in the name of a schema log: $reason. The id is ${printable(id)}, " +
        s"the table is $dataPath. Nothing was read or written. The id comes from the table's transaction " +
        "log: find out who wrote it there, or stream the table without schemaTrackingLocation.",
      Map("tableId" -> printable(id), "path" -> dataPath)
    )

  /** The tracking id must not be used in a schema log's path. `reason` says why (see `SchemaLogName`). */
  def unsafeTrackingId(id: String, reason: String, dataPath: String): Throwable =
    new StreamException(
      "DELTASOURCE_UNSAFE_TRACKING_ID",
      s"The option streamingSourceTrackingId cannot be used in the name of a schema log: $reason. Its " +
        s"value is ${printable(id)}, the table is $dataPath. Nothing was read or written. Set it to a " +
        "short name of letters, digits and underscores.",
      Map("option" -> "streamingSourceTrackingId", "value" -> printable(id), "path" -> dataPath)
    )

  /** A commit file was replaced after the stream had read it. */
  def replacedCommit(version: Long, path: String): Throwable =
    new StreamException(
      "DELTASOURCE_COMMIT_REPLACED",
      s"The commit file of version $version is no longer the file that this stream read: $path. " +
        "If its writer replaced it, restart the query: the batch is then planned again from the new file.",
      Map("version" -> version.toString, "path" -> path)
    )
}
