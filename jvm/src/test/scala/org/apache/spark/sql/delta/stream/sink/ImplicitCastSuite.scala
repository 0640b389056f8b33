// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.types.StructType

import org.apache.spark.sql.delta.testing.SharedSession
import org.scalatest.funsuite.AnyFunSuite

class ImplicitCastSuite extends AnyFunSuite with SharedSession {

  private def frame(columns: String*): DataFrame = spark.range(1).selectExpr(columns: _*)

  private def schema(ddl: String): StructType = StructType.fromDDL(ddl)

  private def isUnchanged(rows: DataFrame, table: String): Boolean =
    ImplicitCast.of(rows, schema(table)) eq rows

  private val struct = "named_struct('a', 1L, 'b', 'x') AS s"

  test("rows in the table's types are written as they are") {
    assert(isUnchanged(frame("id", struct), "id LONG, s STRUCT<a: LONG, b: STRING>"))
  }

  test("a column that the table does not have causes no cast") {
    assert(isUnchanged(frame("id", "1 AS more"), "id LONG"))
  }

  test("M5: a missing field of a struct, a map's value or an array's element is filled by the writer") {
    val table = "s STRUCT<a: LONG, b: STRING, c: INT>, xs ARRAY<STRUCT<a: LONG, c: INT>>, " +
      "m MAP<STRING, STRUCT<a: LONG, c: INT>>"
    val nested = "named_struct('a', 1L)"
    assert(isUnchanged(frame(struct, s"array($nested) AS xs", s"map('k', $nested) AS m"), table))
  }

  test("M5: a field that the table does not have is left to the writer too") {
    assert(isUnchanged(frame(struct), "s STRUCT<a: LONG>"))
  }

  test("M5: reordered fields of a struct are ordered by the writer, whatever the case of their names") {
    assert(isUnchanged(frame(struct), "s STRUCT<B: STRING, A: LONG>"))
  }

  test("M5: a field of another type casts its struct, an element its array, a value its map") {
    val columns = Seq(
      "named_struct('a', 1) AS s" -> "s STRUCT<a: LONG>",
      "named_struct('n', named_struct('a', 1)) AS s" -> "s STRUCT<n: STRUCT<a: LONG>>",
      "array(1) AS xs" -> "xs ARRAY<LONG>",
      "array(named_struct('a', 1)) AS xs" -> "xs ARRAY<STRUCT<a: LONG>>",
      "map(1, 1) AS m" -> "m MAP<INT, LONG>",
      "map(1, 1) AS m" -> "m MAP<LONG, INT>"
    )
    for ((column, table) <- columns) {
      val cast = ImplicitCast.of(frame(column), schema(table))
      assert(cast.schema.asNullable == schema(table).asNullable, column)
    }
  }

  test("M5: one column of another type casts every column that the table has, and no others") {
    val rows = frame("1 AS id", struct, "2 AS more")
    val cast = ImplicitCast.of(rows, schema("id LONG, s STRUCT<b: STRING, a: LONG, c: INT>"))
    assert(cast.schema.asNullable == schema("id LONG, s STRUCT<b: STRING, a: LONG, c: INT>, more INT"))
    assert(cast.collect().toSeq.map(_.toString) == Seq("[1,[x,1,null],2]"))
  }
}
