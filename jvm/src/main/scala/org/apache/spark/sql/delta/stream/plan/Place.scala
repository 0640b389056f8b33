// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

/**
 * Where inside one version: before its first file, at one of its files, or behind the last. The two places of a
 * schema change lie between the beginning and the first file (PROTOCOL of offsets: docs/design/0001-offsets.md).
 */
sealed abstract class Place

object Place {
  case object Begin extends Place
  case object SchemaChange extends Place
  case object AfterSchemaChange extends Place
  final case class File(index: Long) extends Place {
    require(index >= 0, s"a file's index cannot be $index")
  }
  case object End extends Place

  implicit val ordering: Ordering[Place] = Ordering.by {
    case Begin => (0, 0L)
    case SchemaChange => (1, 0L)
    case AfterSchemaChange => (2, 0L)
    case File(index) => (3, index)
    case End => (4, 0L)
  }
}
