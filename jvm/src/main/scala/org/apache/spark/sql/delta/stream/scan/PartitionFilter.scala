// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.scan

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{And, BindReferences, Cast, Expression, Literal, Predicate}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LocalRelation}
import org.apache.spark.sql.catalyst.types.DataTypeUtils.toAttributes
import org.apache.spark.sql.types.StructType

import org.apache.spark.sql.delta.actions.FileAction
import org.apache.spark.sql.delta.stream.plan.AcceptAllFiles

/** Evaluates partition predicates on the driver, from the partition values in the log. */
private[delta] object PartitionFilter {

  /**
   * Returns a function that says whether the partition values of a file match all filters. Without filters,
   * every file matches.
   *
   * @param partitionSchema the partition columns of the table
   */
  def apply(
      spark: SparkSession,
      partitionSchema: StructType,
      filters: Seq[Expression]): FileAction => Boolean =
    filters.reduceOption(And(_, _)).fold[FileAction => Boolean](AcceptAllFiles) { condition =>
      val columns = toAttributes(partitionSchema)
      val analyzed = spark.sessionState.analyzer.execute(Filter(condition, LocalRelation(columns)))
      val predicate = analyzed.collectFirst { case filter: Filter =>
        Predicate.createInterpreted(BindReferences.bindReference(filter.condition, columns))
      }.get
      val timeZone = Some(spark.sessionState.conf.sessionLocalTimeZone)
      (file: FileAction) =>
        predicate.eval(InternalRow.fromSeq(columns.map { column =>
          // The protocol writes null as an empty string, or leaves the value out.
          val value =
            Literal(Option(file.partitionValues).flatMap(_.get(column.name)).filter(_.nonEmpty).orNull)
          Cast(value, column.dataType, timeZone, ansiEnabled = false).eval()
        }))
    }
}
