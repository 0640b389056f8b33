// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{EqualTo, Expression, Literal}

import org.apache.spark.sql.delta.{DeltaErrors, DeltaLog, Snapshot}

/** Partition values of a path as predicates. */
private[sources] object PartitionFilters {

  /** Fails for a column the table is not partitioned by, and when no file matches. */
  def of(userPath: String, snapshot: Snapshot, values: Seq[(String, String)]): Seq[Expression] = {
    val unknown = values.map(_._1).filterNot(snapshot.metadata.partitionColumns.contains)
    if (unknown.nonEmpty) {
      val fragment = values.map { case (column, value) => s"$column=$value" }.mkString("/")
      throw DeltaErrors.partitionPathInvolvesNonPartitionColumnException(unknown, fragment)
    }
    val filters = values.map { case (column, value) =>
      EqualTo(UnresolvedAttribute(Seq(column)), Literal(value))
    }
    if (filters.nonEmpty && !hasFiles(snapshot, filters)) throw DeltaErrors.pathNotExistsException(userPath)
    filters
  }

  private def hasFiles(snapshot: Snapshot, filters: Seq[Expression]): Boolean =
    !DeltaLog.filterFileList(snapshot.metadata.partitionSchema, snapshot.allFiles.toDF(), filters).isEmpty
}
