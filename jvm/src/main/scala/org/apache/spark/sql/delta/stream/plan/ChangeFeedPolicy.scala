// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.DeltaConfigs
import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.commands.cdc.CDCReader

/** A change feed shows what was taken away, so it refuses nothing; a MERGE that changed no row is none of it. */
case object ChangeFeedPolicy extends CommitPolicy {

  override def judge(commit: Commit): Verdict =
    if (commit.cut != Cut.ChangeFiles && commit.info.exists(CDCReader.shouldSkipFileActionsInCommit))
      Verdict.Skip
    else Verdict.Keep

  override def reads(metadata: Metadata): Boolean = DeltaConfigs.CHANGE_DATA_FEED.fromMetaData(metadata)
}
