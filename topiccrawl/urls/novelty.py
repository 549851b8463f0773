"""How much of a page's text is new: not read before on the pages of its host."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote

from topiccrawl.dedup.titles import content_hash

#: Lines that are remembered over all hosts, the latest ones: some 20 MB (measured 2026-11), and the text
#: of the last 3,000 pages or so.  A choice.
REMEMBERED_LINES = 200_000
#: Lines of a page that are compared, the first ones (a choice: bounds the work for one page).
_LINES = 2_000
#: Words of an address that are looked for in the text, the longest ones (a choice).
_ADDRESS_WORDS = 30
_WORD = re.compile(r"\w{3,}")
_DIGITS = re.compile(r"\d+")
_ID_BYTES = 8


@dataclass(frozen=True, slots=True)
class PageText:
    """What :class:`Novelty` and the learner of parameters need of a page's visible text."""

    hash: str
    """Hash of all of it, without white space."""
    lines: tuple[int, ...]
    """An id for each line, without its digits: pages of a calendar differ in nothing else."""
    sizes: tuple[int, ...]
    """Characters of the lines, parallel to *lines*."""


def page_text(visible_text: str, url: str = "") -> PageText | None:
    """Return the text of a page, ``None`` if it has none.

    Parameters
    ----------
    visible_text
        All of it, with the words of the links, one line for each block: two pages of one list may
        have the same body.
    url
        Address of the page, whose words do not count either: error pages repeat what was asked for.
    """
    if not visible_text.strip():
        return None
    lines: list[int] = []
    sizes: list[int] = []
    address = _words_of(url)
    for line in visible_text.split("\n", _LINES)[:_LINES]:
        if address is not None:
            line = address.sub("", line)
        words = "".join(_DIGITS.sub("", line).split())
        if words:
            digest = hashlib.blake2b(words.encode("utf-8", "replace"), digest_size=_ID_BYTES)
            lines.append(int.from_bytes(digest.digest()))
            sizes.append(len(words))
    return PageText(content_hash(visible_text), tuple(lines), tuple(sizes))


def _words_of(url: str) -> re.Pattern[str] | None:
    """Return a pattern for the words of the path and query of *url*, ``None`` without any."""
    start = url.find("/", 8)  # after https://
    text = url[start:] if start > 0 else ""
    words = set(_WORD.findall(unquote(text)) if "%" in text else _WORD.findall(text))
    if not words:
        return None
    longest = sorted(words, key=lambda word: (-len(word), word))[:_ADDRESS_WORDS]
    return re.compile("|".join(map(re.escape, longest)))


class Novelty:
    """The lines read so far, by host.

    Parameters
    ----------
    remembered
        Lines that are kept, >= 1; those that were not met for longest are forgotten.
    """

    def __init__(self, remembered: int = REMEMBERED_LINES) -> None:
        self._remembered = remembered
        # In the order of their last occurrence.
        self._lines: dict[int, None] = {}

    def read(self, host: str, text: PageText) -> tuple[float, tuple[int, ...]]:
        """Remember *text*; return the share of it that was not on the host before, and its new lines.

        The share is of characters, 0 for a text that consists of digits only.  The lines are ids for
        :meth:`remember`.
        """
        salt = int.from_bytes(hashlib.blake2b(host.encode(), digest_size=_ID_BYTES).digest())
        lines = self._lines
        new, new_lines = 0, []
        for line, size in zip(text.lines, text.sizes, strict=True):
            key = line ^ salt
            if key in lines:
                del lines[key]
            else:
                new += size
                new_lines.append(key)
            lines[key] = None
        self._forget()
        total = sum(text.sizes)
        return new / total if total else 0.0, tuple(new_lines)

    def remember(self, lines: Iterable[int]) -> None:
        """Remember lines that were new in another worker or run, as :meth:`read` has returned them."""
        for line in lines:
            self._lines.pop(line, None)
            self._lines[line] = None
        self._forget()

    def _forget(self) -> None:
        while len(self._lines) > self._remembered:
            del self._lines[next(iter(self._lines))]
