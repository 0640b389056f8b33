// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import scala.jdk.CollectionConverters._

import org.apache.spark.api.python.PythonException
import org.apache.spark.{QueryContext, SparkException, SparkThrowable}

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

  /** Returns the error with its reason, for one of Spark that has a cause. */
  def unapply(failure: SparkException): Option[ExplainedTaskFailure] =
    Option
      .when(failure.getCondition == "TASK_WRITE_FAILED")(Causes.of(failure).drop(1).toSeq)
      .filter(_.nonEmpty)
      .map { causes =>
        val explained = new ExplainedTaskFailure(failure, reason(causes))
        explained.setStackTrace(failure.getStackTrace)
        explained
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
