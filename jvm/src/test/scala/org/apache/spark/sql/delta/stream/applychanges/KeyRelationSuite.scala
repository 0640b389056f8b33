// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.classic.ClassicConversions.castToImpl
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.LocalTableScanExec
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import org.apache.spark.sql.delta.testing.SharedSession
import org.scalatest.funsuite.AnyFunSuite

/** The keys of a batch in a plan. */
class KeyRelationSuite extends AnyFunSuite with SharedSession {

  private val schema = new StructType().add("id", LongType).add("a name.", StringType)
  private val keys =
    KeySet.exact(schema, Seq("b", "a").map(name => InternalRow(1L, UTF8String.fromString(name))))
  private def frame = KeyRelation.of(spark.asInstanceOf[SparkSession], keys)

  test("the keys are the rows, under the names of their columns") {
    assert(frame.schema.fieldNames.toSeq == Seq("id", "a name."))
    assert(frame.collect().toSet == Set(Row(1L, "a"), Row(1L, "b")))
  }

  test("no rule of Spark walks through the keys, and reading them takes no job") {
    val execution = castToImpl(frame).queryExecution
    val plans = Seq(execution.logical, execution.analyzed, execution.optimizedPlan)
    val parts = plans.flatMap(_.collectLeaves()).flatMap(_.productIterator).collect {
      case part: Iterable[_] => part.toSeq
    }
    assert(!parts.flatten.exists(_.isInstanceOf[InternalRow]))
    assert(execution.executedPlan.isInstanceOf[LocalTableScanExec])
  }
}
