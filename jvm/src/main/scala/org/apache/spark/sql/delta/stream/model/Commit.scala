// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import org.apache.spark.sql.delta.actions.{CommitInfo, Metadata, Protocol}

/**
 * The actions of one commit that matter to a stream.
 *
 * @param version     the table version that the commit created
 * @param files       the file actions that belong to the stream, in the order of the commit file and without
 *                    statistics. For an append-only stream these are the `add` actions with `dataChange`; for
 *                    a change feed see [[SplitRule]]
 * @param splitRule         where a batch may end inside the commit
 * @param firstRemovedPath the path of the first `remove` action with `dataChange`, if there is one
 * @param metadata    the `metaData` action, if there is one
 * @param protocol    the `protocol` action, if there is one
 * @param info        the `commitInfo` action, if there is one
 * @param hasManifest    true if the file actions are stored in a separate manifest, which this reader does not
 *                    support
 * @param contentHash     a hash of the commit file's content, if the commit was read from a file
 */
private[delta] final case class Commit(
    version: Long,
    files: FileList = FileList.empty,
    splitRule: SplitRule = SplitRule.Anywhere,
    firstRemovedPath: Option[String] = None,
    metadata: Option[Metadata] = None,
    protocol: Option[Protocol] = None,
    info: Option[CommitInfo] = None,
    hasManifest: Boolean = false,
    contentHash: Option[Long] = None
)

/** Where a batch may end inside one version. */
private[stream] sealed abstract class SplitRule

private[stream] object SplitRule {

  /** After any file. */
  case object Anywhere extends SplitRule

  /**
   * Never inside the version, because with deletion vectors only a `remove` and its `add` together show which
   * rows changed. The batch ends at the end of the version, whose beginning and end cost as much as a file.
   */
  case object Nowhere extends SplitRule

  /**
   * Never inside the version, because the rows are in change files, and the preimage and postimage of an
   * update belong together. The batch ends at the last change file; only files cost anything.
   */
  case object ChangeFiles extends SplitRule
}
