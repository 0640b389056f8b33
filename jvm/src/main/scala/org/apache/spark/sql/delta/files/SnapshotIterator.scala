// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.files

import org.apache.spark.sql.delta.sources.IndexedFile

/** The files of a table version as a stream numbers them. Documented; `DeltaSourceSnapshot` is the one there is. */
trait SnapshotIterator {

  /** All data files, with their index in the order of the initial snapshot. */
  def iterator(): Iterator[IndexedFile]

  /** @param unpersistSnapshot release the table state as well */
  def close(unpersistSnapshot: Boolean): Unit
}
