// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log.parse

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
import org.apache.spark.sql.delta.stream.model.{
  Commit,
  CommitFile,
  FileSystemFailure,
  SplitRule,
  StreamErrors
}

/**
 * Parses a commit file line by line into a [[Commit]]. Skips the statistics of files, which are most of the
 * bytes and which no stream uses. Ignores unknown actions, as the protocol requires of readers.
 */
private[delta] object CommitParser {

  /** Which file actions of a commit belong to a stream. */
  sealed abstract class FileActionFilter {

    /** Whether this file action belongs to the stream, in a commit without change files. */
    def includes(file: FileAction): Boolean = file match {
      case add: AddFile => add.dataChange
      case remove: RemoveFile => this == ChangeFeed && remove.dataChange
      case _ => false
    }
  }

  /** A plain stream: `add` with `dataChange`. */
  case object AppendOnly extends FileActionFilter

  /** A change feed: the change files, if the commit has any, else `add` and `remove` with `dataChange`. */
  case object ChangeFeed extends FileActionFilter

  /** Whether this is a `cdc` action. */
  private[log] def isChangeFile(file: FileAction): Boolean = file match {
    case _: AddCDCFile => true
    case _ => false
  }

  /**
   * Parses a commit. Nothing of it is returned if any line is bad: fails with
   * `DELTASOURCE_UNREADABLE_COMMIT`, which names the line, if a line is torn or damaged; with
   * `DELTASOURCE_EMPTY_COMMIT` if there are no lines; with [[ReadFailure]] if reading the file fails; and with
   * `FileNotFoundException` if the file turns out to be missing.
   *
   * @param file the commit, for its version and for error messages
   */
  def parse(file: CommitFile, lines: Iterator[String], fileActionFilter: FileActionFilter): Commit =
    parse(file, lines.map(0L -> _), CommitBuilder(fileActionFilter))

  /**
   * Parses a commit into this builder.
   *
   * @param lines each with the byte offset where it begins
   * @param empty a builder without actions
   */
  private[log] def parse(file: CommitFile, lines: Iterator[(Long, String)], empty: CommitBuilder): Commit = {
    val actions = ActionLines.of(ReadFailure.withReadFailures(lines))
    if (actions.isEmpty) throw StreamErrors.emptyCommit(file.version, file.path)
    val builder = actions.zipWithIndex.foldLeft(empty) { case (builder, (parsed, index)) =>
      parsed.map { case (offset, action) => builder.add(action, offset) }.fold(
        {
          // An object store may report a missing file only when it is read.
          case e @ (_: FileNotFoundException | _: ReadFailure) => throw e
          case e if FileSystemFailure.isInterrupt(e) => throw e
          case e => throw StreamErrors.unreadableCommit(file.version, file.path, index + 1, e)
        },
        identity
      )
    }
    builder.build(file.version)
  }

  /** Returns the commit made of these actions, which were parsed elsewhere. */
  def of(version: Long, actions: Iterator[Action], fileActionFilter: FileActionFilter): Commit =
    actions.foldLeft(CommitBuilder(fileActionFilter))(_.add(_, offset = 0)).build(version)

  /**
   * Collects the actions of a commit.
   *
   * @param files       the `add` and `remove` actions that belong to the stream
   * @param changeFiles the `cdc` actions, if the stream reads them
   * @param firstRemovedPath the path of the first `remove` with `dataChange`
   * @param hasManifest    whether the file actions are in a manifest elsewhere
   */
  private[log] final case class CommitBuilder(
      fileActionFilter: FileActionFilter,
      files: CommitFileBuffer = CommitFileBuffer.InMemory(Vector.empty),
      changeFiles: CommitFileBuffer = CommitFileBuffer.InMemory(Vector.empty),
      firstRemovedPath: Option[String] = None,
      metadata: Option[Metadata] = None,
      protocol: Option[Protocol] = None,
      info: Option[CommitInfo] = None,
      hasManifest: Boolean = false
  ) {

    /** Returns the commit of this version. */
    def build(version: Long): Commit = {
      val (streamFiles, splitRule) =
        if (!changeFiles.isEmpty) (changeFiles, SplitRule.ChangeFiles)
        else if (fileActionFilter == ChangeFeed && files.hasDeletionVectors) (files, SplitRule.Nowhere)
        else (files, SplitRule.Anywhere)
      Commit(version, streamFiles.list, splitRule, firstRemovedPath, metadata, protocol, info, hasManifest)
    }

    /**
     * Returns this builder with one more action; ignores actions that no stream needs, and null. Fails with
     * `IllegalArgumentException` for a second `metaData` or `protocol`.
     *
     * @param offset the byte offset where the line of the action begins
     */
    def add(action: Action, offset: Long): CommitBuilder = action match {
      case remove: RemoveFile if remove.dataChange =>
        val first = firstRemovedPath.orElse(Some(remove.path))
        copy(
          files = if (fileActionFilter.includes(remove)) files.append(remove, offset) else files,
          firstRemovedPath = first)
      case change: AddCDCFile if fileActionFilter == ChangeFeed =>
        copy(changeFiles = changeFiles.append(change, offset))
      case file: FileAction if fileActionFilter.includes(file) => copy(files = files.append(file, offset))
      case newMetadata: Metadata =>
        require(metadata.isEmpty, "a commit has at most one metaData action")
        copy(metadata = Some(newMetadata))
      case newProtocol: Protocol =>
        require(protocol.isEmpty, "a commit has at most one protocol action")
        copy(protocol = Some(newProtocol))
      case newInfo: CommitInfo => copy(info = Some(newInfo))
      case _: Checkpoint => copy(hasManifest = true)
      case _ => this
    }
  }
}
