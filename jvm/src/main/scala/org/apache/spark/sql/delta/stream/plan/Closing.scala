// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

/** What ended a planned batch. */
sealed abstract class Closing

object Closing {

  /** The next file had to wait for the number of files. */
  case object MaxFiles extends Closing

  /** The next file had to wait for the bytes. */
  case object MaxBytes extends Closing

  /** A version behind the batch changes what the stream has to know of the table. */
  case object SchemaChange extends Closing

  /** The version behind the batch cannot be read, or is refused. */
  case object Refusal extends Closing

  /** The run goes no further. */
  case object EndOfRun extends Closing

  /** The table has no more. */
  case object EndOfTable extends Closing

  /** The initial snapshot flows into the commits behind it, so its end is none of these. */
  def of(problem: Problem): Closing = problem match {
    case _: Problem.SchemaChanged | _: Problem.NonAdditiveChange => SchemaChange
    case _ => Refusal
  }
}
