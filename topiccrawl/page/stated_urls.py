"""Addresses that a page states for itself: the canonical one, and those of other versions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topiccrawl.page.hrefs import registered_host
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from topiccrawl.page.hrefs import Resolver
    from topiccrawl.page.outline import Outline

_MOBILE_AGENT = re.compile(r"url\s*=\s*([^\s;]+)", re.IGNORECASE)


def canonical_url(outline: Outline, resolver: Resolver, own: str) -> str | None:
    """Return the canonical URL that a page states, None without one that is credible.

    It must be on the same registered host, and not the site's front page unless this is it (a common
    fault of templates).

    Parameters
    ----------
    outline : Outline
        The walked page.
    resolver : Resolver
        Resolves its hrefs.
    own : str
        URL of the page.
    """
    url = resolver.resolve(outline.canonical_href) if outline.canonical_href else None
    if url is None or not _is_on_host_of(url, own):
        return None
    rest = own.partition("://")[2].partition("#")[0].partition("/")[2]
    return None if rest and not url.partition("://")[2].partition("/")[2] else url


def version_urls(outline: Outline, resolver: Resolver, own: str) -> list[str]:
    """Return the addresses on the same registered host that a page states for versions of it.

    ``rel=alternate`` with the media of small screens, ``rel=amphtml``, and Baidu's ``mobile-agent``
    (``format=html5; url=http://m.example.cn/5.html``). Parameters as for :func:`canonical_url`.
    """
    stated = list(outline.version_hrefs)
    if (found := _MOBILE_AGENT.search(outline.meta.get("mobile-agent", ""))) is not None:
        stated.append(found[1])
    urls = map(resolver.resolve, stated)
    return [url for url in urls if url is not None and _is_on_host_of(url, own)]


def _is_on_host_of(url: str, own: str) -> bool:
    return registered_host(host_of(url)) == registered_host(host_of(own))
