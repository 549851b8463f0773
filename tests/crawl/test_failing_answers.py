"""A crawl of a web whose answers fail in every way loses no address."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.errors.run import Plan, run
from benchmarks.errors.web import KINDS
from tests.support.forked import start_logged

pytestmark = pytest.mark.slow


def test_every_address_ends_stored_dropped_or_failed_with_a_reason(tmp_path: Path) -> None:
    quick = (
        "TOPICCRAWL_RETRY_DELAY_SECONDS=0.1",
        "TOPICCRAWL_BACKOFF_SECONDS=0.05",
        "TOPICCRAWL_RESEED=0",
        "RETRY_TIMES=1",
    )
    plan = Plan(pages=300, hosts=20, share=0.1, timeout=0.5, seconds=100, settings=quick)
    outcome = run(plan, tmp_path, start_logged)
    assert outcome.lost == []
    assert outcome.good_not_stored == []
    assert outcome.transient_not_stored == []
    assert outcome.known == outcome.pages
    assert outcome.tracebacks == 0
    assert outcome.exit_code == 0
    assert {name.partition(",")[0] for name in outcome.by_kind} == set(KINDS)
    assert set(outcome.ended) <= {
        "failed timeout", "failed connection-lost", "failed data-loss", "failed bad-gzip-file",
        "failed http-500", "failed http-502", "failed http-503", "failed http-504",
        "failed robots-unreachable", "dropped off-topic",
    }  # fmt: skip
