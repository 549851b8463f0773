"""The machine's clock is set back between two runs, or while one is under way."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.frontier.contract_suite import NOW, a_link, popped_paths
from topiccrawl.frontier.clock import SteadyClock
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.redis.server import ServerClock
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier


@pytest.mark.parametrize("step", [3_600.0, 86_400.0, 365 * 86_400.0])
def test_a_run_after_the_clock_was_set_back_waits_no_longer_than_before(
    tmp_path: Path, step: float
) -> None:
    start = NOW + 1e9
    limits = FrontierLimits(host_delay=5.0)
    first = SQLiteFrontier(tmp_path / "f", limits, clock=lambda: start)
    first.push([a_link("1", 2.0), a_link("2", 1.0), a_link("3", 0.5, host="b.cn")])
    assert popped_paths(first, now=start, n=1) == ["1"]
    first.hold_host("b.cn", start + 60.0)
    first.close()
    back = start - step
    second = SQLiteFrontier(tmp_path / "f", limits, clock=lambda: back)
    assert popped_paths(second, now=back) == []
    assert popped_paths(second, now=back + 5.0) == ["1"]
    assert "3" in popped_paths(second, now=back + 60.0)
    second.close()


def test_a_clock_that_was_right_again_before_the_next_run_moves_nothing(tmp_path: Path) -> None:
    start = NOW + 1e9
    limits = FrontierLimits(host_delay=5.0)
    first = SQLiteFrontier(tmp_path / "f", limits, clock=lambda: start)
    first.push([a_link("1", 2.0), a_link("2", 1.0)])
    popped_paths(first, now=start, n=1)
    first.close()
    second = SQLiteFrontier(tmp_path / "f", limits, clock=lambda: start + 2.0)
    assert popped_paths(second, now=start + 4.9) == []
    assert popped_paths(second, now=start + 5.0) == ["1"]
    second.close()


def test_a_worker_that_joins_others_after_a_step_back_takes_their_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = SQLiteFrontier(tmp_path / "f")
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() - 3_600.0)
    second = SQLiteFrontier(tmp_path / "f")
    assert second.clock() == pytest.approx(first.clock(), abs=30.0)
    second.close()
    first.close()


def test_a_file_of_an_earlier_version_without_a_recorded_time_is_opened(tmp_path: Path) -> None:
    first = SQLiteFrontier(tmp_path / "f")
    first.push([a_link("1", 2.0)])
    first._file.execute("DROP TABLE clock")
    with pytest.raises(Exception, match="no such table"):
        first.close()
    second = SQLiteFrontier(tmp_path / "f")
    assert second.size().queued == 1
    second.close()


def test_the_clock_of_a_process_passes_evenly_whatever_happens_to_the_machine_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = SteadyClock()
    before = clock()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert 0.0 <= clock() - before < 60.0


class SlowServer:
    """A server whose clock is an hour ahead, and the way to it."""

    def __init__(self) -> None:
        self.local = 1_000.0
        self.way = (0.0, 0.0)

    def command(self, ask: Callable[[Any], tuple[int, int]]) -> tuple[int, int]:
        there, back = self.way
        self.local += there
        moment = self.local + 3_600.0
        self.local += back
        return ask(SimpleNamespace(time=lambda: (int(moment), round(moment % 1 * 1e6))))


def test_a_long_way_to_the_server_does_not_change_what_is_known_of_its_clock() -> None:
    server: Any = SlowServer()
    clock = ServerClock(server, lambda: server.local)
    for way, error in (
        ((0.2, 0.4), 0.1),
        ((0.0, 0.02), 0.02),
        ((0.0, 0.7), 0.02),
        ((0.5, 0.0), 0.02),
    ):
        server.way = way
        clock.refresh()
        assert abs(clock() - server.local - 3_600.0) <= error + 1e-6


def test_a_clock_of_the_server_that_is_set_is_followed() -> None:
    server: Any = SlowServer()
    drift = [0.0]
    clock = ServerClock(server, lambda: server.local + drift[0])
    for drift[0] in (0.0, -500.0, 40.0):
        clock.refresh()
        assert clock() == pytest.approx(server.local + 3_600.0)
