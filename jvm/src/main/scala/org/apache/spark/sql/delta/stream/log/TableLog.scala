// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.delta.stream.plan.Commit
import org.apache.spark.sql.delta.stream.schema.TableSchema

/** The log of one table as a stream reads it: one implementation on Delta's log, one in memory for tests. */
trait TableLog {

  /** The newest version there is, asked afresh. */
  def latest(): Long

  /** The newest version known without asking. */
  def known(): Long

  /** Whether a look costs less than a listing. */
  def byName: Boolean

  /** One look for the commit of this version by its name. */
  def find(version: Long): Option[CommitFile]

  /** One listing: the commits from this version on, ascending, each version once, possibly with gaps. */
  def list(from: Long): Vector[CommitFile]

  /** Opens the file and parses it whole; none when it is no longer there. */
  def read(file: CommitFile): Option[Commit]

  /** Opens the file and hashes what it holds, as reading it does; none when it is no longer there. */
  def content(file: CommitFile): Option[Long]

  /** These will be read next, in this order: a log may begin with it. Of none it lets go of what it has begun. */
  def expect(files: Iterator[CommitFile]): Unit

  /** The files of the table at this version in the order of an initial snapshot. */
  def snapshot(version: Long): SnapshotFiles

  /** The table's schema at this version, or why the log no longer tells. */
  def schema(version: Long): Either[Throwable, TableSchema]
}
