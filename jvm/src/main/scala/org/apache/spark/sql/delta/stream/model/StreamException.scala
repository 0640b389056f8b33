// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import java.util.{Map => JMap}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.execution.QueryExecutionException
import org.apache.spark.{QueryContext, SparkException, SparkThrowable}

/**
 * An error with one of our own conditions.
 *
 * @param condition  the error condition; its name is stable across versions
 * @param message    the text after the condition
 * @param parameters the values in the message, by name
 */
private[stream] final class StreamException(
    condition: String,
    message: String,
    parameters: Map[String, String],
    cause: Option[Throwable] = None
) extends SparkException(
      StreamException.withPage(condition, message),
      cause.orNull,
      Some(condition),
      parameters,
      Array.empty[QueryContext]
    ) {
  override def getSqlState: String = "KD00D"

  /** Returns the same error for a query that does not start. */
  private[stream] def atStart: Throwable = new StreamStartException(condition, message, parameters, this)
}

private[stream] object StreamException {

  /** Returns the message between its condition and the command that prints the page about it. */
  private[model] def withPage(condition: String, message: String): String =
    s"[$condition] $message ${page(condition)}"

  /** Returns the command that prints the page about a condition, as the end of a message. */
  private[stream] def page(condition: String): String = s"(see `deltasource explain-error $condition`)"

  /** An error of ours that stopped a job that writes rows: Spark's error for a failed task contains it. */
  object InTask {
    def unapply(failure: SparkException): Option[StreamException] =
      Option(failure.getCause).collect { case error: StreamException => error }
  }
}

/**
 * An error with one of our own conditions, for a query that does not start. Python converts this type, and shows
 * the message without Java's stack. It is no analysis error: the query may be right, and start later.
 */
private[model] final class StreamStartException(
    condition: String,
    message: String,
    parameters: Map[String, String],
    cause: Throwable
) extends QueryExecutionException(StreamException.withPage(condition, message), cause)
    with SparkThrowable {
  override def getCondition: String = condition
  override def getMessageParameters: JMap[String, String] = parameters.asJava
}

/**
 * The table or the query needs a feature that this version of the connector does not support.
 *
 * @param feature  the name of the feature
 * @param where    where it was found, for example `version 6`
 * @param dataPath the path of the table
 */
private[model] final class NotYetSupportedException(feature: String, where: String, dataPath: String)
    extends UnsupportedOperationException(
      StreamException.withPage(
        "DELTASOURCE_NOT_YET_SUPPORTED",
        s"This version of deltasource does not yet support $feature (found in $where of the table). The table is " +
          s"$dataPath. Use delta-spark for this stream; its checkpoint remains valid."
      )
    )
    with SparkThrowable {
  override def getCondition: String = "DELTASOURCE_NOT_YET_SUPPORTED"
  override def getSqlState: String = "0A000"
  override def getMessageParameters: JMap[String, String] =
    Map("feature" -> feature, "where" -> where, "path" -> dataPath).asJava
}
