// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.net.URI
import java.nio.file.Files

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FSDataInputStream, FileStatus, Path, RawLocalFileSystem}
import org.scalatest.funsuite.AnyFunSuite

/** Lookups on file systems that count calls, under the schemes of object stores. */
class FileLookupSuite extends AnyFunSuite {

  /** The local file system under another scheme. */
  private final class Counting(scheme: String) extends RawLocalFileSystem {
    var calls = Vector.empty[String]
    initialize(new URI("file:///"), new Configuration(false))

    override def getUri: URI = new URI(s"$scheme:///")
    override protected def checkPath(path: Path): Unit = ()
    override def getFileStatus(path: Path): FileStatus = counting("status")(super.getFileStatus(path))
    override def open(path: Path, bufferSize: Int): FSDataInputStream =
      counting("open")(super.open(path, bufferSize))

    /** Counts one call, not those that the local file system makes for it. */
    private def counting[T](call: String)(work: => T): T = {
      val before = calls
      try work
      finally calls = before :+ call
    }
  }

  private val folder = Files.createTempDirectory("lookup")
  private val present = new Path(Files.writeString(folder.resolve("1.json"), "{}").toUri)
  private val missing = new Path(folder.resolve("2.json").toUri)

  test("a missing file is not looked up by status where that would list a folder") {
    for ((scheme, calls) <- Seq(
        "s3a" -> Seq("open"),
        "s3" -> Seq("open"),
        "gs" -> Seq("open"),
        "abfss" -> Seq("status"),
        "hdfs" -> Seq("status"))) {
      val fs = new Counting(scheme)
      assert(FileLookup.find(fs, missing).isEmpty && fs.calls == calls, scheme)
    }
  }

  test("a file that exists is found with its status, whichever lookup is used") {
    for (scheme <- Seq("s3a", "hdfs"); lookUp <- Seq(FileLookup.find _, FileLookup.status _))
      assert(lookUp(new Counting(scheme), present).exists(_.getLen == 2), scheme)
  }

  test("a file known to exist takes one status check") {
    val fs = new Counting("s3a")
    assert(FileLookup.status(fs, present).nonEmpty && FileLookup.status(fs, missing).isEmpty)
    assert(fs.calls == Seq("status", "status"))
  }

  test("a folder is not a file") {
    assert(FileLookup.find(new Counting("hdfs"), present.getParent).isEmpty)
  }
}
