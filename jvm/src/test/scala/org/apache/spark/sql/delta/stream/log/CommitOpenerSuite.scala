// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.FileNotFoundException
import java.nio.file.Files
import java.util.concurrent.CompletableFuture
import java.util.concurrent.atomic.AtomicReference
import java.util.{Iterator => JIterator}

import scala.jdk.CollectionConverters._

import io.delta.storage.{CloseableIterator, HDFSLogStore, LineCloseableIterator}
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.impl.OpenFileParameters
import org.apache.hadoop.fs.{FSDataInputStream, FileStatus, LocalFileSystem, Path}
import org.apache.spark.sql.delta.storage.LogStoreAdaptor
import org.scalatest.funsuite.AnyFunSuite

class CommitOpenerSuite extends AnyFunSuite {
  import CommitOpenerSuite._

  private val conf = new Configuration
  conf.set("fs.file.impl", classOf[OpenRecorder].getName)
  conf.setBoolean("fs.file.impl.disable.cache", true)

  private def file(text: String): FileStatus = {
    val path = new Path(Files.writeString(Files.createTempFile("a commit é", ".json"), text).toUri)
    path.getFileSystem(conf).getFileStatus(path)
  }

  private def opener(store: HDFSLogStore): CommitOpener =
    new CommitOpener(new LogStoreAdaptor(store), RefreshingHadoopConf.fixed(conf))

  test("a file is opened with its known status, and a small file with a small buffer") {
    for ((length, buffer) <- Seq(10 -> 512, 4000 -> 4000, 200000 -> 65536)) {
      val status = file("é" * (length / 2))
      assert(opener(new HDFSLogStore(conf)).lines(status).toSeq == Seq("é" * (length / 2)))
      val opened = OpenRecorder.last.get.getOrElse(fail("not opened"))
      assert((opened.getStatus, opened.getBufferSize) == (status, buffer))
    }
  }

  test("lines are the same as those of Delta's log store") {
    for (text <- Seq("", "a", "a\n", "a\r\nb\rc\n\nd", "\n")) {
      val status = file(text)
      val delta = new LogStoreAdaptor(new HDFSLogStore(conf)).readAsIterator(status, conf).toSeq
      assert(opener(new HDFSLogStore(conf)).lines(status).toSeq == delta)
    }
  }

  test("a log store that overrides read is used to read lines") {
    assert(opener(new ReversingStore(conf)).lines(file("""{"a":1}""")).toSeq == Seq("""}1:"a"{"""))
  }

  test("opening a deleted file fails with FileNotFoundException") {
    val status = file("a")
    Files.delete(java.nio.file.Path.of(status.getPath.toUri.getPath))
    assertThrows[FileNotFoundException](opener(new HDFSLogStore(conf)).open(status))
  }
}

object CommitOpenerSuite {

  /** Records how a file was last opened. */
  final class OpenRecorder extends LocalFileSystem {
    override protected def openFileWithOptions(
        path: Path,
        parameters: OpenFileParameters): CompletableFuture[FSDataInputStream] = {
      OpenRecorder.last.set(Some(parameters))
      super.openFileWithOptions(path, parameters)
    }
  }

  object OpenRecorder {
    val last = new AtomicReference(Option.empty[OpenFileParameters])
  }

  /** Reads each line backwards. */
  final class ReversingStore(conf: Configuration) extends HDFSLogStore(conf) {
    override def read(path: Path, conf: Configuration): CloseableIterator[String] = {
      val lines = super.read(path, conf).asInstanceOf[LineCloseableIterator]
      new CloseableIterator[String] {
        private val reversed: JIterator[String] = lines.asScala.map(_.reverse).asJava
        override def hasNext: Boolean = reversed.hasNext
        override def next(): String = reversed.next()
        override def close(): Unit = lines.close()
      }
    }
  }
}
