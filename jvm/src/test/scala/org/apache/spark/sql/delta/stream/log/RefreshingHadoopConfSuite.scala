// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.util.concurrent.atomic.AtomicLong

import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, LocalFileSystem, Path}
import org.apache.spark.sql.delta.stream.model.CommitFile
import org.apache.spark.sql.delta.testing.{SharedSession, TestTable}
import org.scalatest.funsuite.AnyFunSuite

class RefreshingHadoopConfSuite extends AnyFunSuite with SharedSession {
  import RefreshingHadoopConfSuite._

  /** Sets the token in Spark's Hadoop configuration, as a user does; all tests of this run share it. */
  private def withToken[A](token: String)(body: => A): A = {
    val conf = spark.sparkContext.hadoopConfiguration
    conf.set(key, token)
    try body
    finally conf.unset(key)
  }

  test("M10: a configuration is cached for a second, and the next one has the changes made since") {
    val now = new AtomicLong(5)
    val log = TestTable().create().log
    val conf = new RefreshingHadoopConf(() => log.newDeltaHadoopConf(), () => now.get)
    withToken("old") {
      val first = conf.get()
      assert(first.get(key) == "old")
      now.addAndGet(RefreshingHadoopConf.ttlMillis - 1)
      assert(conf.get() eq first)
    }
    withToken("new") {
      assert(conf.get().get(key) == "old")
      now.addAndGet(1)
      assert(conf.get().get(key) == "new")
    }
  }

  test("M10: a rotated token reaches the lookup of a commit, the listing and the opening of its file") {
    val now = new AtomicLong
    val t = TestTable().create().append(Seq(1))
    val log = t.log
    withConf("fs.file.impl" -> classOf[Guarded].getName, "fs.file.impl.disable.cache" -> "true") {
      val conf = new RefreshingHadoopConf(() => log.newDeltaHadoopConf(), () => now.get)
      val folder = new LogFolder(log.store, log.logPath, conf)
      val opener = new CommitOpener(log.store, conf)
      def accessible(): Seq[Boolean] = {
        val file = CommitFile(1, new FileStatus(1, false, 1, 1, 1, new Path(t.commitFile(1).toUri)))
        Seq(
          Try(folder.find(1)).toOption.exists(_.nonEmpty),
          Try(folder.list(0)).toOption.exists(_.size == 2),
          Try(opener.lines(file.status).toVector).toOption.exists(_.nonEmpty)
        )
      }
      withToken("stale")(assert(accessible() == Seq(false, false, false)))
      withToken("valid") {
        assert(accessible() == Seq(false, false, false))
        now.addAndGet(RefreshingHadoopConf.ttlMillis)
        assert(accessible() == Seq(true, true, true))
      }
    }
  }
}

object RefreshingHadoopConfSuite {
  private val key = "deltasource.test.token"

  /** Fails unless the token was valid when the file system was created. */
  final class Guarded extends LocalFileSystem {
    override def getFileStatus(path: Path): FileStatus = checked(super.getFileStatus(path))
    override def listStatus(path: Path): Array[FileStatus] = checked(super.listStatus(path))
    override def open(path: Path, bufferSize: Int) = checked(super.open(path, bufferSize))
    override protected def openFileWithOptions(
        path: Path,
        parameters: org.apache.hadoop.fs.impl.OpenFileParameters) =
      checked(super.openFileWithOptions(path, parameters))

    private def checked[A](work: => A): A =
      if (token(getConf).contains("valid")) work else throw new java.io.IOException("the token is stale")
  }

  private def token(conf: Configuration): Option[String] = Option(conf.get(key))
}
