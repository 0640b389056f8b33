// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.Files

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.apache.spark.sql.{Encoder, Encoders}
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.delta.testing.{SinkFixture, TestTable}

class DeltaSinkSuite extends AnyFunSuite with SinkFixture {
  private implicit val longs: Encoder[Long] = Encoders.scalaLong

  test("probe") {
    val table = TestTable()
    val input = MemoryStream[Long](spark.asInstanceOf[org.apache.spark.sql.classic.SparkSession])
    spark.sparkContext.addSparkListener(new org.apache.spark.scheduler.SparkListener {
      override def onJobStart(job: org.apache.spark.scheduler.SparkListenerJobStart): Unit =
        println(s"JOB ${job.time} ${job.properties.getProperty("spark.job.description") match { case null => "-"; case t => t.linesIterator.mkString("|") }} ${job.properties.getProperty("spark.jobGroup.id")} ${job.properties.getProperty("callSite.short")}")
    })
    for (n <- 0 to 12) {
      input.addData(n.toLong, 100L + n)
      println(s"BATCH $n ${System.currentTimeMillis()}")
      val progress = write(input.toDF(), table)()
      println(s"END $n ${System.currentTimeMillis()} ${progress.map(_.durationMs)}")
    }
    Files.readAllLines(table.commitFile(0)).asScala.foreach(info(_))
    Files.readAllLines(table.commitFile(1)).asScala.foreach(info(_))
    info(Files.list(table.commitFile(0).getParent).toList.asScala.map(_.getFileName.toString).sorted.mkString(" "))
    forget(table, 12)
    info(write(input.toDF(), table)().map(p => p.json).mkString)
    assert(rowsOf(table).size == 26)
  }
}
