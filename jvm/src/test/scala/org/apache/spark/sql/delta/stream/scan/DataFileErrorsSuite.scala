// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.scan

import java.io.{IOException, InterruptedIOException}

import org.apache.spark.{SparkRuntimeException, TaskKilledException}

import org.scalatest.funsuite.AnyFunSuite

/** B92: which failures of a reader are errors of its file. */
class DataFileErrorsSuite extends AnyFunSuite {

  test("B92: a failure of the file system or of the decoder is one of the file, also as a cause") {
    for (failure <- Seq(new IOException("403"), new RuntimeException("is not a Parquet file"))) {
      assert(DataFileErrors.isReadFailure(failure))
      assert(DataFileErrors.isReadFailure(new RuntimeException(failure)))
    }
  }

  test("B92: a task that is stopped, and an error with a condition of Spark's, stay as they are") {
    val failures = Seq(
      new TaskKilledException("stopped"),
      new InterruptedIOException,
      new SparkRuntimeException("DIVIDE_BY_ZERO", Map("config" -> "x")))
    for (failure <- failures) {
      assert(!DataFileErrors.isReadFailure(failure))
      assert(!DataFileErrors.isReadFailure(new RuntimeException(failure)))
    }
  }
}
