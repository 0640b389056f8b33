// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.nio.file.Files
import java.nio.file.attribute.FileTime

import org.apache.commons.io.FileUtils
import org.apache.spark.sql.delta.testing.{CountingFileSystem, SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** When a table's newest version is known without a listing. */
class LatestSnapshotProviderSuite extends AnyFunSuite with SourceFixture {
  private val long = 3600000L

  private def newest(t: TestTable, listInterval: Long = long) =
    new LatestSnapshotProvider(t.log, None, listInterval).get()

  test("a table that was just listed is not listed again") {
    val t = TestTable().create().append(Seq(1))
    withConf(CountingFileSystem.confs: _*) {
      val known = t.log.update()
      assert(CountingFileSystem.listings(assert(newest(t) eq known)) == 0)
      assert(CountingFileSystem.listings(newest(t, listInterval = 0)) == 1)
    }
  }

  test("a commit made since the last listing is found") {
    val t = TestTable().create().append(Seq(1))
    assert(newest(t).version == 1)
    t.writeCommit(2, """{"txn":{"appId":"a","version":1}}""")
    assert(newest(t).version == 2)
  }

  test("a table recreated with as many commits is noticed") {
    val (t, other) = (TestTable().create(), TestTable().create())
    assert(newest(t).metadata.id != newest(other).metadata.id)
    FileUtils.copyDirectory(other.commitFile(0).getParent.toFile, t.commitFile(0).getParent.toFile)
    val later = Files.getLastModifiedTime(other.commitFile(0)).toMillis + 5000
    Files.setLastModifiedTime(t.commitFile(0), FileTime.fromMillis(later))
    assert(newest(t).metadata.id == newest(other).metadata.id)
  }

  test("a commit of another length is a different one, even with the same modification time") {
    val t = TestTable().create().append(Seq(1))
    val time = Files.getLastModifiedTime(t.commitFile(1))
    val known = t.log.update()
    t.writeCommit(1, """{"txn":{"appId":"a","version":1}}""")
    Files.setLastModifiedTime(t.commitFile(1), time)
    withConf(CountingFileSystem.confs: _*)(assert(CountingFileSystem.listings(newest(t)) == 1))
    assert(known.version == 1)
  }

  test("a table whose commits were all deleted is noticed") {
    val t = TestTable().create()
    assert(newest(t).version == 0)
    Files.delete(t.commitFile(0))
    assert(newest(t).version == -1)
  }
}
