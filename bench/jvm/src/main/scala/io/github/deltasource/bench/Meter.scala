// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bench

import java.lang.management.{ManagementFactory, MemoryType}
import java.util.concurrent.atomic.AtomicLong
import javax.management.openmbean.CompositeData
import javax.management.{Notification, NotificationEmitter, NotificationListener}

import scala.jdk.CollectionConverters.{ListHasAsScala, MapHasAsScala}

import org.apache.spark.SparkContext
import org.apache.spark.deltasource.ListenerBus
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart}

import com.sun.management.{GarbageCollectionNotificationInfo, OperatingSystemMXBean}

/** Measures counts, which do not depend on the machine, and CPU time and heap, which do. */
final class Meter(context: SparkContext) {
  private val jobs = new AtomicLong
  private val heapPools: Set[String] =
    ManagementFactory.getMemoryPoolMXBeans.asScala.filter(_.getType == MemoryType.HEAP).map(_.getName).toSet
  private val left = new AtomicLong
  private val most = new AtomicLong

  context.addSparkListener(new SparkListener {
    override def onJobStart(start: SparkListenerJobStart): Unit = {
      jobs.incrementAndGet()
      ()
    }
  })

  private val afterCollection: NotificationListener = (notice: Notification, _: AnyRef) =>
    notice.getUserData match {
      case data: CompositeData =>
        val after = GarbageCollectionNotificationInfo.from(data).getGcInfo.getMemoryUsageAfterGc.asScala
        val used = after.collect { case (pool, usage) if heapPools(pool) => usage.getUsed }.sum
        left.set(used)
        most.accumulateAndGet(used, (one, other) => math.max(one, other))
        ()
      case _ => ()
    }

  ManagementFactory.getGarbageCollectorMXBeans.forEach {
    case collector: NotificationEmitter => collector.addNotificationListener(afterCollection, null, null)
    case _ => ()
  }

  private val system = ManagementFactory.getPlatformMXBean(classOf[OperatingSystemMXBean])

  private val compilation = ManagementFactory.getCompilationMXBean

  /**
   * The counters so far, by name: file operations on logs, Spark jobs, CPU nanoseconds of the process, and the
   * milliseconds that the JIT compiler has run.
   */
  def read(): Map[String, Long] = {
    ListenerBus.drain(context)
    val files =
      Seq("list", "status", "open", "bytes", "lines").map(name => name -> CountingFileSystem.counted(name))
    files.toMap ++ Map(
      "jobs" -> jobs.get,
      "cpuNanos" -> system.getProcessCpuTime,
      "jitMillis" -> compilation.getTotalCompilationTime)
  }

  /** Bytes of the heap in use after the last garbage collection; 0 if there was none. */
  def heap: Long = left.get

  /** The largest number of bytes of the heap in use after a garbage collection. */
  def peakHeap: Long = {
    System.gc()
    most.get
  }
}
