"""The order of links may not get worse unnoticed: a small generated web, crawled by simulation.

The figures are what the strategies reached when they were last changed on purpose (2026-11).  After a
change that is meant, ``scrapy evaluate demo:500 --max-pages 200`` tells the new ones.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import run_command
from topiccrawl.commands.evaluate import Command
from topiccrawl.scoring.strategies import DEFAULT_STRATEGY

WEB = "demo:500"
PAGES = 200
TOLERANCE = 0.02
#: Share of the oracle's area, the mean of five topics from near and from far seeds.
REACHED = {
    "best-first": 0.641,
    "shark-search": 0.819,
    "ipagerank-rwb": 0.853,
    "adaptive": 0.850,
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", name="shares")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    out = tmp_path_factory.mktemp("order") / "out.json"
    command: Any = Command()
    names = ",".join([*REACHED, "random"])
    words = [WEB, "--strategies", names, "--max-pages", str(PAGES), "--repeats", "1"]
    assert run_command(command, [*words, "--jobs", "1", "--json", str(out)]) == 0
    runs = json.loads(Path(out).read_text("utf-8"))["runs"]
    return {
        name: statistics.fmean(r["share_of_oracle"] for r in runs if r["strategy"] == name)
        for name in {run["strategy"] for run in runs}
    }


@pytest.mark.parametrize("strategy", REACHED)
def test_the_order_is_as_good_as_it_was(shares: dict[str, float], strategy: str) -> None:
    assert shares[strategy] >= (1 - TOLERANCE) * REACHED[strategy], shares


def test_the_gate_would_notice_an_order_by_chance(shares: dict[str, float]) -> None:
    assert shares["random"] < (1 - TOLERANCE) * min(REACHED.values())


def test_the_default_is_behind_no_other_strategy(shares: dict[str, float]) -> None:
    assert shares[DEFAULT_STRATEGY] >= (1 - TOLERANCE) * max(shares.values()), shares
