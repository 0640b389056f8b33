// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

/**
 * How far a stream has come: everything up to and including this place has been read.
 *
 * @param inSnapshot the files of `version` are those of the initial snapshot, not those its commit added
 */
final case class Position(version: Long, place: Place, inSnapshot: Boolean) {

  /** Behind the last file of a version is before the first of the next one; only the latter is ever stored. */
  def settled: Position =
    if (place == Place.End) Position(version + 1, Place.Begin, inSnapshot = false) else this

  /** The newest version of which anything lies at or before this position. */
  def lastVersion: Long = place match {
    case Place.Begin | Place.SchemaChange | Place.AfterSchemaChange => version - 1
    case Place.File(_) | Place.End => version
  }

  /** The index of the first file of `version` that is still to be read. */
  def nextFile(in: Long): Long = place match {
    case _ if in != version => 0
    case Place.File(index) => index + 1
    case Place.End => Long.MaxValue
    case Place.Begin | Place.SchemaChange | Place.AfterSchemaChange => 0
  }

  /** Whether nothing of this version can lie at or before this position. */
  def isBefore(version: Long): Boolean =
    this.version < version || this.version == version && place == Place.Begin

  override def toString: String = s"$version/$place${if (inSnapshot) " of the initial snapshot" else ""}"
}

object Position {

  /** Of one stream: it reads one initial snapshot, and of that version never the commit as well. */
  implicit val ordering: Ordering[Position] = Ordering.by(position => (position.version, position.place))
}
