// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.delta.stream.model.{Commit, CommitFile, MetadataAndProtocol}

/**
 * The log of one table as a stream reads it. [[DeltaTableLog]] implements it on Delta's log; tests use an
 * in-memory implementation.
 */
private[delta] trait TableLog {

  /** Fetches the latest version of the table. */
  def latestVersion(): Long

  /** Returns the latest version already known, without fetching anything. */
  def cachedLatestVersion(): Long

  /**
   * Returns the last commits already known, without fetching anything: consecutive, up to
   * [[cachedLatestVersion]]. May be empty.
   */
  def cachedCommits(): Vector[CommitFile]

  /** Whether a lookup by name costs less than a listing. */
  def hasCheapLookup: Boolean

  /** Looks up a commit that may not exist yet by name, once. `None` if there is no such commit. */
  def find(version: Long): Option[CommitFile]

  /**
   * Looks up a commit that was seen before by name, once. The result is that of [[find]]; on an object store,
   * this takes fewer requests if the commit still exists, and more if it does not.
   */
  def findKnown(version: Long): Option[CommitFile]

  /**
   * Lists the commits from this version on, once: ascending, each version at most once, possibly with gaps.
   */
  def list(from: Long): Vector[CommitFile]

  /**
   * Opens and parses the whole commit.
   *
   * @return `None` if the file no longer exists
   */
  def read(file: CommitFile): Option[Commit]

  /**
   * Opens the file and computes the same hash of its content as [[read]] does.
   *
   * @return `None` if the file no longer exists
   */
  def contentHash(file: CommitFile): Option[Long]

  /**
   * Announces the commits that will be read next, in order, so that an implementation may prefetch them. An
   * empty iterator cancels earlier prefetches.
   */
  def prefetch(files: Iterator[CommitFile]): Unit

  /** Returns the files of the table at this version, in the order of an initial snapshot. */
  def snapshot(version: Long): SnapshotFiles

  /** Returns the table's schema at this version, or the reason why the log can no longer provide it. */
  def metadataAndProtocol(version: Long): Either[Throwable, MetadataAndProtocol]
}
