// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource

import java.io.IOException
import java.net.URI
import java.util.concurrent.ConcurrentHashMap
import java.util.{Map => JMap}

import org.apache.spark.SparkThrowable

import org.apache.hadoop.fs.{FileAlreadyExistsException, FileSystem, Path}

/** Finds out, once per process and bucket, whether a store supports `If-None-Match`. */
private[deltasource] object ConditionalWrites {

  /**
   * Written to the folder of the first commit, and left there: the store must refuse to write it again. Readers
   * of the log skip it, as its name is not that of a commit.
   */
  private val probeName = ".conditional-writes"

  private val probeText =
    "deltasource wrote this object to find out whether the store refuses to write it again (If-None-Match)."

  /** By the URI of a bucket: why it does not support `If-None-Match`, or None if it does. */
  private val reasonByBucket = new ConcurrentHashMap[URI, Option[String]]

  private val warned = ConcurrentHashMap.newKeySet[URI]()

  /**
   * Returns why files cannot be written with `If-None-Match`; None if they can. The answer of the store is kept
   * until the process ends. Fails with the file system's exception if the store does not answer; then the next
   * call asks again.
   *
   * @param folder the folder to which the caller is about to commit
   */
  def unsupportedReason(fs: FileSystem, folder: Path): Option[String] =
    if (!S3DirectWriter.isSupported(fs, folder))
      Some(
        s"${fs.getClass.getName} does not send If-None-Match; S3A 3.4.2 or later does, unless " +
          "fs.s3a.create.conditional.enabled is false")
    else
      Option(reasonByBucket.get(fs.getUri)).getOrElse {
        // Not within computeIfAbsent, which would block commits to other buckets. Asking twice does no harm.
        val found = askStore(fs, folder)
        reasonByBucket.put(fs.getUri, found)
        found
      }

  /** Returns true for the first call with this store in this process. */
  def markWarned(store: URI): Boolean = warned.add(store)

  private def askStore(fs: FileSystem, folder: Path): Option[String] = {
    val path = new Path(folder, probeName)
    // The first write succeeds if no process has asked in this folder before.
    val first = attempt(fs, path)
    val answer = if (first == Written) attempt(fs, path) else first
    answer match {
      case Refused => None
      case Written => Some("it overwrote an object despite If-None-Match")
      case Unsupported(reason) => Some(reason)
    }
  }

  private def attempt(fs: FileSystem, path: Path): Answer =
    try {
      write(new S3DirectWriter(fs).create(path))
      Written
    } catch {
      case e: IOException => answerOf(fs, path, e)
    }

  /** The answer behind a failure. Fails with the store's exception if it says nothing about `If-None-Match`. */
  private def answerOf(fs: FileSystem, path: Path, failure: IOException): Answer =
    (S3DirectWriter.statusOf(failure), failure) match {
      case (Some(412 | 409), _: FileAlreadyExistsException) => Refused
      case (Some(412), _) => Unsupported("it refuses If-None-Match although there is no such object")
      case (Some(status @ (405 | 415 | 501)), _) => Unsupported(s"it answers $status to If-None-Match")
      case (Some(status @ (400 | 403)), _) if writesOtherwise(fs, path) =>
        Unsupported(s"it answers $status to If-None-Match")
      case (_, e: FileAlreadyExistsException) => throw e.getCause
      case _ => throw failure
    }

  private def writesOtherwise(fs: FileSystem, path: Path): Boolean =
    try {
      write(new S3DirectWriter(fs).replace(path))
      true
    } catch { case _: IOException => false }

  private def write(out: S3DirectWriter.Output): Unit =
    try {
      out.writeBytes(probeText)
      out.close()
    } finally out.cancel()

  private sealed trait Answer
  private case object Written extends Answer
  private case object Refused extends Answer
  private final case class Unsupported(reason: String) extends Answer
}

/** A store does not support conditional writes. */
private[deltasource] final class ConditionalWritesUnsupported(val store: URI, val reason: String)
    extends IOException(
      s"[DELTASOURCE_CONDITIONAL_WRITES_UNSUPPORTED] $store does not support conditional writes: $reason. " +
        "Nothing was committed. S3ConditionalLogStore needs them, so that several drivers can write to a " +
        "table. If only one driver writes, set spark.delta.logStore.s3a.impl to " +
        "io.delta.storage.S3SingleDriverLogStore. The store is asked again in a new process.")
    with SparkThrowable {
  override def getCondition: String = "DELTASOURCE_CONDITIONAL_WRITES_UNSUPPORTED"
  override def getMessageParameters: JMap[String, String] = JMap.of("store", store.toString, "reason", reason)
}
