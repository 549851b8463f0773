"""Which of the pages that share tokens are worth a comparison."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from topiccrawl.dedup.tokens import kind

#: Pages per token of a text beyond which a store need not list more: what so many pages have is boilerplate,
#: or a story of so many copies, whose first pages are enough (a choice).
MOST_SHARING: Final = 64


def by_body(shared: Mapping[int, Sequence[str]], most: int) -> list[str]:
    """Return the pages that share most of the text, best first.

    A token counts ``1 / n`` for each of the n pages that have it: a shingle that two pages have says
    much, one that a whole site has says nothing.

    Parameters
    ----------
    shared
        For each token that was looked up the pages that have it.
    most
        Most pages to return.
    """
    scores: defaultdict[str, float] = defaultdict(float)
    for token, urls in sorted(shared.items()):
        if kind(token) != "title":
            for url in urls:
                scores[url] += 1 / len(urls)
    return sorted(scores, key=lambda url: (-scores[url], url))[:most]


def by_title(shared: Mapping[int, Sequence[str]]) -> list[str]:
    """Return all pages whose titles may be similar, sorted; the cosine decides."""
    return sorted({u for token, urls in shared.items() if kind(token) == "title" for u in urls})
