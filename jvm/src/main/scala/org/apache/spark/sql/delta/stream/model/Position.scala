// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import org.apache.spark.sql.delta.sources.DeltaSourceOffset

/**
 * The progress of a stream: everything up to and including this position has been read.
 *
 * @param version    the table version
 * @param index      the index inside the version
 * @param inSnapshot true if the files of `version` are those of the initial snapshot, false if they are the
 *                   files that its commit added
 */
private[delta] final case class Position(version: Long, index: IndexInVersion, inSnapshot: Boolean) {

  /**
   * Returns the form of this position that is stored. The end of a version and the beginning of the next one
   * are the same point; only the beginning is ever stored.
   */
  def normalized: Position =
    if (index == IndexInVersion.End) Position(version + 1, IndexInVersion.Begin, inSnapshot = false) else this

  /** The latest version of which a file, or the end, lies at or before this position. */
  def lastVersion: Long = index match {
    case IndexInVersion.Begin | IndexInVersion.SchemaChange | IndexInVersion.AfterSchemaChange => version - 1
    case IndexInVersion.File(_) | IndexInVersion.End => version
  }

  /** The latest version that was read up to this position. An initial snapshot reads its whole version. */
  def lastReadVersion: Long = if (inSnapshot) version else lastVersion

  /** Returns the index of the first file of `ofVersion` that is still to be read. */
  def nextFileIndex(ofVersion: Long): Long = index match {
    case _ if ofVersion != version => 0
    case IndexInVersion.File(index) => index + 1
    case IndexInVersion.End => Long.MaxValue
    case IndexInVersion.Begin | IndexInVersion.SchemaChange | IndexInVersion.AfterSchemaChange => 0
  }

  /** Returns true if this position lies before everything in `version`, its schema change included. */
  def endsBefore(version: Long): Boolean =
    this.version < version || this.version == version && index == IndexInVersion.Begin

  override def toString: String = s"$version/$index${if (inSnapshot) " of the initial snapshot" else ""}"
}

private[delta] object Position {

  /**
   * Orders the positions of one stream. `inSnapshot` does not take part: a stream reads one initial snapshot,
   * and never the commit of that version as well.
   */
  implicit val ordering: Ordering[Position] = Ordering.by(position => (position.version, position.index))
}

/**
 * An index inside one version: before the first file, at a file, or after the last file. The two indexes of a
 * schema change lie between the beginning and the first file (see design/0001-offsets.md for the offset
 * protocol).
 */
private[delta] sealed abstract class IndexInVersion

private[delta] object IndexInVersion {

  /** Before the first file of the version. */
  case object Begin extends IndexInVersion

  /** Before the schema change that the version makes. */
  case object SchemaChange extends IndexInVersion

  /** After the schema change that the version makes, before its first file. */
  case object AfterSchemaChange extends IndexInVersion

  /** At a file; `index` counts from 0. Fails if the index is negative. */
  final case class File(index: Long) extends IndexInVersion {
    require(index >= 0, s"the index of a file must not be negative, got $index")
  }

  /** After the last file of the version. */
  case object End extends IndexInVersion

  implicit val ordering: Ordering[IndexInVersion] = Ordering.by {
    case Begin => (0, 0L)
    case SchemaChange => (1, 0L)
    case AfterSchemaChange => (2, 0L)
    case File(index) => (3, index)
    case End => (4, 0L)
  }
}

/**
 * Converts positions to and from the numbers in offsets and `IndexedFile`s. Delta's sentinel numbers are used
 * only here in this package; `DeltaSourceOffset` itself reads and writes the JSON.
 */
private[delta] object PositionCodec {

  /** Returns the number for an index in a version. */
  def toOffsetIndex(index: IndexInVersion): Long = index match {
    case IndexInVersion.Begin => DeltaSourceOffset.BASE_INDEX
    case IndexInVersion.SchemaChange => DeltaSourceOffset.METADATA_CHANGE_INDEX
    case IndexInVersion.AfterSchemaChange => DeltaSourceOffset.POST_METADATA_CHANGE_INDEX
    case IndexInVersion.File(index) => index
    case IndexInVersion.End => DeltaSourceOffset.END_INDEX
  }

  /**
   * Returns the index in a version for any number. It never fails, because callers of the documented members
   * may pass any number. Older versions used -1 for the beginning.
   */
  def fromOffsetIndex(index: Long): IndexInVersion =
    if (index >= DeltaSourceOffset.END_INDEX) IndexInVersion.End
    else if (index >= 0) IndexInVersion.File(index)
    else if (index == DeltaSourceOffset.METADATA_CHANGE_INDEX) IndexInVersion.SchemaChange
    else if (index == DeltaSourceOffset.POST_METADATA_CHANGE_INDEX) IndexInVersion.AfterSchemaChange
    else IndexInVersion.Begin

  def position(offset: DeltaSourceOffset): Position =
    Position(offset.reservoirVersion, fromOffsetIndex(offset.index), offset.isInitialSnapshot)

  /** Returns the offset for a position. An offset never points to the end of a version: see `normalized`. */
  def offset(tableId: String, position: Position): DeltaSourceOffset = {
    val normalized = position.normalized
    DeltaSourceOffset(tableId, normalized.version, toOffsetIndex(normalized.index), normalized.inSnapshot)
  }
}
