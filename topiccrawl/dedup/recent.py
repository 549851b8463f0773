"""Tokens of pages that are not in the store yet, in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence


class RecentTokens:
    """Pages by their tokens, of at most a number of pages: the oldest leave first.

    The same question as to a store: which pages have one of these tokens.

    Parameters
    ----------
    most
        Most pages, > 0.
    """

    def __init__(self, most: int) -> None:
        if most < 1:
            raise ValueError(f"most must be at least 1, got {most}")
        self._most = most
        self._tokens: OrderedDict[str, tuple[int, ...]] = OrderedDict()
        self._urls: dict[int, tuple[str, ...]] = {}

    def __len__(self) -> int:
        return len(self._tokens)

    def add(self, url: str, tokens: Iterable[int]) -> None:
        """Add a page, or replace its tokens."""
        self.remove(url)
        self._tokens[url] = tuple(dict.fromkeys(tokens))
        for token in self._tokens[url]:
            self._urls[token] = (*self._urls.get(token, ()), url)
        while len(self._tokens) > self._most:
            self.remove(next(iter(self._tokens)))

    def remove(self, url: str) -> None:
        """Remove a page; a URL that is not there is ignored."""
        for token in self._tokens.pop(url, ()):
            urls = self._urls.pop(token)
            if len(urls) > 1:
                self._urls[token] = tuple(other for other in urls if other != url)

    def sharing(self, tokens: Iterable[int]) -> Mapping[int, Sequence[str]]:
        """Return for each token that a page has the URLs of its pages, oldest first."""
        return {token: list(urls) for token in tokens if (urls := self._urls.get(token))}
