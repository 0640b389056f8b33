// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.nio.file.{Files, Path => JPath}
import java.util.{Iterator => JIterator}

import scala.jdk.CollectionConverters._

import io.delta.storage.{CloseableIterator, HDFSLogStore}
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.delta.storage.{LogStore, LogStoreAdaptor}
import org.apache.spark.sql.delta.stream.log.parse.CommitChecksum
import org.apache.spark.sql.delta.stream.model.CommitIdentity
import org.scalatest.funsuite.AnyFunSuite

/** A log store that keeps the files of a log at other paths than the log's. */
class PhysicalPathSuite extends AnyFunSuite {
  import PhysicalPathSuite._

  private val conf = new Configuration
  private val hadoopConf = RefreshingHadoopConf.fixed(conf)
  private val logPath = new Path("file:/logical/table/_delta_log")

  private def store(): (LogStore, JPath) = {
    val folder = Files.createTempDirectory("physical")
    (new LogStoreAdaptor(new Mapped(conf, folder)), folder)
  }

  private def write(folder: JPath, version: Long): Unit = {
    val _ = Files.writeString(folder.resolve(f"$version%020d.json"), s"line $version\n")
  }

  test("M11: a commit is found by name at its physical path, and has its logical path") {
    val (mapped, folder) = store()
    write(folder, 0)
    val log = new LogFolder(mapped, logPath, hadoopConf)
    val found = log.find(0).getOrElse(fail("not found"))
    assert(log.list(0) == Seq(found) && log.find(1).isEmpty)
    assert(found.status.getPath.getParent == logPath && found.status.getLen == 7)
    assert(found.identity.compare(log.list(0).head.identity) == CommitIdentity.Same)
    write(folder, 1)
    assert(log.find(1).nonEmpty)
  }

  test("M11: the lines of a commit are read through the store, not from the bytes at its path") {
    val (mapped, folder) = store()
    write(folder, 3)
    val opener = new CommitOpener(mapped, hadoopConf)
    val file = new LogFolder(mapped, logPath, hadoopConf).find(3).getOrElse(fail("not found")).status
    assert(!opener.canBypassLogStore(file) && opener.lines(file).toSeq == Seq("line 3"))
    val hash = new CommitChecksum
    assert(opener.lines(file, hash).toSeq == Seq("line 3") && hash.value != new CommitChecksum().value)
  }

  test("M11: a store that only maps paths is still read through the store") {
    val (_, folder) = store()
    val mapped = new LogStoreAdaptor(new OnlyMapped(conf, folder))
    val path = new Path(logPath, "00000000000000000003.json")
    assert(!new CommitOpener(mapped, hadoopConf).canBypassLogStore(new FileStatus(1, false, 1, 1, 1, path)))
    val plain = new LogStoreAdaptor(new HDFSLogStore(conf))
    assert(new CommitOpener(plain, hadoopConf).canBypassLogStore(new FileStatus(1, false, 1, 1, 1, path)))
  }

  test("M11: a store that cannot resolve physical paths has its files at their logical paths") {
    val silent = new LogStoreAdaptor(new HDFSLogStore(conf) {
      override def resolvePathOnPhysicalStorage(path: Path, conf: Configuration): Path =
        throw new UnsupportedOperationException("silent")
    })
    assert(PhysicalPath.of(silent, logPath, conf) == logPath)
  }
}

object PhysicalPathSuite {

  sealed class OnlyMapped(conf: Configuration, folder: JPath) extends HDFSLogStore(conf) {
    override def resolvePathOnPhysicalStorage(path: Path, conf: Configuration): Path =
      new Path(folder.resolve(path.getName).toUri)
  }

  final class Mapped(conf: Configuration, folder: JPath) extends OnlyMapped(conf, folder) {
    override def read(path: Path, conf: Configuration): CloseableIterator[String] =
      super.read(resolvePathOnPhysicalStorage(path, conf), conf)

    override def listFrom(path: Path, conf: Configuration): JIterator[FileStatus] =
      super
        .listFrom(resolvePathOnPhysicalStorage(path, conf), conf)
        .asScala
        .map(file => PhysicalPath.withPath(file, new Path(path.getParent, file.getPath.getName)))
        .asJava
  }
}
