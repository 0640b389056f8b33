// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.nio.file.Files
import java.nio.file.attribute.FileTime

import org.apache.commons.io.FileUtils
import org.apache.spark.sql.delta.testing.{CountingFileSystem, SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** When a table's newest version is known without a listing. */
class LatestSnapshotSuite extends AnyFunSuite with SourceFixture {
  private val long = 3600000L

  private def newest(t: TestTable, listInterval: Long = long) =
    new LatestSnapshot(t.log, None, listInterval).get()

  test("a table that was listed just now is only looked at") {
    val t = TestTable().create().append(Seq(1))
    withConf(CountingFileSystem.confs: _*) {
      val known = t.log.update()
      assert(CountingFileSystem.listings(assert(newest(t) eq known)) == 0)
      assert(CountingFileSystem.listings(newest(t, listInterval = 0)) == 1)
    }
  }

  test("a commit that came since is seen") {
    val t = TestTable().create().append(Seq(1))
    assert(newest(t).version == 1)
    t.writeCommit(2, """{"txn":{"appId":"a","version":1}}""")
    assert(newest(t).version == 2)
  }

  test("a table that was made anew with as many commits is seen") {
    val (t, other) = (TestTable().create(), TestTable().create())
    assert(newest(t).metadata.id != newest(other).metadata.id)
    FileUtils.copyDirectory(other.commitFile(0).getParent.toFile, t.commitFile(0).getParent.toFile)
    val later = Files.getLastModifiedTime(other.commitFile(0)).toMillis + 5000
    Files.setLastModifiedTime(t.commitFile(0), FileTime.fromMillis(later))
    assert(newest(t).metadata.id == newest(other).metadata.id)
  }

  test("a commit of another length is another, though it has the same time") {
    val t = TestTable().create().append(Seq(1))
    val time = Files.getLastModifiedTime(t.commitFile(1))
    val known = t.log.update()
    t.writeCommit(1, """{"txn":{"appId":"a","version":1}}""")
    Files.setLastModifiedTime(t.commitFile(1), time)
    withConf(CountingFileSystem.confs: _*)(assert(CountingFileSystem.listings(newest(t)) == 1))
    assert(known.version == 1)
  }

  test("a table of which nothing is left is seen") {
    val t = TestTable().create()
    assert(newest(t).version == 0)
    Files.delete(t.commitFile(0))
    assert(newest(t).version == -1)
  }
}
