# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The process that is killed."""

import json
import sys
from pathlib import Path

from crashes import applying, copying
from crashes.place import Place
from parity.harness.worker import session

# The default; parity runs turn it off, so that both sides list the log each time.
CONFS = {"spark.deltasource.log.listInterval": "10s"}


def main() -> None:
    task = json.loads(sys.argv[1])
    place = Place(Path(task["folder"]), task["streams"])
    spark = session(task["jars"], place.folder, CONFS)
    spark.sparkContext.setLogLevel("ERROR")
    queries = applying if task["applies"] else copying
    answer: object = None
    match task["action"]:
        case "lay":
            queries.lay(spark, place, task["rows"], task["files"])
        case "work":
            queries.work(spark, place)
        case "look":
            answer = queries.wrong(spark, place)
        case other:
            raise ValueError(other)
    Path(task["answer"]).write_text(json.dumps(answer))
    spark.stop()


if __name__ == "__main__":
    main()
