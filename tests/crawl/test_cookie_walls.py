"""Sites that show their pages only to clients that return a cookie."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.loopback_sites import Answer, article, crawl, redirect, serving

ALLOWED = {"TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED": "all"}
PAGES = {
    "/": article("侨情首页", "/1"),
    "/1": article("归侨侨眷的侨务", "/2"),
    "/2": article("侨批"),
}
SET = {"Set-Cookie": "pass=7f3a; Path=/; HttpOnly"}


def test_a_cookie_without_which_a_site_redirects_forever_is_sent_back(tmp_path: Path) -> None:
    def answer(path: str) -> Answer:
        if path == "/robots.txt" or "pass=7f3a" in site.cookies[-1]:
            return PAGES.get(path, Answer(status=404))
        return Answer(status=302, headers={**SET, "Location": path})

    with serving(answer, "127.0.0.1") as site:
        done = crawl(tmp_path, [f"{site.url}/"], **ALLOWED)
    assert done.titles >= {"归侨侨眷的侨务", "侨批"}, done.outcomes
    # Once to be sent back, and then each page once.
    assert site.asked[1:] == ["/", "/", "/1", "/2"]


def test_other_cookies_are_not_sent_back_and_endless_redirects_end(tmp_path: Path) -> None:
    def answer(path: str) -> Answer:
        if path == "/endless":
            return Answer(status=302, headers={**SET, "Location": path})
        page = {**PAGES, "/": article("侨情首页", "/1", "/endless")}.get(path)
        return Answer(status=404) if page is None else Answer(page.body, headers=SET)

    with serving(answer, "127.0.0.1") as site:
        done = crawl(tmp_path, [f"{site.url}/"], **ALLOWED)
    assert done.outcomes[f"{site.url}/endless"].verdict == "failed"
    assert 3 <= site.asked.count("/endless") <= 30
    assert site.cookies[: site.asked.index("/endless") + 1] == [""] * (
        site.asked.index("/endless") + 1
    )


@pytest.mark.parametrize("scrapys", [False, True])
@pytest.mark.parametrize("sets", ["page", "wall"])
def test_a_cookie_that_another_address_sets_or_asks_for_is_sent_back(
    tmp_path: Path, sets: str, scrapys: bool
) -> None:
    def answer(path: str) -> Answer:
        target, _, back = path.partition("?back=")
        if target == "/wall":
            return Answer(status=302, headers={**(SET if sets == "wall" else {}), "Location": back})
        if path == "/robots.txt" or "pass=7f3a" in site.cookies[-1]:
            return PAGES.get(path, Answer(status=404))
        head = SET if sets == "page" else {}
        return Answer(status=302, headers={**head, "Location": f"/wall?back={path}"})

    with serving(answer, "127.0.0.1") as site:
        done = crawl(tmp_path, [f"{site.url}/"], **ALLOWED, COOKIES_ENABLED=scrapys)
    assert done.titles >= {"归侨侨眷的侨务", "侨批"}, done.outcomes
    assert site.asked[1:] == ["/", "/wall?back=/", "/", "/1", "/2"]


def test_redirects_in_a_circle_are_named_and_not_followed(tmp_path: Path) -> None:
    answers = {**PAGES, "/a": redirect("/b"), "/b": redirect("/c"), "/c": redirect("/a")}
    with serving(answers, "127.0.0.1") as site:
        done = crawl(tmp_path, [f"{site.url}/", f"{site.url}/a"], **ALLOWED)
    last = done.outcomes[f"{site.url}/c"]
    assert (last.verdict, last.reason) == ("failed", "redirects")
    assert last.detail == f"RedirectLoop: it leads back to {site.url}/a"
    assert [path for path in site.asked if path in ("/a", "/b", "/c")] == ["/a", "/b", "/c"]
    (line,) = done.lines(f"Seed {site.url}/a gives no page")
    assert "endless redirects" in line
