// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.FileNotFoundException

import org.apache.spark.sql.delta.actions.{
  Action,
  AddCDCFile,
  AddFile,
  Checkpoint,
  CommitInfo,
  FileAction,
  Metadata,
  Protocol,
  RemoveFile
}
import org.apache.spark.sql.delta.stream.StreamErrors
import org.apache.spark.sql.delta.stream.plan.{Commit, Cut}

/**
 * Reads a commit file line by line into a [[Commit]], without the statistics of files, for they are most of the bytes
 * and no stream looks at them. Unknown actions are passed over, as the protocol asks of readers.
 */
object CommitParser {

  /** Which file actions belong to a stream. */
  sealed abstract class Reads {

    /** Where a commit has no change files. */
    def takes(file: FileAction): Boolean = file match {
      case add: AddFile => add.dataChange
      case remove: RemoveFile => this == Changed && remove.dataChange
      case _ => false
    }
  }

  /** `add` with `dataChange`. */
  case object Added extends Reads

  /** Change files where a commit has any, and else `add` and `remove` with `dataChange`. */
  case object Changed extends Reads

  private[log] def isChangeFile(file: FileAction): Boolean = file match {
    case _: AddCDCFile => true
    case _ => false
  }

  /** Fails with a typed error that names the line for a torn, damaged or empty file: nothing of it is read then. */
  def parse(file: CommitFile, lines: Iterator[String], reads: Reads): Commit =
    parse(file, lines.map(0L -> _), Draft(reads))

  /** @param lines with the place where each begins */
  private[log] def parse(file: CommitFile, lines: Iterator[(Long, String)], empty: Draft): Commit = {
    val actions = ActionLines.of(lines)
    if (actions.isEmpty) throw StreamErrors.emptyCommit(file.version, file.path)
    val draft = actions.zipWithIndex.foldLeft(empty) { case (draft, (action, index)) =>
      action.map { case (at, read) => draft.reading(read, at) }.fold(
        {
          // An object store may notice that it is gone only now.
          case e: FileNotFoundException => throw e
          case e => throw StreamErrors.unreadableCommit(file.version, file.path, index + 1, e)
        },
        identity
      )
    }
    draft.commit(file.version)
  }

  /** The same reading of actions that come from elsewhere. */
  def of(version: Long, actions: Iterator[Action], reads: Reads): Commit =
    actions.foldLeft(Draft(reads))(_.reading(_, at = 0)).commit(version)

  private[log] final case class Draft(
      reads: Reads,
      files: KeptFiles = KeptFiles.Held(Vector.empty),
      changeFiles: KeptFiles = KeptFiles.Held(Vector.empty),
      removedData: Option[String] = None,
      metadata: Option[Metadata] = None,
      protocol: Option[Protocol] = None,
      info: Option[CommitInfo] = None,
      manifest: Boolean = false
  ) {

    def commit(version: Long): Commit = {
      val (read, cut) =
        if (!changeFiles.isEmpty) (changeFiles, Cut.ChangeFiles)
        else if (reads == Changed && files.haveVectors) (files, Cut.Nowhere)
        else (files, Cut.Anywhere)
      Commit(version, read.list, cut, removedData, metadata, protocol, info, manifest)
    }

    def reading(action: Action, at: Long): Draft = action match {
      case remove: RemoveFile if remove.dataChange =>
        val first = removedData.orElse(Some(remove.path))
        copy(files = if (reads.takes(remove)) files.and(remove, at) else files, removedData = first)
      case change: AddCDCFile if reads == Changed => copy(changeFiles = changeFiles.and(change, at))
      case file: FileAction if reads.takes(file) => copy(files = files.and(file, at))
      case read: Metadata =>
        require(metadata.isEmpty, "a commit has at most one metaData action")
        copy(metadata = Some(read))
      case read: Protocol =>
        require(protocol.isEmpty, "a commit has at most one protocol action")
        copy(protocol = Some(read))
      case read: CommitInfo => copy(info = Some(read))
      case _: Checkpoint => copy(manifest = true)
      case _ => this
    }
  }
}
