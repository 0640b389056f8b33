// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.FileNotFoundException

import scala.util.Try

import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.actions.{Action, Metadata, Protocol}
import org.apache.spark.sql.delta.stream.log.parse.ActionLine
import org.apache.spark.sql.delta.stream.model.MetadataAndProtocol
import org.apache.spark.sql.delta.util.FileNames

/**
 * Reads the schema a table had at a version. Delta reconstructs the version for it, which lists the log
 * twice. Version 0 is cheaper: its first lines contain the schema. Most streams that do not start with the
 * current table start there.
 */
private[stream] object MetadataAtVersion {

  /** How many lines of version 0 are read: writers put its metadata and protocol before its files. */
  private val maxLines = 16

  /**
   * Returns the metadata and protocol of the table at this version. Fails as Delta does if the version cannot
   * be reconstructed, or asks for features this reader does not support.
   */
  def at(deltaLog: DeltaLog, catalogTable: Option[CatalogTable], version: Long): MetadataAndProtocol = {
    val schema = Option.when(version == 0)(deltaLog).flatMap(atCreation).getOrElse {
      val snapshot = deltaLog.getSnapshotAt(version, catalogTableOpt = catalogTable)
      MetadataAndProtocol(snapshot.metadata, snapshot.protocol)
    }
    deltaLog.protocolRead(schema.protocol)
    schema
  }

  /**
   * Returns the schema of version 0, or `None` if its first lines, up to the first that cannot be parsed, do
   * not contain it. The caller then falls back to Delta, which reports what is wrong.
   */
  private def atCreation(deltaLog: DeltaLog): Option[MetadataAndProtocol] = {
    val actions = firstActions(deltaLog)
    for {
      metadata <- actions.collectFirst { case metadata: Metadata => metadata }
      protocol <- actions.collectFirst { case protocol: Protocol => protocol }
    } yield MetadataAndProtocol(metadata, protocol)
  }

  private def firstActions(deltaLog: DeltaLog): Seq[Action] =
    try
      CommitLines.read(deltaLog, FileNames.unsafeDeltaFile(deltaLog.logPath, 0)) { lines =>
        val actions = lines.take(maxLines).map(line => Try(ActionLine.read(line)).toOption)
        actions.takeWhile(_.nonEmpty).flatten.toVector
      }
    catch {
      case _: FileNotFoundException => Nil
    }
}
