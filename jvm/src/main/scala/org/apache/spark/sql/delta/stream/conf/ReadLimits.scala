// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.conf

import org.apache.spark.sql.connector.read.streaming.{ReadAllAvailable, ReadLimit, ReadMaxFiles}

import org.apache.spark.sql.delta.sources.{CompositeLimit, ReadMaxBytes}
import org.apache.spark.sql.delta.stream.plan.Budget
import org.apache.spark.sql.delta.{DeltaErrors, DeltaOptions}

/**
 * How much one batch may read, by the reader's options.
 *
 * @param maxFiles `maxFilesPerTrigger`, in files
 * @param maxBytes `maxBytesPerTrigger`, in bytes
 */
private[delta] final case class ReadLimits(maxFiles: Option[Int], maxBytes: Option[Long]) {

  /** The limit the source asks the engine for: 1,000 files if neither option is set. */
  def default: ReadLimit = (maxFiles, maxBytes) match {
    case (Some(files), Some(bytes)) =>
      CompositeLimit(ReadMaxBytes(bytes), ReadLimit.maxFiles(files).asInstanceOf[ReadMaxFiles])
    case (None, Some(bytes)) => ReadMaxBytes(bytes)
    case (files, None) => ReadLimit.maxFiles(files.getOrElse(ReadLimits.defaultFiles))
  }

  /** The budget of a batch under the limit the engine passes. Fails for a kind of limit that Delta does not know. */
  def budget(limit: ReadLimit): Budget =
    ReadLimits.Given.of(limit).fold(Budget.unlimited)(given => budget(given.files, given.bytes))

  /**
   * The budget for the limits that are given. Without `files` it is 1,000 files, or no limit if the options limit bytes;
   * without `bytes` it is `maxBytesPerTrigger`, or no limit.
   */
  def budget(files: Option[Int], bytes: Option[Long]): Budget = Budget(
    files.getOrElse(if (maxBytes.isDefined) Int.MaxValue else ReadLimits.defaultFiles).toLong,
    bytes.orElse(maxBytes).getOrElse(Long.MaxValue)
  )
}

private[delta] object ReadLimits {
  private val defaultFiles = DeltaOptions.MAX_FILES_PER_TRIGGER_OPTION_DEFAULT

  def of(options: DeltaOptions): ReadLimits =
    ReadLimits(options.maxFilesPerTrigger, options.maxBytesPerTrigger)

  /** What a limit of the engine names. */
  final case class Given(files: Option[Int], bytes: Option[Long])

  object Given {

    /** None for `ReadAllAvailable`. Fails for a kind of limit that Delta does not know. */
    def of(limit: ReadLimit): Option[Given] = limit match {
      case _: ReadAllAvailable => None
      case files: ReadMaxFiles => Some(Given(Some(files.maxFiles), None))
      case bytes: ReadMaxBytes => Some(Given(None, Some(bytes.maxBytes)))
      case both: CompositeLimit => Some(Given(Some(both.maxFiles.maxFiles), Some(both.bytes.maxBytes)))
      case other => throw DeltaErrors.unknownReadLimit(other.toString)
    }
  }
}
