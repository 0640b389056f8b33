// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import org.apache.logging.log4j.core.appender.AbstractAppender
import org.apache.logging.log4j.core.config.Property
import org.apache.logging.log4j.core.{LogEvent, Logger}
import org.apache.logging.log4j.{Level, LogManager}

/** Captures the messages of a logger during the body, DEBUG included. */
object LogCapture {
  def of(logger: String)(body: => Any): Seq[String] = {
    val lines = new ConcurrentLinkedQueue[String]
    val appender = new AbstractAppender("capture", null, null, false, Property.EMPTY_ARRAY) {
      override def append(event: LogEvent): Unit = {
        val _ = lines.add(event.getMessage.getFormattedMessage)
      }
    }
    val log = LogManager.getLogger(logger).asInstanceOf[Logger]
    val before = log.getLevel
    appender.start()
    log.addAppender(appender)
    log.setLevel(Level.DEBUG)
    try {
      val _ = body
    } finally {
      log.removeAppender(appender)
      log.setLevel(before)
    }
    lines.asScala.toSeq
  }
}
