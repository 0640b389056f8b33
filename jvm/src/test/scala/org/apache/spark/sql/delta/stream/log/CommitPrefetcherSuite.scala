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

  /** A log that records what is read by which thread, and can block reads. */
  private class Log(limits: PrefetchLimits = PrefetchLimits(4, 1000)) {
    val reads = new AtomicReference(Vector.empty[(Long, String)])
    val gate = new Semaphore(Int.MaxValue)
    @volatile var failing = Set.empty[Long]
    @volatile var gone = Set.empty[Long]

    val prefetcher = new CommitPrefetcher(limits)(file => {
      reads.updateAndGet(_ :+ (file.version -> Thread.currentThread.getName))
      gate.acquire()
      try
        if (failing(file.version)) sys.error(s"version ${file.version}")
        else Option.unless(gone(file.version))(Commit(file.version))
      finally gate.release()
    })

    def versions: Seq[Long] = reads.get.map(_._1).sorted
    def blockReads(): Unit = {
      val _ = gate.drainPermits()
    }
    def unblockReads(): Unit = gate.release(Int.MaxValue / 2)
  }

  private def currentThread: String = Thread.currentThread.getName

  test("a prefetched commit is read once, on another thread") {
    val log = new Log
    log.prefetcher.prefetch(files(0 until 3))
    eventually(assert(log.versions == Seq(0, 1, 2)))
    val read = (0L to 2L).map(version => log.prefetcher.read(file(version)).map(_.version))
    assert(read == (0L to 2L).map(Some(_)))
    assert(log.versions == Seq(0, 1, 2) && log.reads.get.forall(_._2 != currentThread))
  }

  test("a commit that was not prefetched is read on the calling thread") {
    val log = new Log
    assert(log.prefetcher.read(file(7)).map(_.version).contains(7L))
    assert(log.reads.get == Vector(7L -> currentThread))
  }

  test("no more is prefetched than the limits allow, in commits and in bytes") {
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

  test("no commit is prefetched twice, and the next ones start once half of them were read") {
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

  test("a file that was replaced in the meantime is read again") {
    val log = new Log
    log.prefetcher.prefetch(files(0 until 1))
    eventually(assert(log.versions == Seq(0)))
    assert(log.prefetcher.read(file(0, time = 2)).nonEmpty)
    assert(log.versions == Seq(0, 0))
  }

  test("a failed prefetch is retried on the calling thread, and fails there") {
    val log = new Log
    log.failing = Set(1)
    log.gone = Set(2)
    log.prefetcher.prefetch(files(0 until 3))
    eventually(assert(log.versions == Seq(0, 1, 2)))
    assert(intercept[RuntimeException](log.prefetcher.read(file(1))).getMessage == "version 1")
    assert(log.reads.get.contains(1L -> currentThread) && log.prefetcher.read(file(2)).isEmpty)
    log.prefetcher.prefetch(files(1 until 3))
    log.failing = Set.empty
    log.gone = Set.empty
    assert(log.prefetcher.read(file(1)).nonEmpty && log.prefetcher.read(file(2)).nonEmpty)
  }

  test("a reader waits for a running prefetch, and does not read the file again") {
    val log = new Log
    log.blockReads()
    log.prefetcher.prefetch(files(0 until 1))
    eventually(assert(log.versions == Seq(0)))
    val result = new AtomicReference(Option.empty[Commit])
    val reader = new Thread(() => result.set(log.prefetcher.read(file(0))))
    reader.start()
    log.unblockReads()
    reader.join()
    assert(result.get.nonEmpty && log.versions == Seq(0))
  }

  test("a waiting reader can be interrupted, as when a query is stopped") {
    val log = new Log
    log.blockReads()
    log.prefetcher.prefetch(files(0 until 1))
    val interrupted = new CountDownLatch(1)
    val reader = new Thread(() =>
      try {
        val _ = log.prefetcher.read(file(0))
      } catch { case _: InterruptedException => interrupted.countDown() })
    reader.start()
    eventually(assert(log.versions == Seq(0)))
    reader.interrupt()
    assert(interrupted.await(10, TimeUnit.SECONDS))
    log.unblockReads()
  }

  test("a cancelled prefetch starts no more reads, and its threads end: 40 times") {
    for (turn <- 1 to 40) {
      val log = new Log(PrefetchLimits(100, 100000))
      log.blockReads()
      log.prefetcher.prefetch(files(0 until 100))
      if (turn % 2 == 0) eventually(assert(log.versions.nonEmpty))
      log.prefetcher.prefetch(Iterator.empty)
      log.unblockReads()
      assert(log.versions.size <= 8, "no read starts after the cancellation")
    }
    def threads = Thread.getAllStackTraces.keySet.asScala.count(_.getName.startsWith("delta-prefetch"))
    eventually(timeout(Span(30, Seconds)))(assert(threads == 0))
  }
}
