"""Headlines of pages for tests of what is computed from them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

#: Noon in China on 2026-03-02, a Monday.
START = datetime(2026, 3, 2, 4, tzinfo=UTC)


def headline(number: int = 0, **fields: Any) -> Any:
    """Return the headline of page *number*, published ``day`` days after ``START``."""
    day = fields.pop("day", 0)
    published = START + timedelta(days=day)
    values: dict[str, Any] = {
        "url": f"http://a.example/{number}",
        "title": f"标题{number}",
        "site": "a.example",
        "author": "",
        "source": "",
        "kind": "article",
        "language": "zh-Hans",
        "published_at": published,
        "first_seen": published + timedelta(hours=1),
        "fetched_at": published + timedelta(hours=1),
        "changed_at": None,
        "gone_at": None,
        "story": "",
        "copy_of": "",
        "relation": "",
        "keywords": (),
        "probability": 0.9,
        "relevance": 0.5,
        "run_id": "run",
        "media_type": "text/html",
    }
    return SimpleNamespace(**(values | fields))
