// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import java.util.concurrent.TimeUnit

import org.apache.spark.internal.config.ConfigEntry
import org.apache.spark.network.util.ByteUnit
import org.apache.spark.sql.internal.SQLConf

import org.apache.spark.sql.delta.stream.snapshot.SnapshotIndex

/** Our session confs: each shortcut of the read path can be turned off. They are read when a query begins. */
object StreamConf {

  val listInterval: ConfigEntry[Long] = SQLConf
    .buildConf("spark.deltasource.log.listInterval")
    .doc(
      "How long a stream at the head of the log may look for the next commit by name only, before it lists the " +
        "log again and so notices gaps; and how long, when a stream begins or a batch is written, a listing tells " +
        "the newest version if looks by name agree. 0 lists each time."
    )
    .version("0.1.0")
    .timeConf(TimeUnit.MILLISECONDS)
    .checkValue(_ >= 0, "must not be negative")
    .createWithDefaultString("10s")

  val reuseLog: ConfigEntry[Boolean] = SQLConf
    .buildConf("spark.deltasource.log.reuse")
    .doc("Whether what was read of the log for one batch is kept for the next, instead of being read again.")
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val heldCommitBytes: ConfigEntry[Long] = SQLConf
    .buildConf("spark.deltasource.log.heldCommitBytes")
    .doc(
      "A commit file of up to this many bytes is parsed once, and its files are held until batches have taken them. " +
        "A larger one is read once to judge it, and its files once more, a slice at a time."
    )
    .version("0.1.0")
    .bytesConf(ByteUnit.BYTE)
    .checkValue(_ >= 0, "must not be negative")
    .createWithDefaultString("256m")

  val readAheadCommits: ConfigEntry[Int] = SQLConf
    .buildConf("spark.deltasource.log.readAheadCommits")
    .doc(
      "Up to this many of the commits that come next are read before they are asked for, while a batch is planned " +
        "or runs. 0 reads none."
    )
    .version("0.1.0")
    .intConf
    .checkValue(_ >= 0, "must not be negative")
    .createWithDefault(1000)

  val readAheadBytes: ConfigEntry[Long] = SQLConf
    .buildConf("spark.deltasource.log.readAheadBytes")
    .doc("Up to this many bytes of commit files are read before they are asked for.")
    .version("0.1.0")
    .bytesConf(ByteUnit.BYTE)
    .checkValue(_ >= 0, "must not be negative")
    .createWithDefaultString("64m")

  val reusePlan: ConfigEntry[Boolean] = SQLConf
    .buildConf("spark.deltasource.plan.reuse")
    .doc(
      "Whether a batch is built from the files its end was planned with, instead of reading the log again."
    )
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val driverFiles: ConfigEntry[Long] = SQLConf
    .buildConf("spark.deltasource.snapshot.driverFiles")
    .doc(
      "Up to this many files the initial snapshot's index is kept in the driver's memory, beyond it on the " +
        "executors."
    )
    .version("0.1.0")
    .longConf
    .checkValue(_ >= 0, "must not be negative")
    .createWithDefault(SnapshotIndex.defaultDriverFiles)
}
