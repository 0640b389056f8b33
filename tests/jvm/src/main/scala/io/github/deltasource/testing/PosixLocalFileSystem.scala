// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.testing

import java.net.URI
import java.nio.file.Files
import java.nio.file.attribute.PosixFilePermissions

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs._
import org.apache.hadoop.fs.local.LocalConfigKeys
import org.apache.hadoop.fs.permission.FsPermission

/**
 * Local files whose permissions Java sets. Hadoop's own file system, without its native library, starts the program
 * `chmod` for each file and folder, and `readlink` for each that is renamed. That takes longer than the other work of a
 * test on the file.
 */
class PosixLocalFileSystem extends LocalFileSystem(new PosixRawFileSystem)

/** The same for `FileContext`, with which Spark writes checkpoints. */
class PosixLocalFs(uri: URI, conf: Configuration) extends ChecksumFs(new PosixRawFs(uri, conf))

class PosixRawFileSystem extends RawLocalFileSystem {

  override def setPermission(path: Path, permission: FsPermission): Unit = {
    val actions = Seq(permission.getUserAction, permission.getGroupAction, permission.getOtherAction)
    val permissions = PosixFilePermissions.fromString(actions.map(_.SYMBOL).mkString)
    val _ = Files.setPosixFilePermissions(pathToFile(path).toPath, permissions)
  }

  override def getFileLinkStatus(path: Path): FileStatus =
    if (Files.isSymbolicLink(pathToFile(path).toPath)) super.getFileLinkStatus(path) else getFileStatus(path)
}

private class PosixRawFs(uri: URI, conf: Configuration)
    extends DelegateToFileSystem(uri, new PosixRawFileSystem, conf, "file", false) {

  override def getUriDefaultPort: Int = -1

  override def getServerDefaults(path: Path): FsServerDefaults = LocalConfigKeys.getServerDefaults

  /** Windows has other rules. */
  override def isValidName(name: String): Boolean = true
}
