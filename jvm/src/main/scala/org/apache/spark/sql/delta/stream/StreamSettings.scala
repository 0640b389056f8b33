// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import scala.util.matching.Regex

import org.apache.spark.sql.internal.SQLConf

import org.apache.spark.sql.delta.sources.DeltaSQLConf
import org.apache.spark.sql.delta.stream.log.{LogBounds, ReadAhead}
import org.apache.spark.sql.delta.stream.plan.{ChangeFeedPolicy, ChangePolicy, CommitPolicy}
import org.apache.spark.sql.delta.stream.schema.SchemaSettings
import org.apache.spark.sql.delta.{DeltaOptions, StartingVersion, StartingVersionLatest}

/**
 * A stream's reader options and session confs as values, read once when its source is opened.
 *
 * @param rewrittenLog commits of the log become other files while it is read
 */
final case class StreamSettings(
    start: StreamSettings.Start,
    changes: CommitPolicy,
    excludeRegex: Option[Regex],
    failOnDataLoss: Boolean,
    readChangeFeed: Boolean,
    schema: SchemaSettings,
    validateOffsets: Boolean,
    checkTrailingCommit: Boolean,
    startBeyondLatest: Boolean,
    validateStartProtocol: Boolean,
    listInterval: Long,
    reuseLog: Boolean,
    reusePlan: Boolean,
    driverFiles: Long,
    bounds: LogBounds,
    rewrittenLog: Boolean = false
) {

  /** For a log that changes under its reader: everything is asked each time. */
  def remembersNothing: StreamSettings =
    copy(listInterval = 0, reuseLog = false, reusePlan = false, rewrittenLog = true)
}

object StreamSettings {

  /** Where the user wants a stream without a checkpoint to begin. */
  sealed abstract class Start
  object Start {
    case object Snapshot extends Start
    case object Latest extends Start
    final case class Version(number: Long) extends Start
    final case class Timestamp(text: String) extends Start
  }

  def apply(options: DeltaOptions, conf: SQLConf): StreamSettings = StreamSettings(
    start = start(options),
    changes = changes(options),
    excludeRegex = options.excludeRegex,
    failOnDataLoss = options.failOnDataLoss,
    readChangeFeed = options.readChangeFeed,
    schema = SchemaSettings(options, conf),
    validateOffsets = conf.getConf(DeltaSQLConf.STREAMING_OFFSET_VALIDATION),
    checkTrailingCommit = conf.getConf(DeltaSQLConf.STREAMING_TRAILING_COMMIT_VALIDATION),
    startBeyondLatest = conf.getConf(DeltaSQLConf.DELTA_CDF_ALLOW_OUT_OF_RANGE_TIMESTAMP),
    validateStartProtocol = conf.getConf(DeltaSQLConf.FAST_DROP_FEATURE_STREAMING_ALWAYS_VALIDATE_PROTOCOL),
    listInterval = conf.getConf(StreamConf.listInterval),
    reuseLog = conf.getConf(StreamConf.reuseLog),
    reusePlan = conf.getConf(StreamConf.reusePlan),
    driverFiles = conf.getConf(StreamConf.driverFiles),
    bounds = LogBounds(
      conf.getConf(StreamConf.heldCommitBytes),
      ReadAhead.Bounds(conf.getConf(StreamConf.readAheadCommits), conf.getConf(StreamConf.readAheadBytes))
    )
  )

  private def changes(options: DeltaOptions): CommitPolicy =
    if (options.readChangeFeed) ChangeFeedPolicy
    else
      ChangePolicy(
        ignoreDeletes = options.ignoreDeletes,
        ignoreChanges = options.ignoreChanges || options.ignoreFileDeletion,
        skipChangeCommits = options.skipChangeCommits
      )

  /** `DeltaOptions` has refused both at once already. */
  private def start(options: DeltaOptions): Start =
    options.startingVersion
      .map {
        case StartingVersionLatest => Start.Latest
        case StartingVersion(number) => Start.Version(number)
      }
      .orElse(options.startingTimestamp.map(Start.Timestamp(_)))
      .getOrElse(Start.Snapshot)
}
