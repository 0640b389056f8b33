// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.io.FileNotFoundException
import java.net.URI

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FSDataInputStream, FSInputStream, FileStatus, Path, RawLocalFileSystem}

/** The local file system under the scheme of a connector, recording the requests that the connector sends. */
final class ConnectorFileSystem(connector: Connector) extends RawLocalFileSystem {
  private var sent = Vector.empty[Connector.Request]
  initialize(new URI("file:///"), new Configuration(false))

  /** The requests since the file system was created. */
  def requests: Seq[Connector.Request] = sent

  override def getUri: URI = new URI(s"${connector.scheme}:///")
  override protected def checkPath(path: Path): Unit = ()

  override def getFileStatus(path: Path): FileStatus = {
    sent ++= (if (pathToFile(path).exists) connector.statusOfFile else connector.statusOfMissing)
    super.getFileStatus(path)
  }

  /** A lookup reads nothing, so the content does not matter. */
  override def open(path: Path, bufferSize: Int): FSDataInputStream = {
    sent ++= connector.open
    // A connector that sends nothing does not know yet that the file is missing.
    if (connector.open.nonEmpty && !pathToFile(path).exists) throw new FileNotFoundException(path.toString)
    new FSDataInputStream(new FSInputStream {
      override def read(): Int = throw new FileNotFoundException(path.toString)
      override def seek(position: Long): Unit = ()
      override def getPos: Long = 0
      override def seekToNewSource(position: Long): Boolean = false
    })
  }
}
