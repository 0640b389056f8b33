// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import org.apache.spark.sql.delta.schema.DeltaInvariantViolationException
import org.apache.spark.sql.delta.{
  DeltaAnalysisException,
  DeltaIllegalStateException,
  DeltaRuntimeException,
  DeltaStreamingNonAdditiveSchemaIncompatibleException,
  DeltaThrowable,
  DeltaThrowableHelper,
  DeltaUnsupportedOperationException
}

/**
 * Delta's exceptions of a running query, with a longer message: Delta's, and after it what Delta's does not say,
 * such as the table and the command that prints the page about the condition. Spark puts only the message of an
 * exception into its StreamingQueryException. Each is of a subclass of Delta's class, so handlers of Delta's class
 * still work.
 */
private[stream] object ExplainedDeltaError {

  /**
   * Returns an exception that differs from Delta's only in its message. Returns the same exception if it has no
   * condition, or is not of a class that a running query fails with.
   *
   * @param dataPath the path of the table, for messages that do not contain it
   * @param advice   sentences that correct or complete Delta's, or an empty string
   */
  def apply(failure: Throwable, dataPath: String, advice: String): Throwable = failure match {
    case error: DeltaThrowable => copyOf(error, added(error, dataPath, advice)).getOrElse(failure)
    case _ => failure
  }

  private def added(error: Throwable with DeltaThrowable, dataPath: String, advice: String): String = {
    val table = if (error.getMessage.contains(dataPath)) "" else s"The table is $dataPath."
    // A message of several lines ends with a list.
    val separator = if (error.getMessage.contains("\n")) "\n" else " "
    Seq(
      table,
      advice,
      StreamException.page(error.getCondition)).filter(_.nonEmpty).mkString(separator, " ", "")
  }

  private def copyOf(error: Throwable with DeltaThrowable, added: String): Option[Throwable] = {
    val copy = error match {
      case e: DeltaStreamingNonAdditiveSchemaIncompatibleException => Some(new NonAdditiveChange(e, added))
      case e: DeltaUnsupportedOperationException => Some(new Unsupported(e, added))
      case e: DeltaIllegalStateException => Some(new IllegalState(e, added))
      case e: DeltaRuntimeException => Some(new Runtime(e, added))
      case e: DeltaInvariantViolationException => Some(new InvariantViolation(e, added))
      case e: DeltaAnalysisException => Some(new Analysis(e, added))
      case _ => None
    }
    // Other classes of Delta's, and some messages, have more than a condition and its parameters.
    val faithful = copy.filter { found =>
      found.getClass.getSuperclass == error.getClass && found.getMessage == error.getMessage + added
    }
    faithful.foreach(_.setStackTrace(error.getStackTrace))
    faithful
  }

  /** Appends to the message of a class of Delta's. */
  private trait LongerMessage extends Throwable {
    def added: String
    override def getMessage: String = super.getMessage + added
  }

  private final class Unsupported(error: DeltaUnsupportedOperationException, val added: String)
      extends DeltaUnsupportedOperationException(error.getCondition, error.getMessageParametersArray)
      with LongerMessage

  private final class IllegalState(error: DeltaIllegalStateException, val added: String)
      extends DeltaIllegalStateException(error.getCondition, parametersOf(error), error.getCause)
      with LongerMessage

  private final class Runtime(error: DeltaRuntimeException, val added: String)
      extends DeltaRuntimeException(error.getCondition, error.messageParameters)
      with LongerMessage

  private final class InvariantViolation(error: DeltaInvariantViolationException, val added: String)
      extends DeltaInvariantViolationException(error.getCondition, parametersOf(error))
      with LongerMessage

  /** Some of these have no text of their own for their parameters: message and parameters are passed on. */
  private final class Analysis(error: DeltaAnalysisException, val added: String)
      extends DeltaAnalysisException(
        error.getCondition,
        error.getMessageParametersArray,
        Option(error.getCause),
        Some(error.origin),
        Some(error.message),
        Some(error.getMessageParameters))
      with LongerMessage

  private final class NonAdditiveChange(
      error: DeltaStreamingNonAdditiveSchemaIncompatibleException,
      val added: String)
      extends DeltaStreamingNonAdditiveSchemaIncompatibleException(
        error.readSchema,
        error.incompatibleSchema,
        error.docLink,
        error.enableNonAdditiveSchemaEvolution,
        error.additionalProperties)
      with LongerMessage

  /** The parameters in the order of the message; Delta's constructors take no names. */
  private def parametersOf(error: DeltaThrowable): Array[String] =
    DeltaThrowableHelper.getParameterNames(error.getCondition, null).map(error.getMessageParameters.get(_))
}
