"""What crawls do with a robots.txt that is broken, huge or away (RFC 9309)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.loopback_sites import Answer, Site, article, crawl, redirect, serving

ALLOWED = {"TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED": "all"}
FORBIDDING = b"User-agent: *\nDisallow: /closed\n"
PAGES = {"/": article("侨情首页", "/open", "/closed"), "/open": article("归侨侨眷的侨务")}


def pages_asked(site: Site) -> set[str]:
    """Paths that were asked for, without robots.txt."""
    return {path for path in site.asked if path != "/robots.txt"}


@pytest.mark.parametrize("status", [500, 429])
def test_nothing_is_fetched_while_robots_txt_answers_with_an_error(
    tmp_path: Path, status: int
) -> None:
    with serving({**PAGES, "/robots.txt": Answer(status=status)}, "127.0.0.1") as site:
        done = crawl(tmp_path, [f"{site.url}/"], **ALLOWED)
    assert pages_asked(site) == set()
    # It was asked for several times, and the crawl has an end all the same.
    assert site.asked.count("/robots.txt") >= 3
    assert done.lines(f"answers with an error for its robots.txt (HTTP {status})")
    assert done.outcomes[f"{site.url}/"].reason == "robots-unreachable"
    assert done.code == 1


def test_pages_wait_for_a_robots_txt_that_comes_later(tmp_path: Path) -> None:
    answers = [Answer(status=500), Answer(status=502), Answer(FORBIDDING)]

    def answer(path: str) -> Answer:
        if path == "/robots.txt":
            return answers.pop(0) if len(answers) > 1 else answers[0]
        return PAGES.get(path, Answer(status=404))

    with serving(answer, "127.0.0.1") as site:
        done = crawl(tmp_path, [f"{site.url}/"], **ALLOWED)
    assert pages_asked(site) == {"/", "/open"}
    assert done.titles >= {"归侨侨眷的侨务"}
    assert done.outcomes[f"{site.url}/closed"].reason == "robots"


def test_the_first_512_kib_of_a_huge_robots_txt_count(tmp_path: Path) -> None:
    rules = b"User-agent: *\nDisallow: /closed\n" + b"Disallow: /none\n" * 50_000
    huge = Answer(rules + b"#" * 20_000_000)
    with serving({**PAGES, "/robots.txt": huge}, "127.0.0.1") as site:
        done = crawl(tmp_path, [f"{site.url}/"], **ALLOWED)
    assert pages_asked(site) == {"/", "/open"}
    assert done.outcomes[f"{site.url}/closed"].reason == "robots"
    assert done.code == 0


def test_five_redirects_of_robots_txt_are_followed_and_no_more(tmp_path: Path) -> None:
    def chain(length: int) -> dict[str, Answer]:
        hops = {f"/r{n}": redirect(f"/r{n + 1}") for n in range(1, length)}
        return {"/robots.txt": redirect("/r1"), **hops, f"/r{length}": Answer(FORBIDDING)}

    with serving({**PAGES, **chain(5)}, "127.0.0.1") as site:
        crawl(tmp_path, [f"{site.url}/"], **ALLOWED)
    assert "/closed" not in site.asked
    assert "/r5" in site.asked
    with serving({**PAGES, **chain(6)}, "127.0.0.1") as other:
        crawl(tmp_path, [f"{other.url}/"], arguments=("-a", "fresh=yes"), **ALLOWED)
    assert "/closed" in other.asked
