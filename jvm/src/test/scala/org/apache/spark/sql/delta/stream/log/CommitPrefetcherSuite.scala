// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.util.concurrent.atomic.AtomicReference
import java.util.concurrent.{CountDownLatch, Semaphore, TimeUnit}

import scala.jdk.CollectionConverters.CollectionHasAsScala

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.delta.stream.conf.PrefetchLimits
import org.apache.spark.sql.delta.stream.model.{Commit, CommitFile}
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

class CommitPrefetcherSuite extends AnyFunSuite with Eventually {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(10, Seconds))

  private def file(version: Long, bytes: Long = 10, time: Long = 1): CommitFile =
    CommitFile(version, new FileStatus(bytes, false, 1, 1, time, new Path(s"/log/$version.json")))

  private def files(versions: Range, bytes: Long = 10): Iterator[CommitFile] =
    versions.iterator.map(version => file(version.toLong, bytes))

  /** A log that notes what is read, by which thread, and can be held up. */
  private class Log(bounds: PrefetchLimits = PrefetchLimits(4, 1000)) {
    val reads = new AtomicReference(Vector.empty[(Long, String)])
    val gate = new Semaphore(Int.MaxValue)
    @volatile var failing = Set.empty[Long]
    @volatile var gone = Set.empty[Long]

    val prefetcher = new CommitPrefetcher(bounds)(file => {
      reads.updateAndGet(_ :+ (file.version -> Thread.currentThread.getName))
      gate.acquire()
      try
        if (failing(file.version)) sys.error(s"version ${file.version}")
        else Option.unless(gone(file.version))(Commit(file.version))
      finally gate.release()
    })

    def versions: Seq[Long] = reads.get.map(_._1).sorted
    def close(): Unit = {
      val _ = gate.drainPermits()
    }
    def open(): Unit = gate.release(Int.MaxValue / 2)
  }

  private def here: String = Thread.currentThread.getName

  test("what was expected is read once, elsewhere, and answered when it is asked for") {
    val log = new Log
    log.prefetcher.prefetch(files(0 until 3))
    eventually(assert(log.versions == Seq(0, 1, 2)))
    val read = (0L to 2L).map(version => log.prefetcher.read(file(version)).map(_.version))
    assert(read == (0L to 2L).map(Some(_)))
    assert(log.versions == Seq(0, 1, 2) && log.reads.get.forall(_._2 != here))
  }

  test("what was not expected is read at once, by who asks") {
    val log = new Log
    assert(log.prefetcher.read(file(7)).map(_.version).contains(7L))
    assert(log.reads.get == Vector(7L -> here))
  }

  test("no more is begun than the bounds allow, in commits and in bytes") {
    val log = new Log(PrefetchLimits(commits = 4, bytes = 35))
    log.prefetcher.prefetch(files(0 until 9, bytes = 1))
    eventually(assert(log.versions == Seq(0, 1, 2, 3)))
    val heavy = new Log(PrefetchLimits(commits = 4, bytes = 35))
    heavy.prefetcher.prefetch(files(0 until 9))
    eventually(assert(heavy.versions == Seq(0, 1, 2)))
    val huge = new Log(PrefetchLimits(commits = 4, bytes = 5))
    huge.prefetcher.prefetch(files(0 until 9))
    val off = new Log(PrefetchLimits.none)
    off.prefetcher.prefetch(files(0 until 9, bytes = 0))
    assert(huge.versions.isEmpty && off.versions.isEmpty)
  }

  test("asking again for the same begins nothing twice; once half of it is asked for, the next are begun") {
    val log = new Log
    log.prefetcher.prefetch(files(0 until 9))
    log.prefetcher.prefetch(files(0 until 9))
    eventually(assert(log.versions == Seq(0, 1, 2, 3)))
    log.prefetcher.read(file(0))
    log.prefetcher.prefetch(files(1 until 9))
    log.prefetcher.read(file(1))
    log.prefetcher.prefetch(files(2 until 9))
    eventually(assert(log.versions == (0 to 5)))
  }

  test("a file that was replaced meanwhile is read anew") {
    val log = new Log
    log.prefetcher.prefetch(files(0 until 1))
    eventually(assert(log.versions == Seq(0)))
    assert(log.prefetcher.read(file(0, time = 2)).nonEmpty)
    assert(log.versions == Seq(0, 0))
  }

  test("a failure is of the one who asks: it is tried again then, and thrown there") {
    val log = new Log
    log.failing = Set(1)
    log.gone = Set(2)
    log.prefetcher.prefetch(files(0 until 3))
    eventually(assert(log.versions == Seq(0, 1, 2)))
    assert(intercept[RuntimeException](log.prefetcher.read(file(1))).getMessage == "version 1")
    assert(log.reads.get.contains(1L -> here) && log.prefetcher.read(file(2)).isEmpty)
    log.prefetcher.prefetch(files(1 until 3))
    log.failing = Set.empty
    log.gone = Set.empty
    assert(log.prefetcher.read(file(1)).nonEmpty && log.prefetcher.read(file(2)).nonEmpty)
  }

  test("on a slow file system who asks waits for what is under way, and does not read it twice") {
    val log = new Log
    log.close()
    log.prefetcher.prefetch(files(0 until 1))
    eventually(assert(log.versions == Seq(0)))
    val asked = new AtomicReference(Option.empty[Commit])
    val asking = new Thread(() => asked.set(log.prefetcher.read(file(0))))
    asking.start()
    log.open()
    asking.join()
    assert(asked.get.nonEmpty && log.versions == Seq(0))
  }

  test("who waits can be interrupted, as a query that is stopped") {
    val log = new Log
    log.close()
    log.prefetcher.prefetch(files(0 until 1))
    val interrupted = new CountDownLatch(1)
    val asking = new Thread(() =>
      try {
        val _ = log.prefetcher.read(file(0))
      } catch { case _: InterruptedException => interrupted.countDown() })
    asking.start()
    eventually(assert(log.versions == Seq(0)))
    asking.interrupt()
    assert(interrupted.await(10, TimeUnit.SECONDS))
    log.open()
  }

  test("stopped while it reads, it begins nothing more, and its threads end: 40 times") {
    for (turn <- 1 to 40) {
      val log = new Log(PrefetchLimits(100, 100000))
      log.close()
      log.prefetcher.prefetch(files(0 until 100))
      if (turn % 2 == 0) eventually(assert(log.versions.nonEmpty))
      log.prefetcher.prefetch(Iterator.empty)
      log.open()
      assert(log.versions.size <= 8, "only what the threads had in hand")
    }
    def threads = Thread.getAllStackTraces.keySet.asScala.count(_.getName.startsWith("delta-read-ahead"))
    eventually(timeout(Span(30, Seconds)))(assert(threads == 0))
  }
}
