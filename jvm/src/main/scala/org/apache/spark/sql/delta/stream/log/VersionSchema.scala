// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.FileNotFoundException

import scala.util.Try

import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.actions.{Action, Metadata, Protocol}
import org.apache.spark.sql.delta.stream.schema.TableSchema
import org.apache.spark.sql.delta.util.FileNames

/**
 * The schema a table had at a version. Delta rebuilds the version for it, and lists the log twice; the first version
 * says it in its first lines, and most streams that do not begin with the table as it is begin there.
 */
private[stream] object VersionSchema {

  /** Writers put both actions in front of the files. */
  private val firstLines = 16

  /** Fails as Delta does where the version cannot be rebuilt, or asks for what this reader does not know. */
  def at(deltaLog: DeltaLog, catalogTable: Option[CatalogTable], version: Long): TableSchema = {
    val schema = Option.when(version == 0)(deltaLog).flatMap(created).getOrElse {
      val snapshot = deltaLog.getSnapshotAt(version, catalogTableOpt = catalogTable)
      TableSchema(snapshot.metadata, snapshot.protocol)
    }
    deltaLog.protocolRead(schema.protocol)
    schema
  }

  /** None where these lines do not say it, up to the first that cannot be read: how that fails is Delta's to say. */
  private def created(deltaLog: DeltaLog): Option[TableSchema] = {
    val actions = firstActions(deltaLog)
    for {
      metadata <- actions.collectFirst { case metadata: Metadata => metadata }
      protocol <- actions.collectFirst { case protocol: Protocol => protocol }
    } yield TableSchema(metadata, protocol)
  }

  private def firstActions(deltaLog: DeltaLog): Seq[Action] =
    try {
      val first = FileNames.unsafeDeltaFile(deltaLog.logPath, 0)
      val lines = deltaLog.store.readAsIterator(first, deltaLog.newDeltaHadoopConf())
      val actions = lines.take(firstLines).map(line => Try(ActionLine.read(line)).toOption)
      try actions.takeWhile(_.nonEmpty).flatten.toVector
      finally lines.close()
    } catch {
      case _: FileNotFoundException => Nil
    }
}
