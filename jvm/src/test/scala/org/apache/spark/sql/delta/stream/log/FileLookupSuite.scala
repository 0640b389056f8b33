// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.nio.file.Files

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.testing.Connector._
import org.apache.spark.sql.delta.testing.{Connector, ConnectorFileSystem}
import org.scalatest.funsuite.AnyFunSuite

/** The requests of lookups, on file systems that count them as the documents of their connectors say. */
class FileLookupSuite extends AnyFunSuite {
  private val folder = Files.createTempDirectory("lookup")
  private val present = new Path(Files.writeString(folder.resolve("1.json"), "{}").toUri)
  private val missing = new Path(folder.resolve("2.json").toUri)

  private val stores = Seq(S3A, S3A.copy(scheme = "s3"), Gcs, Abfs, Abfs.copy(scheme = "abfss"))
  private val others = Seq("file", "hdfs", "viewfs", "wasb", "wasbs", "oss", "unknown").map(Connector.other)

  /** The requests of one lookup, and whether it found a file. */
  private def lookUp(connector: Connector, path: Path, isKnown: Boolean = false): (Seq[Request], Boolean) = {
    val fs = new ConnectorFileSystem(connector)
    val found = if (isKnown) FileLookup.status(fs, path) else FileLookup.find(fs, path)
    assert(found.forall(_.getLen == 2))
    (fs.requests, found.nonEmpty)
  }

  test("a missing file is not looked up by status where that would list a folder: one HEAD on object stores") {
    for (store <- stores) assert(lookUp(store, missing) == (Seq(Head), false), store)
  }

  test("a file that is there takes one HEAD more where it is opened first, and a known one takes one HEAD") {
    for (store <- stores) {
      val opened = if (store.scheme.startsWith("abfs")) Nil else Seq(Head)
      assert(lookUp(store, present) == (opened :+ Head, true), store)
      assert(lookUp(store, present, isKnown = true) == (Seq(Head), true), store)
    }
  }

  test("a known file that is gone may be listed") {
    assert(lookUp(S3A, missing, isKnown = true) == (Seq(Head, ListFolder), false))
  }

  test("on any other file system, known to us or not, a lookup is one status check") {
    for (other <- others) {
      assert(lookUp(other, missing) == (Seq(Status), false), other)
      assert(lookUp(other, present) == (Seq(Status), true), other)
      assert(lookUp(other, present, isKnown = true) == (Seq(Status), true), other)
    }
  }

  test("a connector that can open a missing file finds none, with a listing") {
    assert(lookUp(LazyGcs, missing) == (Seq(Head, ListFolder), false))
  }

  test("a folder is not a file") {
    for (connector <- Seq(Abfs, Connector.other("hdfs")))
      assert(!lookUp(connector, present.getParent)._2, connector)
  }
}
