# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`replaceUsing` and `replaceOn` with other options, modes, confs and writers."""

from parity.batch.catalogue.helpers import (
    ALIAS,
    DELTA,
    DYNAMIC,
    FRAME,
    MERGING,
    MISSING,
    ON,
    PARTS,
    PLAIN,
    REPLACING,
    USING,
    WITH_PART,
    overwrite,
    script,
)
from parity.batch.catalogue.replace import CRITERIA
from parity.batch.script import Save

MORE = "SELECT 2L AS id, 'B' AS v, 1 AS more"
OTHERS = {
    "replaceWhere": {"replaceWhere": "id > 1"},
    "dynamic partitions": DYNAMIC,
    "static partitions": {"partitionOverwriteMode": "static"},
    "overwriteSchema": REPLACING,
    "overwriteSchema off": {"overwriteSchema": "false"},
    "mergeSchema": MERGING,
    "dataChange": {"dataChange": "false"},
    "userMetadata": {"userMetadata": "mine"},
    "a transaction": {"txnAppId": "app", "txnVersion": "1"},
    "optimizeWrite": {"optimizeWrite": "true"},
    "maxRecordsPerFile": {"maxRecordsPerFile": "1"},
    "a table property": {"delta.appendOnly": "true"},
    "an unknown option": {"something": "else"},
    "null intolerance": {"useNullIntolerantEqualityWithDPO": "true"},
    "the internal option of saveAsTable": {"__v1_save_as_table_overwrite": "true"},
}
REFUSING = ("replaceWhere", "dynamic partitions", "overwriteSchema", "mergeSchema", "dataChange")
SWITCHES = ("replaceOn.dataframe.writer.enabled", "replaceUsing.dataframe.writer.enabled")
MATERIALIZE = "insertReplaceOnOrUsing.materializeSource"

WITH_OTHERS = tuple(
    script(f"{name} and {other}", PLAIN, overwrite({**options, **more}, calls=ALIAS))
    for name, options in CRITERIA.items()
    for other, more in OTHERS.items()
    if name == "replaceUsing" or other in REFUSING
)
MERGED = tuple(
    script(
        f"{name} and {merging}, an extra column", PLAIN, overwrite({**options, **more}, MORE, ALIAS)
    )
    for name, options in CRITERIA.items()
    for merging, more in (("mergeSchema", MERGING), ("overwriteSchema", REPLACING))
)
IN_MODES = tuple(
    script(
        f"{name}, mode {mode or 'not set'}, a table that is {form}",
        setup,
        Save(FRAME, ALIAS, mode, options=options),
    )
    for name, options in CRITERIA.items()
    for mode in ("", "append", "overwrite", "error", "ignore")
    for form, setup in (("missing", MISSING), ("plain", PLAIN))
    if (mode == "overwrite") != (form == "plain")
)
IN_WAYS = tuple(
    script(f"{name} by {way}", PLAIN, Save(FRAME, ALIAS, "overwrite", way, options=options))
    for name, options in CRITERIA.items()
    for way in ("saveAsTable", "insertInto", "save, path as an option")
) + tuple(
    script(
        f"{name} by writeTo {way}",
        PLAIN,
        Save(FRAME, ALIAS, way=way, condition="id > 1", options=options),
    )
    for name, options in CRITERIA.items()
    for way in ("append", "overwrite", "overwritePartitions", "replace", "createOrReplace")
)
SWITCHED = tuple(
    script(
        f"{name}, {conf} off",
        PLAIN,
        overwrite(options, calls=ALIAS, confs={f"{DELTA}.{conf}": "false"}),
    )
    for name, options in CRITERIA.items()
    for conf in SWITCHES
) + tuple(
    script(
        f"{name}, source {value}",
        PLAIN,
        overwrite(options, calls=ALIAS, confs={f"{DELTA}.{MATERIALIZE}": value}),
    )
    for name, options in CRITERIA.items()
    for value in ("none", "all", "auto")
)
REST = (
    script("both replaceUsing and replaceOn", PLAIN, overwrite({**USING, **ON}, calls=ALIAS)),
    script("targetAlias alone", PLAIN, overwrite({"targetAlias": "t"})),
    script(
        "targetAlias alone, append", PLAIN, Save(FRAME, mode="append", options={"targetAlias": "t"})
    ),
    script("replaceUsing and targetAlias", PLAIN, overwrite({**USING, "targetAlias": "t"})),
    script(
        "replaceWhere and targetAlias",
        PLAIN,
        overwrite({"replaceWhere": "t.id > 1", "targetAlias": "t"}),
    ),
    script("replaceusing in lower case", PLAIN, overwrite({"replaceusing": "id"})),
    script(
        "REPLACEON in upper case",
        PLAIN,
        overwrite({"REPLACEON": "t.id = s.id", "TARGETALIAS": "t"}, calls=ALIAS),
    ),
    script(
        "replaceUsing, dynamic partitions by conf",
        PARTS,
        overwrite(USING, WITH_PART, confs={"spark.sql.sources.partitionOverwriteMode": "dynamic"}),
    ),
    script(
        "replaceUsing and partitionBy",
        PARTS,
        Save(WITH_PART, (), "overwrite", options=USING, partition_by=("p",)),
    ),
    script(
        "replaceUsing and another partitionBy",
        PARTS,
        Save(WITH_PART, (), "overwrite", options=USING, partition_by=("v",)),
    ),
    script(
        "replaceUsing and clusterBy",
        PLAIN,
        Save(FRAME, (), "overwrite", options=USING, cluster_by=("id",)),
    ),
    script(
        "replaceUsing of a path with a version",
        PLAIN,
        Save(FRAME, (), "overwrite", path="@v1", options=USING),
    ),
    script(
        "replaceUsing of a path into a partition",
        PARTS,
        Save(WITH_PART, (), "overwrite", path="/p=x", options=USING),
    ),
    script(
        "replaceOn in a case-sensitive session",
        PLAIN,
        overwrite(
            {"replaceOn": "t.ID = s.id", "targetAlias": "t"},
            calls=ALIAS,
            confs={"spark.sql.caseSensitive": "true"},
        ),
    ),
    script("replaceUsing twice", PLAIN, overwrite(USING), overwrite(USING)),
)

REFUSED = WITH_OTHERS + MERGED + IN_MODES + IN_WAYS + SWITCHED + REST
