// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import java.nio.charset.StandardCharsets.UTF_8

import scala.util.control.NonFatal

import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.sources.DeltaSourceOffset
import org.apache.spark.sql.delta.stream.model.{
  FileSystemErrors,
  FileSystemFailure,
  IndexInVersion,
  Position,
  PositionCodec,
  StreamErrors
}
import org.apache.spark.sql.delta.util.JsonUtils

/**
 * Stores the start in one file, `start`, in the source's own folder of the checkpoint, until the first batch
 * is committed. Ignores a start of another table. Fails with `DELTASOURCE_CHECKPOINT_FAILED` if the file
 * system fails.
 */
private[source] final class CheckpointInitialOffsetStore(
    hadoopConf: Configuration,
    folder: String,
    tableId: String)
    extends InitialOffsetStore {
  import CheckpointInitialOffsetStore.Content

  private val path = new Path(folder, "start")
  private lazy val files = CheckpointFileManager.create(path.getParent, hadoopConf)

  override def load(): Option[InitialOffset] =
    namingFailures(current).map { content =>
      InitialOffset(
        content.startOption,
        Position(content.version, IndexInVersion.Begin, content.inSnapshot),
        content.firstEnd.map(end => PositionCodec.position(DeltaSourceOffset(tableId, end)))
      )
    }

  override def save(start: InitialOffset): Unit = namingFailures {
    val end = start.end.map(PositionCodec.offset(tableId, _).json)
    val content = Content(tableId, start.startOption, start.position.version, start.position.inSnapshot, end)
    write(content)
    // On a file system that cannot rename over a file, Spark keeps the old file and only logs that.
    if (!current.contains(content)) {
      files.delete(path)
      write(content)
    }
  }

  override def delete(): Unit = namingFailures(if (current.nonEmpty) files.delete(path))

  /** Looks in the checkpoint's folder `commits`; the source's own folder is `sources/<number>`. */
  override def hasCommittedBatch: Boolean = namingFailures {
    val notes = new Path(path.getParent.getParent.getParent, "commits")
    files.exists(notes) && files.list(notes).exists(_.getPath.getName.forall(_.isDigit))
  }

  private def namingFailures[A](access: => A): A =
    FileSystemErrors.naming(FileSystemErrors.checkpointFailed(path.getParent.toString, _, _))(access)

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
      require(Option(content.tableId).nonEmpty && Option(content.startOption).nonEmpty, "a field is missing")
      content
    } catch {
      case e @ FileSystemFailure(_) => throw e
      case NonFatal(e) => throw StreamErrors.unreadableStart(path.toString, e)
    }
}

private[source] object CheckpointInitialOffsetStore {

  /** @param firstEnd an offset as JSON */
  private final case class Content(
      tableId: String,
      startOption: String,
      version: Long,
      inSnapshot: Boolean,
      firstEnd: Option[String]
  )
}
