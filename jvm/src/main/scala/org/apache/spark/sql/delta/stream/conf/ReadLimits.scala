// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.conf

import org.apache.spark.sql.connector.read.streaming.{ReadAllAvailable, ReadLimit, ReadMaxFiles}

import org.apache.spark.sql.delta.sources.{CompositeLimit, ReadMaxBytes}
import org.apache.spark.sql.delta.stream.plan.Budget
import org.apache.spark.sql.delta.{DeltaErrors, DeltaOptions}

/**
 * How much one batch may read: by the reader's options, or by a limit of the engine.
 *
 * @param maxFiles in files: `maxFilesPerTrigger`
 * @param maxBytes in bytes: `maxBytesPerTrigger`
 */
private[delta] final case class ReadLimits(maxFiles: Option[Int], maxBytes: Option[Long]) {

  /** The limit the source asks the engine for: 1,000 files if neither option is set. */
  def requestedLimit: ReadLimit = (maxFiles, maxBytes) match {
    case (Some(files), Some(bytes)) =>
      CompositeLimit(ReadMaxBytes(bytes), ReadLimit.maxFiles(files).asInstanceOf[ReadMaxFiles])
    case (None, Some(bytes)) => ReadMaxBytes(bytes)
    case (files, None) => ReadLimit.maxFiles(files.getOrElse(ReadLimits.defaultFiles))
  }

  /** The budget of a batch under the limit the engine passes. Fails for a kind of limit that Delta does not know. */
  def budget(limit: ReadLimit): Budget = ReadLimits.fromEngine(limit).fold(Budget.unlimited)(budget)

  /**
   * The budget for these limits, completed as delta-spark does where one is missing: no `maxFiles` means 1,000 files, or no limit on
   * files if the options limit bytes; no `maxBytes` means the options' `maxBytes`, or no limit on bytes.
   */
  def budget(limits: ReadLimits): Budget = Budget(
    limits.maxFiles.getOrElse(if (maxBytes.isDefined) Int.MaxValue else ReadLimits.defaultFiles).toLong,
    limits.maxBytes.orElse(maxBytes).getOrElse(Long.MaxValue)
  )
}

private[delta] object ReadLimits {
  private val defaultFiles = DeltaOptions.MAX_FILES_PER_TRIGGER_OPTION_DEFAULT

  def fromOptions(options: DeltaOptions): ReadLimits =
    ReadLimits(options.maxFilesPerTrigger, options.maxBytesPerTrigger)

  /** What the engine limits; None for `ReadAllAvailable`. Fails for a kind of limit that Delta does not know. */
  def fromEngine(limit: ReadLimit): Option[ReadLimits] = limit match {
    case _: ReadAllAvailable => None
    case files: ReadMaxFiles => Some(ReadLimits(Some(files.maxFiles), None))
    case bytes: ReadMaxBytes => Some(ReadLimits(None, Some(bytes.maxBytes)))
    case both: CompositeLimit => Some(ReadLimits(Some(both.maxFiles.maxFiles), Some(both.bytes.maxBytes)))
    case other => throw DeltaErrors.unknownReadLimit(other.toString)
  }
}
