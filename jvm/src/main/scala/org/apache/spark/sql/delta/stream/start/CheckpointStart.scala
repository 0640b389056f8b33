// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.start

import java.nio.charset.StandardCharsets.UTF_8

import scala.util.control.NonFatal

import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.sources.DeltaSourceOffset
import org.apache.spark.sql.delta.stream.StreamErrors
import org.apache.spark.sql.delta.stream.plan.{Place, Position, PositionCodec}
import org.apache.spark.sql.delta.util.JsonUtils

/**
 * One file, `start`, in the source's own folder of the checkpoint, until the first batch is committed. A start of another
 * table is none.
 */
final class CheckpointStart(hadoopConf: Configuration, folder: String, tableId: String) extends StartMemory {
  import CheckpointStart.Content

  private val path = new Path(folder, "start")
  private lazy val files = CheckpointFileManager.create(path.getParent, hadoopConf)

  override def recall(): Option[StreamStart] =
    current.map { content =>
      StreamStart(
        content.asked,
        Position(content.version, Place.Begin, content.inSnapshot),
        content.firstEnd.map(end => PositionCodec.position(DeltaSourceOffset(tableId, end)))
      )
    }

  override def remember(start: StreamStart): Unit = {
    val end = start.end.map(PositionCodec.offset(tableId, _).json)
    val content = Content(tableId, start.asked, start.position.version, start.position.inSnapshot, end)
    write(content)
    // On a file system that cannot rename over a file Spark leaves the old one, and says so in a log line only.
    if (!current.contains(content)) {
      files.delete(path)
      write(content)
    }
  }

  override def done(): Unit = if (current.nonEmpty) files.delete(path)

  /** The source's folder is `sources/<number>` of the checkpoint, the notes of the engine are in `commits`. */
  override def hasBatchDone: Boolean = {
    val notes = new Path(path.getParent.getParent.getParent, "commits")
    files.exists(notes) && files.list(notes).exists(_.getPath.getName.forall(_.isDigit))
  }

  private def current: Option[Content] =
    Option.when(files.exists(path))(read()).filter(_.tableId == tableId)

  private def write(content: Content): Unit = {
    files.mkdirs(path.getParent)
    val out = files.createAtomic(path, overwriteIfPossible = true)
    try {
      out.write(JsonUtils.toJson(content).getBytes(UTF_8))
      out.close()
    } catch {
      case NonFatal(e) =>
        out.cancel()
        throw e
    }
  }

  private def read(): Content =
    try {
      val in = files.open(path)
      val content =
        try JsonUtils.fromJson[Content](new String(in.readAllBytes(), UTF_8))
        finally in.close()
      require(Option(content.tableId).nonEmpty && Option(content.asked).nonEmpty, "a field is missing")
      content
    } catch { case NonFatal(e) => throw StreamErrors.unreadableStart(path.toString, e) }
}

object CheckpointStart {

  /** @param firstEnd an offset, as its JSON */
  private final case class Content(
      tableId: String,
      asked: String,
      version: Long,
      inSnapshot: Boolean,
      firstEnd: Option[String]
  )
}
