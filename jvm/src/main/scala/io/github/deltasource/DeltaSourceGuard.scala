// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource

import java.io.File
import java.net.URI

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.{AnalysisException, SparkSessionExtensions}

/**
 * A session extension that makes a session refuse its first query when another Delta jar stands in front of this one,
 * so that nobody runs on the wrong classes without knowing. When nothing is wrong it adds nothing to the session.
 *
 * The refusal waits for the first query, since a session that cannot even start could not be asked what is wrong.
 */
final class DeltaSourceGuard extends (SparkSessionExtensions => Unit) {

  override def apply(extensions: SparkSessionExtensions): Unit = {
    val ours = Origin.of(getClass)
    val loaded = Origin.of(Origin.deltaSource(fallback = getClass.getClassLoader))
    // Hint rules are the first that an extension can add: nothing has been looked up in a catalog yet.
    if (loaded != ours) extensions.injectHintResolutionRule(_ => new RefuseEveryPlan(loaded, ours))
  }
}

object DeltaSourceGuard {

  /** The version of the jar, for clients out of whose reach its classes are: they ask with SQL's `reflect`. */
  def version: String =
    Option(classOf[DeltaSourceGuard].getPackage.getImplementationVersion).getOrElse("unknown")
}

/** Where a class came from: the path of a jar on this machine, else a URI. */
private object Origin {

  /** The class that Spark itself would take: it asks the thread's loader first. */
  def deltaSource(fallback: ClassLoader): Class[_] = {
    val loader = Option(Thread.currentThread.getContextClassLoader).getOrElse(fallback)
    Class.forName("org.apache.spark.sql.delta.sources.DeltaSource", false, loader)
  }

  /** As text, for two loaders may write the URL of one jar differently, and comparing URLs asks the network. */
  def of(loaded: Class[_]): String = {
    val location =
      Option(loaded.getProtectionDomain.getCodeSource).flatMap(source => Option(source.getLocation))
    location.map(_.toURI).fold("an unknown place")(text)
  }

  private def text(uri: URI): String = if (uri.getScheme == "file") new File(uri).getPath else uri.toString
}

private final class RefuseEveryPlan(loaded: String, ours: String) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = throw new DeltaSourceShadowed(loaded, ours)
}

private final class DeltaSourceShadowed(loaded: String, ours: String)
    extends AnalysisException(
      message =
        s"[DELTASOURCE_SHADOWED] DeltaSource was loaded from $loaded, not from $ours: another Delta jar " +
          "comes first on the class path. Take that jar away, or start a new session with ours in front: " +
          s"spark-submit --jars '$ours' --driver-class-path '$ours'",
      errorClass = Some("DELTASOURCE_SHADOWED"),
      messageParameters = Map("loaded" -> loaded, "ours" -> ours)
    )
