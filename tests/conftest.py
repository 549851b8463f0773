"""Fixtures for all tests: services are real, fakes stand only beside them."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.support.cpu_durations import CpuDurations

# Examples are drawn from the test's name: the same on every machine and every run.
settings.register_profile(
    "topiccrawl", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("topiccrawl")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--cpu-durations N``."""
    parser.addoption(
        "--cpu-durations", type=int, metavar="N", help="report CPU seconds and the N worst tests"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Measure CPU time when asked to."""
    if (count := config.getoption("--cpu-durations")) is not None:
        config.pluginmanager.register(CpuDurations(count), "cpu-durations")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI a skipped test is a service that CI forgot to start; data beside the project is none."""
    report = yield
    forgotten = report.skipped and not hasattr(report, "wasxfail")
    forgotten = forgotten and "not part of the project" not in str(report.longrepr)
    if forgotten and os.environ.get("TOPICCRAWL_NO_SKIP"):
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may be skipped: {report.longrepr}"
    return report
