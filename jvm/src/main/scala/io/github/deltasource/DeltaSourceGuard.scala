// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource

import java.io.File
import java.net.URI

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.{AnalysisException, SparkSessionExtensions}

/**
 * A session extension that checks whether another Delta jar comes before this one on the class path. If so,
 * the session's first query fails, so that nobody runs on the wrong classes without noticing. If not, it adds
 * nothing to the session.
 *
 * The first query fails rather than the session start, because a session that does not start cannot be
 * inspected.
 */
final class DeltaSourceGuard extends (SparkSessionExtensions => Unit) {

  override def apply(extensions: SparkSessionExtensions): Unit = {
    val ours = Origin.of(getClass)
    val loaded = Origin.of(Origin.deltaSource(fallback = getClass.getClassLoader))
    // Hint rules run before all other rules that an extension can add, and before any catalog lookup.
    if (loaded != ours) extensions.injectHintResolutionRule(_ => new FailEveryPlan(loaded, ours))
  }
}

object DeltaSourceGuard {

  /**
   * The version of the jar. Clients that cannot access its classes call this with SQL's `reflect` function.
   */
  def version: String =
    Option(classOf[DeltaSourceGuard].getPackage.getImplementationVersion).getOrElse("unknown")
}

/** Finds out where a class was loaded from: the path of a local jar, or a URI. */
private object Origin {

  /**
   * Returns the `DeltaSource` class that Spark would use: Spark tries the thread's context class loader
   * first.
   */
  def deltaSource(fallback: ClassLoader): Class[_] = {
    val loader = Option(Thread.currentThread.getContextClassLoader).getOrElse(fallback)
    Class.forName("org.apache.spark.sql.delta.sources.DeltaSource", false, loader)
  }

  /**
   * Returns the location as text. Two class loaders may write the URL of one jar differently, and comparing
   * `URL` objects may use the network.
   */
  def of(loaded: Class[_]): String = {
    val location =
      Option(loaded.getProtectionDomain.getCodeSource).flatMap(source => Option(source.getLocation))
    location.map(_.toURI).fold("an unknown location")(text)
  }

  private def text(uri: URI): String = if (uri.getScheme == "file") new File(uri).getPath else uri.toString
}

/** Fails for every query. */
private final class FailEveryPlan(loaded: String, ours: String) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = throw new DeltaSourceShadowed(loaded, ours)
}

private final class DeltaSourceShadowed(loaded: String, ours: String)
    extends AnalysisException(
      message =
        s"[DELTASOURCE_SHADOWED] DeltaSource was loaded from $loaded, not from $ours: another Delta jar " +
          "comes first on the class path. Remove that jar, or start a new session with ours first: " +
          s"spark-submit --jars '$ours' --driver-class-path '$ours' " +
          "(see `deltasource explain-error DELTASOURCE_SHADOWED`)",
      errorClass = Some("DELTASOURCE_SHADOWED"),
      messageParameters = Map("loaded" -> loaded, "ours" -> ours)
    )
