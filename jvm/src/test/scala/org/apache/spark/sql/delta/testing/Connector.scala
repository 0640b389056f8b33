// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import org.apache.spark.sql.delta.testing.Connector.Request

/**
 * The requests that the connector of a file system sends, as its documents say.
 *
 * @param statusOfFile    what `getFileStatus` sends if there is a file at the path
 * @param statusOfMissing what it sends if there is nothing at the path
 * @param open            what opening a file sends before anything is read, and opening a missing one
 */
final case class Connector(
    scheme: String,
    statusOfFile: Seq[Request],
    statusOfMissing: Seq[Request],
    open: Seq[Request])

object Connector {
  sealed abstract class Request
  case object Head extends Request
  case object ListFolder extends Request

  /** A call to a file system that is no object store, or whose requests are not known. */
  case object Status extends Request
  case object Open extends Request

  /**
   * "Introducing the Hadoop S3A client", Performance: `getFileStatus` sends a HEAD and, if there is no object, a
   * LIST, because the path may be a folder. "Maximizing Performance when working with the S3A Connector":
   * `openFile()` does not look for a folder.
   */
  val S3A: Connector = Connector("s3a", Seq(Head), Seq(Head, ListFolder), Seq(Head))

  /**
   * "Hadoop Azure Support: ABFS", Hierarchical Namespaces: folders exist, so a path is looked up with one
   * request, Path - Get Properties of the REST API of Data Lake Storage Gen2, which is a HEAD. Opening a file
   * sends the same one.
   */
  val Abfs: Connector = Connector("abfs", Seq(Head), Seq(Head), Seq(Head))

  /**
   * CONFIGURATION.md of the connector for Google Cloud Storage: with
   * `fs.gs.implicit.dir.infer.enable`, the default, a path without an object is a folder if objects are
   * listed under it; with `fs.gs.inputstream.fast.fail.on.not.found.enable`, the default, opening a file looks
   * the object up, and nothing else.
   */
  val Gcs: Connector = Connector("gs", Seq(Head), Seq(Head, ListFolder), Seq(Head))

  /** The same with `fs.gs.inputstream.fast.fail.on.not.found.enable` off: a missing file can be opened. */
  val LazyGcs: Connector = Gcs.copy(open = Nil)

  /** Any other file system: what a call sends, we do not know. */
  def other(scheme: String): Connector = Connector(scheme, Seq(Status), Seq(Status), Seq(Open))
}
