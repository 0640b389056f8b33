// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import org.apache.spark.sql.delta.actions.{Metadata, Protocol}

/** The schema, partitioning, properties and protocol of a table at one version. */
private[delta] final case class MetadataAndProtocol(metadata: Metadata, protocol: Protocol)
