"""A small stored web on disk about volcanoes: two hosts, one topic, in English."""

from __future__ import annotations

import json
import sqlite3
import zlib
from pathlib import Path

A, B = "http://a.example", "http://b.example"
ON = "Volcano eruption: lava and magma rise from the crater, ash covers the slopes of the volcano. "
OFF = "The parliament debated the budget; ministers answered questions about taxes and pensions. "

HOME, LIST, NEWS = f"{A}/", f"{A}/list", f"{B}/news"
RELEVANT = [f"{A}/v{i}" for i in range(1, 7)] + [f"{B}/lava"]


def html(title: str, text: str, links: list[tuple[str, str]]) -> bytes:
    anchors = "".join(f'<li><a href="{url}">{anchor}</a></li>' for url, anchor in links)
    return (
        f"<html><head><title>{title}</title></head><body><h1>{title}</h1>"
        f"<p>{text * 4}</p><ul>{anchors}</ul></body></html>"
    ).encode()


def small_pages() -> dict[str, bytes]:
    """Home -> list of volcanoes and news; each volcano leads to the next, news to more news."""
    pages = {
        HOME: html("Home", OFF, [(NEWS, "news of parliament"), (LIST, "all volcanoes")]),
        LIST: html("Volcanoes", ON, [(f"{A}/v{i}", f"volcano {i}") for i in (1, 2, 3)]),
        NEWS: html("News", OFF, [(f"{B}/n{i}", f"budget debate {i}") for i in range(1, 9)]),
        f"{B}/lava": html("Lava", ON, [(HOME, "home")]),
    }
    for i in range(1, 7):
        follow = [(f"{A}/v{i + 1}", f"eruption {i + 1}")] if i < 6 else [(f"{B}/lava", "lava")]
        pages[f"{A}/v{i}"] = html(f"Volcano {i}", ON, [*follow, (HOME, "home"), (f"{A}/gone", "x")])
    for i in range(1, 9):
        pages[f"{B}/n{i}"] = html(
            f"Debate {i}", OFF, [(NEWS, "news"), (f"{B}/n{i % 8 + 1}", "next")]
        )
    return pages


def write_web(folder: Path, pages: dict[str, bytes] | None = None) -> Path:
    """Write the web as docs/webs.md describes it and return its folder."""
    folder.mkdir(parents=True)
    database = sqlite3.connect(folder / "web.sqlite")
    database.execute("CREATE TABLE pages(url TEXT PRIMARY KEY, content_type TEXT, body BLOB)")
    database.executemany(
        "INSERT INTO pages VALUES (?, 'text/html; charset=utf-8', ?)",
        [(url, zlib.compress(body)) for url, body in (pages or small_pages()).items()],
    )
    database.commit()
    database.close()
    (folder / "relevant").mkdir()
    (folder / "relevant" / "volcanoes.txt").write_text("\n".join(RELEVANT) + "\n")
    topic = {
        "name": "volcanoes",
        "description": "火山",
        "keywords": ["volcano", "lava", "eruption", "crater"],
        "examples": [f"{A}/v1", f"{A}/v2"],
        "seeds_near": [LIST],
        "seeds_far": [NEWS, HOME],
        "relevant_file": "relevant/volcanoes.txt",
    }
    (folder / "topics.json").write_text(json.dumps({"lang": "en", "topics": [topic]}))
    return folder
