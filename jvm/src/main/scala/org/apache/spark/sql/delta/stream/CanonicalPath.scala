// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import java.net.{URI, URISyntaxException}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FileSystem
import org.apache.spark.sql.delta.DeltaLog

/**
 * One spelling for all spellings of a data file's path. The log of a table may name one file by a path relative to the
 * table, by an absolute path, or by a URI with one slash or three after its scheme, percent-encoded in more or fewer
 * places: other writers add a file in one spelling and remove it in another. Only for comparing: files are read by the
 * path that the log has.
 *
 * @param table      the table's root, qualified
 * @param fileSystem where a path without a scheme that begins with a slash is found
 */
final case class CanonicalPath(table: URI, fileSystem: URI) extends (String => String) {

  override def apply(path: String): String = {
    val uri = CanonicalPath.parsed(path)
    val isRelative = Option(uri.getScheme).isEmpty && !uri.getPath.startsWith("/")
    if (isRelative) written(table, s"${table.getPath}/${uri.getPath}")
    else if (Option(uri.getScheme).isEmpty) written(fileSystem, uri.getPath)
    else written(uri, uri.getPath)
  }

  /** Decoded, without dot segments and empty ones. */
  private def written(at: URI, path: String): String = {
    val plain = new URI(null, null, path.replaceAll("/+", "/"), null).normalize.getPath
    s"${at.getScheme}://${Option(at.getAuthority).getOrElse("")}$plain"
  }
}

object CanonicalPath {

  def of(log: DeltaLog, hadoopConf: Configuration): CanonicalPath = {
    val root = log.dataPath
    CanonicalPath(
      root.getFileSystem(hadoopConf).makeQualified(root).toUri,
      FileSystem.getDefaultUri(hadoopConf))
  }

  /** What is no URI, with a space in it say, is a plain path; so is a URI without a path, such as `a:b`. */
  private def parsed(path: String): URI =
    try Some(new URI(path)).filter(uri => Option(uri.getPath).nonEmpty).getOrElse(plain(path))
    catch { case _: URISyntaxException => plain(path) }

  /** A colon in the first segment would end a scheme. */
  private def plain(path: String): URI =
    new URI(null, null, if (path.startsWith("/")) path else s"./$path", null)
}
