// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import java.nio.file.Files

import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.testing.{JobCount, SharedSession, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** The list of files that a query keeps; Delta's own list is the reference. */
class FileListSuite extends AnyFunSuite with SharedSession {

  private val vectors = "TBLPROPERTIES ('delta.enableDeletionVectors'='true')"

  private def assertSame(list: FileList, table: TestTable, isKept: Boolean = true): Unit = {
    val snapshot = table.log.update()
    var found = Seq.empty[AddFile]
    val jobs = JobCount.of(spark) { found = list.of(snapshot) }
    def text(file: AddFile) = (file.path, file.getDeletionVectorUniqueId, file.size, file.stats)
    assert(found.map(text).sortBy(_._1) == snapshot.allFiles.collect().toSeq.map(text).sortBy(_._1))
    val _ = assert(isKept == (jobs == 0), s"$jobs jobs")
  }

  test("commits are read without a Spark job, whoever has made them") {
    val table = TestTable().create(clause = vectors).append(0L until 20L, files = 2)
    val list = new FileList
    assertSame(list, table)
    assertSame(list, table)
    Seq(
      s"INSERT INTO ${table.name} VALUES (20)",
      s"DELETE FROM ${table.name} WHERE id = 3",
      s"DELETE FROM ${table.name} WHERE id = 4",
      s"OPTIMIZE ${table.name}",
      s"RESTORE ${table.name} TO VERSION AS OF 3",
      s"INSERT OVERWRITE ${table.name} VALUES (1)"
    ).foreach { statement =>
      table.sql(statement)
      assertSame(list, table)
    }
    table.append(Seq(2)).append(Seq(3))
    assertSame(list, table)
  }

  test("commits that are not there any more, too many commits, and another table are read as a whole") {
    val table = TestTable().create().append(Seq(1))
    val list = new FileList
    assertSame(list, table)
    table.append(Seq(2)).append(Seq(3)).checkpoint()
    Files.delete(table.commitFile(2))
    assertSame(list, table, isKept = false)
    (0 until 21).foreach(i => table.append(Seq(i.toLong)))
    assertSame(list, table, isKept = false)
    table.sql(s"CREATE OR REPLACE TABLE ${table.name} (id LONG) USING delta").append(Seq(5))
    assertSame(list, table)
  }

  test("a table with a checkpoint is read as a whole the first time, and then only its commits") {
    val table = TestTable().create(clause = vectors).append(0L until 20L, files = 2).checkpoint()
    val list = new FileList
    assertSame(list, table, isKept = false)
    assertSame(list, table)
    table.append(Seq(20))
    assertSame(list, table)
  }

  test("files of a shallow clone, whose paths are absolute, are read as a whole") {
    val source = TestTable().create().append(Seq(1))
    val clone = TestTable()
    clone.sql(s"CREATE TABLE ${clone.name} SHALLOW CLONE ${source.name}")
    val list = new FileList
    assertSame(list, clone, isKept = false)
    assertSame(list, clone, isKept = false)
  }
}
