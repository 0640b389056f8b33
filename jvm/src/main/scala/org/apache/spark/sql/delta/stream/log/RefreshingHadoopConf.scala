// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.SparkSession

import org.apache.hadoop.conf.Configuration
import org.apache.spark.sql.delta.DeltaLog

/**
 * The Hadoop configuration of a log, cached for [[RefreshingHadoopConf.ttlMillis]] milliseconds. Delta builds
 * one for each operation, so that a token that was rotated in Spark's configuration reaches file systems that
 * are not cached. Building one takes longer than a lookup of a local file.
 *
 * @param build returns the configuration as it is now
 * @param clock returns milliseconds that never go back
 */
private[delta] final class RefreshingHadoopConf(build: () => Configuration, clock: () => Long) {
  import RefreshingHadoopConf._

  private val cached = new AtomicReference(Option.empty[Cached])

  /** Returns the cached configuration, or builds a new one if that is too old. */
  def get(): Configuration = {
    val now = clock()
    cached.get.filter(now - _.builtAt < ttlMillis).getOrElse {
      val fresh = Cached(build(), now)
      cached.set(Some(fresh))
      fresh
    }.conf
  }
}

private[delta] object RefreshingHadoopConf {
  val ttlMillis = 1000L

  /** @param builtAt milliseconds of the clock */
  private final case class Cached(conf: Configuration, builtAt: Long)

  /** Returns the configuration of the session that is active now, whichever thread calls `get` later. */
  def of(deltaLog: DeltaLog): RefreshingHadoopConf = {
    val session = SparkSession.active
    new RefreshingHadoopConf(
      () => session.withActive(deltaLog.newDeltaHadoopConf()),
      () => System.nanoTime() / 1000000)
  }

  /** Returns one that never changes. */
  def fixed(conf: Configuration): RefreshingHadoopConf = new RefreshingHadoopConf(() => conf, () => 0)
}
