"""Pages with planted copies: reprints, edited ones, excerpts, pages that gather others, and strangers."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

from tests.support.store_records import NOON, TOPIC
from topiccrawl.dedup.titles import content_hash
from topiccrawl.store.contract import PageRecord

_FIRST, _LAST = 0x4E00, 0x9000


def sentences(number: int, count: int = 12) -> list[str]:
    """Sentences of a text of its own."""
    draw = random.Random(number)
    return [
        "".join(chr(draw.randrange(_FIRST, _LAST)) for _ in range(draw.randrange(18, 30))) + "。"
        for _ in range(count)
    ]


def record(name: str, title: str, body: str, minute: int, **changes: Any) -> PageRecord:
    """A page of the host *name*, fetched and published at *minute*."""
    at = NOON + timedelta(minutes=minute)
    url = f"http://{name}.example/{minute}.html"
    values: dict[str, Any] = {
        "topic": TOPIC,
        "url": url,
        "final_url": url,
        "site": f"{name}.example",
        "title": title,
        "body": body,
        "content_hash": content_hash(body),
        "fetched_at": at,
        "published_at": at,
        "run_id": "run-1",
    }
    return PageRecord(**(values | changes))


def planted_parts(stories: dict[str, list[PageRecord]]) -> dict[str, list[PageRecord]]:
    """Stories with an excerpt each, and by their names pages that share text with them but are none of them.

    No page states a date but those of the stories: two digests with a text of each story, and a fragment
    that both digests and the first story contain.
    """
    found = {name: list(pages) for name, pages in stories.items()}
    minute = 1_000
    morning, evening = [], []
    for name, pages in stories.items():
        first = pages[0]
        lines = first.body.split("\n")
        morning += lines[:7]
        evening += lines[5:]
        minute += 1
        excerpt = record("excerpt", first.title, "\n".join(lines[2:7]), minute)
        found[name].append(replace(excerpt, published_at=None))
    for name, title, text in (
        ("digest-morning", "早间要闻汇总速览", morning),
        ("digest-evening", "晚间播报一览全天", evening),
        ("fragment", "示例数据说明文字", morning[5:7]),
    ):
        minute += 1
        page = record(name, title, "\n".join(text), minute)
        found[name] = [replace(page, published_at=None)]
    return found


def planted(stories: int = 3, seed: int = 1) -> dict[str, list[PageRecord]]:
    """Pages by the name of their story; each story was published and fetched in this order."""
    found: dict[str, list[PageRecord]] = {}
    minute = 0
    for number in range(stories):
        own = sentences(1000 * seed + number)
        title = "".join(sentences(5000 * seed + number, 1))[:16]
        edited = [*own[:5], *sentences(7000 * seed + number, 1), *own[6:]]
        moved = [*own[6:], *own[:6]]
        forms = {
            "first": own,
            "reprint": own,
            "edited": edited,
            "again": [*edited[:9], *sentences(9000 * seed + number, 1), *edited[10:]],
            "moved": moved,
        }
        pages = []
        for name, text in forms.items():
            minute += 1
            pages.append(record(f"{name}-{number}", title, "\n".join(text), minute))
        found[f"story-{number}"] = pages
        minute += 1
        alone = sentences(11000 * seed + number)
        found[f"alone-{number}"] = [
            record(f"alone-{number}", alone[0][:16], "\n".join(alone), minute)
        ]
    return found
