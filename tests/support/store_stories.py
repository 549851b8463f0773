"""Pages in stories, for tests of stores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import tests.support.store_records as make
from tests.support.store_records import TOPIC
from topiccrawl.store.contract import PageRecord, Store

#: Method of the comparisons in these tests.
METHOD = 3


def head(number: int = 1, **changes: Any) -> PageRecord:
    """A page alone in a story of its own."""
    page = make.page(number, html=None, tokens=(number,), compared=METHOD, body=f"正文{number}")
    return replace(page, **{"story": page.id, **changes})


def copy(number: int, of: PageRecord, **changes: Any) -> PageRecord:
    """A copy in the story of another page."""
    return replace(
        head(number),
        **{
            "story": of.story,
            "copy_of": of.url,
            "relation": "copy",
            "relation_detail": ("same text as the other",),
            **changes,
        },
    )


def urls(pages: Iterable[PageRecord]) -> list[str]:
    return [page.url for page in pages]


async def open_pages(store: Store) -> list[str]:
    """The pages that must be compared."""
    return urls([page async for page in store.uncompared(TOPIC, METHOD)])
