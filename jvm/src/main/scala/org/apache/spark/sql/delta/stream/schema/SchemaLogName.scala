// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.sql.delta.stream.model.StreamErrors

/**
 * Validates the name of a schema log in `schemaTrackingLocation`. The name is `_schema_log_<table id>`,
 * followed by `_<tracking id>` if the option `streamingSourceTrackingId` is set. Both ids are external input:
 * others may write the transaction log that contains the table id. A name that would point outside the
 * location is rejected before it is used.
 */
private[stream] object SchemaLogName {

  /** The length of a file name, in bytes, that all common file systems support. */
  private val maxSegmentBytes = 255

  /** Fails if the schema log would not be a separate folder inside the location. */
  def verify(tablePath: String, tableId: String, trackingId: Option[String]): Unit = {
    invalidReason(s"_schema_log_$tableId").foreach { reason =>
      throw StreamErrors.unsafeTableId(tableId, reason, tablePath)
    }
    for (id <- trackingId; reason <- invalidReason(s"_schema_log_${tableId}_$id"))
      throw StreamErrors.unsafeTrackingId(id, reason, tablePath)
  }

  /**
   * Returns why a path inside the location is not allowed, or None if it is. A `/` is allowed as long as the
   * path stays inside: existing checkpoints contain such names.
   */
  private[schema] def invalidReason(path: String): Option[String] = {
    val segments = path.split("/", -1).toSeq
    if (path.exists(_.isControl)) Some("it contains a control character")
    else if (segments.contains("")) Some("it contains an empty path segment")
    else if (segments.exists(segment => segment == "." || segment == ".."))
      Some("it contains the path segment . or ..")
    else if (segments.head.contains(':')) Some("the text before its colon would be read as a URI scheme")
    else
      Option.when(segments.exists(_.getBytes(UTF_8).length > maxSegmentBytes)) {
        s"it makes a path segment longer than $maxSegmentBytes bytes"
      }
  }
}
