// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.delta.DeltaOptions
import org.apache.spark.sql.delta.testing.{SourceFixture, TestTable}

trait DeltaSourceFixture extends SourceFixture {
  protected def table(commits: Seq[Long]*): TestTable =
    commits.foldLeft(TestTable().create())((table, ids) => table.append(ids, files = ids.size))

  protected def options(pairs: (String, String)*) = new DeltaOptions(pairs.toMap, spark.sessionState.conf)
}
