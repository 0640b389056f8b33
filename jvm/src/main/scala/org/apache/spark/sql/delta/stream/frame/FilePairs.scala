// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.frame

import org.apache.spark.sql.delta.actions.{AddCDCFile, AddFile, FileAction, RemoveFile}

/**
 * The file actions of one version by what a change feed makes of them.
 *
 * @param both files removed and added under one path: their rows are the same, but for the deletion vectors
 */
final case class FilePairs(
    changes: Seq[AddCDCFile],
    adds: Seq[AddFile],
    removes: Seq[RemoveFile],
    both: Seq[FilePair]
)

final case class FilePair(remove: RemoveFile, add: AddFile)

object FilePairs {
  def of(actions: Seq[FileAction]): FilePairs = {
    val changes = actions.collect { case change: AddCDCFile => change }
    val adds = actions.collect { case add: AddFile => add }
    val removes = actions.collect { case remove: RemoveFile => remove }
    val removed = removes.map(remove => remove.path -> remove).toMap
    val both = adds.flatMap(add => removed.get(add.path).map(FilePair(_, add)))
    val paired = both.map(_.add.path).toSet
    FilePairs(
      changes,
      adds.filterNot(add => paired(add.path)),
      removes.filterNot(remove => paired(remove.path)),
      both
    )
  }
}
