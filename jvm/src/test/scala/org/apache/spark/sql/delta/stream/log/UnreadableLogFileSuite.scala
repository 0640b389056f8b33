// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.hadoop.fs.Path
import org.scalatest.funsuite.AnyFunSuite

/** B91: which errors are about a damaged file of a log. */
class UnreadableLogFileSuite extends AnyFunSuite {

  test("B91: what Parquet says of a checkpoint names the file, unless it is no file of a log") {
    def named(path: String) =
      UnreadableLogFile.unapply(new RuntimeException(s"$path is not a Parquet file (length is too low: 4)"))
    val checkpoint = "file:/tables/orders/_delta_log/00000000000000000010.checkpoint.parquet"
    assert(named(checkpoint).contains(new Path(checkpoint)))
    assert(named("file:/tables/orders/part-0.parquet").isEmpty)
    assert(UnreadableLogFile.unapply(new RuntimeException("another message")).isEmpty)
  }
}
