// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.start

import org.apache.spark.sql.delta.stream.schema.TableSchema

/**
 * The version a user wants to start from.
 *
 * @param schema the table's at that version, if it was looked at
 */
final case class StartVersion(version: Long, schema: Option[TableSchema] = None)
