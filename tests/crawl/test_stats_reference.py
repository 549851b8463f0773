"""docs/stats.md is what finished crawls count: no stat without an entry, and its identities hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from tests.support.crawl_runs import CrawlResult
from tests.support.small_web import (
    OFF_TOPIC,
    ON_TOPIC,
    SmallCrawl,
    SmallWeb,
    crawl_small,
    link,
    page,
    response,
)
from topiccrawl.store.delivery import DeliveryCounts
from topiccrawl.urls.filter import PATTERN
from topiccrawl.urls.traps import REASONS as TRAPS

pytestmark = pytest.mark.slow

REFERENCE = (Path(__file__).parents[2] / "docs" / "stats.md").read_text("utf-8")
NAMES = re.findall(r"^\| `(topiccrawl/[^`]+)` \|", REFERENCE, re.M)
IDENTITIES = REFERENCE.split("```")[1].strip().splitlines()
HOME = "http://a.example/"


def section(title: str) -> str:
    return REFERENCE.split(f"## {title}\n", 1)[1].split("\n## ")[0]


def number(stats: Mapping[str, Any], name: str) -> float:
    """The value of a name as the identities write it."""
    if name.endswith("/*"):
        family = f"topiccrawl/{name[:-1]}"
        return float(sum(count for key, count in stats.items() if key.startswith(family)))
    return float(stats.get(name if "/" not in name else f"topiccrawl/{name}", 0))


def holds(identity: str, stats: Mapping[str, Any]) -> bool:
    left, sign, right = re.split(" ([=≥]) ", identity)
    a, b = (sum(number(stats, name) for name in side.split(" + ")) for side in (left, right))
    return a == b if sign == "=" else a >= b


def documented(name: str) -> bool:
    """Whether the reference lists *name*, or its family up to the last word."""
    return name in NAMES or any(re.fullmatch(re.sub("<.+>", r"[\\w-]+", n), name) for n in NAMES)


@pytest.fixture(scope="module")
def odd_crawl(tmp_path_factory: pytest.TempPathFactory) -> SmallCrawl:
    """Everything that can become of a link, in a web of a dozen pages."""
    folder = tmp_path_factory.mktemp("odd")
    names = ["on", "off", "empty", "noindex", "copy", "text", "gone", "moved", "broken", "away"]
    traps = ["a/a/a/a", "calendar/2099/01/"]
    more = ["private/x", "on", "busy", *traps]
    links = "<p>x</p>".join(link(f"/{name}", name) for name in [*names, *more])
    article = page("侨联座谈会在广州召开", ON_TOPIC)
    web = SmallWeb(
        {
            HOME: page("首页", OFF_TOPIC, links),
            HOME + "on": article,
            HOME + "off": page("足球比赛", OFF_TOPIC + "完。"),
            HOME + "empty": page("空", ""),
            HOME + "noindex": page(
                "侨乡", ON_TOPIC + "二。", head='<meta name="robots" content="noindex">'
            ),
            HOME + "copy": article,
            HOME + "text": response(
                HOME + "text", b"\x89PNG\r\n\x1a\n\x00", content_type="image/png"
            ),
            HOME + "moved": response(HOME + "moved", status=301, Location="/target"),
            HOME + "target": page("海外侨胞寻根", ON_TOPIC + "寻根之旅结束。", link("/on")),
            HOME + "broken": response(HOME + "broken", status=500),
            HOME + "busy": response(HOME + "busy", status=429, **{"Retry-After": "0"}),
            HOME + "away": response(HOME + "away", status=302, Location="/on"),
        },
        robots=b"User-agent: *\nCrawl-delay: 0.01\nDisallow: /private/\n",
    )
    return crawl_small(
        web,
        [HOME],
        TOPICCRAWL_STORE_URI=f"sqlite:///{folder}/odd.sqlite",
        TOPICCRAWL_STORE_SPOOL_DIR=str(folder / "spool"),
        TOPICCRAWL_IPAGERANK_EVERY_PAGES=2,
        TOPICCRAWL_RETRY_DELAY_SECONDS=0,
        RETRY_TIMES=1,
    )


def test_the_odd_crawl_meets_each_reason_that_it_was_drawn_for(odd_crawl: SmallCrawl) -> None:
    """Else the identities below would be tested on nothing."""
    ours = {name.removeprefix("topiccrawl/") for name in odd_crawl.stats}
    reasons = ["off-topic", "no-body", "noindex", "not-html"]
    failures = ["http-404", "http-500", "robots"]
    assert {f"dropped/{r}" for r in reasons} | {f"failed/{r}" for r in failures} <= ours
    assert odd_crawl.stats["topiccrawl/failed/http-500"] == 3, "one for each attempt"
    assert odd_crawl.stats["topiccrawl/frontier/redirected"] == 2
    traps = {"links/trapped/repeated-segment", "links/trapped/calendar"}
    polite = {"politeness/crawl_delay", "politeness/held/429", "politeness/retry_after"}
    assert traps | polite <= ours


@pytest.mark.parametrize("identity", IDENTITIES)
@pytest.mark.parametrize("which", ["main_crawl", "breadth_first", "odd_crawl"])
def test_identities_hold(identity: str, which: str, request: pytest.FixtureRequest) -> None:
    stats = request.getfixturevalue(which).stats
    assert holds(identity, stats), {k: v for k, v in stats.items() if k.startswith("topiccrawl/")}


@pytest.mark.parametrize("identity", [line for line in IDENTITIES if " = " in line])
def test_identities_name_existing_stats(identity: str, main_crawl: CrawlResult) -> None:
    """An identity of misspelled names would hold as 0 = 0."""
    assert all(number(main_crawl.stats, side.split(" + ")[0]) for side in identity.split(" = "))
    for name in re.split(r" [=+] ", identity):
        assert "/" not in name or documented(f"topiccrawl/{name.replace('*', 'x')}"), name


@pytest.mark.parametrize("which", ["main_crawl", "odd_crawl"])
def test_no_stat_of_ours_is_missing_in_the_reference(
    which: str, request: pytest.FixtureRequest
) -> None:
    ours = [k for k in request.getfixturevalue(which).stats if k.startswith("topiccrawl/")]
    assert len(ours) > 20
    assert [name for name in ours if not documented(name)] == []


def test_the_stats_in_the_reference_are_written_somewhere_in_the_code() -> None:
    root = Path(__file__).parents[2] / "topiccrawl"
    # The report reads stats: that it names one does not show that anybody counts it.
    writers = [path for path in root.rglob("*.py") if path.parent.name != "reporting"]
    code = "".join(path.read_text("utf-8") for path in writers)
    for name in NAMES:
        family = name.removeprefix("topiccrawl/").split("<")[0]
        room, _, last = family.rpartition("/")
        if last and room.split("/")[0] in (
            "frontier",
            "politeness",
            "parameters",
            "mirrors",
            "versions",
        ):
            # Some are counted by their last word; merged, seen and refused are PushResult's values.
            word = rf"\b{last}\b" if last.isdigit() else rf"[\"']({room}/)?{last}[\"']"
            assert re.search(word, code), name
        else:
            assert f"topiccrawl/{family}" in code or f'"{family}' in code, name


def test_reasons_and_members_of_families_are_in_the_reference(odd_crawl: SmallCrawl) -> None:
    stats = section("Stats")
    for name in odd_crawl.stats:
        if match := re.fullmatch(r"topiccrawl/(?:dropped|failed|links/trapped|store)/(.+)", name):
            word = re.sub(r"http-\d+", "http-<status>", match[1])
            assert f"`{word}`" in stats, name
    for word in (*TRAPS, PATTERN):
        assert f"`{word}`" in stats
    for counter in fields(DeliveryCounts):
        assert f"`{counter.name}`" in stats


# The default strategy has a round whenever a young crawl has grown by ten pages.
@pytest.mark.parametrize("every", [(10, "main_crawl"), (2, "odd_crawl")])
def test_rate_and_rounds_follow_from_the_pages(
    every: tuple[int, str], request: pytest.FixtureRequest
) -> None:
    stats = request.getfixturevalue(every[1]).stats
    analyzed = stats["topiccrawl/pages/analyzed"]
    rate = stats["topiccrawl/pages/relevant"] / analyzed
    assert stats["topiccrawl/harvest_rate"] == round(rate, 4)
    # A round that is due with the last page is not begun if the budget ends the crawl there.
    assert analyzed // every[0] - stats["topiccrawl/ranking/rounds"] in (0, 1)


def test_requests_offered_to_the_scheduler_are_counted_once_each(odd_crawl: SmallCrawl) -> None:
    fates = ("enqueued", "merged", "seen", "refused", "requeued", "unkeepable")
    counted = sum(odd_crawl.stats.get(f"topiccrawl/frontier/{fate}", 0) for fate in fates)
    assert counted == len(odd_crawl.scheduled)


def test_stats_agree_with_the_records_of_the_store(main_crawl: CrawlResult) -> None:
    stats = main_crawl.stats
    found = Counter((record.verdict, record.reason) for record in main_crawl.outcomes)
    pages = {
        name: stats.get(f"topiccrawl/pages/{name}", 0)
        for name in ("stored", "copies", "withdrawn", "readmitted", "admitted")
    }
    entered = pages["admitted"] + pages["readmitted"] - pages["withdrawn"]
    listed = sum(number for (verdict, _), number in found.items() if verdict == "stored")
    copies = sum(number for (verdict, _), number in found.items() if verdict == "duplicate")
    assert listed == len(main_crawl.pages)
    assert pages["stored"] + pages["copies"] + entered == listed + copies
    assert stats["topiccrawl/frontier/redirected"] == found.pop(("dropped", "redirected"))
    size = "topiccrawl/frontier/size/"
    # A delayed link has the outcome of its last attempt.
    assert stats[f"{size}queued"] == found.pop(("queued", "queued"))
    counted = {
        (verdict, name.rsplit("/", 1)[1]): count
        for verdict in ("dropped", "failed")
        for name, count in stats.items()
        if name.startswith(f"topiccrawl/{verdict}/")
    }
    judged_again = {("dropped", reason) for reason in ("off-topic", "withdrawn")}
    left = {it: number for it, number in found.items() if it[0] in ("dropped", "failed")}
    assert sum(counted.values()) - entered == sum(left.values())
    for outcome in counted.keys() | left.keys():
        if outcome not in judged_again:
            assert counted.get(outcome) == left.get(outcome), outcome


def test_the_record_of_the_run_holds_our_stats(main_crawl: CrawlResult) -> None:
    kept = main_crawl.runs[0].stats
    for name, value in main_crawl.stats.items():
        if name.startswith("topiccrawl/") and not name.startswith("topiccrawl/store/"):
            assert kept[name] == value, name
    assert not any(name.startswith("topiccrawl/store/") for name in kept)
