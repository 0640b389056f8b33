// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.sources.DeltaSourceOffset

/**
 * Positions as the numbers that offsets and `IndexedFile`s carry. The sentinel numbers are Delta's and stand nowhere
 * else in this package; the JSON around them is `DeltaSourceOffset`'s own.
 */
object PositionCodec {

  def index(place: Place): Long = place match {
    case Place.Begin => DeltaSourceOffset.BASE_INDEX
    case Place.SchemaChange => DeltaSourceOffset.METADATA_CHANGE_INDEX
    case Place.AfterSchemaChange => DeltaSourceOffset.POST_METADATA_CHANGE_INDEX
    case Place.File(index) => index
    case Place.End => DeltaSourceOffset.END_INDEX
  }

  /** Total, for callers of the documented members pass what they like; -1 was the beginning in older versions. */
  def place(index: Long): Place =
    if (index >= DeltaSourceOffset.END_INDEX) Place.End
    else if (index >= 0) Place.File(index)
    else if (index == DeltaSourceOffset.METADATA_CHANGE_INDEX) Place.SchemaChange
    else if (index == DeltaSourceOffset.POST_METADATA_CHANGE_INDEX) Place.AfterSchemaChange
    else Place.Begin

  def position(offset: DeltaSourceOffset): Position =
    Position(offset.reservoirVersion, place(offset.index), offset.isInitialSnapshot)

  /** An offset never says "behind the last file": `settled` comes first. */
  def offset(tableId: String, position: Position): DeltaSourceOffset = {
    val settled = position.settled
    DeltaSourceOffset(tableId, settled.version, index(settled.place), settled.inSnapshot)
  }
}
