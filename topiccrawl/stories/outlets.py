"""Outlets: which names a host publishes under.

From certain to uncertain: the table of national media; the name that the site states on the page; a host
spelled like the name (光明网 → gmw.cn).  The names of the table belong to its domains: a page elsewhere that
states one of them has no name.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from topiccrawl.stories.claims import outlet_key
from topiccrawl.stories.media import MEDIA
from topiccrawl.text.pinyin import syllables
from topiccrawl.urls.domains import registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from topiccrawl.stories.members import StoryPage

#: Ends of names that differ between a medium and its site: 华侨报, 华侨报网, 华侨报社.
_ENDS: Final = (
    "新闻网", "官方网站", "新闻客户端", "网站", "在线", "频道", "新闻", "客户端", "网", "社", "电子报", "编辑部", "com",
)  # fmt: skip
#: Least letters of a host's label that is compared with the initials of a name (a guess).
_INITIALS: Final = 3
#: Domains of each name of the table, by its key.
_OWNERS: Final[dict[str, set[str]]] = {}
for _domain, _names in MEDIA.items():
    for _name in _names:
        _OWNERS.setdefault(outlet_key(_name), set()).add(_domain)


@lru_cache(maxsize=10_000)
def stem(key: str) -> str:
    """Return the key of an outlet without what distinguishes a medium from its site."""
    while True:
        for end in _ENDS:
            if key.endswith(end) and len(key) - len(end) >= 2:
                key = key[: -len(end)]
                break
        else:
            return key


@lru_cache(maxsize=10_000)
def spelled_like(key: str, host: str) -> bool:
    """Whether a label of *host* is the name in pinyin, or its initials.

    >>> spelled_like("光明网", "www.gmw.cn"), spelled_like("侨报", "www.qb.com")
    (True, False)
    """
    if key.isascii():
        return False
    parts = syllables(key)
    initials, whole = "".join(part[0] for part in parts), "".join(parts)
    labels = registered_domain(host).split(".")
    return any(
        (len(label) >= _INITIALS and label == initials) or (len(label) >= 6 and label == whole)
        for label in labels
    )


def names_of(page: StoryPage) -> frozenset[str]:
    """Return the keys of the names under which the host of *page* publishes."""
    stated = outlet_key(page.site_name)
    if not stated or not _may_use(page.site, stated):
        return _listed(page.site)
    return _listed(page.site) | {stated}


def name_of(page: StoryPage) -> str:
    """Return the name to show for the outlet of *page*: its site's, else the host."""
    if page.site_name and _may_use(page.site, outlet_key(page.site_name)):
        return page.site_name
    table = MEDIA.get(page.site) or MEDIA.get(registered_domain(page.site))
    return table[0] if table else page.site


def holders(named: Iterable[str], pages: Sequence[StoryPage]) -> dict[str, list[tuple[str, float]]]:
    """Return the pages of each *named* outlet, a key, as (URL, probability that they are).

    The probabilities are guesses: the same name; the same host; the same registered domain; names
    that differ in 网 or 社; a host spelled like the name.  A name of the table is that of its domains alone.
    """
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    by_stem: defaultdict[str, list[str]] = defaultdict(list)
    by_host: defaultdict[str, list[str]] = defaultdict(list)
    by_domain: defaultdict[str, list[str]] = defaultdict(list)
    nameless: list[StoryPage] = []
    site_of = {page.url: page.site for page in pages}
    for page in pages:
        names = names_of(page)
        for name in names:
            by_name[name].append(page.url)
        for one in {stem(name) for name in names}:
            by_stem[one].append(page.url)
        host = page.site.removeprefix("www.")
        by_host[host].append(page.url)
        by_domain[registered_domain(host)].append(page.url)
        if not names:
            nameless.append(page)
    found: dict[str, list[tuple[str, float]]] = {}
    for outlet in sorted(set(named)):
        urls: dict[str, float] = {}
        if "." in outlet and outlet.isascii():
            urls.update(dict.fromkeys(by_domain.get(registered_domain(outlet), ()), 0.9))
            urls.update(dict.fromkeys(by_host.get(outlet, ()), 0.98))
        else:
            likely = (page.url for page in nameless if spelled_like(outlet, page.site))
            urls.update(dict.fromkeys(likely, 0.8))
            urls.update(dict.fromkeys(by_stem.get(stem(outlet), ()), 0.85))
        urls.update(dict.fromkeys(by_name.get(outlet, ()), 0.95))
        urls = {url: share for url, share in urls.items() if _may_use(site_of[url], outlet)}
        if urls:
            found[outlet] = sorted(urls.items())
    return found


def _may_use(host: str, outlet: str) -> bool:
    """Whether *host* can be that of *outlet*, a key: the names of the table belong to its domains."""
    owners = _OWNERS.get(outlet)
    return owners is None or not owners.isdisjoint({host, registered_domain(host)})


@lru_cache(maxsize=10_000)
def _listed(host: str) -> frozenset[str]:
    names = MEDIA.get(host, ()) + MEDIA.get(registered_domain(host), ())
    return frozenset(outlet_key(name) for name in names)
