// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import org.apache.spark.sql.types.StructType

import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.stream.model.{ApplyChangesErrors, ApplyChangesProperties}

/**
 * The settings that must not change while a target has rows. They are properties of the target.
 *
 * @param columns what the columns of the batch mean
 * @param path    the path of the target, for errors
 */
private[applychanges] final class StoredSettings(columns: EventColumns, path: String) {

  /** Returns the settings as properties, or fails with `DELTASOURCE_OTHER_APPLY_CHANGES` if there are others. */
  def properties(metadata: Metadata): Map[String, String] = {
    val wanted = Map(
      "keys" -> names(columns.keys),
      "sequenceBy" -> (if (columns.sequenceColumns.isEmpty) columns.ties.toString
                       else columns.sequenceColumns.mkString(", ")),
      "storedAsScdType" -> (if (columns.isTypeTwo) "2" else "1")
    ).map { case (name, value) => ApplyChangesProperties.prefix + name -> value }
    val stored = metadata.configuration
    val differing = wanted.toSeq.sorted.filter { case (name, value) => stored.get(name).exists(_ != value) }
    if (differing.nonEmpty) {
      def text(values: Map[String, String]) =
        differing.map { case (name, _) =>
          s"${name.drop(ApplyChangesProperties.prefix.length)} ${values(name)}"
        }.mkString(", ")
      throw ApplyChangesErrors.otherSettings(text(stored), text(wanted), path)
    }
    wanted
  }

  private def names(keys: StructType): String =
    keys.map(key => s"${key.name} ${key.dataType.sql}").mkString(", ")
}
