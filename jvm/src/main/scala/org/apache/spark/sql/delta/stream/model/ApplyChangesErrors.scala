// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

/** The errors of a sink that applies changes. */
private[delta] object ApplyChangesErrors {

  /**
   * The options, or the columns of the events, are wrong.
   *
   * @param mistakes all of them
   */
  def invalid(mistakes: Seq[String], path: String): Throwable =
    new StreamException(
      "DELTASOURCE_INVALID_APPLY_CHANGES",
      s"Changes cannot be applied to $path: ${mistakes.mkString("; ")}. Nothing was written. Correct what is " +
        "listed, and restart the query.",
      Map("path" -> path, "mistakes" -> mistakes.mkString("; "))
    )

  /** The target was written with other settings. `stored` and `wanted` say which. */
  def otherSettings(stored: String, wanted: String, path: String): Throwable =
    new StreamException(
      "DELTASOURCE_OTHER_APPLY_CHANGES",
      s"Changes were applied to $path with $stored; this query gives $wanted. With other settings, the existing " +
        "rows would mean something else. Nothing was written. Use the same settings, or write to a new table " +
        "with a new checkpoint.",
      Map("path" -> path, "stored" -> stored, "given" -> wanted)
    )

  /** A query without `apply_changes` writes into a target of `apply_changes`. */
  def writtenWithout(path: String): Throwable =
    new StreamException(
      "DELTASOURCE_OTHER_APPLY_CHANGES",
      s"$path is kept up to date by apply_changes, with one row for each key. This query would write its rows without " +
        "regard to keys. Nothing was written. Write with apply_changes, or to another table. If the table is " +
        "no longer a target of apply_changes, as a copy or clone may be, remove its property with " +
        s"ALTER TABLE ... UNSET TBLPROPERTIES ('${ApplyChangesProperties.keys}').",
      Map("path" -> path)
    )

  /** An event has no key. */
  def nullKey(event: String, path: String): Throwable =
    new StreamException(
      "DELTASOURCE_NULL_KEY",
      s"An event for $path has null in a key: $event. No event of the batch was applied. Filter such events out, or " +
        "give them a key.",
      Map("path" -> path, "event" -> event)
    )

  /** An event has no sequence, or one that has no place in an order. */
  def nullSequence(key: String, path: String): Throwable =
    new StreamException(
      "DELTASOURCE_NULL_SEQUENCE",
      s"An event for $path has null or NaN as its sequence. Its key is $key. No event of the batch was applied. " +
        "Filter such events out, or give them a sequence.",
      Map("path" -> path, "key" -> key)
    )

  /**
   * Two events of a key have one sequence and different content.
   *
   * @param first  the columns of the one; None for a delete, or if they are not known
   * @param second the columns of the other
   */
  def ambiguousSequence(
      key: String,
      sequence: String,
      first: Option[String],
      second: Option[String],
      path: String): Throwable = {
    val contents = Seq(first, second).map(_.fold("a delete")(values => s"($values)"))
    new StreamException(
      "DELTASOURCE_AMBIGUOUS_SEQUENCE",
      s"Two events of the key $key have the sequence $sequence and different content: ${contents.mkString(" and ")}. " +
        s"The target is $path. No event of the batch was applied. Remove one of the two. Or order the events by more " +
        "columns (sequence_by in Python, the option applyChanges.sequenceBy elsewhere), with a new target and a new " +
        "checkpoint: a target keeps its sequence.",
      Map("path" -> path, "key" -> key, "sequence" -> sequence)
    )
  }
}
