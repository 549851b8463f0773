"""Fetches of a site that answers under several addresses, with mirrors and versions learned and without.

    python -m benchmarks.mirrors

Crawls of drawn sites in this process (:mod:`tests.support.mirror_web`).  *Lost* are articles whose text is
at none of the fetched addresses; it must be 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.mirror_web import ARTICLES, MIRRORS, WWW, MirrorWeb, number_of
from tests.support.small_web import crawl_small
from tests.support.trap_web import article

HTTP, BARE, PHONE = MIRRORS[1:]
NEWS = "http://news.qiao.example"
OTHER = "http://www.qiaowu.example"


def _apart(origin: str, number: int) -> str:
    return article(number + 500 * (number >= ARTICLES // 2 and origin != HTTP))


SITES: dict[str, Callable[[], MirrorWeb]] = {
    "https and http": lambda: MirrorWeb(origins=[WWW, HTTP]),
    "www. and without": lambda: MirrorWeb(origins=[HTTP, BARE]),
    "two ports": lambda: MirrorWeb(origins=[HTTP, f"{HTTP}:8080"]),
    "www. and m., with other menus": lambda: MirrorWeb(origins=[HTTP, PHONE]),
    "all four": MirrorWeb,
    "two domains": lambda: MirrorWeb(origins=[HTTP, OTHER]),
    "versions for printing and for phones": lambda: MirrorWeb(
        origins=[WWW], variants=["/print/{}.html", "/hr/{}.html?wap=1"]
    ),
    "a host that differs in the second half": lambda: MirrorWeb(origins=[HTTP, NEWS], text=_apart),
}


def crawl(web: MirrorWeb, *, learn: bool) -> tuple[int, int]:
    """Return how many fetches of articles there were, and how many texts were not fetched."""
    settings: dict[str, Any] = {
        "TOPICCRAWL_STRATEGY": "breadth-first",
        "TOPICCRAWL_PAGE_CLASSIFIER": False,
        "TOPICCRAWL_PATTERN_BUDGET_PAGES": 0,
        "TOPICCRAWL_LEARN_MIRRORS": learn,
    }
    crawl_small(web, [f"{web.origins[0]}/"], **settings)
    wanted = {web.text(origin, n) for origin in web.origins for n in range(ARTICLES)}
    found = set()
    for url in web.articles():
        origin = next(it for it in sorted(web.origins, key=len)[::-1] if url.startswith(f"{it}/"))
        found.add(web.text(origin, number_of(url) or 0))
    return len(web.articles()), len(wanted - found)


def main() -> None:
    """Print a row for each site."""
    print("| site | without | with | lost |\n|---|---|---|---|")
    for name, make in SITES.items():
        before, _ = crawl(make(), learn=False)
        after, lost = crawl(make(), learn=True)
        print(f"| {name} | {before} | {after} | {lost} |", flush=True)


if __name__ == "__main__":
    main()
