// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{LongType, StringType, StructType}

import org.apache.spark.sql.delta.DeltaOptions
import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.sources.PersistedMetadata
import org.apache.spark.sql.delta.stream.conf.StreamSettings
import org.apache.spark.sql.delta.stream.model.{
  Commit,
  FileList,
  IndexInVersion,
  MetadataAndProtocol,
  Position,
  StreamErrors
}
import org.apache.spark.sql.delta.stream.plan.{AppendPlanner, Budget}
import org.apache.spark.sql.delta.stream.source.{DeltaStream, InitialOffsetStore, StartVersion}
import org.apache.spark.sql.delta.testing.InMemoryTableLog
import org.scalatest.Suite

trait SchemaTrackerFixture extends Suite {
  protected val first = new StructType().add("id", LongType)
  protected val second = first.add("name", StringType)
  protected val third = second.add("city", StringType)
  protected val evolution = "DELTA_STREAMING_METADATA_EVOLUTION"

  protected def table(columns: StructType) = Metadata(id = "id", schemaString = columns.json)

  /** The schema log of one checkpoint, in memory. */
  protected final class Schemas extends SchemaLog {
    var entries = Vector.empty[PersistedMetadata]
    override def current: Option[PersistedMetadata] = entries.lastOption
    override def add(entry: PersistedMetadata, replacing: Boolean): Unit =
      entries = (if (replacing) entries.dropRight(1) else entries) :+ entry
    def versions: Seq[(Long, Int)] =
      entries.map(entry => entry.deltaCommitVersion -> entry.dataSchema.size)
  }

  /** Version 0 creates the table, each later version adds a file, and some also change the schema. */
  protected def history(changes: (Int, StructType)*)(last: Int): InMemoryTableLog =
    (0 to last).foldLeft(new InMemoryTableLog) { (log, version) =>
      val columns = changes.toMap.get(version).orElse(Option.when(version == 0)(first))
      log.put(Commit(
        version.toLong,
        FileList.of(Vector(InMemoryTableLog.file(s"$version")).filter(_ => version > 0)),
        metadata = columns.map(table)
      ))
    }

  /** Starts a run: a stream with the schema that the query is analyzed with now. */
  protected def run(log: InMemoryTableLog, schemas: Schemas, options: (String, String)*): DeltaStream = {
    val newest = log.metadataAndProtocol(log.cachedLatestVersion()).fold(throw _, identity)
    val entry = schemas.current
    val analyzed = entry.fold(newest) { entry =>
      MetadataAndProtocol(newest.metadata.copy(schemaString = entry.dataSchemaJson), newest.protocol)
    }
    def changes(metadata: Option[Metadata], protocol: Option[Protocol], version: Long) =
      entry.forall(_.deltaCommitVersion < version) &&
        (metadata.exists(_.schema != analyzed.metadata.schema) || protocol.exists(_ != analyzed.protocol))
    val conf = new SQLConf
    val settings = StreamSettings(new DeltaOptions(options.toMap, conf), conf)
    new DeltaStream(
      log,
      new AppendPlanner(_ => true),
      TrackedSchemaPolicy(analyzed.metadata, changes),
      settings,
      log.cachedLatestVersion(),
      () => options.toMap.get("startingVersion").map(version => StartVersion(version.toLong)),
      InitialOffsetStore.none,
      Some(new SchemaTracker(schemas, analyzed, changes, "/checkpoint/sources/0")),
      new StreamErrors("/t")
    )
  }

  protected def at(version: Long, index: IndexInVersion = IndexInVersion.Begin) =
    Position(version, index, inSnapshot = false)

  protected def evolves(body: => Any): Unit = condition(evolution)(body)

  protected def condition(expected: String)(body: => Any): Unit = intercept[Exception](body) match {
    case e: SparkThrowable => val _ = assert(e.getCondition == expected)
    case other => fail(other)
  }

  protected def paths(stream: DeltaStream, from: Position, to: Position) = stream.files(from, to).map(_.path)

  protected val all = Budget.unlimited
}
