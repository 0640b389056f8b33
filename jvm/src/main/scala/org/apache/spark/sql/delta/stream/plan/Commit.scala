// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.actions.{CommitInfo, Metadata, Protocol}

/**
 * What one commit says, as far as a stream needs it.
 *
 * @param version     the version the commit made
 * @param adds        its `add` actions with `dataChange`, in the order of the file, without statistics
 * @param removedData the path of its first `remove` with `dataChange`
 * @param info        its `commitInfo`
 * @param manifest    its file actions live in a manifest elsewhere, which we cannot read yet
 */
final case class Commit(
    version: Long,
    adds: FileList = FileList.empty,
    removedData: Option[String] = None,
    metadata: Option[Metadata] = None,
    protocol: Option[Protocol] = None,
    info: Option[CommitInfo] = None,
    manifest: Boolean = false
)
