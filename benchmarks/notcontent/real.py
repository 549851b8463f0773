"""Real pages: content, whatever they discuss."""

from __future__ import annotations

import gzip
import json
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: Folder of real pages and webs; they are not part of the project.
SHARED = Path("../shared/data")


@dataclass(frozen=True, slots=True)
class Real:
    """A page as it was received."""

    source: str
    url: str
    body: bytes
    charset: str | None
    content_type: str = "text/html"


def real_pages(shared: Path = SHARED) -> Iterator[Real]:
    """Yield all real pages in *shared*, the labeled ones first."""
    for file in sorted((shared / "extraction" / "dev").glob("*.html")):
        truth = json.loads(file.with_suffix(".json").read_text("utf-8"))
        url = truth["url"] or f"http://{truth['host'] or 'www.example.com'}/a/12345.html"
        yield Real("dev", url, file.read_bytes(), None)
    english = shared / "extraction" / "en"
    if (english / "ground-truth.json").is_file():
        for name, truth in json.loads((english / "ground-truth.json").read_text("utf-8")).items():
            page = gzip.decompress((english / "html" / f"{name}.html.gz").read_bytes())
            yield Real("en", truth["url"], page, None)
    for web in ("zhdocs", "wikispeedia"):
        path = shared / "webs" / web / "web.sqlite"
        if not path.exists():
            continue
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
            for url, kind, charset, body in db.execute(
                "SELECT url, content_type, charset, body FROM pages ORDER BY url"
            ):
                if body:
                    yield Real(web, url, zlib.decompress(body), charset, kind or "text/html")
