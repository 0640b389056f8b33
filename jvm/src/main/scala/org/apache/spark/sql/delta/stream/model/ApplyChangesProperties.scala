// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import org.apache.spark.sql.delta.actions.Metadata

/** The properties of a table that `apply_changes` keeps up to date. */
private[delta] object ApplyChangesProperties {

  /** Their names begin with this. */
  val prefix = "deltasource.applyChanges."

  /** The keys; every table that is kept up to date has this property. */
  val keys: String = prefix + "keys"

  /** Whether a table is kept up to date. */
  def isTarget(table: Metadata): Boolean = table.configuration.contains(keys)
}
