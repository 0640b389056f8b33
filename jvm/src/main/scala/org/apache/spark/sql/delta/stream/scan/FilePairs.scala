// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.scan

import org.apache.spark.sql.delta.actions.{AddCDCFile, AddFile, FileAction, RemoveFile}

/**
 * The file actions of one version, grouped by how a change feed reads them.
 *
 * @param changes change files
 * @param adds    files that are only added
 * @param removes files that are only removed
 * @param paired  files that are removed and added under one path: only their deletion vectors differ
 */
private[scan] final case class FilePairs(
    changes: Seq[AddCDCFile],
    adds: Seq[AddFile],
    removes: Seq[RemoveFile],
    paired: Seq[FilePair]
)

/** A file that one version removes and adds again. */
private[scan] final case class FilePair(version: Long, remove: RemoveFile, add: AddFile)

private[scan] object FilePairs {

  /**
   * Groups the actions of one version.
   *
   * @param canonical returns one spelling for all spellings of a path, because a writer may remove a file
   *                  under one spelling and add it under another
   */
  def of(version: Long, actions: Seq[FileAction], canonical: String => String): FilePairs = {
    val changes = actions.collect { case change: AddCDCFile => change }
    val adds = actions.collect { case add: AddFile => add }
    val removes = actions.collect { case remove: RemoveFile => remove }
    val removed = removes.map(remove => canonical(remove.path) -> remove).toMap
    val paired = adds.flatMap(add => removed.get(canonical(add.path)).map(FilePair(version, _, add)))
    val pairedPaths = paired.map(pair => canonical(pair.add.path)).toSet
    FilePairs(
      changes,
      adds.filterNot(add => pairedPaths(canonical(add.path))),
      removes.filterNot(remove => pairedPaths(canonical(remove.path))),
      paired
    )
  }
}
