# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The live view in a notebook: how often it changes, and where it is shown."""

from __future__ import annotations

import logging
import sys
import threading
from typing import Any

import pytest

import deltasource
from deltasource import MissingLibraryError
from deltasource._views.notebook import NotebookView
from support.view_samples import batch, ended, started


def test_the_first_event_is_shown_at_once_and_the_last_at_the_end() -> None:
    """In between, many events change the view once."""
    texts: list[str] = []
    view = NotebookView(texts.append, seconds=3600)
    view(started())
    for number in range(100):
        view(batch(number))
    view(ended())
    assert [">running<" in text for text in texts] == [True]
    view.close()
    view.close()
    assert [">ended<" in text for text in texts] == [False, True, True]


def test_a_change_that_comes_too_early_is_shown_soon() -> None:
    """No further event is needed."""
    texts: list[str] = []
    shown = threading.Event()

    def show(text: str) -> None:
        texts.append(text)
        if ">ended<" in text:
            shown.set()

    view = NotebookView(show, seconds=0.05)
    view(started())
    view(ended())
    assert shown.wait(timeout=30)
    assert len(texts) == 2


def test_it_is_displayed_once_and_then_updated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table appears in the cell that creates the view, and changes in place."""
    from IPython.core import display_functions, getipython

    calls: list[tuple[str, str]] = []

    class Handle:
        def update(self, bundle: dict[str, str], *, raw: bool) -> None:
            assert raw
            calls.append(("update", bundle["text/html"]))

    def display(bundle: dict[str, str], *, raw: bool, display_id: bool) -> Handle:
        assert raw
        assert display_id
        calls.append(("display", bundle["text/html"]))
        return Handle()

    monkeypatch.setattr(getipython, "get_ipython", object)
    monkeypatch.setattr(display_functions, "display", display)
    deltasource.notebook_view()(started())
    assert [kind for kind, _ in calls] == ["display", "update"]
    assert "none has started yet" in calls[0][1]
    assert ">orders<" in calls[1][1]


def test_outside_a_notebook_nothing_is_shown(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """A script that is run by a scheduler may contain it; a warning says what to use."""
    with caplog.at_level(logging.WARNING, logger="deltasource"):
        deltasource.notebook_view()(started())
    assert [record.getMessage() for record in caplog.records] == [
        "notebook_view shows nothing outside a notebook: use log_progress"
    ]
    assert capsys.readouterr() == ("", "")


def test_without_ipython_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is optional, like every library."""
    hidden: Any = None
    monkeypatch.setitem(sys.modules, "IPython.core.display_functions", hidden)
    with pytest.raises(MissingLibraryError, match="pip install 'ipython>=8' installs") as error:
        deltasource.notebook_view()
    assert error.value.name == "IPython"
