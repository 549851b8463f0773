"""Budgets of URL families: stop fetching URLs behind which there is nothing new.

These are the traps that cannot be recognized by a URL alone: endless duplicates, calendars, sessions
in the path, growing paths, orders and selections of one list.  (How many pages a *host* may have is
limited by the frontier, see docs/urls.md.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from topiccrawl.bounded import BoundedDict
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _

#: Numbers, and words of 8 and more letters and digits that contain a digit: dates, ids, hashes.
VARIABLE = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z]*[0-9])[A-Za-z0-9]{8,}|[0-9]+")
#: A page with a smaller share of new text brings nothing new.  A guess: a title, a date and a
#: breadcrumb are less, a paragraph on an ordinary page is more.
NEW_SHARE = 0.1
#: Depth of the deepest folder that is a family; traps lie deeper, but below one of these.
_DEEPEST = 4
#: Patience with a folder, a script or a host, compared to a family of equal patterns: they
#: contain more kinds of pages.  A guess.
_PATIENCE_WITH_FOLDERS = 2


def url_pattern(url: str) -> str:
    """Return *url* with ``0`` for every number and id: the family the URL belongs to.

    >>> url_pattern("http://a.cn/2020-01/13/t20200113_5468.html?id=7f3a9c0d21")
    'http://a.cn/0-0/0/0_0.html?id=0'
    """
    return VARIABLE.sub("0", url)


def families(url: str) -> Iterator[tuple[str, int]]:
    """Yield the families of canonical *url* and the patience with each, as a multiple.

    Numbers count as equal in all of them: the pattern of the URL; its path with the names of the
    parameters; its path with any parameters; each folder above it; its host.

    >>> [name for name, _ in families("http://a.cn/x/12/list.php?sort=3&page=7")]
    ... # doctest: +NORMALIZE_WHITESPACE
    ['http://a.cn/x/0/list.php?sort=0&page=0', 'http://a.cn/x/0/list.php?page&sort',
     'http://a.cn/x/0/list.php?', 'http://a.cn/x/0/', 'http://a.cn/x/', 'http://a.cn/']
    """
    pattern = url_pattern(url)
    yield pattern, 1
    path, mark, query = pattern.partition("?")
    if mark:
        names = {part.partition("=")[0] for part in query.split("&")}
        yield f"{path}?{'&'.join(sorted(names))}", 1
        yield f"{path}?", _PATIENCE_WITH_FOLDERS
    start = path.find("/", 8) + 1  # after https://
    if start:
        *folders, _ = path[start:].split("/")
        for depth in range(min(len(folders), _DEEPEST), -1, -1):
            yield path[:start] + "".join(f"{f}/" for f in folders[:depth]), _PATIENCE_WITH_FOLDERS


class FamilyBudget:
    """Detects URL families whose pages bring nothing new.

    A family is exhausted when the last *pages* pages of it, or twice as many of a folder, a script or a
    host, brought nothing new, whether they were relevant or not.  One page with something new begins the
    count anew in all its families; a family that is exhausted stays so.  Without the condition on the
    texts, the articles of a news site, which are one family, too, would be exhausted by a hundred
    irrelevant ones, which is nothing unusual.  Raises ``ConfigurationError`` if a number is below 1.

    Parameters
    ----------
    pages
        Pages without anything new, one after the other, after which a family is exhausted, >= 1.
    most
        Families kept in memory, >= 1; the least recently seen are dropped.  A family takes up to about
        250 bytes.
    """

    def __init__(self, *, pages: int = 30, most: int = 50_000) -> None:
        for name, value in (("pages", pages), ("most", most)):
            if value < 1:
                raise ConfigurationError(
                    _("{name} must be >= 1, got {value!r}").format(name=name, value=value)
                )
        self._pages = pages
        #: Pages in a row that brought nothing new, by family; families without any are left out.
        self._stale: BoundedDict[str, int] = BoundedDict(most)
        self.found = 0
        """Families that were found to be exhausted so far."""

    def observe(self, url: str, new: bool) -> None:
        """Count a fetched page with text: canonical *url*, and whether it brought something new."""
        for family, patience in families(url):
            stale = self._stale.get(family, 0)
            limit = self._pages * patience
            if stale < limit:
                stale = 0 if new else stale + 1
                self.found += stale == limit
            if stale:
                self._stale[family] = stale
            else:
                self._stale.pop(family, None)

    def exhausted(self, url: str) -> bool:
        """Return whether canonical *url* belongs to an exhausted family: not worth a request."""
        if not self.found:
            return False
        return any(
            self._stale.get(family, 0) >= self._pages * patience
            for family, patience in families(url)
        )
