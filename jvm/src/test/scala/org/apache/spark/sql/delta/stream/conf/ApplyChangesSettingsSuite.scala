// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.conf

import org.apache.spark.sql.delta.stream.conf.ApplyChangesSettings.Columns
import org.scalatest.funsuite.AnyFunSuite

/** The options `applyChanges.*`. */
class ApplyChangesSettingsSuite extends AnyFunSuite {

  private def parse(options: (String, String)*) =
    ApplyChangesSettings.of(options.map { case (name, value) => s"applyChanges.$name" -> value }.toMap)

  private val defaults =
    ApplyChangesSettings(Seq("id"), Nil, None, None, Columns.All, None, None, Some(7 * 24 * 3600 * 1000L))

  test("without such an option, the sink appends") {
    assert(ApplyChangesSettings.of(Map("path" -> "/t", "mergeSchema" -> "true")).isEmpty)
  }

  test("keys are enough; names are in any case") {
    assert(parse("keys" -> "id").contains(Right(defaults)))
    assert(ApplyChangesSettings.of(Map("applychanges.KEYS" -> " id ")).contains(Right(defaults)))
  }

  test("all options become values") {
    val found = parse(
      "keys" -> "id, country",
      "sequenceBy" -> """["at, local", "n"]""",
      "applyAsDeletes" -> "op = 'D'",
      "exceptColumnList" -> "op",
      "storedAsScdType" -> "2",
      "trackHistoryColumnList" -> "name",
      "tombstones" -> "forever"
    )
    val expected = ApplyChangesSettings(
      Seq("id", "country"),
      Seq("at, local", "n"),
      Some("op = 'D'"),
      None,
      Columns.Except(Seq("op")),
      Some(Columns.Only(Seq("name"))),
      None,
      None)
    assert(found.contains(Right(expected)))
  }

  test("all mistakes are reported together") {
    val mistakes = parse(
      "sequenceby" -> "[",
      "columnList" -> "a",
      "exceptColumnList" -> "b",
      "storedAsScdType" -> "3",
      "tombstones" -> "-1 day",
      "typo" -> "1").flatMap(_.left.toOption).toSeq.flatten
    val expected = Seq(
      "applyChanges.typo is no option",
      "applyChanges.keys must name",
      "applyChanges.sequenceBy must be a JSON array",
      "must not be given together",
      "storedAsScdType must be 1 or 2, got 3",
      "tombstones must be a time"
    )
    assert(mistakes.size == expected.size, mistakes)
    mistakes.zip(expected).foreach { case (found, part) => assert(found.contains(part)) }
  }

  test("nulls are ignored in all columns, or in some") {
    def ignored(value: String) =
      parse("keys" -> "id", "ignoreNullUpdates" -> value).flatMap(_.toOption).flatMap(_.ignoreNullUpdates)
    assert(ignored("false").isEmpty)
    assert(ignored("TRUE").contains(Columns.All))
    assert(ignored("a, b").contains(Columns.Only(Seq("a", "b"))))
  }

  test("a history is not truncated, and does not ignore nulls") {
    val mistakes = parse(
      "keys" -> "id",
      "storedAsScdType" -> "2",
      "applyAsTruncates" -> "op = 'T'",
      "ignoreNullUpdates" -> "true").flatMap(_.left.toOption).toSeq.flatten
    assert(mistakes.size == 2 && mistakes.forall(_.contains("needs applyChanges.storedAsScdType=1")))
  }

  test("tracked columns need type 2") {
    val mistakes = parse("keys" -> "id", "trackHistoryColumnList" -> "name").flatMap(_.left.toOption)
    assert(mistakes.exists(_.exists(_.contains("needs applyChanges.storedAsScdType=2"))))
  }
}
