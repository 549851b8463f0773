"""Pages of a story: copies of one text on sites of their own."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from topiccrawl.stories.members import StoryPage

NOON = datetime(2026, 3, 2, 4, tzinfo=UTC)
TEXT = "".join(map(chr, random.Random(5).choices(range(0x4E00, 0x9000), k=400)))


def member(name: str, hour: float | None, source: str = "", **values: Any) -> StoryPage:
    """Return a page of a story on the site *name*, published *hour* hours after noon."""
    fields: dict[str, Any] = {
        "url": f"http://{name}.example/1.html",
        "title": "大会开幕",
        "body": TEXT,
        "site": f"{name}.example",
        "source": source,
        "site_name": f"{name}日报",
        "published_at": None if hour is None else NOON + timedelta(hours=hour, minutes=1),
        "fetched_at": NOON + timedelta(days=9),
    }
    return StoryPage(**(fields | values))
