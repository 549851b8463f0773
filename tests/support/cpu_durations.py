"""A pytest plugin: ``--cpu-durations N`` reports the CPU time of tests and of test directories.

CPU time is user and system time of this process and of its ended children, so other load on the
machine does not change it as it changes wall time.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator

import pytest

from tests.support import forked


class CpuDurations:
    """Sums the CPU time of each test, its fixtures included."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Measure one test from the set-up to the tear-down."""
        start = cpu_seconds()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = cpu_seconds() - start

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the total of each directory and the N most expensive tests."""
        directories: dict[str, float] = defaultdict(float)
        for node, seconds in self.seconds.items():
            directories[os.path.dirname(node.split("::")[0])] += seconds  # noqa: PTH120
        write = terminalreporter.write_line
        terminalreporter.section(f"CPU seconds: {cpu_seconds():.0f} with start-up and collection")
        for name, seconds in sorted(directories.items(), key=lambda row: -row[1]):
            write(f"{seconds:8.1f}  {name}/")
        for node, seconds in sorted(self.seconds.items(), key=lambda row: -row[1])[: self.count]:
            write(f"{seconds:8.2f}  {node}")


def cpu_seconds() -> float:
    """Return the CPU seconds this process, its ended children and forked commands have used."""
    return sum(os.times()[:4]) + forked.cpu_seconds()
