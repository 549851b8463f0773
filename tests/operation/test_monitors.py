"""The Spidermon suite passes a run in order and reports one that is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.crawl_runs import crawl
from topiccrawl.demo.web import DemoWeb

pytestmark = pytest.mark.slow

SUITE = (
    f"EXTENSIONS={json.dumps({'spidermon.contrib.scrapy.extensions.Spidermon': 500})}",
    "SPIDERMON_ENABLED=1",
    "SPIDERMON_ENGINE_STOP_MONITORS=topiccrawl.monitors.TopicCrawlSuite",
)


def test_a_good_run_passes_all_monitors(tmp_path: Path) -> None:
    found = crawl(DemoWeb(3, 150), tmp_path, 12, *SUITE)
    assert "7 monitors in" in found.log
    assert "FAILED (" not in found.log


def test_a_run_below_the_thresholds_fails_its_monitors_alone(tmp_path: Path) -> None:
    limits = (
        "TOPICCRAWL_MONITOR_LEAST_PAGES=5000",
        "TOPICCRAWL_MONITOR_LEAST_HARVEST_RATE=1",
        "TOPICCRAWL_MONITOR_MOST_FAILED=0",
    )
    found = crawl(DemoWeb(3, 600), tmp_path, 150, *SUITE, *limits)
    assert "pages, 5000 expected" in found.log
    assert "100.0% expected" in found.log
    assert "requests failed" in found.log
    assert "FAILED (failures=3)" in found.log
