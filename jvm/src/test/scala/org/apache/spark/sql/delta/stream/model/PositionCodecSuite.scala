// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import org.apache.spark.sql.delta.sources.DeltaSourceOffset
import org.apache.spark.sql.delta.testing.Generators
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class PositionCodecSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val table = "id"

  private def check(position: Position, json: String): Unit =
    test(s"the offset of $position is $json") {
      assert(PositionCodec.offset(table, position).json == json)
    }

  private def offset(sourceVersion: Int, version: Long, index: Long, inSnapshot: Boolean) =
    s"""{"sourceVersion":$sourceVersion,"reservoirId":"id","reservoirVersion":$version,"index":$index,""" +
      s""""isStartingVersion":$inSnapshot}"""

  check(Position(7, IndexInVersion.Begin, inSnapshot = false), offset(1, 7, -1, inSnapshot = false))
  check(Position(4, IndexInVersion.File(999), inSnapshot = true), offset(1, 4, 999, inSnapshot = true))
  check(Position(9, IndexInVersion.SchemaChange, inSnapshot = false), offset(3, 9, -20, inSnapshot = false))
  check(
    Position(9, IndexInVersion.AfterSchemaChange, inSnapshot = false),
    offset(3, 9, -19, inSnapshot = false))

  test("the end of a version is written as the beginning of the next, outside the snapshot") {
    val json = PositionCodec.offset(table, Position(4, IndexInVersion.End, inSnapshot = true)).json
    assert(json == offset(1, 5, -1, inSnapshot = false))
  }

  test("an offset read back is the normalized position, whatever the position") {
    forAll(Generators.position) { position =>
      val json = PositionCodec.offset(table, position).json
      assert(PositionCodec.position(DeltaSourceOffset(table, json)) == position.normalized)
    }
  }

  test("positions are ordered as Delta orders their offsets") {
    forAll(Generators.position, Generators.position) { (one, other) =>
      val ours = Position.ordering.compare(one.normalized, other.normalized).sign
      val theirs = PositionCodec.offset(table, one).compare(PositionCodec.offset(table, other)).sign
      assert(ours == theirs)
    }
  }

  test("a file's index cannot be negative") {
    assertThrows[IllegalArgumentException](IndexInVersion.File(-1))
  }
}
