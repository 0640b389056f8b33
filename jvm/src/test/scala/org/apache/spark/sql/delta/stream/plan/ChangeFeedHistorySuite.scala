// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class ChangeFeedHistorySuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def recorded(answers: (Long, Boolean)*): ChangeFeedHistory =
    answers.foldLeft(ChangeFeedHistory.unknown) { case (history, (version, allowed)) =>
      history.record(version, allowed)
    }

  test("the answer is unknown before the first version that was read") {
    assert(recorded(3L -> true).at(2).isEmpty && recorded(3L -> true).at(3).contains(true))
  }

  test("only versions that change the answer are kept") {
    assert(recorded(1L -> true, 2L -> true, 3L -> false, 4L -> false, 5L -> true).enabledFrom ==
      Vector(1L -> true, 3L -> false, 5L -> true))
  }

  test("a version that is read again changes nothing") {
    val known = recorded(1L -> true, 3L -> false)
    assert(known.record(2, allowed = true) == known && known.record(3, allowed = false) == known)
  }

  test("the answer at a run's start applies up to the first version read after it") {
    assert(recorded(3L -> false).withStart(1, allowed = true).enabledFrom == Vector(1L -> true, 3L -> false))
  }

  test("M3: dropping old entries changes no later answer, and keeps at most one entry up to the position") {
    val versions = Gen.listOf(Gen.oneOf(true, false)).map(_.zipWithIndex.map { case (a, i) => i.toLong -> a })
    forAll(versions, Gen.chooseNum(0L, 20L)) { (answers, from) =>
      val whole = recorded(answers: _*)
      val kept = whole.from(from)
      for (version <- from to 120L) assert(kept.at(version) == whole.at(version))
      assert(kept.enabledFrom.count(_._1 <= from) <= 1)
    }
  }
}
