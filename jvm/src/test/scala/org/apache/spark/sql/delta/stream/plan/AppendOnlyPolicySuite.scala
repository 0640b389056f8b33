// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.stream.model.Problem.{ChangedData, DeletedData}
import org.apache.spark.sql.delta.stream.model.{Commit, FileList}
import org.apache.spark.sql.delta.stream.plan.CommitDecision.{Fail, Keep, Skip}
import org.apache.spark.sql.delta.testing.InMemoryTableLog
import org.scalatest.funsuite.AnyFunSuite

class AppendOnlyPolicySuite extends AnyFunSuite {
  private val adds = FileList.of(Vector(InMemoryTableLog.file("new")))
  private val appended = Commit(3, adds)
  private val deleted = Commit(3, firstRemovedPath = Some("old"))
  private val changed = Commit(3, adds, firstRemovedPath = Some("old"))

  private val strict =
    AppendOnlyPolicy(ignoreDeletes = false, ignoreChanges = false, skipChangeCommits = false)
  private val deletes = strict.copy(ignoreDeletes = true)
  private val changes = strict.copy(ignoreChanges = true)
  private val skips = strict.copy(skipChangeCommits = true)

  private def check(name: String, policy: AppendOnlyPolicy, commit: Commit, expected: CommitDecision): Unit =
    test(name)(assert(policy.decide(commit) == expected))

  check("an append is kept", strict, appended, Keep)
  check("an append is kept when change commits are skipped", skips, appended, Keep)
  check("a deletion is refused", strict, deleted, Fail(DeletedData(3, "old")))
  check("a deletion is kept with ignoreDeletes", deletes, deleted, Keep)
  check("a deletion is kept with ignoreChanges", changes, deleted, Keep)
  check("a deletion is skipped with skipChangeCommits", skips, deleted, Skip)
  check("a change is refused", strict, changed, Fail(ChangedData(3, "old")))
  check("a change is refused with ignoreDeletes alone", deletes, changed, Fail(ChangedData(3, "old")))
  check("a change is kept with ignoreChanges", changes, changed, Keep)
  check("a change is skipped with skipChangeCommits", skips, changed, Skip)
  check("skipChangeCommits wins over ignoreChanges", skips.copy(ignoreChanges = true), changed, Skip)
}
