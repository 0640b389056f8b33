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
 * Nanoseconds until the source stood, the parts of each batch, the time of each poll, where the last batch ended, and
 * what [[Meter]] counted.
 */
final case class Told(
    startNanos: Long,
    batches: Seq[Batch],
    polls: Seq[Long],
    end: String,
    costs: Map[String, Long]
)

/**
 * What a scenario does with a stream, measured. Each method answers a [[Told]] as JSON.
 *
 * @param now
 *   whether the stream is bounded as by the trigger AvailableNow
 */
final class Drive(
    spark: SparkSession,
    options: java.util.Map[String, String],
    checkpoint: String,
    now: Boolean) {
  private val meter = new Meter(spark.sparkContext)
  private val before = meter.read()
  private val started = System.nanoTime
  private val batches = new Batches(spark, options, checkpoint, now)
  private val startNanos = System.nanoTime - started

  /** Every batch there is, or so many. */
  def drain(most: Int): String = told(taken(most), Nil, before)

  /** The batch that was planned before the restart, and the next. */
  def restart(planned: String): String = {
    val replayed = batches.replay(planned)
    told(replayed +: taken(1), Nil, before)
  }

  /** Every batch there is, then so many looks for more, or as many as end in that time; costs are those of the looks. */
  def idle(polls: Int, seconds: Int): String = {
    val found = taken(Int.MaxValue)
    val resting = meter.read()
    val until = System.nanoTime + seconds * 1000000000L
    val looks = Iterator.continually(batches.poll()).take(polls).takeWhile(_ => System.nanoTime < until)
    told(found, looks.toVector, resting)
  }

  /**
   * Every batch there is, then one for each version that is waiting, or for so many; costs and batches are those of the
   * latter.
   */
  def follow(waiting: String, log: String, most: Int): String = {
    taken(Int.MaxValue)
    val resting = meter.read()
    val versions = names(waiting).filter(_.endsWith(".json")).take(most)
    val followed = versions.map { commit =>
      land(Path.of(waiting), Path.of(log), commit)
      next().getOrElse(sys.error(s"$commit gave no batch"))
    }
    told(followed, Nil, resting)
  }

  /** Moves a version into a log, its checksum file first if it has one. */
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

  private def told(found: Vector[Batch], polls: Seq[Long], from: Map[String, Long]): String = {
    val after = meter.read()
    batches.stop()
    val costs = after.map { case (name, count) =>
      name -> (count - from(name))
    } + ("heapBytes" -> meter.peakHeap)
    Serialization.write(Told(startNanos, found, polls, batches.ended, costs))(DefaultFormats)
  }
}
