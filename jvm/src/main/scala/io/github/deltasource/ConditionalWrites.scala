// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource

import java.io.IOException
import java.net.URI
import java.util.concurrent.ConcurrentHashMap
import java.util.{Map => JMap}

import org.apache.spark.SparkThrowable

import org.apache.hadoop.fs.{FileAlreadyExistsException, FileSystem, Path}

/** Finds out, once per process and bucket, whether a store has conditional writes. */
private[deltasource] object ConditionalWrites {

  /**
   * Written next to the commits of one table, and left there: S3 must refuse to write it again. Readers of the
   * log skip it, as its name is not that of a commit.
   */
  private val probeName = ".conditional-writes"

  private val probeText =
    "deltasource wrote this object to find out whether the store refuses to write it again (If-None-Match)."

  /** By the URI of a bucket: why it has no conditional writes, or None if it has. */
  private val known = new ConcurrentHashMap[URI, Option[String]]

  private val warned = ConcurrentHashMap.newKeySet[URI]()

  /**
   * Returns why the store has no conditional writes; None if it has. Fails if it cannot be found out; then the
   * next call tries again.
   *
   * @param folder the folder of a table's log, to which the caller is about to write
   */
  def missing(fs: FileSystem, folder: Path): Option[String] =
    known.computeIfAbsent(
      fs.getUri,
      _ =>
        if (!S3DirectWriter.isSupported(fs, folder))
          Some("S3A is older than 3.4.2, or fs.s3a.create.conditional.enabled is false")
        else
          // The first write succeeds if no process has asked before.
          write(fs, folder).orElse(write(fs, folder)) match {
            case Some(Refused) => None
            case Some(NotImplemented) => Some("it does not implement If-None-Match")
            case None => Some("it overwrote an object despite If-None-Match")
          }
    )

  /** Whether this is the first warning about the store in this process. */
  def isFirstWarning(store: URI): Boolean = warned.add(store)

  /** Returns why the store did not write the object; None if it did. Fails if it does not say why. */
  private def write(fs: FileSystem, folder: Path): Option[NotWritten] = {
    val out = new S3DirectWriter(fs).create(new Path(folder, probeName))
    try {
      out.writeBytes(probeText)
      out.close()
      None
    } catch {
      case e: IOException if hasCause(e, "RemoteFileChangedException") => Some(Refused)
      case e: IOException if hasCause(e, "AWSUnsupportedFeatureException") => Some(NotImplemented)
      // The object exists, but the store failed for another reason, and may not have compared.
      case e: FileAlreadyExistsException => throw e.getCause
    }
  }

  /** Whether one of the causes is S3A's exception of that name. S3A may not be on the class path. */
  private def hasCause(failure: Throwable, name: String): Boolean =
    Iterator.unfold(Option(failure))(_.map(e => (e, Option(e.getCause)))).exists(_.getClass.getSimpleName == name)

  private sealed trait NotWritten
  private case object Refused extends NotWritten
  private case object NotImplemented extends NotWritten
}

/** A store has no conditional writes. */
private[deltasource] final class ConditionalWritesUnsupported(val store: URI, val reason: String)
    extends IOException(
      s"[DELTASOURCE_CONDITIONAL_WRITES_UNSUPPORTED] $store has no conditional writes: $reason. Nothing was " +
        "committed. S3ConditionalLogStore needs them, so that several drivers can write to a table. If only " +
        "one driver writes, set spark.delta.logStore.s3a.impl to io.delta.storage.S3SingleDriverLogStore.")
    with SparkThrowable {
  override def getCondition: String = "DELTASOURCE_CONDITIONAL_WRITES_UNSUPPORTED"
  override def getMessageParameters: JMap[String, String] = JMap.of("store", store.toString, "reason", reason)
}
