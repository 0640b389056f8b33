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

  /** @param canonical one spelling for all spellings of a path: a writer may remove a file in one, and add it in another */
  def of(actions: Seq[FileAction], canonical: String => String): FilePairs = {
    val changes = actions.collect { case change: AddCDCFile => change }
    val adds = actions.collect { case add: AddFile => add }
    val removes = actions.collect { case remove: RemoveFile => remove }
    val removed = removes.map(remove => canonical(remove.path) -> remove).toMap
    val both = adds.flatMap(add => removed.get(canonical(add.path)).map(FilePair(_, add)))
    val paired = both.map(pair => canonical(pair.add.path)).toSet
    FilePairs(
      changes,
      adds.filterNot(add => paired(canonical(add.path))),
      removes.filterNot(remove => paired(canonical(remove.path))),
      both
    )
  }
}
