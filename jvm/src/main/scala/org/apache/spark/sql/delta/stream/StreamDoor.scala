// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.expressions.Expression

import org.apache.spark.sql.delta.coordinatedcommits.CoordinatedCommitsUtils
import org.apache.spark.sql.delta.stream.log.{DeltaTableLog, StartResolver}
import org.apache.spark.sql.delta.stream.plan.Problem.Feature
import org.apache.spark.sql.delta.stream.plan.{AppendPlanner, Planner, Problem}
import org.apache.spark.sql.delta.stream.schema.StreamSchema
import org.apache.spark.sql.delta.{DeltaLog, NoMapping, SnapshotDescriptor}

/**
 * Opens the stream of a table: refuses what is not served yet, by name, and puts the parts together. The only place
 * that knows all rooms.
 */
final case class StreamDoor(
    spark: SparkSession,
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable],
    table: SnapshotDescriptor,
    settings: StreamSettings,
    tracksSchema: Boolean,
    filters: Seq[Expression]
) {

  /** @param planner instead of the one the settings ask for, in tests */
  def open(planner: Option[Planner]): DeltaStream = {
    val errors = new StreamErrors(table.metadata.id, deltaLog.dataPath.toString)
    unsupported.foreach(feature => throw errors.of(Problem.NotYet(feature, "when the stream was opened")))
    new DeltaStream(
      new DeltaTableLog(spark, deltaLog, catalogTable, settings.driverFiles),
      planner.getOrElse(appendPlanner),
      StreamSchema(table.metadata, table.protocol),
      settings,
      table.version,
      () => new StartResolver(spark, deltaLog, catalogTable, settings).resolve(),
      errors
    )
  }

  private def appendPlanner =
    new AppendPlanner(PartitionPredicate(spark, table.metadata.partitionSchema, filters))

  private def unsupported: Option[Feature] = Seq(
    (deltaLog.logPath.toUri.getScheme == "delta-sharing-log") -> Feature.DeltaSharing,
    settings.readChangeFeed -> Feature.ChangeFeed,
    tracksSchema -> Feature.SchemaTracking,
    (table.metadata.columnMappingMode != NoMapping) -> Feature.ColumnMapping,
    table.isCatalogOwned -> Feature.CatalogManaged,
    CoordinatedCommitsUtils.tablePropertiesPresent(table.metadata) -> Feature.CoordinatedCommits
  ).collectFirst { case (true, feature) => feature }
}
