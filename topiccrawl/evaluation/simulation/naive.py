"""Rules that a user without this project would keep pages by, for comparison with the crawler's judge.

Keywords are compared as substrings of normalized text: simplified Chinese in lower case.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from topiccrawl.language import N_
from topiccrawl.text.normalize import normalize

if TYPE_CHECKING:
    from topiccrawl.evaluation.simulation.pages import StoredPages

#: Names of the rules in tables and results, in the order of :func:`kept_by_rules`.
NAIVE_RULES = (N_("one keyword"), N_("two or title"), N_("three keywords"))


def kept_by_rules(keywords: Sequence[str], title: str, text: str) -> tuple[bool, bool, bool]:
    """Return whether each rule keeps a page; all arguments are normalized.

    1. One keyword in title or text.
    2. Two different keywords in title or text, or one in the title.
    3. Three different keywords in title or text; all of them if there are fewer than three.

    >>> kept_by_rules(["侨乡", "华侨", "侨眷", "归侨"], "侨乡", "这里有许多华侨")
    (True, True, False)
    """
    in_title = {word for word in keywords if word in title}
    found = in_title.union(word for word in keywords if word in text)
    few = min(3, len(keywords))
    return bool(found), bool(in_title) or len(found) >= 2, 0 < few <= len(found)


class NaiveRules:
    """Applies the rules to stored pages; the normalized texts are kept, compressed, for all topics."""

    def __init__(self, pages: StoredPages) -> None:
        self._pages = pages
        self._texts: dict[str, bytes] = {}

    def judge(self, keywords: Iterable[str], urls: Sequence[str]) -> dict[str, tuple[bool, ...]]:
        """Return by rule which of *urls* it keeps; what is not an HTML page is never kept.

        The text of a page is its body, or all visible text where the crawler also takes that.
        """
        words = list(dict.fromkeys(filter(None, (normalize(w).strip() for w in keywords))))
        rows = [self._judge(words, url) for url in urls]
        return {rule: tuple(row[place] for row in rows) for place, rule in enumerate(NAIVE_RULES)}

    def _judge(self, words: Sequence[str], url: str) -> tuple[bool, bool, bool]:
        if url not in self._texts:
            self._texts[url] = zlib.compress(self._read(url).encode("utf-8", "replace"), 1)
        title, _, text = zlib.decompress(self._texts[url]).decode("utf-8").partition("\n")
        return kept_by_rules(words, title, text)

    def _read(self, url: str) -> str:
        """Return title and text of a page, normalized and separated by a line break."""
        answer = self._pages.get(url)
        if answer is None or not answer.is_page:
            return ""
        view = self._pages.view(answer)
        title = " ".join(normalize(view.title).split())
        return f"{title}\n{normalize(view.visible_text or view.body)}"
