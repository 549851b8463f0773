"""Fixtures for all tests: services are real, fakes stand only beside them."""

from __future__ import annotations

import os
from collections.abc import Generator
from functools import cache
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.support.cpu_durations import CpuDurations

# Messages are English wherever the tests run, in child processes too.  Tests of Chinese messages set
# it themselves (see tests/language).
os.environ["LANGUAGE"] = "en"

# Examples are drawn from the test's name: the same on every machine and every run.
settings.register_profile(
    "topiccrawl", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
# For `make test-fast`, by --hypothesis-profile: a fifth of the examples.
settings.register_profile("fast", settings.get_profile("topiccrawl"), max_examples=20)
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


#: Tests of whole crawls, installations and clusters, and of the generated web.
SLOW_DIRECTORIES = frozenset({"crawl", "deploy", "cluster", "demo"})
#: What starts servers, crawls and other processes; a module that imports one is slow.
SLOW_HELPERS = frozenset((
    "subprocess",
    "tests.support.clean_copy", "tests.support.console_server", "tests.support.crawl_runs",
    "tests.support.forked",
    "tests.support.mongo_server", "tests.support.polite_crawls", "tests.support.project",
    "tests.support.redis_server",
    "tests.support.redis_support", "tests.support.scrapyd_server",
    "topiccrawl.evaluation.replay.crawl",
))  # fmt: skip
#: Fixtures of servers.
SLOW_FIXTURES = frozenset({"mongo_uri", "mongo_database_uri", "killable_mongo", "browser"})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what ``make test-fast`` leaves out: by directory, helpers and fixtures."""
    for item in items:
        if is_slow(item):
            item.add_marker(pytest.mark.slow)


def is_slow(item: pytest.Item) -> bool:
    """Whether a test needs a service or a crawl in a process of its own, or is a state machine."""
    if item.path.parent.name in SLOW_DIRECTORIES or item.name == "runTest":
        return True
    if isinstance(item, pytest.Function):
        if not SLOW_FIXTURES.isdisjoint(item.fixturenames):
            return True
        if hasattr(item, "callspec") and item.callspec.params.get("store_uri") == "mongodb":
            return True
    module = item.getparent(pytest.Module)
    return module is not None and _uses_slow_helper(module.obj)


@cache
def _uses_slow_helper(module: ModuleType) -> bool:
    used = vars(module).values()
    names = {getattr(value, "__module__", None) or getattr(value, "__name__", "") for value in used}
    return not SLOW_HELPERS.isdisjoint(names)


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
