// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.start

import java.sql.Timestamp

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.expressions.Literal

import org.apache.spark.sql.delta.sources.DeltaStreamUtils
import org.apache.spark.sql.delta.stream.StreamSettings
import org.apache.spark.sql.delta.stream.log.{NewestSnapshot, VersionSchema}
import org.apache.spark.sql.delta.stream.schema.TableSchema
import org.apache.spark.sql.delta.{
  DeltaLog,
  DeltaTimeTravelSpec,
  DeltaUnsupportedTableFeatureException,
  InvalidProtocolVersionException
}

/** Turns the user's choice of a start into a version of the table. */
final class StartResolver(
    spark: SparkSession,
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable],
    newest: NewestSnapshot,
    settings: StreamSettings
) {

  /** None is the initial snapshot. `Latest` has another answer after each commit: ask once. */
  def resolve(): Option[StartVersion] = settings.start match {
    case StreamSettings.Start.Snapshot => None
    case StreamSettings.Start.Latest => Some(StartVersion(newest.get().version + 1))
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
        StartResolver.atOrAfter(spark, deltaLog, catalogTable, timestamp, settings.startBeyondLatest)
      Some(StartVersion(version, readable(version)))
  }

  private def readable(version: Long): Option[TableSchema] =
    if (settings.validateStartProtocol) StartResolver.readable(deltaLog, catalogTable, version) else None
}

object StartResolver {

  /**
   * The first version committed at or after this time.
   *
   * @param beyondLatest answer the version after the newest for a later time, instead of failing
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
   * The table's schema at this version; fails when the protocol of that time asks for what this reader does not know.
   * None for a version that cannot be rebuilt, for its checkpoint is gone: it can still be streamed from.
   */
  def readable(deltaLog: DeltaLog, catalogTable: Option[CatalogTable], version: Long): Option[TableSchema] =
    try Some(VersionSchema.at(deltaLog, catalogTable, version))
    catch {
      case e: DeltaUnsupportedTableFeatureException => throw e
      case e: InvalidProtocolVersionException => throw e
      case NonFatal(_) => None
    }
}
