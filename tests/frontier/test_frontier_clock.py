"""The machine's clock is set back between two runs, or while one is under way."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.frontier.contract_suite import NOW, a_link, popped_paths
from topiccrawl.frontier.clock import SteadyClock
from topiccrawl.frontier.options import FrontierLimits
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
    assert popped_paths(second, now=start + 2.0) == []
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
