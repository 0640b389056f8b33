// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.actions.{CommitInfo, Metadata}
import org.apache.spark.sql.delta.stream.model.{Commit, FileList, SplitRule}
import org.apache.spark.sql.delta.testing.InMemoryTableLog.file
import org.scalatest.funsuite.AnyFunSuite

class ChangeFeedPolicySuite extends AnyFunSuite {

  private def commit(operation: String, cut: SplitRule, metrics: (String, String)*): Commit = {
    val info = CommitInfo.empty().copy(operation = operation, operationMetrics = Some(metrics.toMap))
    Commit(1, FileList.of(Vector(file("a"))), cut, firstRemovedPath = Some("r"), info = Some(info))
  }

  private val rows = Seq("numTargetRowsInserted", "numTargetRowsUpdated", "numTargetRowsDeleted")
  private val nothing = rows.map(_ -> "0")

  test("a commit that removes data is kept, because the change feed shows it") {
    assert(ChangeFeedPolicy.decide(commit("DELETE", SplitRule.Anywhere)) == CommitDecision.Keep)
  }

  for (cut <- Seq(SplitRule.Anywhere, SplitRule.Nowhere))
    test(s"a MERGE that changed no row is skipped, with split rule $cut") {
      assert(ChangeFeedPolicy.decide(commit("MERGE", cut, nothing: _*)) == CommitDecision.Skip)
    }

  for (name <- rows) {
    test(s"a MERGE with $name is kept") {
      val metrics = nothing.map { case (other, zero) => other -> (if (other == name) "1" else zero) }
      assert(ChangeFeedPolicy.decide(commit("MERGE", SplitRule.Anywhere, metrics: _*)) == CommitDecision.Keep)
    }

    test(s"a MERGE without $name is kept") {
      val metrics = nothing.filterNot(_._1 == name)
      assert(ChangeFeedPolicy.decide(commit("MERGE", SplitRule.Anywhere, metrics: _*)) == CommitDecision.Keep)
    }
  }

  test("change files are kept, whatever the metrics of the commit") {
    assert(ChangeFeedPolicy.decide(commit(
      "MERGE",
      SplitRule.ChangeFiles,
      nothing: _*)) == CommitDecision.Keep)
  }

  test("a batch may start only where the change feed is enabled") {
    def feed(value: String) = Metadata(configuration = Map("delta.enableChangeDataFeed" -> value))
    assert(
      ChangeFeedPolicy.allowsBatchStart(feed("true")) && !ChangeFeedPolicy.allowsBatchStart(feed("false")))
    assert(!ChangeFeedPolicy.allowsBatchStart(Metadata()))
  }
}
