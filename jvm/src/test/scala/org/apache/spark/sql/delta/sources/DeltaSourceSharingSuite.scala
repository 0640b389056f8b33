// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.Files

import org.apache.spark.sql.delta.testing.{SharingLogFileSystem, SourceFixture, TestTable}
import org.apache.spark.sql.delta.{DeltaLog, DeltaOptions}
import org.scalatest.funsuite.AnyFunSuite

/** A log of Delta Sharing, whose files are rewritten under the same names while a stream reads them. */
class DeltaSourceSharingSuite extends AnyFunSuite with SourceFixture {

  private def shared(t: TestTable): DeltaSource = {
    val conf = spark.sparkContext.hadoopConfiguration
    conf.set("fs.delta-sharing-log.impl", classOf[SharingLogFileSystem].getName)
    val log = DeltaLog.forTable(spark, s"delta-sharing-log://${t.path}")
    val options = new DeltaOptions(Map("startingVersion" -> "1"), spark.sessionState.conf)
    DeltaSource(spark, log, None, options, log.update(), t.checkpointFolder() + "/sources/0")
  }

  private def add(name: Char) =
    s"""{"add":{"path":"$name","partitionValues":{},"size":1,"modificationTime":1,"dataChange":true}}"""

  private def paths(
      source: DeltaSource,
      from: Option[DeltaSourceOffset],
      end: DeltaSourceOffset): Seq[String] =
    source.getBatch(from, end).queryExecution.analyzed.collectLeaves().flatMap {
      case relation: org.apache.spark.sql.execution.datasources.LogicalRelation =>
        relation.relation match {
          case files: org.apache.spark.sql.execution.datasources.HadoopFsRelation =>
            files.location.inputFiles.map(_.split('/').last).toSeq
          case _ => Nil
        }
      case _ => Nil
    }

  test("a commit file that was rewritten under the same name is read again") {
    val t = TestTable().create().writeCommit(1, add('a'), add('b'))
    val source = shared(t)
    val end = latest(source)
    assert(paths(source, None, end) == Seq("a", "b"))
    t.writeCommit(1, add('c'), add('d'))
    assert(paths(source, None, end) == Seq("c", "d"))
  }

  test("a stream continues after the versions it has read were deleted") {
    val t = TestTable().create().writeCommit(1, add('a'))
    val source = shared(t)
    val first = latest(source)
    t.checkpoint().writeCommit(2, add('b'))
    Seq(0L, 1L).foreach(version => Files.delete(t.commitFile(version)))
    val second = latest(source, first)
    assert(paths(source, Some(first), second) == Seq("b"))
  }

  test("no initial offset is recorded in the checkpoint") {
    val t = TestTable().create().writeCommit(1, add('a'))
    latest(shared(t))
    assert(!Files.exists(java.nio.file.Path.of(t.checkpointFolder(), "sources/0/start")))
  }
}
