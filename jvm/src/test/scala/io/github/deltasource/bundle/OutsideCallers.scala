// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

/**
 * Members of the classes we replace that published code links to. The link check finds those used inside the bundle by
 * itself. They are listed here too, so that the list does not depend on the bundle's contents. Delta Sharing is not in
 * the bundle.
 */
object OutsideCallers {

  def references: Map[String, Seq[MemberReference]] =
    table.view.mapValues(lines(_).map(Signature.parse)).toMap

  private def lines(text: String): Seq[String] = text.linesIterator.map(_.trim).filter(_.nonEmpty).toSeq

  private val table = Map(
    "Delta Sharing's source" -> """
      DeltaSource.<init>(SparkSession, DeltaLog, Option, DeltaOptions, SnapshotDescriptor, String, Option, Seq): void
      static DeltaSource$.MODULE$: DeltaSource$
      DeltaSource$.apply(SparkSession, DeltaLog, Option, DeltaOptions, SnapshotDescriptor, String, Option, Seq): DeltaSource
      DeltaSource$.apply$default$7(): Option
      DeltaSource$.apply$default$8(): Seq
      DeltaSource$.$lessinit$greater$default$7(): Option
      DeltaSource$.$lessinit$greater$default$8(): Seq
      DeltaSource.toDeltaSourceOffset(org.apache.spark.sql.connector.read.streaming.Offset): DeltaSourceOffset
      DeltaSource.getDefaultReadLimit(): ReadLimit
      DeltaSource.latestOffset(org.apache.spark.sql.connector.read.streaming.Offset, ReadLimit): org.apache.spark.sql.connector.read.streaming.Offset
      DeltaSource.getBatch(Option, org.apache.spark.sql.execution.streaming.Offset): Dataset
      DeltaSource.commit(org.apache.spark.sql.execution.streaming.Offset): void
      DeltaSource.stop(): void
      static DeltaDataSource$.MODULE$: DeltaDataSource$
      DeltaDataSource$.getMetadataTrackingLogForDeltaSource(SparkSession, SnapshotDescriptor, Option, Map, Option, boolean): Option
      DeltaDataSource$.getMetadataTrackingLogForDeltaSource$default$5(): Option
      DeltaDataSource$.getMetadataTrackingLogForDeltaSource$default$6(): boolean
      """,
    "the V2 stream" -> """
      static DeltaSource.buildOffsetFromIndexedFile(String, long, long, long, boolean): DeltaSourceOffset
      DeltaSource$AdmissionLimits.<init>(DeltaOptions, Option, Option): void
      DeltaSource$AdmissionLimits.admit(AdmittableFile): boolean
      DeltaSource$AdmissionLimits.admit(Seq): boolean
      DeltaSource$AdmissionLimits.hasCapacity(): boolean
      static DeltaSource$AdmissionLimits$.MODULE$: DeltaSource$AdmissionLimits$
      DeltaSource$AdmissionLimits$.apply(DeltaOptions, ReadLimit): Option
      DeltaSource$AdmissionLimits$.toReadLimit(DeltaOptions): ReadLimit
      DeltaDataSource$.extractSchemaTrackingLocationConfig(SparkSession, Map): Option
      """,
    "the batch change feed" -> """
      DeltaSource$.getStartingVersionFromTimestamp(SparkSession, DeltaLog, Option, java.sql.Timestamp, boolean): long
      DeltaSource$.getStartingVersionFromTimestamp$default$5(): boolean
      """,
    "the schema tracking companion" -> """
      DeltaSource$.createRewindableActionIterator(SparkSession, SingleCommit): ClosableIterator
      """,
    "DeltaTableV2" -> """
      DeltaDataSource$.parsePathIdentifier(SparkSession, String, Map): Tuple3
      DeltaDataSource$.verifyAndCreatePartitionFilters(String, Snapshot, Seq): Seq
      DeltaDataSource$.getTimeTravelVersion(Map): Option
      """,
    "DeltaEncoders" -> """
      IndexedFile.<init>(long, long, org.apache.spark.sql.delta.actions.AddFile, org.apache.spark.sql.delta.actions.RemoveFile, org.apache.spark.sql.delta.actions.AddCDCFile, boolean): void
      IndexedFile.getFileSize(): long
      """
  )
}
