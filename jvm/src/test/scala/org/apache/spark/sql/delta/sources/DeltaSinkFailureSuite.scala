// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.{col, expr, udf}
import org.apache.spark.sql.streaming.{StreamingQueryException, Trigger}

import org.apache.spark.sql.delta.testing.{SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** B94: the message of a failed write says why, and what explains it: only that is in Spark's error of a query. */
class DeltaSinkFailureSuite extends AnyFunSuite with SourceFixture {

  private def failure(target: TestTable)(change: DataFrame => DataFrame): SparkThrowable = {
    val source = TestTable().create().append(Seq(1, 2))
    val writer = change(spark.readStream.format("delta").load(source.path)).writeStream.format("delta")
      .trigger(Trigger.AvailableNow()).option("checkpointLocation", target.checkpointFolder())
    refused {
      try writer.start(target.path).awaitTermination()
      catch { case e: StreamingQueryException => throw e.getCause }
    }
  }

  private def ends(error: SparkThrowable, condition: String, said: String): Unit = {
    assert(error.getCondition == condition, s"$error")
    assert(
      s"$error".contains(said) && s"$error".endsWith(s"(see `deltasource explain-error $condition`)"),
      s"$error")
    val _ = assert(Option(error.getSqlState).nonEmpty)
  }

  for ((expression, reason) <- Seq(
      "id / (id - 1)" -> "The reason is: [DIVIDE_BY_ZERO] Division by zero.",
      "if(id = 1, raise_error('bad row'), id)" -> "The reason is: [USER_RAISED_EXCEPTION] bad row"
    ))
    test(s"B94: the error of a row is in the message: $expression") {
      val error = failure(TestTable())(_.selectExpr(s"$expression AS value"))
      ends(error, "TASK_WRITE_FAILED", reason)
      assert(!s"$error".contains("== SQL"), s"$error")
    }

  private val failing = udf((id: Long) => if (id == 1) throw new IllegalArgumentException("bad row") else id)

  for ((column, reason) <- Seq(
      expr("id / (id - 1)") -> "The reason is: [DIVIDE_BY_ZERO] Division by zero.",
      failing(col("id")) -> "The reason is: [FAILED_EXECUTE_UDF] "
    ))
    test(s"B94: the error is the same in a task before a shuffle: $column") {
      val error = failure(TestTable())(_.select(column.as("value")).repartition(2))
      ends(error, "TASK_WRITE_FAILED", reason)
    }

  test("B94: a row that breaks a constraint of the target is named with the table") {
    val target = TestTable().create()
    target.sql(s"ALTER TABLE ${target.name} ADD CONSTRAINT small CHECK (id < 2)")
    ends(
      failure(target)(identity),
      "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
      s"The table is file:${target.path}.")
    val strict = TestTable().create("id LONG NOT NULL")
    val error = failure(strict)(_.selectExpr("if(id = 1, null, id) AS id"))
    ends(error, "DELTA_NOT_NULL_CONSTRAINT_VIOLATED", s"The table is file:${strict.path}.")
  }

  test("B94: a column without a type is named with the table") {
    val target = TestTable().create()
    val error = failure(target)(_.selectExpr("NULL AS id"))
    ends(error, "DELTA_NULL_SCHEMA_IN_STREAMING_WRITE", s"The table is file:${target.path}.")
  }

  test("B94: an error whose class has more than a condition and parameters stays as it is") {
    val error = failure(TestTable().create())(_.selectExpr("id", "id AS more"))
    assert(error.getCondition == "DELTA_METADATA_MISMATCH", s"$error")
    assert(error.getClass.getSimpleName == "DeltaAnalysisExceptionWithSubErrors")
  }
}
