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

  /** By endpoint and bucket: why the store does not support `If-None-Match`, or None if it does. */
  private val reasonByBucket = new ConcurrentHashMap[(String, URI), Option[String]]

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
    else {
      val bucket = (fs.getConf.getTrimmed("fs.s3a.endpoint", ""), fs.getUri)
      Option(reasonByBucket.get(bucket)).getOrElse {
        // Not within computeIfAbsent, which would block commits to other buckets. Asking twice does no harm.
        val found = askStore(fs, folder)
        reasonByBucket.put(bucket, found)
        found
      }
    }

  /** Returns true for the first call with this store in this process. */
  def isFirstWarning(store: URI): Boolean = warned.add(store)

  private def askStore(fs: FileSystem, folder: Path): Option[String] = {
    val path = new Path(folder, probeName)
    // The first write succeeds if no process has asked in this folder before.
    val first = probe(fs, path)
    val result = if (first == Written) probe(fs, path) else first
    result match {
      case Refused => None
      case Written => Some("it overwrote an object despite If-None-Match")
      case Unsupported(reason) => Some(reason)
    }
  }

  /**
   * Writes the object with `If-None-Match`. Fails with the store's exception if its answer says nothing about
   * `If-None-Match`.
   *
   * @param suspected a status that the store has answered with before, although it writes without the header
   */
  private def probe(fs: FileSystem, path: Path, suspected: Option[Int] = None): ProbeResult =
    try {
      write(new S3DirectWriter(fs).create(path))
      Written
    } catch {
      // The lookup after the write failed, so the answer to the write says nothing yet.
      case e: IOException if e.getSuppressed.nonEmpty => throw e
      case e: IOException =>
        (S3DirectWriter.statusOf(e), e) match {
          case (Some(412 | 409), _: FileAlreadyExistsException) => Refused
          case (Some(412), _) => Unsupported("it refuses If-None-Match although there is no such object")
          case (Some(status @ (405 | 415 | 501)), _) => Unsupported(s"it answers $status to If-None-Match")
          case (status @ Some(400 | 403), _) if status == suspected =>
            Unsupported(s"it answers ${status.value} to If-None-Match")
          // Expired credentials have this status too: they may have been renewed since.
          case (status @ Some(400 | 403), _) if unconditionalPutSucceeds(fs, path) => probe(fs, path, status)
          case (_, refused: FileAlreadyExistsException) => throw refused.getCause
          case _ => throw e
        }
    }

  private def unconditionalPutSucceeds(fs: FileSystem, path: Path): Boolean =
    try {
      write(new S3DirectWriter(fs).replace(path))
      true
    } catch { case _: IOException => false }

  private def write(out: S3DirectWriter.Output): Unit =
    try {
      out.writeBytes(probeText)
      out.close()
    } finally out.cancel()

  private sealed trait ProbeResult
  private case object Written extends ProbeResult
  private case object Refused extends ProbeResult
  private final case class Unsupported(reason: String) extends ProbeResult
}

/** A store does not support conditional writes. */
private[deltasource] final class ConditionalWritesUnsupported(store: URI, reason: String)
    extends IOException(
      s"[DELTASOURCE_CONDITIONAL_WRITES_UNSUPPORTED] $store does not support conditional writes: $reason. " +
        "Nothing was committed. S3ConditionalLogStore needs them, so that several drivers can write to a " +
        s"table. If only one driver writes, set spark.delta.logStore.${store.getScheme}.impl to " +
        "io.delta.storage.S3SingleDriverLogStore. Restart the driver to test the store again. " +
        "(see `deltasource explain-error DELTASOURCE_CONDITIONAL_WRITES_UNSUPPORTED`)")
    with SparkThrowable {
  override def getCondition: String = "DELTASOURCE_CONDITIONAL_WRITES_UNSUPPORTED"
  override def getMessageParameters: JMap[String, String] = JMap.of("store", store.toString, "reason", reason)
}
