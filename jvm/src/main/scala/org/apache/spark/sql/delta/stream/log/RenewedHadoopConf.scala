// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.SparkSession

import org.apache.hadoop.conf.Configuration
import org.apache.spark.sql.delta.DeltaLog

/**
 * The Hadoop configuration of a log. Delta builds one for each operation, so that a token that was rotated in Spark's
 * configuration reaches file systems that are not cached. That takes longer than a look at a local file, so here one
 * serves for up to [[RenewedHadoopConf.millis]] milliseconds.
 *
 * @param clock milliseconds that never go back
 */
private[delta] final class RenewedHadoopConf(build: () => Configuration, clock: () => Long) {
  import RenewedHadoopConf._

  private val built = new AtomicReference(Option.empty[Built])

  def get(): Configuration = {
    val now = clock()
    built.get.filter(now - _.at < millis).getOrElse {
      val fresh = Built(build(), now)
      built.set(Some(fresh))
      fresh
    }.conf
  }
}

private[delta] object RenewedHadoopConf {
  val millis = 1000L

  private final case class Built(conf: Configuration, at: Long)

  /** Of the session this is called in, whichever thread asks later. */
  def of(deltaLog: DeltaLog): RenewedHadoopConf = {
    val session = SparkSession.active
    new RenewedHadoopConf(
      () => session.withActive(deltaLog.newDeltaHadoopConf()),
      () => System.nanoTime() / 1000000)
  }

  /** One that stays as it is. */
  def fixed(conf: Configuration): RenewedHadoopConf = new RenewedHadoopConf(() => conf, () => 0)
}
