// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.SQLContext

import org.apache.spark.sql.delta.testing.{SharedSession, TestTable}
import org.scalatest.Assertions

/** Calls the data source directly, and reads the errors it throws. */
trait DeltaDataSourceFixture extends SharedSession with Assertions {
  protected val source = new DeltaDataSource
  protected val noPath = "'path' is not specified"
  protected val none = Map.empty[String, String]

  protected def sql: SQLContext = spark.sqlContext

  /** Two rows in version 1. */
  protected def table(): TestTable = TestTable().create().append(Seq(1, 2))

  protected def options(table: TestTable, more: (String, String)*): Map[String, String] =
    Map("path" -> table.path) ++ more

  protected def message(body: => Any): String = intercept[Exception](body).getMessage

  protected def condition(body: => Any): String = intercept[Exception](body) match {
    case e: SparkThrowable => e.getCondition
    case other => fail(other)
  }
}
