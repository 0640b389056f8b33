// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.model

import java.net.{URI, URISyntaxException}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FileSystem
import org.apache.spark.sql.delta.DeltaLog

/**
 * Converts the path of a data file to one canonical form, so that paths can be compared.
 *
 * The transaction log may name one file by a path relative to the table, by an absolute path, or by a URI
 * with one or three slashes after its scheme, with more or fewer characters percent-encoded. Other writers
 * may add a file under one of these forms and remove it under another. Use the result only for comparisons:
 * files are read by the path that the log contains.
 *
 * @param table      the qualified root of the table
 * @param fileSystem the file system of paths that start with a slash and have no scheme
 */
private[stream] final case class CanonicalPath(table: URI, fileSystem: URI) extends (String => String) {

  /** The canonical form of the table's root, with a slash at its end. */
  private val root: String = canonical(table, s"${table.getPath}/")

  /** Returns the canonical form of a path from the log: a decoded URI with a scheme. */
  override def apply(path: String): String = if (CanonicalPath.isPlain(path)) root + path else parsed(path)

  /** The same for any path. */
  private[model] def parsed(path: String): String = {
    val uri = CanonicalPath.parse(path)
    val isRelative = Option(uri.getScheme).isEmpty && !uri.getPath.startsWith("/")
    if (isRelative) canonical(table, s"${table.getPath}/${uri.getPath}")
    else if (Option(uri.getScheme).isEmpty) canonical(fileSystem, uri.getPath)
    else canonical(uri, uri.getPath)
  }

  /** Joins the scheme and authority of `root` with a decoded path, without `.`, `..` and empty segments. */
  private def canonical(root: URI, path: String): String = {
    val normalized = new URI(null, null, path.replaceAll("/+", "/"), null).normalize.getPath
    s"${root.getScheme}://${Option(root.getAuthority).getOrElse("")}$normalized"
  }
}

private[stream] object CanonicalPath {

  /** Returns the conversion for the table of `log`; `hadoopConf` gives the default file system. */
  def of(log: DeltaLog, hadoopConf: Configuration): CanonicalPath = {
    val root = log.dataPath
    CanonicalPath(
      root.getFileSystem(hadoopConf).makeQualified(root).toUri,
      FileSystem.getDefaultUri(hadoopConf))
  }

  /**
   * Whether a path is relative to the table, and parsing it as a URI would change nothing. Delta's writers use
   * such paths, and parsing a hundred thousand of them takes longer than parsing their commits.
   */
  def isPlain(path: String): Boolean =
    path.nonEmpty && path.forall(isPlain) && path.head != '/' && path.head != '.' &&
      !path.contains("//") && !path.contains("/.")

  private def isPlain(char: Char): Boolean =
    (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || (char >= '0' && char <= '9') ||
      char == '-' || char == '.' || char == '_' || char == '=' || char == '/'

  /**
   * Parses a path as a URI. A string that is not a valid URI (for example one with a space), or that has no
   * URI path (such as `a:b`), is treated as a plain path.
   */
  private def parse(path: String): URI =
    try Some(new URI(path)).filter(uri => Option(uri.getPath).nonEmpty).getOrElse(plainPath(path))
    catch { case _: URISyntaxException => plainPath(path) }

  /** Adds `./` to a relative path, because a colon in its first segment would be read as a scheme. */
  private def plainPath(path: String): URI =
    new URI(null, null, if (path.startsWith("/")) path else s"./$path", null)
}
