// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.SparkThrowable

import org.scalatest.funsuite.AnyFunSuite

class SchemaLogNameSuite extends AnyFunSuite {

  private def condition(tableId: String, trackingId: Option[String]): Option[String] =
    try {
      SchemaLogName.verify("/t", tableId, trackingId)
      None
    } catch { case e: SparkThrowable => Some(e.getCondition) }

  private val unsafeIds = Seq(
    "x/../../../../escaped",
    "x/..",
    "x/.",
    "x//y",
    "x/",
    "a\u0000b",
    "a\nb",
    "a:b",
    "x" * 300,
    s"a/${"é" * 128}")

  private def printable(id: String): String =
    id.take(30).flatMap(c => if (c.isControl) s"<${c.toInt}>" else c.toString)

  for (id <- unsafeIds) {
    test(s"M8: refused as a tracking id: ${printable(id)}") {
      assert(condition("id", Some(id)).contains("DELTASOURCE_UNSAFE_TRACKING_ID"))
    }
    test(s"M8: refused as a table's id: ${printable(id)}") {
      assert(condition(id, None).contains("DELTASOURCE_UNSAFE_TABLE_ID"))
    }
  }

  for (id <- Seq("mine", "a/b", "%2E%2E%2Fx", "..", "a..b", "a/b:c", "é", "x" * 230))
    test(s"M8: allowed as a tracking id: ${id.take(30)}") {
      assert(condition("id", Some(id)).isEmpty)
    }
}
