// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.types.{LongType, StringType, StructType}

import org.apache.spark.sql.delta.testing.SharedSession
import org.apache.spark.sql.delta.{DeltaErrors, DeltaStreamingNonAdditiveSchemaIncompatibleException}
import org.scalatest.funsuite.AnyFunSuite

/** B93: Delta's errors of a running stream end with the command that explains them. */
class ExplainedDeltaErrorSuite extends AnyFunSuite with SharedSession {

  private val path = "file:/tables/orders"
  private val errors = new StreamErrors(path)
  private val older = new StructType().add("id", LongType)
  private val newer = new StructType().add("id", StringType)

  private val problems: Seq[(Problem, Throwable)] = Seq(
    Problem.DeletedData(3, "a.parquet") -> DeltaErrors.deltaSourceIgnoreDeleteError(3, "a.parquet", path),
    Problem.ChangedData(3, "a.parquet") -> DeltaErrors.deltaSourceIgnoreChangesError(3, "a.parquet", path),
    Problem.OtherTable("new", "old") -> DeltaErrors.differentDeltaTableReadByStreamingSource("new", "old"),
    Problem.MissingCommits(3, 5, isPreceded = false) -> DeltaErrors.failOnDataLossException(3, 5),
    Problem.MissingTrailingCommit(3, 2) -> DeltaErrors.streamingTrailingCommitMissing(3, 2),
    Problem.SchemaChanged(3, older, newer, retryable = false, hasStartOption = true) ->
      DeltaErrors.schemaChangedException(older, newer, false, Some(3L), true)
  )

  private def explained(problem: Problem, deltas: Throwable): Unit = {
    val (ours, plain) = errors.toException(problem) match {
      case error: Throwable with SparkThrowable => (error, deltas.asInstanceOf[Throwable with SparkThrowable])
      case other => fail(other)
    }
    assert(deltas.getClass.isInstance(ours), s"$ours")
    assert(ours.getCondition == plain.getCondition && ours.getSqlState == plain.getSqlState)
    assert(ours.getMessageParameters.asScala == plain.getMessageParameters.asScala)
    assert(ours.getMessage.startsWith(plain.getMessage), ours.getMessage)
    assert(
      ours.getMessage.endsWith(s"(see `deltasource explain-error ${plain.getCondition}`)"),
      ours.getMessage)
    val _ = assert(ours.getMessage.split(path, -1).length == 2, ours.getMessage)
  }

  for ((problem, deltas) <- problems)
    test(
      s"B93: ${problem.getClass.getSimpleName} has Delta's class, condition, parameters and text, and the page")(
      explained(problem, deltas))

  test("B93: the errors of a schema change keep what Delta's classes say about it") {
    val _ = spark
    val blocked = errors.toException(Problem.NonAdditiveChange(older, newer, detectedDuringStreaming = true))
    blocked match {
      case error: DeltaStreamingNonAdditiveSchemaIncompatibleException =>
        assert(error.readSchema == older && error.incompatibleSchema == newer)
        explained(
          Problem.NonAdditiveChange(older, newer, detectedDuringStreaming = true),
          DeltaErrors.blockStreamingReadsWithIncompatibleNonAdditiveSchemaChanges(spark, older, newer, true)
        )
      case other => fail(other)
    }
  }

  test("B93: missing commits are not blamed on retention if older ones exist") {
    def message(isPreceded: Boolean) =
      errors.toException(Problem.MissingCommits(3, 5, isPreceded)).getMessage
    assert(message(isPreceded = true).contains("Version 2 still exists, so cleanup has not deleted"))
    assert(!message(isPreceded = false).contains("damaged"))
  }

  test("B93: an error without a condition of Delta's stays the same") {
    val error = StreamErrors.emptyCommit(3, "file")
    assert(errors.toException(Problem.Unreadable(error)) eq error)
  }
}
