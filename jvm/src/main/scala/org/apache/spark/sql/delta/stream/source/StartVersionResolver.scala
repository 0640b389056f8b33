// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import java.sql.Timestamp

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.expressions.Literal

import org.apache.spark.sql.delta.sources.DeltaStreamUtils
import org.apache.spark.sql.delta.stream.conf.StreamSettings
import org.apache.spark.sql.delta.stream.log.{LatestSnapshotProvider, MetadataAtVersion}
import org.apache.spark.sql.delta.stream.model.MetadataAndProtocol
import org.apache.spark.sql.delta.{
  DeltaLog,
  DeltaTimeTravelSpec,
  DeltaUnsupportedTableFeatureException,
  InvalidProtocolVersionException
}

/** Resolves the user's start option to a version of the table. */
private[delta] final class StartVersionResolver(
    spark: SparkSession,
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable],
    latestSnapshot: LatestSnapshotProvider,
    settings: StreamSettings
) {

  /** Returns None for the initial snapshot. Call this once: `Latest` changes with each commit. */
  def resolve(): Option[StartVersion] = settings.start match {
    case StreamSettings.Start.Snapshot => None
    case StreamSettings.Start.Latest => Some(StartVersion(latestSnapshot.get().version + 1))
    case StreamSettings.Start.Version(number) =>
      val schema = readable(number)
      if (schema.isEmpty) {
        deltaLog.history.checkVersionExists(
          number,
          catalogTable,
          mustBeRecreatable = false,
          allowOutOfRange = settings.startBeyondLatest
        )
      }
      Some(StartVersion(number, schema))
    case StreamSettings.Start.Timestamp(text) =>
      val spec = DeltaTimeTravelSpec(Some(Literal(text)), None, Some("deltaSource"))
      val timestamp = spec.getTimestamp(spark.sessionState.conf)
      val version =
        StartVersionResolver.atOrAfter(spark, deltaLog, catalogTable, timestamp, settings.startBeyondLatest)
      Some(StartVersion(version, readable(version)))
  }

  private def readable(version: Long): Option[MetadataAndProtocol] =
    if (settings.validateStartProtocol) StartVersionResolver.readable(deltaLog, catalogTable, version)
    else None
}

private[delta] object StartVersionResolver {

  /**
   * Returns the first version committed at or after this time.
   *
   * @param beyondLatest for a later time, return the version after the latest instead of failing
   */
  def atOrAfter(
      spark: SparkSession,
      deltaLog: DeltaLog,
      catalogTable: Option[CatalogTable],
      timestamp: Timestamp,
      beyondLatest: Boolean
  ): Long = {
    val commit = deltaLog.history.getActiveCommitAtTime(
      timestamp,
      catalogTable,
      canReturnLastCommit = true,
      mustBeRecreatable = false,
      canReturnEarliestCommit = true
    )
    DeltaStreamUtils.getStartingVersionFromCommitAtTimestamp(
      timeZone = spark.sessionState.conf.sessionLocalTimeZone,
      commitTimestamp = commit.timestamp,
      commitVersion = commit.version,
      latestVersion = deltaLog.update(catalogTableOpt = catalogTable).version,
      timestamp = timestamp,
      canExceedLatest = beyondLatest
    )
  }

  /**
   * Returns the table's schema at this version. Fails if its protocol needs a feature that this reader lacks.
   * Returns None if the version cannot be rebuilt, as its checkpoint is gone: a stream can still start there.
   */
  def readable(
      deltaLog: DeltaLog,
      catalogTable: Option[CatalogTable],
      version: Long): Option[MetadataAndProtocol] =
    try Some(MetadataAtVersion.at(deltaLog, catalogTable, version))
    catch {
      case e: DeltaUnsupportedTableFeatureException => throw e
      case e: InvalidProtocolVersionException => throw e
      case NonFatal(_) => None
    }
}

/**
 * The version a user wants to start from.
 *
 * @param schema the table's schema at that version, if it was read
 */
private[delta] final case class StartVersion(version: Long, schema: Option[MetadataAndProtocol] = None)
