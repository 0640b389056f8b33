# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The page about a stream: one HTML document that loads nothing.

Its Content-Security-Policy lets a browser run only our two scripts, known by their hashes, and load
nothing from anywhere. All text is escaped as well.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from importlib.resources import files

from deltasource import _html as html
from deltasource._report import sections
from deltasource._report.chart_data import chart_data
from deltasource._report.charts import charts
from deltasource._report.stream_life import StreamLife


def render(life: StreamLife, library: str, *, now: datetime) -> str:
    """Return the page; `library` is the JavaScript that defines `vegaEmbed`."""
    drawn = charts(life)
    specs = {one.id: one.spec for one in drawn if one.spec is not None}
    data = _json({"data": chart_data(life), "charts": specs})
    scripts = [_script(library), _script(_resource("page.js"))]
    body = (
        *sections.head(life, now),
        sections.notes(life),
        sections.charts(drawn),
        sections.moments(life),
        sections.failures(life),
        sections.batches(life),
        sections.operations(life),
        sections.footer(),
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(scripts)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escaped(life.name)}</title>\n<style>\n{_resource('page.css')}</style>"
        f"</head>\n<body>\n{''.join(map(str, body))}\n"
        f'<script type="application/json" id="charts">{data}</script>\n'
        f"{''.join(f'<script>{one}</script>' for one in scripts)}\n</body></html>\n"
    )


def _policy(scripts: Sequence[str]) -> str:
    digests = (hashlib.sha256(one.encode()).digest() for one in scripts)
    hashes = " ".join(f"'sha256-{base64.b64encode(one).decode()}'" for one in digests)
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src {hashes}"


def _json(values: object) -> str:
    """Return JSON that no HTML parser takes for a tag."""
    text = json.dumps(values, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _script(text: str) -> str:
    """Return JavaScript that an HTML parser reads to its end."""
    return text.replace("\r\n", "\n").replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _resource(name: str) -> str:
    return (files("deltasource._report") / name).read_text("utf-8")
