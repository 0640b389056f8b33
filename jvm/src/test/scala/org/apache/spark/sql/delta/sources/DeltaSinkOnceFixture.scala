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

/** What a batch does when others write meanwhile. */
trait DeltaSinkOnceFixture extends SinkFixture with Assertions {
  import DeltaSinkOnceFixture._

  protected def failure(run: => Any): Throwable = intercept[StreamingQueryException](run).getCause

  protected def condition(run: => Any): String = failure(run) match {
    case known: SparkThrowable => known.getCondition
    case other => fail(other)
  }

  /** As another process would. */
  protected def commit(table: TestTable, marker: SetTransaction): Unit = {
    val _ = table.log.startTransaction(None).commit(Seq(marker), DeltaOperations.ManualUpdate)
  }

  protected def copied(table: TestTable, from: String, to: String): Unit = {
    val source = Path.of(table.checkpointFolder(from))
    for (file <- Files.walk(source).iterator.asScala.toVector) {
      val target = Path.of(table.checkpointFolder(to)).resolve(source.relativize(file).toString)
      if (Files.isDirectory(file)) Files.createDirectories(target)
      else Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING)
    }
  }

  /** Of the frame, with something done by the first task that meets a row. */
  protected def meanwhile(frame: DataFrame)(action: => Any): DataFrame = {
    waiting.set(Some(() => action))
    val pass = udf { (id: Long) =>
      waiting.getAndSet(None).foreach(apart)
      id
    }
    frame.select(pass(frame("id")).as("id"))
  }
}

object DeltaSinkOnceFixture {

  /** Spark takes a task's own thread for that of an executor. */
  private def apart(action: () => Any): Unit = {
    val done = new FutureTask[Any](() => action())
    new Thread(done).start()
    val _ = done.get()
  }

  /** A task is run by the process of the test, which is where it finds this. */
  private val waiting = new AtomicReference(Option.empty[() => Any])
}
