// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import org.apache.spark.sql.delta.stream.applychanges.KeySet.Range
import org.scalatest.funsuite.AnyFunSuite

/** Which files a batch has to read. */
class KeySetSuite extends AnyFunSuite {

  private val one = new StructType().add("id", LongType)
  private val two = one.add("country", StringType)

  private def exact(ids: Long*): KeySet = KeySet.exact(one, ids.map(InternalRow(_)))
  private def file(min: Long, max: Long): KeySet.Ranges = IndexedSeq(Some(Range(min, max)))
  private def pair(id: Long, country: String) = InternalRow(id, UTF8String.fromString(country))
  private def text(value: String) = UTF8String.fromString(value)

  test("a file is read if one of the keys is in its range, bounds included") {
    val keys = exact(30, 10, 20)
    assert(Seq(file(1, 10), file(30, 99), file(15, 25), file(20, 20)).forall(keys.meets))
    assert(!Seq(file(1, 9), file(11, 19), file(21, 29), file(31, 99)).exists(keys.meets))
  }

  test("a file without statistics is read") {
    assert(exact(1).meets(IndexedSeq(None)))
  }

  test("with several key columns, one key must be in all ranges") {
    val keys = KeySet.exact(two, Seq(pair(1, "AT"), pair(2, "CH")))
    def file(id: Long, country: String) =
      IndexedSeq(Some(Range(id, id)), Some(Range(text(country), text(country))))
    assert(keys.meets(file(2, "CH")))
    assert(!keys.meets(file(1, "CH")))
    assert(keys.meets(IndexedSeq(None, Some(Range(text("CH"), text("DE"))))))
    assert(!keys.meets(IndexedSeq(None, Some(Range(text("DE"), text("FR"))))))
  }

  test("too many keys for the driver are known by their ranges") {
    val keys = KeySet.bounds(one, IndexedSeq(Range(10L, 20L)))
    assert(Seq(file(1, 10), file(20, 30), file(12, 13), file(1, 99)).forall(keys.meets))
    assert(!Seq(file(1, 9), file(21, 30)).exists(keys.meets))
  }
}
