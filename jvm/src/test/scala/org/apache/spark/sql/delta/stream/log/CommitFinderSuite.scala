// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.delta.util.FileNames
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class CommitFinderSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val parts = Gen.oneOf(
    "00000000000000000012",
    "7",
    "٣",
    ".",
    "-",
    "json",
    ".json",
    ".crc",
    "compacted",
    "checkpoint",
    "01234567-89ab-cdef-0123-456789abcdef",
    "")

  test("the names of commit files are recognized as Delta recognizes them") {
    val some = Gen.choose(1, 4).flatMap(Gen.listOfN(_, parts)).map(_.mkString)
    // Delta fails if a number is too large.
    val names = some.suchThat(name => name.nonEmpty && !name.matches(".*[1-9]\\d{18,}.*"))
    val known = Gen.oneOf(FileNames.unsafeDeltaFile(new Path("/log"), 12).getName, "12.json", "x12.json")
    forAll(Gen.frequency(9 -> names, 1 -> known), minSuccessful(500)) { name =>
      val file = new FileStatus(1, false, 1, 1, 0, new Path("/t/_delta_log", name))
      val delta = Option(file).collect { case FileNames.DeltaFile(_, version) => version }
      assert(LogFolder.versionOf(name) == delta, name)
    }
  }

  test("a number too large for a version is not a commit") {
    assert(LogFolder.versionOf("99999999999999999999.json").isEmpty)
  }
}
