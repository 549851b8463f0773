"""Which of the pages that share tokens are worth a comparison."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from typing import Final

from topiccrawl.dedup.tokens import kind

#: Pages per token of a text beyond which a store need not list more: what so many pages have is boilerplate,
#: or a story of so many copies, whose first pages are enough (a choice).
MOST_SHARING: Final = 64
#: Share of a token that one page has, of which n pages have an n-th each (a choice: large beside n).
_WHOLE: Final = 1 << 40


def by_body(shared: Mapping[int, Sequence[str]], most: int) -> list[str]:
    """Return the pages that share most of the text, best first, at most *most*.

    A token counts ``1 / n`` for each of the n pages that have it: a shingle of two pages is strong
    evidence, one of a whole site is weak.

    Parameters
    ----------
    shared
        For each token that was looked up the pages that have it.
    """
    return _ranked((urls for token, urls in shared.items() if kind(token) != "title"), most)


def by_title(shared: Mapping[int, Sequence[str]], most: int) -> list[str]:
    """Return the pages whose titles may be similar, as :func:`by_body`; the cosine decides."""
    return _ranked((urls for token, urls in shared.items() if kind(token) == "title"), most)


def _ranked(lists: Iterable[Sequence[str]], most: int) -> list[str]:
    shares: dict[str, int] = defaultdict(int)
    for urls in filter(None, lists):
        # A sum of integers does not depend on the order of the tokens.
        share = _WHOLE // len(urls)
        for url in urls:
            shares[url] += share
    if len(shares) > most:
        # Numbers compare faster than pairs: first the least share that is among the most.
        least = nlargest(most, shares.values())[-1]
        shares = {url: share for url, share in shares.items() if share >= least}
    return sorted(shares, key=lambda url: (-shares[url], url))[:most]
