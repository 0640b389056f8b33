// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import scala.io.Source
import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.spark.sql.execution.datasources.{DataSource, HadoopFsRelation}
import org.apache.spark.sql.sources.{BaseRelation, DataSourceRegister, InsertableRelation}
import org.apache.spark.sql.{DataFrame, SaveMode}

import com.databricks.spark.util.Log4jUsageLogger
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.DeltaTimeTravelSpec
import org.apache.spark.sql.delta.files.TahoeFileIndex
import org.apache.spark.sql.delta.testing.TestTable
import org.scalatest.funsuite.AnyFunSuite

/** Rows D1 to D3 and D8 to D10 of behaviour.md: the name, batch reads and writes, paths and options. */
class DeltaDataSourceSuite extends AnyFunSuite with DeltaDataSourceFixture {
  private val passToFileSystem = "spark.databricks.delta.loadFileSystemConfigsFromDataFrameOptions"

  test("D1: the alias delta is DeltaDataSource, from the same jar as DeltaSource") {
    assert(DataSource.lookupDataSource("delta", spark.sessionState.conf) == classOf[DeltaDataSource])
    assert(source.shortName() == "delta")
    val origin = classOf[DeltaDataSource].getProtectionDomain.getCodeSource.getLocation
    assert(origin == classOf[DeltaSource].getProtectionDomain.getCodeSource.getLocation)
  }

  test("D1: the service files on the class path list DeltaDataSource once") {
    val files =
      getClass.getClassLoader.getResources(s"META-INF/services/${classOf[DataSourceRegister].getName}")
    val lines = files.asScala.toSeq.flatMap { file =>
      Using.resource(Source.fromURL(file, "UTF-8"))(_.getLines().map(_.trim).toVector)
    }
    assert(lines.count(_ == classOf[DeltaDataSource].getName) == 1)
  }

  test("D2: a relation reads the table, can be inserted into, and needs a path") {
    val relation = source.createRelation(sql, options(table()))
    assert(relation.isInstanceOf[HadoopFsRelation] && relation.isInstanceOf[InsertableRelation])
    assert(ids(relation) == Seq(1, 2))
    assert(message(source.createRelation(sql, none)) == noPath)
  }

  test("D2: the options are verified: an unknown one is reported, and the table is still read") {
    val t = table()
    var read = Seq.empty[Long]
    val reports = Log4jUsageLogger.track {
      read = ids(source.createRelation(sql, options(t, "maxFilesPerTriger" -> "1")))
    }
    assert(read == Seq(1, 2))
    assert(reports.exists(report => report.tags.values.exists(_ == "delta.option.invalid")))
  }

  test("D2: time travel is set in the options or in the path; both at once are refused") {
    val t = table().append(Seq(3))
    assert(ids(source.createRelation(sql, options(t, "versionAsOf" -> "1"))) == Seq(1, 2))
    assert(ids(source.createRelation(sql, Map("path" -> s"${t.path}@v1"))) == Seq(1, 2))
    assert(condition(source.createRelation(sql, Map("path" -> s"${t.path}@v1", "versionAsOf" -> "1"))) ==
      "DELTA_UNSUPPORTED_TIME_TRAVEL_MULTIPLE_FORMATS")
  }

  private lazy val changes = {
    val t = TestTable().create("id LONG", "TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')")
    t.append(Seq(1)).append(Seq(2)).append(Seq(3))
  }

  test("D2: the five change feed options reach the relation, and the older name turns it on too") {
    val time = new java.sql.Timestamp(changes.log.getSnapshotAt(2).timestamp).toString
    def feed(more: (String, String)*) = {
      val relation = source.createRelation(sql, options(changes, more: _*))
      assert(relation.schema.fieldNames.drop(1).toSeq == changeColumns)
      ids(relation)
    }
    withConf(passToFileSystem -> "false") {
      assert(feed("readChangeFeed" -> "true", "startingVersion" -> "2") == Seq(2, 3))
      assert(feed("readChangeFeed" -> "true", "startingTimestamp" -> time) == Seq(2, 3))
      val fromOne = Seq("readChangeFeed" -> "true", "startingVersion" -> "1")
      assert(feed(fromOne :+ "endingVersion" -> "2": _*) == Seq(1, 2))
      assert(feed(fromOne :+ "endingTimestamp" -> time: _*) == Seq(1, 2))
      assert(feed("READCHANGEDATA" -> "TRUE", "STARTINGVERSION" -> "2") == Seq(2, 3))
    }
  }

  test("D2: startingVersion is ignored by a read without the change feed") {
    val plain =
      source.createRelation(sql, options(changes, "readChangeFeed" -> "false", "startingVersion" -> "77"))
    assert(plain.schema.fieldNames.toSeq == Seq("id") && ids(plain) == Seq(1, 2, 3))
  }

  test("D2: options reach the table's file system unless the conf is off") {
    def passed() =
      source.createRelation(sql, options(table(), "fs.deltasource.key" -> "v", "other" -> "w")) match {
        case files: HadoopFsRelation => files.location.asInstanceOf[TahoeFileIndex].deltaLog.options
        case other => fail(s"$other")
      }
    assert(passed() == Map("fs.deltasource.key" -> "v"))
    withConf(passToFileSystem -> "false")(assert(passed().isEmpty))
  }

  private def data: DataFrame = spark.range(4).selectExpr("id", "id % 2 AS p")

  private def write(mode: SaveMode, t: TestTable, more: (String, String)*): BaseRelation =
    source.createRelation(sql, mode, options(t, more: _*), data)

  test("D3: a write creates the table with partition columns and properties, and returns its relation") {
    val t = TestTable()
    val columns =
      DeltaSourceUtils.PARTITIONING_COLUMNS_KEY -> DeltaDataSource.encodePartitioningColumns(Seq("p"))
    val relation =
      write(SaveMode.ErrorIfExists, t, columns, "delta.appendOnly" -> "false", "userMetadata" -> "mine")
    assert(ids(relation) == Seq(0, 1, 2, 3))
    val metadata = t.log.update().metadata
    assert(
      metadata.partitionColumns == Seq("p") && metadata.configuration == Map("delta.appendOnly" -> "false"))
    val history = spark.sql(s"DESCRIBE HISTORY ${t.name}").select("userMetadata").collect()
    assert(history.map(_.getString(0)).toSeq == Seq("mine"))
  }

  test("D3: a write follows its save mode") {
    val t = TestTable()
    def count(mode: SaveMode) = {
      write(mode, t)
      t.version -> spark.read.format("delta").load(t.path).count()
    }
    assert(count(SaveMode.Append) == ((0, 4)))
    assert(count(SaveMode.Append) == ((1, 8)))
    assert(count(SaveMode.Overwrite) == ((2, 4)))
    assert(count(SaveMode.Ignore) == ((2, 4)))
    assert(condition(count(SaveMode.ErrorIfExists)) == "DELTA_PATH_EXISTS")
  }

  test("D3: table properties that Delta does not know are refused, and nothing is written") {
    val t = TestTable()
    assert(condition(write(SaveMode.Append, t, "delta.noSuchThing" -> "1")) == "DELTA_UNKNOWN_CONFIGURATION")
    assert(t.version < 0)
    assert(message(source.createRelation(sql, SaveMode.Append, none, data)) == noPath)
  }

  test("D8: getTimeTravelVersion returns a version or a time, with its source") {
    def spec(pairs: (String, String)*) = DeltaDataSource.getTimeTravelVersion(pairs.toMap)
    assert(spec().isEmpty && spec("__time_travel_source__" -> "x").isEmpty)
    assert(spec("versionAsOf" -> "3").contains(DeltaTimeTravelSpec(None, Some(3), Some("dfReader"))))
    assert(spec("VERSIONASOF" -> "3", "__time_travel_source__" -> "x")
      .contains(DeltaTimeTravelSpec(None, Some(3), Some("x"))))
    val time = spec("timestampAsOf" -> "2020-01-01").get
    assert(time.timestamp.map(_.toString).contains("2020-01-01") && time.creationSource.contains("dfReader"))
    for (text <- Seq("x", "", " 1", "1.0"))
      assert(condition(spec("versionAsOf" -> text)) == "DELTA_TIME_TRAVEL_INVALID_BEGIN_VALUE", text)
    assert(condition(spec(
      "versionAsOf" -> "1",
      "timestampAsOf" -> "2020-01-01")) == "DELTA_ONEOF_IN_TIMETRAVEL")
  }

  private lazy val partitioned = {
    val t = TestTable().create("id LONG, p LONG", "PARTITIONED BY (p)")
    t.sql(s"INSERT INTO ${t.name} VALUES (1, 1), (2, 2)")
  }

  private def parsed(text: String) = DeltaDataSource.parsePathIdentifier(spark, text, none)

  test("D9: a path is split into the table's root and the partition values below it") {
    val path = partitioned.path
    val root = new Path(path)
    for ((below, values) <- Seq(
        "" -> Nil,
        "/" -> Nil,
        "/p=1" -> Seq("p" -> "1"),
        "/p=1/q=2" -> Seq("p" -> "1", "q" -> "2"),
        "/p=1=2" -> Seq("p" -> "1=2"),
        "/p=" -> Seq("p" -> ""),
        "/p=a%20b" -> Seq("p" -> "a b"))) assert(parsed(path + below) == ((root, values, None)), below)
    assert(parsed(s"file:$path/p=1") == ((new Path(s"file:$path"), Seq("p" -> "1"), None)))
    for (below <- Seq("/x", "/p=1/part.parquet"))
      assert(condition(parsed(path + below)) == "DELTA_INVALID_PARTITION_PATH", below)
  }

  test("D9: the version or time after an @ is split off, unless the conf makes it part of the name") {
    val path = partitioned.path
    val (root, values, version) = parsed(s"$path/p=1@v7")
    assert(root == new Path(path) && values == Seq("p" -> "1"))
    assert(version.contains(DeltaTimeTravelSpec(None, Some(7), Some("atSyntax.path"))))
    assert(parsed(s"$path@20200101000000000")._3.exists(_.timestamp.nonEmpty))
    for (name <- Seq(s"$path@v", s"$path@v0/p=1"))
      assert(parsed(name) == ((new Path(name), Nil, None)), name)
    withConf("spark.databricks.delta.timeTravel.resolveOnIdentifier.enabled" -> "false") {
      assert(parsed(s"$path@v0") == ((new Path(s"$path@v0"), Nil, None)))
    }
  }

  test("D9: a path outside of any table is returned unchanged") {
    for (path <- Seq("/no/such/table", "relative", "relative/p=1"))
      assert(parsed(path) == ((new Path(path), Nil, None)))
  }

  test("D9: options for the file system may be left out") {
    for (path <- Seq(s"${partitioned.path}/p=1@v0", "/no/such/table"))
      assert(DeltaDataSource.parsePathIdentifier(spark, path) == parsed(path))
  }

  test("D9: partition values become predicates; other columns, and values without a file, are refused") {
    val snapshot = partitioned.log.update()
    def filters(pairs: (String, String)*) =
      DeltaDataSource.verifyAndCreatePartitionFilters("path", snapshot, pairs)
    assert(filters().isEmpty && filters("p" -> "1").map(_.toString) == Seq("('p = 1)"))
    assert(message(filters("p" -> "5")).contains("path doesn't exist, or is not a Delta table."))
    assert(condition(filters("P" -> "1")) == "DELTA_NON_PARTITION_COLUMN_SPECIFIED")
    assert(message(filters("q" -> "1", "p" -> "2", "id" -> "3")).contains(
      "column(s) [`q`, `id`] are specified where only partitioning columns are expected: q=1/p=2/id=3"))
    assert(ids(spark.read.format("delta").load(s"${partitioned.path}/p=2")) == Seq(2))
  }

  test("D10: the option keys are constants, for Java too") {
    val keys = classOf[DeltaDataSource].getMethods.filter(_.getName.contains("_KEY"))
    assert(keys.map(key => key.getName -> key.invoke(null)).toMap == Map(
      "TIME_TRAVEL_SOURCE_KEY" -> "__time_travel_source__",
      "TIME_TRAVEL_TIMESTAMP_KEY" -> "timestampAsOf",
      "TIME_TRAVEL_VERSION_KEY" -> "versionAsOf",
      "CDC_START_VERSION_KEY" -> "startingVersion",
      "CDC_START_TIMESTAMP_KEY" -> "startingTimestamp",
      "CDC_END_VERSION_KEY" -> "endingVersion",
      "CDC_END_TIMESTAMP_KEY" -> "endingTimestamp",
      "CDC_ENABLED_KEY" -> "readChangeFeed",
      "CDC_ENABLED_KEY_LEGACY" -> "readChangeData"
    ))
  }

  test("D10: the names of partition columns survive encoding and decoding") {
    for (columns <- Seq(Nil, Seq("p"), Seq("a b", "c,d", "\"", "ä")))
      assert(DeltaDataSource.decodePartitioningColumns(
        DeltaDataSource.encodePartitioningColumns(columns)) == columns)
    assert(DeltaDataSource.encodePartitioningColumns(Seq("p", "q")) == """["p","q"]""")
  }

  private def changeColumns = Seq("_change_type", "_commit_version", "_commit_timestamp")

  private def ids(relation: BaseRelation): Seq[Long] = ids(spark.baseRelationToDataFrame(relation))
  private def ids(rows: DataFrame): Seq[Long] = rows.select("id").collect().map(_.getLong(0)).sorted.toSeq
}
