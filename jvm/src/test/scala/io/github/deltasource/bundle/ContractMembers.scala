// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bundle

/** The documented members and supertypes, with their rows in docs/internals/behaviour.md. */
object ContractMembers {

  final case class Row(id: String, member: MemberReference)

  /** A type and the supertypes it must have. */
  final case class Subtype(id: String, name: String, supertypes: Seq[String])

  val subtypes: Seq[Subtype] = Seq(
    Subtype("S1", "DeltaSource", Seq("DeltaSourceBase", "DeltaSourceCDCSupport", "Source")),
    Subtype("S1", "DeltaSourceBase", Seq("SupportsAdmissionControl", "SupportsTriggerAvailableNow")),
    Subtype("S9", "DeltaSourceSnapshot", Seq("SnapshotIterator")),
    Subtype("D1", "DeltaDataSource", Seq("DataSourceRegister")),
    Subtype("D2", "DeltaDataSource", Seq("RelationProvider", "CreatableRelationProvider")),
    Subtype("D4", "DeltaDataSource", Seq("StreamSourceProvider", "StreamSinkProvider")),
    Subtype("D7", "DeltaDataSource", Seq("TableProvider"))
  )

  def members: Seq[Row] = memberTable.linesIterator.map(_.trim).filter(_.nonEmpty).map { line =>
    val (id, signature) = line.span(_ != ' ')
    Row(id, Signature.parse(signature.trim))
  }.toSeq

  private val memberTable =
    """
    S2  DeltaSource.<init>(SparkSession, DeltaLog, Option, DeltaOptions, SnapshotDescriptor, String, Option, Seq): void
    S2  DeltaSource.<init>(SparkSession, DeltaLog, DeltaOptions, SnapshotDescriptor, String, Option, Seq): void
    S2  DeltaSource.<init>(SparkSession, DeltaLog, DeltaOptions, SnapshotDescriptor, String, Option): void
    S2  DeltaSource.<init>(SparkSession, DeltaLog, DeltaOptions, SnapshotDescriptor, String): void
    S2  DeltaSource.<init>(SparkSession, DeltaLog, DeltaOptions, Seq): void
    S2  DeltaSource.<init>(SparkSession, DeltaLog, DeltaOptions): void
    S2  static DeltaSource.apply(SparkSession, DeltaLog, Option, DeltaOptions, SnapshotDescriptor, String, Option, Seq): DeltaSource
    S2  static DeltaSource.apply(SparkSession, DeltaLog, DeltaOptions, SnapshotDescriptor, String, Option, Seq): DeltaSource
    S2  static DeltaSource.apply(SparkSession, DeltaLog, DeltaOptions, SnapshotDescriptor, String, Option): DeltaSource
    S2  static DeltaSource.apply(SparkSession, DeltaLog, DeltaOptions, SnapshotDescriptor, String): DeltaSource
    S2  static DeltaSource.apply(SparkSession, DeltaLog, DeltaOptions, Seq): DeltaSource
    S2  static DeltaSource.apply(SparkSession, DeltaLog, DeltaOptions): DeltaSource
    S2  static DeltaSource.apply$default$7(): Option
    S2  static DeltaSource.apply$default$8(): Seq
    S3  DeltaSource.getBatch(Option, org.apache.spark.sql.execution.streaming.Offset): Dataset
    S3  DeltaSource.getStartingVersion(): Option
    S4  DeltaSource.latestOffset(org.apache.spark.sql.connector.read.streaming.Offset, ReadLimit): org.apache.spark.sql.connector.read.streaming.Offset
    S4  DeltaSource.previousOffset(): DeltaSourceOffset
    S5  DeltaSource.getStartingOffset(Option): Option
    S6  DeltaSource.getChangesWithRateLimit(long, long, boolean): Iterator
    S6  DeltaSource.getChanges(long, long, boolean): Iterator
    S7  DeltaSource.filterAndIndexDeltaLogs(long): Iterator
    S7  DeltaSource.verifyStreamHygieneAndFilterAddFiles(Seq, long): Seq
    S7  DeltaSource.iteratorLast(Iterator): Option
    S8  DeltaSource.getOffset(): Option
    S9  DeltaSource.initialState(): DeltaSourceSnapshot
    S9  DeltaSource.initialStateVersion(): long
    S9  DeltaSource.getSnapshotAt(long): Iterator
    S9  DeltaSource.cleanUpSnapshotResources(): void
    S9  DeltaSourceSnapshot.iterator(): Iterator
    S9  DeltaSourceSnapshot.close(boolean): void
    S10 DeltaSource.stop(): void
    S11 DeltaSource.getDefaultReadLimit(): ReadLimit
    S11 DeltaSource$AdmissionLimits.<init>(DeltaOptions, Option, Option): void
    S11 DeltaSource$AdmissionLimits.toReadLimit(): ReadLimit
    S12 DeltaSource.excludeRegex(): Option
    D1  DeltaDataSource.<init>(): void
    D1  DeltaDataSource.shortName(): String
    D2  DeltaDataSource.createRelation(SQLContext, Map): BaseRelation
    D3  DeltaDataSource.createRelation(SQLContext, SaveMode, Map, Dataset): BaseRelation
    D4  DeltaDataSource.createSource(SQLContext, String, Option, String, Map): Source
    D5  DeltaDataSource.sourceSchema(SQLContext, Option, String, Map): Tuple2
    D6  DeltaDataSource.createSink(SQLContext, Map, Seq, OutputMode): Sink
    D7  DeltaDataSource.getTable(StructType, Transform[], java.util.Map): Table
    D8  static DeltaDataSource.getTimeTravelVersion(Map): Option
    D9  static DeltaDataSource.parsePathIdentifier(SparkSession, String): Tuple3
    D9  static DeltaDataSource.parsePathIdentifier(SparkSession, String, Map): Tuple3
    D10 static DeltaDataSource.CDC_ENABLED_KEY(): String
    D10 static DeltaDataSource.CDC_ENABLED_KEY_LEGACY(): String
    D10 static DeltaDataSource.CDC_START_VERSION_KEY(): String
    D10 static DeltaDataSource.CDC_START_TIMESTAMP_KEY(): String
    D10 static DeltaDataSource.CDC_END_VERSION_KEY(): String
    D10 static DeltaDataSource.CDC_END_TIMESTAMP_KEY(): String
    D10 static DeltaDataSource.TIME_TRAVEL_TIMESTAMP_KEY(): String
    D10 static DeltaDataSource.TIME_TRAVEL_VERSION_KEY(): String
    D10 static DeltaDataSource.TIME_TRAVEL_SOURCE_KEY(): String
    D11 static DeltaDataSource.extractSchemaTrackingLocationConfig(SparkSession, Map): Option
    D11 static DeltaDataSource.getMetadataTrackingLogForDeltaSource(SparkSession, Snapshot, Map): Option
    D11 static DeltaDataSource.getMetadataTrackingLogForDeltaSource(SparkSession, Snapshot, Map, Option): Option
    D11 static DeltaDataSource.getMetadataTrackingLogForDeltaSource(SparkSession, Snapshot, Map, Option, boolean): Option
    D11 static DeltaDataSource.getMetadataTrackingLogForDeltaSource(SparkSession, SnapshotDescriptor, Option, Map, Option, boolean): Option
    D11 static DeltaDataSource.getMetadataTrackingLogForDeltaSource$default$5(): Option
    D11 static DeltaDataSource.getMetadataTrackingLogForDeltaSource$default$6(): boolean
    """
}
