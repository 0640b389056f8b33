// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

/** The chain of causes of an exception. Spark wraps the exceptions of its readers and of its executors. */
private[stream] object Causes {

  /** Returns the exception, its cause, the cause of that, and so on. */
  def of(failure: Throwable): Iterator[Throwable] =
    Iterator.unfold(Option(failure))(_.map(e => (e, Option(e.getCause))))
}
