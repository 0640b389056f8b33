// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import java.lang.ref.SoftReference
import java.util.{Collections, WeakHashMap}

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.Snapshot
import org.apache.spark.sql.delta.actions.FileAction

/**
 * The file actions of commits that were parsed for a snapshot's protocol and metadata. A stream that starts with
 * this snapshot needs them next, for its files. They are dropped if memory is short, or with the snapshot, and
 * are at most `spark.deltasource.snapshot.maxFilesOnDriver` for each snapshot.
 */
private[snapshot] object ParsedCommits {
  private type FileActions = Map[Path, Vector[FileAction]]

  private val bySnapshot =
    Collections.synchronizedMap(new WeakHashMap[Snapshot, SoftReference[FileActions]])

  /** Keeps the file actions of these commits, by the path of the commit. */
  def put(snapshot: Snapshot, parsed: FileActions): Unit = {
    val _ = bySnapshot.put(snapshot, new SoftReference(parsed))
  }

  /** Returns what is kept for the snapshot, and keeps it no longer. */
  def take(snapshot: Snapshot): FileActions =
    Option(bySnapshot.remove(snapshot)).flatMap(kept => Option(kept.get)).getOrElse(Map.empty)
}
