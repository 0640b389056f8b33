// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import scala.jdk.CollectionConverters._

import org.apache.spark.api.python.PythonException
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.{QueryContext, SparkException, SparkThrowable}

import org.apache.spark.sql.delta.DeltaThrowable
import org.apache.spark.sql.delta.stream.model.{Causes, StreamException}

/**
 * Spark's error for a task that failed while it wrote rows, with the reason at the end of its message. Spark's own
 * message has only the table, and Spark puts only the message into its StreamingQueryException.
 */
private[sink] final class ExplainedTaskFailure private (failure: SparkException, reason: String)
    extends SparkException(
      s"${failure.getMessage} The reason is: $reason ${StreamException.page(failure.getCondition)}",
      failure.getCause,
      Some(failure.getCondition),
      failure.getMessageParameters.asScala.toMap,
      Array.empty[QueryContext]
    ) {
  override def getSqlState: String = failure.getSqlState
}

private[sink] object ExplainedTaskFailure {

  /** The classes of SQLSTATE for what a query's own expressions and functions raise. */
  private val ofExpressions = Set("22", "38", "39", "P0")

  /**
   * Returns the error with its reason. None if no task has failed, or for another reason than its rows.
   *
   * @param path the path of the table
   */
  def of(failure: Throwable, path: String): Option[ExplainedTaskFailure] =
    taskFailure(failure, path).flatMap { found =>
      val causes = Causes.of(found).drop(1).toSeq
      Option.when(causes.nonEmpty) {
        val explained = new ExplainedTaskFailure(found, reason(causes))
        explained.setStackTrace(failure.getStackTrace)
        explained
      }
    }

  /**
   * In the task that writes a row, Spark wraps what an expression raises. Before a shuffle, and often for the first
   * row of a task, it does not. The error should not depend on where the expression is evaluated, so it is
   * wrapped here.
   */
  private def taskFailure(failure: Throwable, path: String): Option[SparkException] = failure match {
    case e: SparkException if e.getCondition == "TASK_WRITE_FAILED" => Some(e)
    case _: DeltaThrowable => None
    case _ if Causes.of(failure).exists(isOfExpression) =>
      Some(QueryExecutionErrors.taskFailedWhileWritingRowsError(path, failure)).collect {
        case e: SparkException => e
      }
    case _ => None
  }

  private def isOfExpression(failure: Throwable): Boolean = failure match {
    case _: PythonException => true
    case e: SparkThrowable => Option(e.getSqlState).exists(state => ofExpressions(state.take(2)))
    case _ => false
  }

  /** The innermost error with a condition says most; if there is none, the innermost one. */
  private def reason(causes: Seq[Throwable]): String =
    causes.collectFirst { case e: PythonException => lastLine(e) }
      .orElse(causes.reverse.collectFirst {
        case e: SparkThrowable if Option(e.getCondition).nonEmpty => firstLine(e)
      })
      .getOrElse(causes.last.toString)

  /** The other lines show the expression. */
  private def firstLine(error: Throwable): String = lines(error).head

  /** The lines before it are the traceback; Spark adds the state. */
  private def lastLine(error: PythonException): String =
    lines(error).filterNot(_.startsWith("SQLSTATE")).lastOption.getOrElse(error.toString)

  private def lines(error: Throwable): Seq[String] =
    Option(error.getMessage).getOrElse(error.toString).linesIterator.map(_.trim).filterNot(_.isEmpty).toSeq
}
