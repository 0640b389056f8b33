# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`replaceUsing` and `replaceOn`: which rows are replaced, for each kind of frame."""

from collections.abc import Mapping

from parity.batch.catalogue.helpers import (
    ALIAS,
    CHECKED,
    CLUSTERED,
    EMPTY,
    FEED,
    FRAME,
    MAPPED,
    NULLS,
    ON,
    PARTS,
    PLAIN,
    ROWS,
    TRACKED,
    USING,
    VECTORS,
    WITH_PART,
    overwrite,
    script,
)
from parity.batch.script import Call

FRAMES: Mapping[str, tuple[str, tuple[Call, ...]]] = {
    "plain": (FRAME, ()),
    "with an alias": (FRAME, ALIAS),
    "with an alias in SQL": (f"SELECT * FROM {ROWS} AS s(id, v)", ()),
    "with two aliases": (FRAME, (*ALIAS, ("alias", "r"))),
    "projected after its alias": (FRAME, (*ALIAS, ("selectExpr", "s.id AS id", "s.v AS v"))),
    "with ids changed after its alias": (
        FRAME,
        (*ALIAS, ("selectExpr", "s.id + 100 AS id", "s.v AS v")),
    ),
    "with columns unchanged after its alias": (FRAME, (*ALIAS, ("selectExpr", "id", "v"))),
    "with a column computed after its alias": (FRAME, (*ALIAS, ("withColumn", "v", "upper(v)"))),
    "with its id computed after its alias": (FRAME, (*ALIAS, ("withColumn", "id", "id + 1"))),
    "filtered after its alias": (FRAME, (*ALIAS, ("where", "s.id < 5"))),
    "sorted after its alias": (FRAME, (*ALIAS, ("sort", "id"))),
    "distinct after its alias": (FRAME, (*ALIAS, ("distinct",))),
    "repartitioned after its alias": (FRAME, (*ALIAS, ("repartition", "1"))),
    "unioned after its alias": (FRAME, (*ALIAS, ("union", FRAME))),
    "renamed after its alias": (
        f"SELECT col1 AS n, col2 AS v FROM {ROWS}",
        (*ALIAS, ("withColumnRenamed", "n", "id")),
    ),
    "joined with the table": (
        FRAME,
        (*ALIAS, ("join", "SELECT * FROM target", "o", "s.id = o.id"), ("selectExpr", "s.*")),
    ),
    "joined with the table, with an alias": (
        FRAME,
        (
            ("alias", "r"),
            ("join", "SELECT * FROM target", "o", "r.id = o.id"),
            ("selectExpr", "r.id AS id", "concat(o.v, r.v) AS v"),
            *ALIAS,
        ),
    ),
    "of the table itself": ("SELECT id, upper(v) AS v FROM target WHERE id > 1", ALIAS),
    "of the table through the catalog": (
        "SELECT id, upper(v) AS v FROM {table} WHERE id > 1",
        ALIAS,
    ),
    "without rows": (FRAME, (("where", "false"), *ALIAS)),
    "with an id twice": ("SELECT col1 AS id, col2 AS v FROM VALUES (2L, 'B'), (2L, 'C')", ALIAS),
    "with a random column": (FRAME, (("withColumn", "v", "if(rand() < 2, v, 'n')"), *ALIAS)),
    "in another letter case": ("SELECT col1 AS ID, col2 AS V FROM " + ROWS, ALIAS),
    "in another order": ("SELECT col2 AS v, col1 AS id FROM " + ROWS, ALIAS),
    "of a narrower type": ("SELECT 2 AS id, 'B' AS v", ALIAS),
    "of text": ("SELECT '2' AS id, 'B' AS v", ALIAS),
    "with an extra column": ("SELECT 2L AS id, 'B' AS v, 1 AS more", ALIAS),
    "with a missing column": ("SELECT 2L AS id", ALIAS),
    "with nulls": ("SELECT CAST(NULL AS LONG) AS id, 'N' AS v UNION ALL SELECT 2L, 'B'", ALIAS),
}
CONDITIONS: Mapping[str, Mapping[str, str]] = {
    "of both sides": ON,
    "of the target only": {"replaceOn": "t.id < 3", "targetAlias": "t"},
    "of more": {"replaceOn": "t.id = s.id AND t.v < s.v", "targetAlias": "t"},
    "that is an inequality": {"replaceOn": "t.id <= s.id", "targetAlias": "t"},
    "that is true": {"replaceOn": "true"},
    "that is false": {"replaceOn": "false"},
    "that is null": {"replaceOn": "null"},
    "that is not a boolean": {"replaceOn": "t.id + s.id", "targetAlias": "t"},
    "that is empty": {"replaceOn": ""},
    "that cannot be parsed": {"replaceOn": "t.id =", "targetAlias": "t"},
    "with an unknown column": {"replaceOn": "t.none = s.id", "targetAlias": "t"},
    "with an unknown alias": {"replaceOn": "t.id = u.id", "targetAlias": "t"},
    "without aliases": {"replaceOn": "id = id"},
    "without the target's alias": {"replaceOn": "t.id = s.id"},
    "with the alias of the source for both": {"replaceOn": "s.id = s.id", "targetAlias": "s"},
    "with an empty alias": {"replaceOn": "id = s.id", "targetAlias": ""},
    "with an alias that needs quotes": {"replaceOn": "`a b`.id = s.id", "targetAlias": "a b"},
    "with a subquery": {"replaceOn": "t.id IN (SELECT 2)", "targetAlias": "t"},
    "with a random number": {"replaceOn": "t.id = s.id AND rand() < 2", "targetAlias": "t"},
    "with an aggregate": {"replaceOn": "max(t.id) = s.id", "targetAlias": "t"},
    "in other letter case": {"replaceOn": "T.ID = S.ID", "targetAlias": "t"},
}
COLUMNS = ("id,v", " id , v ", "ID", "none", "id,none", "", ",", "`id`", "t.id", "id v")
TABLES = {
    "that is empty": EMPTY,
    "with nulls": NULLS,
    "with deletion vectors": VECTORS,
    "with a change feed": FEED,
    "with mapped columns": MAPPED,
    "with clusters": CLUSTERED,
    "with row tracking": TRACKED,
    "with a constraint": CHECKED,
}
BY_COLUMN = (
    "plain",
    "with an alias",
    "with ids changed after its alias",
    "joined with the table, with an alias",
    "of the table itself",
    "without rows",
    "with an id twice",
    "in another order",
    "of text",
    "with an extra column",
    "with nulls",
)
"""The frames that matter to `replaceUsing`, which ignores aliases."""
CRITERIA = {"replaceUsing": USING, "replaceOn": ON}

OF_FRAMES = tuple(
    script(f"{name}, a frame {form}", PLAIN, overwrite(options, frame, calls))
    for name, options in CRITERIA.items()
    for form, (frame, calls) in FRAMES.items()
    if name == "replaceOn" or form in BY_COLUMN
)
OF_CONDITIONS = tuple(
    script(f"replaceOn a condition {name}", PLAIN, overwrite(options, calls=ALIAS))
    for name, options in CONDITIONS.items()
    if options != ON
)
OF_COLUMNS = tuple(
    script(f"replaceUsing {columns!r}", PLAIN, overwrite({"replaceUsing": columns}))
    for columns in COLUMNS
)
OF_TABLES = tuple(
    script(f"{name}, a table {form}", setup, overwrite(options, calls=ALIAS))
    for name, options in CRITERIA.items()
    for form, setup in TABLES.items()
    if name == "replaceUsing"
    or form in ("with nulls", "with deletion vectors", "with a change feed")
)
OF_PARTITIONS = tuple(
    script(f"{name} {title}, partitions", PARTS, overwrite(options, WITH_PART, ALIAS))
    for name, title, options in (
        ("replaceUsing", "p", {"replaceUsing": "p"}),
        ("replaceUsing", "id", USING),
        ("replaceUsing", "id and p", {"replaceUsing": "id, p"}),
        ("replaceOn", "t.p = s.p", {"replaceOn": "t.p = s.p", "targetAlias": "t"}),
        ("replaceOn", "t.id = s.id", ON),
    )
)

REPLACED = OF_FRAMES + OF_CONDITIONS + OF_COLUMNS + OF_TABLES + OF_PARTITIONS
