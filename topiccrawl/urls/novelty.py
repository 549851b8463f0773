"""How much of a page's text is new: not read before on the pages of its host."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote

from rbloom import Bloom

from topiccrawl.dedup.titles import content_hash

#: The latest lines over all hosts that are remembered at least, and at most twice as many: the text of the
#: last 3,000 pages or so, in 1 MB of two filters.  A choice.
REMEMBERED_LINES = 200_000
#: Share of new lines that are taken for old (a choice: far below what any threshold of novelty could notice).
_FALSE_POSITIVE_RATE = 1e-4
#: Lines of a page that are compared, the first ones (a choice: bounds the work for one page).
MOST_LINES = 2_000
#: Words of an address that are looked for in the text, the longest ones (a choice).
_ADDRESS_WORDS = 30
_WORD = re.compile(r"\w{3,}")
_DIGITS = re.compile(r"\d+")
#: Ids of lines and hosts.  Of a million lines, two have the same id in one of 10 million crawls.
_ID_BYTES = 8
#: Sets the ids of addresses apart from those of lines.
_ADDRESS = "address"
#: Multiplier that spreads ids over 128 bits: the golden ratio's, as in Fibonacci hashing; it is odd.
_SPREAD = 0x9E3779B97F4A7C15F39CC0605CEDC835


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
    text = "\n".join(visible_text.split("\n", MOST_LINES)[:MOST_LINES])
    for line in _DIGITS.sub("", _without_words_of(url, text)).split("\n"):
        words = "".join(line.split())
        if words:
            lines.append(_id_of(words))
            sizes.append(len(words))
    return PageText(content_hash(visible_text), tuple(lines), tuple(sizes))


def _without_words_of(url: str, text: str) -> str:
    """Return *text* without the words of the path and query of *url*; none of them has a line end."""
    start = url.find("/", 8)  # after https://
    address = url[start:] if start > 0 else ""
    words = set(_WORD.findall(unquote(address) if "%" in address else address))
    longest = sorted(words, key=lambda word: (-len(word), word))[:_ADDRESS_WORDS]
    # Few of them are in the text, often the same ones on all pages of a folder: compiled once.
    found = [word for word in longest if word in text]
    return re.sub("|".join(map(re.escape, found)), "", text) if found else text


class Novelty:
    """The lines read so far, by host, and the addresses fetched.

    They are in two Bloom filters: the present one and the one before.

    Parameters
    ----------
    remembered
        Lines and addresses of a filter, >= 1.  When the present one is full, the one before is forgotten;
        those that were met again meanwhile are in the present one, too.
    """

    def __init__(self, remembered: int = REMEMBERED_LINES) -> None:
        self._remembered = remembered
        self._before = self._present = self._filter()
        self._count = 0

    def _filter(self) -> Bloom:
        return Bloom(self._remembered, _FALSE_POSITIVE_RATE, int)

    def read(self, host: str, text: PageText) -> tuple[float, tuple[int, ...]]:
        """Remember *text*; return the share of it that was not on the host before, and its new lines.

        The share is of characters, 0 for a text that consists of digits only.  The lines are ids for
        :meth:`remember`.
        """
        salt = _id_of(host)
        new, new_lines = 0, []
        for line, size in zip(text.lines, text.sizes, strict=True):
            key = line ^ salt
            spread = _spread(key)
            if spread in self._present:
                continue
            if spread not in self._before:
                new += size
                new_lines.append(key)
            self._add(spread)
        total = sum(text.sizes)
        return new / total if total else 0.0, tuple(new_lines)

    def visit(self, address: str) -> tuple[int, ...]:
        """Remember that *address* was fetched; return its id for :meth:`remember`, nothing if known."""
        key = _id_of(f"{_ADDRESS} {address}")
        spread = _spread(key)
        if spread in self._present:
            return ()
        known = spread in self._before
        self._add(spread)
        return () if known else (key,)

    def remember(self, lines: Iterable[int]) -> None:
        """Remember what was new in another worker or run, as :meth:`read` and :meth:`visit` return it."""
        for key in lines:
            spread = _spread(key)
            if spread not in self._present:
                self._add(spread)

    def _add(self, spread: int) -> None:
        self._present.add(spread)
        self._count += 1
        if self._count >= self._remembered:
            self._before, self._present, self._count = self._present, self._filter(), 0


def of_host(lines: Iterable[int], host: str, other: str) -> Iterable[int]:
    """Return ids of lines of *host*, as :meth:`Novelty.read` returns them, as ids for *other*."""
    salts = _id_of(host) ^ _id_of(other)
    return (line ^ salts for line in lines)


def _id_of(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=_ID_BYTES)
    return int.from_bytes(digest.digest())


def _spread(key: int) -> int:
    """Return the hash of an id as rbloom wants it: 128 bits, with a sign."""
    return (key * _SPREAD & (1 << 128) - 1) - (1 << 127)
