// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

/** When a version was made, found out when first asked. */
final class CommitTime(find: => Long) {

  /** Since 1970. */
  lazy val milliseconds: Long = find
}

object CommitTime {
  val unknown: CommitTime = new CommitTime(throw new NoSuchElementException("the time of this version"))
}
