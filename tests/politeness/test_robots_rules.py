"""What counts of a robots.txt, and what that costs."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from protego import Protego

from topiccrawl.politeness.robots import MAX_BYTES, RobotsAnswer, bounded, meaning

AGENT = "topiccrawl/1.0 (focused crawler)"
URL = "http://www.example.cn/"


def rules(text: str, agent: str = AGENT) -> Protego:
    """The rules that count."""
    return Protego.parse(bounded(text.encode(), agent).decode())


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, RobotsAnswer.RULES),
        (204, RobotsAnswer.RULES),
        (300, RobotsAnswer.UNAVAILABLE),
        (301, RobotsAnswer.UNAVAILABLE),
        (404, RobotsAnswer.UNAVAILABLE),
        (403, RobotsAnswer.UNAVAILABLE),
        (429, RobotsAnswer.UNREACHABLE),
        (500, RobotsAnswer.UNREACHABLE),
        (599, RobotsAnswer.UNREACHABLE),
    ],
)
def test_a_status_says_whether_the_rules_are_known(status: int, expected: RobotsAnswer) -> None:
    assert meaning(status) is expected


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("User-agent: *\nDisallow: /a", "a/b", False),
        ("User-agent: *\nDisallow: /a\n\nUser-agent: topiccrawl\nDisallow: /b", "a", True),
        ("User-agent: *\nDisallow: /a\n\nUser-agent: topiccrawl\nDisallow: /b", "b", False),
        ("User-agent: other\nUser-agent: TopicCrawl/2\nDisallow: /", "a", True),
        ("User-agent: other\nUser-agent: Topic*Crawl*\nDisallow: /", "a", False),
        ("user agent other\nDisallow: /", "a", True),
        ("User-agent: opiccrawl\nDisallow: /", "a", True),
        ("User-agent: other\nDisallow: /\nUser-agent: *\nAllow: /", "a", True),
        ("User-agent: *\nDisallow: /*.pdf$", "a.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "a.pdf?x", True),
        ("\ufeffUser-agent: *\nDisallow: /a*", "ab", False),
        ("User-agent: # nobody\nDisallow: /", "a", True),
        ("<html>\nUser-agent: *\n</html>", "a", True),
    ],
)
def test_what_is_left_out_changes_no_rule_for_this_crawler(
    text: str, path: str, allowed: bool
) -> None:
    assert rules(text).can_fetch(URL + path, AGENT) is allowed
    assert Protego.parse(text.lstrip("\ufeff")).can_fetch(URL + path, AGENT) is allowed


@pytest.mark.parametrize(
    ("agent", "found"),
    [
        ("Mozilla/5.0 (compatible; topiccrawl/1.0)", True),
        ("Mozilla/5.0 (compatible;topiccrawl)", True),
        ("my-topiccrawl/1.0", False),
        ("mytopiccrawl/1.0", False),
    ],
)
def test_a_product_is_found_where_a_word_of_the_user_agent_begins(agent: str, found: bool) -> None:
    theirs = rules("User-agent: *\nDisallow: /a\n\nUser-agent: topiccrawl\nDisallow: /b", agent)
    assert theirs.can_fetch(URL + "a", agent) is found
    assert theirs.can_fetch(URL + "b", agent) is not found


@pytest.mark.parametrize("names", [("topic", "topiccrawl"), ("topiccrawl", "topic")])
def test_of_several_groups_for_this_crawler_the_longest_name_counts(names: tuple[str, str]) -> None:
    text = "".join(f"User-agent: {name}\nDisallow: /{name}/\n\n" for name in names)
    assert rules(text).can_fetch(URL + "topic/", AGENT)
    assert not rules(text).can_fetch(URL + "topiccrawl/", AGENT)


def test_the_rest_of_a_large_file_is_ignored_from_a_whole_line_on() -> None:
    line = "Disallow: /0123456789abcdef\n"
    text = "User-agent: *\nDisallow: /closed\n" + line * (2 * MAX_BYTES // len(line))
    kept = bounded(text.encode(), AGENT)
    assert MAX_BYTES - 2 * len(line) < len(kept) <= MAX_BYTES
    assert kept.endswith(b"/0123456789abcdef")
    assert not rules(text).can_fetch(URL + "closed", AGENT)


def _wildcards(n: int) -> str:
    return "User-agent: *\n" + "".join(f"Disallow: /*{'a*' * 60}{i}b$\n" for i in range(n))


def _agents(n: int) -> str:
    names = "".join(f"User-agent: {AGENT[i % 20 :][: 1 + i % 25]}\n" for i in range(n))
    return names + "".join(f"Disallow: /{i}\n" for i in range(n))


@pytest.mark.parametrize("hostile", [_wildcards, _agents], ids=["wildcards", "agents"])
def test_hostile_rules_cost_no_more_than_plain_ones(hostile: Callable[[int], str]) -> None:
    url = URL + "a" * 1900
    plain = "User-agent: *\n" + "".join(f"Disallow: /x{i}\n" for i in range(40_000))

    def cost(text: str) -> float:
        start = time.process_time()
        parsed = rules(text)
        for _ in range(20):
            parsed.can_fetch(url, AGENT)
        return time.process_time() - start

    # Without the bounds 30 and 100 times.
    assert cost(hostile(20_000)) < 4 * cost(plain)
