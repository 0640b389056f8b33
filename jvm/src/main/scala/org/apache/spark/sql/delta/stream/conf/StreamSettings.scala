// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.conf

import scala.util.matching.Regex

import org.apache.spark.sql.internal.SQLConf

import org.apache.spark.sql.delta.sources.DeltaSQLConf
import org.apache.spark.sql.delta.stream.plan.{AppendOnlyPolicy, ChangeFeedPolicy, CommitPolicy}
import org.apache.spark.sql.delta.{DeltaOptions, StartingVersion, StartingVersionLatest}

/**
 * The reader options and session confs of a stream, read once when its source is opened.
 *
 * @param start                 where a stream without a checkpoint starts
 * @param limits                how much one batch may read
 * @param commitPolicy          how commits that remove data are handled
 * @param excludeRegex          files whose path contains a match are not read
 * @param failOnDataLoss        fail if commits are missing from the log; otherwise skip them
 * @param readChangeFeed        read row-level changes instead of rows
 * @param schema                the settings for schema changes
 * @param validateOffsets       fail if an offset moves backwards
 * @param checkTrailingCommit   fail if the latest commit of a planned batch is no longer there
 * @param startBeyondLatest     allow a start version or timestamp after the table's latest version
 * @param validateStartProtocol check that the protocol at the start version is supported
 * @param listInterval          how long lookups by name may replace listings of the log, in milliseconds
 * @param maxIdleDelay          the maximum time between two lookups of an idle stream, in milliseconds
 * @param reuseLog              keep what was read of the log for the next batch
 * @param reusePlan             build a batch from the files that it was planned with
 * @param maxFilesOnDriver        the maximum number of files of an initial snapshot whose index is kept on the
 *                              driver
 * @param maxInMemoryCommitBytes commit files up to this size in bytes are held in memory as a whole; of larger
 *                              ones, one slice is held at a time
 * @param prefetchLimits        how much of the log is read before it is needed
 * @param commitFilesMayChange  commit files may be rewritten mid-run
 */
private[delta] final case class StreamSettings(
    start: StreamSettings.Start,
    limits: ReadLimits,
    commitPolicy: CommitPolicy,
    excludeRegex: Option[Regex],
    failOnDataLoss: Boolean,
    readChangeFeed: Boolean,
    schema: SchemaSettings,
    validateOffsets: Boolean,
    checkTrailingCommit: Boolean,
    startBeyondLatest: Boolean,
    validateStartProtocol: Boolean,
    listInterval: Long,
    maxIdleDelay: Long,
    reuseLog: Boolean,
    reusePlan: Boolean,
    maxFilesOnDriver: Long,
    maxInMemoryCommitBytes: Long,
    prefetchLimits: PrefetchLimits,
    commitFilesMayChange: Boolean = false
) {

  /** Returns settings that cache nothing, for a log whose files may be rewritten mid-run. */
  def withoutCaching: StreamSettings =
    copy(listInterval = 0, reuseLog = false, reusePlan = false, commitFilesMayChange = true)
}

private[delta] object StreamSettings {

  /** Where a stream without a checkpoint starts, as the user set it. */
  sealed abstract class Start
  object Start {

    /** At the initial snapshot: no start option was set. */
    case object Snapshot extends Start

    /** After the latest version: `startingVersion` is `latest`. */
    case object Latest extends Start

    /** At `startingVersion`. */
    final case class Version(number: Long) extends Start

    /** At the first version committed at or after `startingTimestamp`, as the user wrote it. */
    final case class Timestamp(text: String) extends Start
  }

  /** Reads the settings from the reader options and the session conf. */
  def apply(options: DeltaOptions, conf: SQLConf): StreamSettings = StreamSettings(
    start = start(options),
    limits = ReadLimits.fromOptions(options),
    commitPolicy = commitPolicy(options),
    excludeRegex = options.excludeRegex,
    failOnDataLoss = options.failOnDataLoss,
    readChangeFeed = options.readChangeFeed,
    schema = SchemaSettings.forStart(options, conf),
    validateOffsets = conf.getConf(DeltaSQLConf.STREAMING_OFFSET_VALIDATION),
    checkTrailingCommit = conf.getConf(DeltaSQLConf.STREAMING_TRAILING_COMMIT_VALIDATION),
    startBeyondLatest = conf.getConf(DeltaSQLConf.DELTA_CDF_ALLOW_OUT_OF_RANGE_TIMESTAMP),
    validateStartProtocol = conf.getConf(DeltaSQLConf.FAST_DROP_FEATURE_STREAMING_ALWAYS_VALIDATE_PROTOCOL),
    listInterval = conf.getConf(StreamConf.listInterval),
    maxIdleDelay = conf.getConf(StreamConf.maxIdleDelay),
    reuseLog = conf.getConf(StreamConf.reuseLog),
    reusePlan = conf.getConf(StreamConf.reusePlan),
    maxFilesOnDriver = conf.getConf(StreamConf.maxFilesOnDriver),
    maxInMemoryCommitBytes = conf.getConf(StreamConf.maxInMemoryCommitBytes),
    prefetchLimits =
      PrefetchLimits(conf.getConf(StreamConf.prefetchCommits), conf.getConf(StreamConf.prefetchBytes))
  )

  private def commitPolicy(options: DeltaOptions): CommitPolicy =
    if (options.readChangeFeed) ChangeFeedPolicy
    else
      AppendOnlyPolicy(
        ignoreDeletes = options.ignoreDeletes,
        ignoreChanges = options.ignoreChanges || options.ignoreFileDeletion,
        skipChangeCommits = options.skipChangeCommits
      )

  /** `DeltaOptions` has already rejected a start version together with a start timestamp. */
  private def start(options: DeltaOptions): Start =
    options.startingVersion
      .map {
        case StartingVersionLatest => Start.Latest
        case StartingVersion(number) => Start.Version(number)
      }
      .orElse(options.startingTimestamp.map(Start.Timestamp(_)))
      .getOrElse(Start.Snapshot)
}
