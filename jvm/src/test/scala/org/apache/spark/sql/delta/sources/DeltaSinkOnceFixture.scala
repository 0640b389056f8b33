// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.{Files, Path, StandardCopyOption}
import java.util.concurrent.FutureTask
import java.util.concurrent.atomic.AtomicReference

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.udf
import org.apache.spark.sql.streaming.StreamingQueryException

import org.apache.spark.sql.delta.DeltaOperations
import org.apache.spark.sql.delta.actions.SetTransaction
import org.apache.spark.sql.delta.testing.{SinkFixture, TestTable}
import org.scalatest.Assertions

/** Reads the error of a failed query, and lets others write while a batch runs. */
trait DeltaSinkOnceFixture extends SinkFixture with Assertions {
  import DeltaSinkOnceFixture._

  protected def failure(run: => Any): Throwable = intercept[StreamingQueryException](run).getCause

  protected def condition(run: => Any): String = failure(run) match {
    case known: SparkThrowable => known.getCondition
    case other => fail(other)
  }

  /** Commits to the table as another process would. */
  protected def commit(table: TestTable, marker: SetTransaction): Unit = {
    val _ = table.log.startTransaction(None).commit(Seq(marker), DeltaOperations.ManualUpdate)
  }

  protected def copyCheckpoint(table: TestTable, from: String, to: String): Unit = {
    val source = Path.of(table.checkpointFolder(from))
    for (file <- Files.walk(source).iterator.asScala.toVector) {
      val target = Path.of(table.checkpointFolder(to)).resolve(source.relativize(file).toString)
      if (Files.isDirectory(file)) Files.createDirectories(target)
      else Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING)
    }
  }

  /** Returns the frame with the action run once, by the first task that reads a row. */
  protected def duringBatch(frame: DataFrame)(action: => Any): DataFrame = {
    nextAction.set(Some(() => action))
    val pass = udf { (id: Long) =>
      nextAction.getAndSet(None).foreach(runInNewThread)
      id
    }
    frame.withColumn("id", pass(frame("id")).cast(frame.schema("id").dataType))
  }
}

object DeltaSinkOnceFixture {

  /** On the task's own thread, Spark would take the action for one of an executor. */
  private def runInNewThread(action: () => Any): Unit = {
    val done = new FutureTask[Any](() => action())
    new Thread(done).start()
    val _ = done.get()
  }

  /** The action to run. Tasks run in the process of the test, so they find it here. */
  private val nextAction = new AtomicReference(Option.empty[() => Any])
}
