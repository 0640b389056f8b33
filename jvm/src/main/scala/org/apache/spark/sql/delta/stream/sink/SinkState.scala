// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.delta.actions.SetTransaction

/**
 * What a run remembers between two calls of the engine.
 *
 * @param own    the marker of the last batch that it has written, or has found done
 * @param report what that batch did, until the engine has asked
 * @param ends   whether the engine has said that the run ends by itself
 */
private[sink] final case class SinkState(
    own: Option[SetTransaction] = None,
    report: Option[SinkReport] = None,
    ends: Boolean = false
)
