// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.actions.{CommitInfo, Metadata, Protocol}

/**
 * What one commit says, as far as a stream needs it.
 *
 * @param version     the version the commit made
 * @param files       its file actions that belong to the stream, in the order of the file, without statistics: for a
 *                    plain stream `add` with `dataChange`, for a change feed see [[Cut]]
 * @param cut         where a batch may end inside it
 * @param removedData the path of its first `remove` with `dataChange`
 * @param info        its `commitInfo`
 * @param manifest    its file actions live in a manifest elsewhere, which we cannot read yet
 * @param content     a hash of what it was read from, if it was read from a file
 */
final case class Commit(
    version: Long,
    files: FileList = FileList.empty,
    cut: Cut = Cut.Anywhere,
    removedData: Option[String] = None,
    metadata: Option[Metadata] = None,
    protocol: Option[Protocol] = None,
    info: Option[CommitInfo] = None,
    manifest: Boolean = false,
    content: Option[Long] = None
)

/** Where a batch may end inside a version. */
sealed abstract class Cut

object Cut {

  /** Behind any file. */
  case object Anywhere extends Cut

  /** Nowhere: a `remove` and an `add` with deletion vectors say only together which rows have changed. */
  case object Nowhere extends Cut

  /** Nowhere: its rows are in change files, and an image before a change belongs to the one behind it. */
  case object ChangeFiles extends Cut
}
