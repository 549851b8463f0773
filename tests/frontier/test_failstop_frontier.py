"""A frontier whose backend fails ends the crawl: one report, and answers that hold nothing back."""

from __future__ import annotations

import inspect
import sqlite3
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.frontier.contract_suite import NOW, a_link, an_id, popped_paths, waiting_ids
from topiccrawl.frontier.contract import Frontier, FrontierSize, Journal, PushResult
from topiccrawl.frontier.failstop import (
    STUCK_SECONDS,
    FailStopFrontier,
    FailStopJournal,
    FrontierStuckError,
)
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier

#: A call of each method of the contract, and what it returns once the frontier is lost.
CALLS: dict[str, tuple[tuple[Any, ...], Any]] = {
    "push": (([a_link("1", 1.0), a_link("2", 1.0)],), [PushResult.REFUSED] * 2),
    "pop": ((frozenset(), NOW), None),
    "transfer_finished": ((1, NOW), None),
    "hold_host": (("a.cn", NOW), None),
    "extend_budget": (("a.cn", 1), None),
    "ack": (([1, 2],), 0),
    "fail": ((1, "404", None), None),
    "put_back": ((a_link("1", 1.0),), False),
    "rescore": ((np.array([1]), np.array([1.0])), 0),
    "forget": (([1, 2],), 0),
    "others": ((NOW,), 0),
    "mark_ended": (([a_link("1", 1.0)],), 0),
    "heartbeat": ((NOW,), None),
    "reap": ((NOW,), 0),
    "try_lead": ((NOW,), False),
    "queued": ((), []),
    "best": ((3,), []),
    "evidence": ((1,), None),
    "reason": ((1,), None),
    "next_ready": ((NOW,), None),
    "known": (([1, 2],), [False, False]),
    "size": ((), FrontierSize(0, 0, 0, 0, 0, 0)),
    "close": ((), None),
    "append": (([b"entry"],), None),
    "read_new": ((), []),
}


class BrokenJournal:
    """Every call fails, and is counted."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def append(self, entries: object) -> None:
        self._break("append")

    def read_new(self, limit: int = 500, *, before_own: bool = False) -> list[bytes]:
        return self._break("read_new")

    def _break(self, name: str) -> Any:
        self.calls.append(name)
        raise sqlite3.OperationalError("database or disk is full")


class BrokenFrontier(BrokenJournal):
    """The same for a frontier and its journal."""

    shared = True

    @property
    def journal(self) -> BrokenJournal:
        return self


def _failing(name: str) -> Any:
    return lambda self, *args, **more: self._break(name)


def methods_of(contract: type) -> list[str]:
    """Names of the methods that a protocol declares."""
    return [
        name
        for name, member in vars(contract).items()
        if inspect.isfunction(member) and not name.startswith("_")
    ]


for _name in methods_of(Frontier):
    setattr(BrokenFrontier, _name, _failing(_name))

METHODS = [*methods_of(Frontier), *methods_of(Journal)]


def call(frontier: FailStopFrontier, name: str) -> Any:
    arguments, _ = CALLS[name]
    target = frontier.journal if name in methods_of(Journal) else frontier
    answer = getattr(target, name)(*arguments)
    return list(answer) if isinstance(answer, Iterator) else answer


@pytest.fixture
def failures() -> list[Exception]:
    return []


@pytest.fixture
def broken() -> BrokenFrontier:
    return BrokenFrontier()


@pytest.fixture
def frontier(broken: BrokenFrontier, failures: list[Exception]) -> FailStopFrontier:
    return FailStopFrontier(broken, sqlite3.Error, failures.append)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("contract", "implementation"), [(Frontier, FailStopFrontier), (Journal, FailStopJournal)]
)
def test_every_method_of_the_contract_is_written_out_with_its_signature(
    contract: type, implementation: type
) -> None:
    for name in methods_of(contract):
        assert name in vars(implementation), f"{implementation.__name__} lacks {name}"
        expected = inspect.signature(getattr(contract, name))
        assert inspect.signature(getattr(implementation, name)) == expected


@pytest.mark.parametrize("name", METHODS)
def test_a_call_that_fails_returns_an_empty_answer_and_is_reported(
    frontier: FailStopFrontier, failures: list[Exception], name: str
) -> None:
    assert call(frontier, name) == CALLS[name][1]
    assert [str(error) for error in failures] == ["database or disk is full"]


@pytest.mark.parametrize("name", METHODS)
def test_once_lost_only_closing_reaches_the_backend_and_nothing_is_reported_again(
    frontier: FailStopFrontier, broken: BrokenFrontier, failures: list[Exception], name: str
) -> None:
    frontier.journal.append([b"entry"])
    broken.calls.clear()
    assert call(frontier, name) == CALLS[name][1]
    assert broken.calls == (["close"] if name == "close" else [])
    assert len(failures) == 1


def test_an_iterator_that_fails_half_way_ends_and_is_reported(failures: list[Exception]) -> None:
    class FailsLater(MemoryFrontier):
        def queued(self, piece: int = 5_000) -> Iterator[Any]:
            yield from super().queued(1)
            raise sqlite3.DatabaseError("disk I/O error")

    frontier = FailStopFrontier(FailsLater(), sqlite3.Error, failures.append)
    frontier.push([a_link("1", 1.0), a_link("2", 2.0)])
    assert waiting_ids(frontier) == sorted([an_id("1"), an_id("2")])
    assert len(failures) == 1
    assert frontier.size() == FrontierSize(0, 0, 0, 0, 0, 0)


def test_a_sound_frontier_is_passed_through(failures: list[Exception]) -> None:
    frontier = FailStopFrontier(MemoryFrontier(), (sqlite3.Error, OSError), failures.append)
    frontier.push([a_link("1", 1.0), a_link("2", 2.0)])
    assert [link.url for link in frontier.best(1)] == ["http://a.cn/2"]
    assert popped_paths(frontier) == ["2", "1"]
    assert not frontier.shared
    assert failures == []


def test_a_frontier_that_is_replaced_hands_on_its_links(
    failures: list[Exception], tmp_path: Path
) -> None:
    frontier = FailStopFrontier(MemoryFrontier(), (), failures.append)
    new, other = (SQLiteFrontier(tmp_path / "f") for _ in range(2))
    frontier.push([a_link("1", 1.0), a_link("2", 2.0), a_link("3", 1.0)])
    journal = frontier.journal
    frontier.go_on_with(new, ZeroDivisionError)
    journal.append([b"entry"])
    assert journal is frontier.journal
    assert other.journal.read_new() == [b"entry"]
    other.close()
    assert popped_paths(new) == ["2", "1", "3"]
    assert frontier.size().leased == 3
    frontier.close()
    assert failures == []


def test_a_closed_frontier_keeps_its_last_counts_and_is_closed_once(tmp_path: Path) -> None:
    frontier = FailStopFrontier(SQLiteFrontier(tmp_path / "f"), (), _unexpected)
    frontier.push([a_link("1", 1.0), a_link("2", 2.0, host="b.cn")])
    frontier.close()
    frontier.close()
    assert frontier.size() == FrontierSize(2, 0, 0, 0, 0, 2)


def _unexpected(error: Exception) -> None:
    raise AssertionError(error)


def test_wrong_arguments_raise_and_do_not_lose_the_frontier(failures: list[Exception]) -> None:
    frontier = FailStopFrontier(MemoryFrontier(), sqlite3.Error, failures.append)
    with pytest.raises(ValueError, match="finite"):
        frontier.push([a_link("1", float("nan"))])
    assert frontier.push([a_link("1", 1.0)]) == [PushResult.NEW]
    assert failures == []


# -- links that wait for nothing -----------------------------------------------------------------


class WithoutHosts(MemoryFrontier):
    """A frontier that counts its links but finds none, as with a damaged index of hosts."""

    def pop(self, busy: Collection[str], now: float) -> None:
        return None


def popped_for(frontier: FailStopFrontier, clock: list[float], busy: Collection[str] = ()) -> None:
    """Pop in vain for somewhat longer than a frontier may be stuck."""
    for seconds in (0.0, STUCK_SECONDS, 1.0):
        clock[0] += seconds
        assert frontier.pop(busy, NOW) is None


def test_links_that_wait_and_are_never_handed_out_are_a_failure(failures: list[Exception]) -> None:
    clock = [0.0]
    frontier = FailStopFrontier(WithoutHosts(), (), failures.append, monotonic=lambda: clock[0])
    frontier.push([a_link("1", 1.0)])
    frontier.pop((), NOW)
    clock[0] += STUCK_SECONDS
    frontier.pop((), NOW)
    assert failures == []
    clock[0] += 1.0
    frontier.pop((), NOW)
    assert [type(each) for each in failures] == [FrontierStuckError]


def test_a_link_that_is_handed_out_meanwhile_is_no_failure(failures: list[Exception]) -> None:
    clock = [0.0]
    frontier = FailStopFrontier(WithoutHosts(), (), failures.append, monotonic=lambda: clock[0])
    frontier.push([a_link("1", 1.0)])
    frontier.pop((), NOW)
    clock[0] += STUCK_SECONDS
    frontier.pop({"a.cn"}, NOW)  # for now, there is a reason
    popped_for(frontier, clock)
    assert len(failures) == 1
    assert clock[0] > 2 * STUCK_SECONDS


@pytest.mark.parametrize("why", ["empty", "leased", "delayed", "host waits", "host busy"])
def test_a_crawl_that_waits_for_something_is_not_stuck(why: str, failures: list[Exception]) -> None:
    clock, memory = [0.0], MemoryFrontier(FrontierLimits(host_concurrency=1))
    frontier = FailStopFrontier(memory, (), failures.append, monotonic=lambda: clock[0])
    if why != "empty":
        frontier.push([a_link("1", 2.0), a_link("2", 1.0)])
    if why in ("leased", "delayed"):
        assert popped_paths(memory) == ["1"]
    if why == "delayed":
        frontier.ack([an_id("1")])
        assert popped_paths(memory) == ["2"]
        frontier.fail(an_id("2"), "timeout", NOW + 3_600.0)
    if why == "host waits":
        frontier.hold_host("a.cn", NOW + 3_600.0)
    popped_for(frontier, clock, {"a.cn"} if why == "host busy" else ())
    assert failures == []
