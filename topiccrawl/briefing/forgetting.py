"""Deleted pages leave the briefings that are kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from topiccrawl.briefing.storing import saved_briefings, store_briefing
from topiccrawl.store.deleting import person_pattern
from topiccrawl.text.normalize import normalize

if TYPE_CHECKING:
    import re
    from datetime import datetime

    from topiccrawl.briefing.model import Briefing, Entry
    from topiccrawl.store.contract import Store

__all__ = ["forget_in_briefings", "without"]


async def forget_in_briefings(
    store: Store, topic: str, urls: Collection[str], persons: Iterable[str], now: datetime
) -> int:
    """Take deleted pages and entries that name a person out of kept briefings; return how many changed."""
    gone, patterns = set(urls), [person_pattern(name) for name in persons]
    changed = 0
    for briefing in [it async for it in saved_briefings(store, topic)]:
        left = without(briefing, gone, patterns)
        if left != briefing:
            await store_briefing(store, left, now)
            changed += 1
    return changed


def without(
    briefing: Briefing, urls: Collection[str], patterns: Collection[re.Pattern[str]] = ()
) -> Briefing:
    """Return *briefing* without entries and sentences of the pages *urls*, and without named persons."""
    return replace(
        briefing,
        sections=tuple(
            replace(
                section,
                entries=tuple(
                    _without(entry, urls, patterns)
                    for entry in section.entries
                    if entry.url not in urls and not _names(entry, patterns)
                ),
            )
            for section in briefing.sections
        ),
    )


def _without(entry: Entry, urls: Collection[str], patterns: Collection[re.Pattern[str]]) -> Entry:
    return replace(
        entry,
        sentences=tuple(it for it in entry.sentences if it.url not in urls),
        first=None if entry.first is not None and entry.first.url in urls else entry.first,
        also=tuple(
            it for it in entry.also if it.url not in urls and not _any(patterns, (it.title,))
        ),
    )


def _names(entry: Entry, patterns: Collection[re.Pattern[str]]) -> bool:
    texts = (entry.title, entry.author, entry.source, *(it.text for it in entry.sentences))
    return _any(patterns, texts)


def _any(patterns: Collection[re.Pattern[str]], texts: Iterable[str]) -> bool:
    return bool(patterns) and any(
        pattern.search(plain) for plain in map(normalize, texts) for pattern in patterns
    )
