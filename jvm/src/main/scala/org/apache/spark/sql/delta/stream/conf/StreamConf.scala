// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.conf

import java.util.concurrent.TimeUnit

import org.apache.spark.internal.config.ConfigEntry
import org.apache.spark.network.util.ByteUnit
import org.apache.spark.sql.internal.SQLConf

/** Session confs for reading. Each optimization can be turned off. They are read when a query starts. */
private[delta] object StreamConf {

  /** The default of [[maxFilesOnDriver]]. */
  val defaultMaxFilesOnDriver = 200000L

  val listInterval: ConfigEntry[Long] = SQLConf
    .buildConf("spark.deltasource.log.listInterval")
    .doc(
      "A stream that has caught up looks for the next commit by its file name, and lists the log only once per " +
        "this time; a missing commit is noticed only then. A stream also lists the log when it starts and, if it is " +
        "behind, to find many commits at once. Before the sink appends a batch, it lists the log of the target only " +
        "if its last listing is older than this time, or if there is a new commit. With 0, a stream that has caught " +
        "up lists the log every time."
    )
    .version("0.1.0")
    .timeConf(TimeUnit.MILLISECONDS)
    .checkValue(_ >= 0, "must not be negative")
    .createWithDefaultString("10s")

  val maxIdleDelay: ConfigEntry[Long] = SQLConf
    .buildConf("spark.deltasource.log.maxIdleDelay")
    .doc(
      "The longest time between two lookups of a stream that finds nothing new. The time between them is a " +
        "tenth of the time without new commits, up to this limit. With 0, the stream looks in every trigger."
    )
    .version("0.1.0")
    .timeConf(TimeUnit.MILLISECONDS)
    .checkValue(_ >= 0, "must not be negative")
    .createWithDefaultString("250ms")

  val reuseLog: ConfigEntry[Boolean] = SQLConf
    .buildConf("spark.deltasource.log.reuse")
    .doc(
      "Whether commits read for one batch are cached for the next one instead of being read again."
    )
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val maxInMemoryCommitBytes: ConfigEntry[Long] = SQLConf
    .buildConf("spark.deltasource.log.maxInMemoryCommitBytes")
    .doc(
      "A commit file of up to this size is parsed once, and the list of files that it adds is cached until all of " +
        "them have been put into batches. A larger commit file is read twice: once to check it, and once in slices."
    )
    .version("0.1.0")
    .bytesConf(ByteUnit.BYTE)
    .checkValue(_ >= 0, "must not be negative")
    .createWithDefaultString("256m")

  val prefetchCommits: ConfigEntry[Int] = SQLConf
    .buildConf("spark.deltasource.log.prefetchCommits")
    .doc(
      "How many of the next commits are prefetched while a batch is planned or runs. 0 turns prefetching " +
        "off."
    )
    .version("0.1.0")
    .intConf
    .checkValue(_ >= 0, "must not be negative")
    .createWithDefault(1000)

  val prefetchBytes: ConfigEntry[Long] = SQLConf
    .buildConf("spark.deltasource.log.prefetchBytes")
    .doc(
      "How many bytes of commit files are prefetched."
    )
    .version("0.1.0")
    .bytesConf(ByteUnit.BYTE)
    .checkValue(_ >= 0, "must not be negative")
    .createWithDefaultString("64m")

  val reusePlan: ConfigEntry[Boolean] = SQLConf
    .buildConf("spark.deltasource.plan.reuse")
    .doc(
      "Whether a batch uses the files that its end offset was planned with instead of reading the log again."
    )
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val maxFilesOnDriver: ConfigEntry[Long] = SQLConf
    .buildConf("spark.deltasource.snapshot.maxFilesOnDriver")
    .doc(
      "An initial snapshot with up to this many files keeps its index in the driver's memory; a larger one " +
        "keeps it on the executors. With 0, a table's protocol and metadata are also read by a Spark job, as " +
        "in delta-spark."
    )
    .version("0.1.0")
    .longConf
    .checkValue(_ >= 0, "must not be negative")
    .createWithDefault(defaultMaxFilesOnDriver)
}
