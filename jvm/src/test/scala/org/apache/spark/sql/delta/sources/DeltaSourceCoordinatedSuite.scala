// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.Files

import scala.util.Using

import org.apache.spark.sql.delta.coordinatedcommits.{
  CommitCoordinatorProvider,
  InMemoryCommitCoordinatorBuilder
}
import org.apache.spark.sql.delta.testing.{SourceFixture, TestTable}
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/** Tables whose commits a coordinator knows before they are files of the log. */
class DeltaSourceCoordinatedSuite extends AnyFunSuite with SourceFixture with BeforeAndAfterAll {
  private val coordinator = InMemoryCommitCoordinatorBuilder(batchSize = 4)

  override def beforeAll(): Unit = {
    super.beforeAll()
    CommitCoordinatorProvider.clearNonDefaultBuilders()
    CommitCoordinatorProvider.registerBuilder(coordinator)
  }

  override def afterAll(): Unit = {
    CommitCoordinatorProvider.clearNonDefaultBuilders()
    super.afterAll()
  }

  private def managed(): TestTable =
    TestTable().create(
      "id LONG",
      s"TBLPROPERTIES ('delta.coordinatedCommits.commitCoordinator-preview' = '${coordinator.getName}', " +
        "'delta.coordinatedCommits.commitCoordinatorConf-preview' = '{}')"
    )

  /** The versions that are files of the log by now. */
  private def published(t: TestTable): Set[Long] =
    Using.resource(Files.list(t.commitFile(0).getParent)) { files =>
      files.map(_.getFileName.toString).filter(_.matches("\\d{20}\\.json")).toArray.map(_.toString.take(20).toLong).toSet
    }

  test("commits that are staged are read, and each once when they are published later") {
    val t = managed().append(Seq(1)).append(Seq(2))
    val source = sourceOf(t, "startingVersion" -> "0")
    val first = latest(source)
    assert(rows(source.getBatch(None, first)) == Seq(1, 2) && !published(t)(2))
    t.append(Seq(3)).append(Seq(4)).append(Seq(5))
    assert(published(t)(2))
    val second = latest(source, first)
    assert(rows(source.getBatch(Some(first), second)) == Seq(3, 4, 5) && latest(source, second) == second)
  }

  test("a batch planned from a staged commit is read after its publication") {
    val t = managed().append(Seq(1))
    val source = sourceOf(t, "startingVersion" -> "0")
    val end = latest(source)
    t.append(Seq(2)).append(Seq(3)).append(Seq(4))
    assert(published(t)(1) && rows(source.getBatch(None, end)) == Seq(1))
    assert(rows(sourceOf(t, "startingVersion" -> "0").getBatch(None, end)) == Seq(1))
  }

  test("the initial snapshot holds what is staged") {
    val t = managed().append(Seq(1)).append(Seq(2))
    assert(batches(sourceOf(t)).flatMap(_._1).sorted == Seq(1, 2))
  }
}
