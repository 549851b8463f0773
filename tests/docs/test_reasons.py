"""Every reason for which a page or a request is given up has its label and its place in docs/stats.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from topiccrawl.crawl.requests.refused import BlockedByHost, RequestRefused, VisitedBefore
from topiccrawl.pipelines.drops import NotContentDropped, PageDropped, Unchanged, Unreadable
from topiccrawl.reporting.words.reasons import REASONS

ROOT = Path(__file__).parents[2]

#: Each has a reason of its own for every instance.
NAMED_LATER = {NotContentDropped, Unreadable, BlockedByHost}
#: The page is as it was, or its visit is recorded: no outcome has this reason.
WITHOUT_OUTCOME = {Unchanged, VisitedBefore}


def reasons(base: type[Any], counted: str) -> Iterator[Any]:
    for kind in base.__subclasses__():
        if kind not in NAMED_LATER | WITHOUT_OUTCOME:
            yield pytest.param(kind.reason, counted, id=kind.__name__)


def list_of(counted: str) -> str:
    """The paragraph of docs/stats.md about the reasons of a statistic."""
    text = (ROOT / "docs" / "stats.md").read_text("utf-8")
    found = re.search(rf"^Reasons of `{counted}`:.*?\n\n", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[0]


@pytest.mark.parametrize(
    ("reason", "counted"),
    [*reasons(PageDropped, "dropped"), *reasons(RequestRefused, "failed")],
)
def test_a_reason_has_a_label_in_both_languages_and_is_documented(
    reason: str, counted: str
) -> None:
    assert all(REASONS[reason])
    assert list_of(counted).count(f"`{reason}`") == 1
