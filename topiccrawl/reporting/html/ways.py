"""The section of a report on pages that no link led to: how they were found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.reporting.html.parts import section
from topiccrawl.reporting.markup import Html, clean, el
from topiccrawl.reporting.scale import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.reporting.aggregates.ways import WayCount
    from topiccrawl.reporting.words.labels import Words


def ways_section(ways: Sequence[WayCount], words: Words) -> Html | None:
    """Return the ways with their numbers of pages; nothing if links led to all pages."""
    if not ways:
        return None
    items = [
        el(
            "li",
            el("b", number(way.count)),
            " ",
            el("bdi", clean(words.detail(way.example), 200)),
        )
        for way in ways
    ]
    note = el("p", words("ways-note"), class_="note")
    return section("ways", words("ways"), note, el("ul", items))
