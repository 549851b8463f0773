"""The word lists of this package, read once from ``text/data``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def read_list(name: str) -> list[str]:
    """Return the lines of a data file without comments (``#``) and empty lines."""
    text = (files("topiccrawl.text") / "data" / name).read_text(encoding="utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


@cache
def stop_words() -> frozenset[str]:
    """Return the function words of Chinese and English, normalized but not stemmed."""
    return frozenset(
        word for name in ("stop-zh.txt", "stop-en.txt") for line in read_list(name)
        for word in line.split()
    )  # fmt: skip


@cache
def common_english() -> dict[str, float]:
    """Return the IDF of frequent English words, not stemmed; see the head of the file."""
    table: dict[str, float] = {}
    value = 0.0
    for line in read_list("common-en.txt"):
        if line.startswith("["):
            value = float(line.strip("[]"))
        else:
            # A word listed twice keeps its first and more common group.
            for word in line.split():
                table.setdefault(word, value)
    return table
