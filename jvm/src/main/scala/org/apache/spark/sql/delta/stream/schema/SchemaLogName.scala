// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.sql.delta.stream.StreamErrors

/**
 * The name of a schema log below `schemaTrackingLocation`: `_schema_log_<table id>`, and `_<tracking id>` where the
 * option `streamingSourceTrackingId` is given. Both ids come from outside, the first from a log that others may write:
 * a name that would lead out of the location is refused before it is used.
 */
object SchemaLogName {

  /** Bytes of a name that all file systems in use allow. */
  private val longest = 255

  /** Fails if the log would not be a folder of its own inside the location. */
  def verify(tablePath: String, tableId: String, trackingId: Option[String]): Unit = {
    fault(s"_schema_log_$tableId").foreach(what => throw StreamErrors.unsafeTableId(tableId, what, tablePath))
    for (id <- trackingId; what <- fault(s"_schema_log_${tableId}_$id"))
      throw StreamErrors.unsafeTrackingId(id, what, tablePath)
  }

  /** What is wrong with a path below the location. A plain `/` that stays inside is allowed: checkpoints have such. */
  private[schema] def fault(path: String): Option[String] = {
    val segments = path.split("/", -1).toSeq
    if (path.exists(_.isControl)) Some("it has a control character")
    else if (segments.contains("")) Some("it has an empty path segment")
    else if (segments.exists(segment => segment == "." || segment == ".."))
      Some("it has the path segment . or ..")
    else if (segments.head.contains(':')) Some("what stands before its colon would be read as a URI's scheme")
    else
      Option.when(segments.exists(_.getBytes(UTF_8).length > longest)) {
        s"with it a path segment is longer than $longest bytes"
      }
  }
}
