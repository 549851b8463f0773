"""One crawl of many hostile servers at once beside good pages; all of them take minutes.

``python -m benchmarks.hostile`` crawls every behavior with larger limits.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from benchmarks.hostile.behavior import Behavior, all_behaviors
from benchmarks.hostile.run import Outcome, Plan, crawl

pytestmark = pytest.mark.slow

#: Of these kinds, every so many-th behavior is crawled here; of the others all.
SAMPLED = {
    "transfer": 3, "framing": 11, "coding": 9, "packing": 3, "redirects": 11, "robots": 5,
    "refusals": 8, "markup": 10, "texts": 8, "traps": 3, "mazes": 4, "names": 2,
}  # fmt: skip
#: Short limits: nothing here has to be waited for.
SETTINGS = {
    "DOWNLOAD_TIMEOUT": 3,
    "RETRY_TIMES": 0,
    "TOPICCRAWL_RETRY_MAX_ATTEMPTS": 1,
    "TOPICCRAWL_HOST_BUDGET_PAGES": 8,
    "TOPICCRAWL_HOST_BUDGET_GROWTH": 0,
    "CONCURRENT_REQUESTS": 64,
    "DOWNLOAD_MAXSIZE": 1_000_000,
}
GOOD = 50
#: A crawl that is not done by then hangs.
PATIENCE_SECONDS = 240.0
#: Limits of the whole benchmark, which has larger pages: they hold here too.
MEGABYTES = 600
CPU_SECONDS = 5.0


def sample() -> list[Behavior]:
    """A part of all behaviors that is crawled in less than a minute."""
    found: list[Behavior] = []
    kinds = itertools.groupby(all_behaviors().values(), key=lambda it: it.kind)
    for kind, behaviors in kinds:
        found += itertools.islice(behaviors, 0, None, SAMPLED.get(kind, 1))
    return found


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    plan = Plan(sample(), GOOD, PATIENCE_SECONDS, settings=SETTINGS)
    return crawl(plan, tmp_path_factory.mktemp("hostile"))


def test_every_good_page_is_stored(crawled: Outcome) -> None:
    assert crawled.missing == []


def test_every_hostile_address_has_one_outcome(crawled: Outcome) -> None:
    assert crawled.unsettled == []
    assert crawled.failures == []


def test_sigterm_ends_it_in_order(crawled: Outcome) -> None:
    assert crawled.stopped
    assert crawled.orderly, crawled.exit_code


def test_other_requests_go_on_meanwhile(crawled: Outcome) -> None:
    assert crawled.gap < CPU_SECONDS, f"before {crawled.gap_before}"
    assert crawled.loop_worst < CPU_SECONDS, crawled.stalls


def test_its_memory_is_bounded(crawled: Outcome) -> None:
    assert crawled.peak < MEGABYTES


def test_nothing_inside_the_network_is_asked(crawled: Outcome) -> None:
    assert crawled.inner == 0


def test_the_log_has_no_tracebacks(crawled: Outcome) -> None:
    assert crawled.tracebacks == 0


def test_sigterm_is_obeyed_while_the_seeds_are_fetched(tmp_path: Path) -> None:
    behaviors = [it for it in sample() if it.kind in ("transfer", "names")]
    outcome = crawl(Plan(behaviors, 5, stop_after=0.5, settings=SETTINGS), tmp_path)
    assert outcome.stopped
    assert outcome.orderly, outcome.exit_code
