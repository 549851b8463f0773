"""Budgets of URL families: stop fetching URLs behind which there are always the same few texts.

These are the traps that cannot be recognized by a URL alone.  (How many pages a *host* may have is
limited by the frontier, see docs/urls.md.)
"""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass, field

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _

#: Numbers, and words of 8 and more letters and digits that contain a digit: dates, ids, hashes.
_VARIABLE = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z]*[0-9])[A-Za-z0-9]{8,}|[0-9]+")


def url_pattern(url: str) -> str:
    """Return *url* with ``0`` for every number and id: the family the URL belongs to.

    >>> url_pattern("http://a.cn/2020-01/13/t20200113_5468.html?id=7f3a9c0d21")
    'http://a.cn/0-0/0/0_0.html?id=0'
    """
    return _VARIABLE.sub("0", url)


@dataclass(slots=True)
class _Family:
    pages: int = 0
    relevant: bool = False
    contents: set[str] = field(default_factory=set)


class FamilyBudget:
    """Detects URL families whose pages repeat a few texts and are never relevant.

    A family is exhausted when *pages* of it were fetched, none was relevant and they had at most
    *contents* different texts: soft error pages, empty days of a calendar, sessions in the path.
    Without the condition on the texts, the articles of a news site, which are one family, too, would
    be exhausted by a hundred irrelevant ones, which is nothing unusual.  One relevant page clears a
    family for good.

    Parameters
    ----------
    pages
        Pages after which a family may be exhausted, >= 1.  The default is a guess.
    contents
        Different texts that an exhausted family has at most, >= 1.  The default is a guess: 95 of 100
        pages brought nothing new.
    families
        Families kept in memory, >= 1; the least recently seen are dropped.  A family takes up to about
        1.5 kB (measured 2026-11).

    Raises
    ------
    ConfigurationError
        If one of them is below 1.
    """

    def __init__(self, *, pages: int = 100, contents: int = 5, families: int = 10_000) -> None:
        for name, value in (("pages", pages), ("contents", contents), ("families", families)):
            if value < 1:
                raise ConfigurationError(
                    _("{name} must be >= 1, got {value!r}").format(name=name, value=value)
                )
        self._pages = pages
        self._contents = contents
        self._max_families = families
        self._families: OrderedDict[str, _Family] = OrderedDict()

    def observe(self, url: str, relevant: bool, content_hash: str | None) -> None:
        """Count a fetched page.

        Parameters
        ----------
        url
            Canonical URL of the page.
        relevant
            Whether the page is relevant to the topic.
        content_hash
            Hash of all visible text, with the words of the links; ``None`` for a page without text,
            which is not counted unless it is relevant (a script may draw its content).
        """
        pattern = url_pattern(url)
        family = self._families.get(pattern)
        if family is None:
            family = self._families[pattern] = _Family()
            while len(self._families) > self._max_families:
                self._families.popitem(last=False)
        self._families.move_to_end(pattern)
        if relevant:
            family.relevant = True
            family.contents.clear()
        elif not family.relevant and content_hash is not None:
            family.pages += 1
            if len(family.contents) <= self._contents:
                family.contents.add(content_hash)

    def exhausted(self, url: str) -> bool:
        """Return whether canonical *url* belongs to an exhausted family: not worth a request."""
        family = self._families.get(url_pattern(url))
        return (
            family is not None
            and not family.relevant
            and family.pages >= self._pages
            and len(family.contents) <= self._contents
        )
