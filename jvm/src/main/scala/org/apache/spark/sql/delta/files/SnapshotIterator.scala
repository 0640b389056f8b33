// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.files

import org.apache.spark.sql.delta.sources.IndexedFile

/** The files of a table version, as a stream numbers them. Documented; see `DeltaSourceSnapshot`. */
trait SnapshotIterator {

  /** Returns all data files, each with its index in the order of the initial snapshot. */
  def iterator(): Iterator[IndexedFile]

  /** @param unpersistSnapshot true to also release the table state */
  def close(unpersistSnapshot: Boolean): Unit
}
