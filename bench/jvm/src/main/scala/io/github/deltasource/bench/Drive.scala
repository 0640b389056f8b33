// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bench

import java.nio.file.{Files, Path, StandardCopyOption}

import scala.annotation.tailrec
import scala.jdk.CollectionConverters.IteratorHasAsScala

import org.apache.spark.sql.SparkSession

import org.json4s.DefaultFormats
import org.json4s.jackson.Serialization

/**
 * The result of a run: nanoseconds until the source was created, the parts of each batch, the time of each poll, the
 * last batch's end offset, and the counts of [[Meter]].
 */
final case class RunResult(
    startNanos: Long,
    batches: Seq[Batch],
    polls: Seq[Long],
    end: String,
    costs: Map[String, Long]
)

/**
 * Runs a stream as a scenario says, and measures it. Each method returns a [[RunResult]] as JSON.
 *
 * @param now
 *   whether the stream ends where the trigger AvailableNow would end it
 */
final class Drive(
    spark: SparkSession,
    options: java.util.Map[String, String],
    checkpoint: String,
    now: Boolean) {
  private val meter = new Meter(spark.sparkContext)
  private val initialCounts = meter.read()
  private val started = System.nanoTime
  private val batches = new Batches(spark, options, checkpoint, now)
  private val startNanos = System.nanoTime - started

  /** Plans all batches, or at most `most`. */
  def drain(most: Int): String = result(taken(most), Nil, initialCounts)

  /** Replays the batch that was planned before the restart, and plans the next one. */
  def restart(planned: String): String = {
    val replayed = batches.replay(planned)
    result(replayed +: taken(1), Nil, initialCounts)
  }

  /** Plans all batches, then polls `polls` times, or until `seconds` have passed. The costs are those of the polls. */
  def idle(polls: Int, seconds: Int): String = {
    val found = taken(Int.MaxValue)
    val before = meter.read()
    val until = System.nanoTime + seconds * 1000000000L
    val polled = Iterator.continually(batches.poll()).take(polls).takeWhile(_ => System.nanoTime < until)
    result(found, polled.toVector, before)
  }

  /**
   * Plans all batches, then adds the waiting versions one by one, at most `most`, and plans a batch after each. Costs
   * and batches are those after each version.
   */
  def follow(waiting: String, log: String, most: Int): String = {
    taken(Int.MaxValue)
    val before = meter.read()
    val versions = names(waiting).filter(_.endsWith(".json")).take(most)
    val followed = versions.map { commit =>
      land(Path.of(waiting), Path.of(log), commit)
      next().getOrElse(sys.error(s"no batch after $commit was added"))
    }
    result(followed, Nil, before)
  }

  /** Moves a version into the log, with its checksum file first if it has one. */
  private def land(waiting: Path, log: Path, commit: String): Unit =
    for (name <- Seq(commit.replace(".json", ".crc"), commit) if Files.exists(waiting.resolve(name)))
      Files.move(waiting.resolve(name), log.resolve(name), StandardCopyOption.ATOMIC_MOVE)

  private def names(folder: String): Vector[String] = {
    val listed = Files.list(Path.of(folder))
    try listed.iterator.asScala.map(_.getFileName.toString).toVector.sorted
    finally listed.close()
  }

  private def next(): Option[Batch] = batches.next().map(_.copy(heapBytes = meter.heap))

  private def taken(most: Int): Vector[Batch] = {
    @tailrec def more(found: Vector[Batch]): Vector[Batch] =
      if (found.size == most) found
      else
        next() match {
          case Some(batch) => more(found :+ batch)
          case None => found
        }
    more(Vector.empty)
  }

  private def result(found: Vector[Batch], polls: Seq[Long], from: Map[String, Long]): String = {
    val after = meter.read()
    batches.stop()
    val costs = after.map { case (name, count) =>
      name -> (count - from(name))
    } + ("heapBytes" -> meter.peakHeap)
    Serialization.write(RunResult(startNanos, found, polls, batches.ended, costs))(DefaultFormats)
  }
}
