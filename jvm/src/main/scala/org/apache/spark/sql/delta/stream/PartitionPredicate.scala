// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{And, BindReferences, Cast, Expression, Literal, Predicate}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LocalRelation}
import org.apache.spark.sql.catalyst.types.DataTypeUtils.toAttributes
import org.apache.spark.sql.types.StructType

import org.apache.spark.sql.delta.actions.FileAction
import org.apache.spark.sql.delta.stream.plan.EveryFile

/** Partition predicates as a question to a file, answered on the driver from what the log says of it. */
object PartitionPredicate {

  def apply(spark: SparkSession, partitions: StructType, filters: Seq[Expression]): FileAction => Boolean =
    filters.reduceOption(And(_, _)).fold[FileAction => Boolean](EveryFile) { condition =>
      val columns = toAttributes(partitions)
      val analyzed = spark.sessionState.analyzer.execute(Filter(condition, LocalRelation(columns)))
      val predicate = analyzed.collectFirst { case filter: Filter =>
        Predicate.createInterpreted(BindReferences.bindReference(filter.condition, columns))
      }.get
      val timeZone = Some(spark.sessionState.conf.sessionLocalTimeZone)
      (file: FileAction) =>
        predicate.eval(InternalRow.fromSeq(columns.map { column =>
          // The protocol writes null as an empty text, or not at all.
          val text =
            Literal(Option(file.partitionValues).flatMap(_.get(column.name)).filter(_.nonEmpty).orNull)
          Cast(text, column.dataType, timeZone, ansiEnabled = false).eval()
        }))
    }
}
