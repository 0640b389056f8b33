// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.io.{FilterOutputStream, IOException, OutputStream}
import java.net.URI
import java.util.concurrent.atomic.AtomicReference
import java.util.concurrent.{CountDownLatch, TimeUnit}
import java.util.{EnumSet => JEnumSet}

import io.github.deltasource.testing.PosixLocalFileSystem
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Options.{ChecksumOpt, Rename}
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.fs.{CreateFlag, DelegateToFileSystem, FSDataOutputStream, Path}
import org.apache.hadoop.util.Progressable

/** The local file system with one fault. */
final class FaultyFileSystem extends PosixLocalFileSystem {
  import FaultyFileSystem._

  override def create(
      path: Path,
      permission: FsPermission,
      overwrite: Boolean,
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable): FSDataOutputStream =
    faulty(path, super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress))

  /** Called by Hadoop's FileContext, which logs are written with, to create a file. */
  override protected def primitiveCreate(
      path: Path,
      permission: FsPermission,
      flags: JEnumSet[CreateFlag],
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable,
      checksum: ChecksumOpt): FSDataOutputStream =
    faulty(
      path,
      super.primitiveCreate(path, permission, flags, bufferSize, replication, blockSize, progress, checksum))

  private def faulty(path: Path, stream: OutputStream) =
    new FSDataOutputStream(new FaultyStream(path, stream), null)

  override def rename(from: Path, to: Path): Boolean = renaming(to)(super.rename(from, to))

  override protected def rename(from: Path, to: Path, options: Rename*): Unit =
    renaming(to)(super.rename(from, to, options: _*))

  private def renaming[T](to: Path)(rename: => T): T = {
    trigger(BeforeRename, to)
    val renamed = rename
    trigger(AfterRename, to)
    renamed
  }

  private final class FaultyStream(path: Path, stream: OutputStream) extends FilterOutputStream(stream) {
    override def write(bytes: Array[Byte], from: Int, count: Int): Unit = {
      trigger(InWrite, path)
      stream.write(bytes, from, count)
    }

    override def close(): Unit = {
      super.close()
      trigger(InClose, path)
    }
  }
}

/** The same file system for Hadoop's FileContext, which logs are written with. */
final class FaultyFiles(uri: URI, conf: Configuration)
    extends DelegateToFileSystem(uri, new FaultyFileSystem, conf, "file", false)

object FaultyFileSystem extends LocalFileSystemReplacement(classOf[FaultyFileSystem]) {

  override def confs: Seq[(String, String)] =
    super.confs :+ ("fs.AbstractFileSystem.file.impl" -> classOf[FaultyFiles].getName)

  sealed abstract class Moment
  case object InWrite extends Moment
  case object InClose extends Moment
  case object BeforeRename extends Moment
  case object AfterRename extends Moment

  private final case class Fault(moment: Moment, name: String, act: () => Unit)

  private val fault = new AtomicReference(Option.empty[Fault])

  /** The first file whose path contains the name fails at that moment, once. */
  def failing[T](moment: Moment, name: String, error: IOException)(body: => T): T =
    withFault(moment, name, throw error)(body)

  /**
   * The first file whose path contains the name counts `reached` down at that moment, then waits until the gate is
   * open, at most half a minute.
   */
  def waiting[T](moment: Moment, name: String, reached: CountDownLatch, gate: CountDownLatch)(body: => T): T =
    withFault(
      moment,
      name, {
        reached.countDown()
        val _ = gate.await(30, TimeUnit.SECONDS)
      })(body)

  private def withFault[T](moment: Moment, name: String, act: => Unit)(body: => T): T = {
    fault.set(Some(Fault(moment, name, () => act)))
    val done =
      try body
      catch { case e: Throwable => fault.set(None); throw e }
    val left = fault.getAndSet(None)
    assert(left.isEmpty, s"no file reached the fault $left")
    done
  }

  private def trigger(moment: Moment, path: Path): Unit = {
    val found = fault.getAndUpdate(_.filterNot(matches(_, moment, path)))
    found.filter(matches(_, moment, path)).foreach(_.act())
  }

  private def matches(fault: Fault, moment: Moment, path: Path): Boolean =
    fault.moment == moment && path.toString.contains(fault.name)
}
