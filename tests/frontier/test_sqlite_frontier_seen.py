"""Links that ended long ago move from rows into filters; they stay known and counted."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.frontier.contract_suite import NOW, a_link, an_id, popped_paths
from topiccrawl.frontier.bloom import FALSE_POSITIVE_RATE, BloomSet
from topiccrawl.frontier.contract import FrontierSize, PushResult
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.urls.identity import link_id

EXACT = 20


def opened(path: Path, exact_links: int = EXACT) -> SQLiteFrontier:
    return SQLiteFrontier(path, clock=lambda: NOW, exact_links=exact_links)


def end(frontier: SQLiteFrontier, numbers: range, *, given_up: int = 0) -> None:
    """Push, pop and end links one by one; of every ten, *given_up* are given up."""
    for number in numbers:
        frontier.push([a_link(str(number), 1.0)])
        lease = frontier.pop(frozenset(), NOW)
        assert lease is not None
        if number % 10 < given_up:
            frontier.fail(lease.id, "404", None)
        else:
            frontier.ack([lease.id])


def rows(frontier: SQLiteFrontier) -> int:
    return int(frontier._file.row("SELECT count(*) FROM links")[0])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "topic.frontier"


# -- the filter ----------------------------------------------------------------------------------


def test_a_filter_contains_all_that_was_added_and_hardly_anything_else() -> None:
    draw = random.Random(1)
    seen, ids = BloomSet(20_000, rate=0.01), [link_id(str(n)) for n in range(20_000)]
    seen.add(ids)
    assert all(id in seen for id in ids)
    strangers = [draw.getrandbits(64) - 2**63 for _ in range(50_000)]
    assert 0.005 < sum(id in seen for id in strangers) / len(strangers) < 0.02


def test_ids_that_differ_in_few_bits_are_distinguished() -> None:
    seen = BloomSet(4_000)
    seen.add(range(-2_000, 2_000))
    assert not any(id in seen for id in range(2_000, 100_000))
    assert not any((id << 32) in seen for id in range(2_000, 100_000))


def test_a_filter_marks_what_was_given_up() -> None:
    seen = BloomSet(100)
    seen.add([1, 2])
    seen.add([3], given_up=True)
    assert [3 in seen, seen.given_up(3), seen.given_up(1)] == [True, True, False]


def test_a_filter_means_the_same_in_another_process() -> None:
    seen = BloomSet(1_000)
    seen.add(range(0, 1_000, 2))
    script = (
        "import sys; from topiccrawl.frontier.bloom import BloomSet;"
        "seen = BloomSet.from_bytes(sys.stdin.buffer.read());"
        "print(sum(n in seen for n in range(0, 1000, 2)), sum(n in seen for n in range(1, 1000, 2)))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script], input=seen.to_bytes(), capture_output=True, check=True
    )
    assert answer.stdout.split() == [b"500", b"0"]


def test_a_filter_takes_the_room_that_its_rate_needs() -> None:
    assert len(BloomSet(100_000).to_bytes()) * 8 / 100_000 == pytest.approx(28.8, rel=0.01)
    assert FALSE_POSITIVE_RATE == 1e-6


@pytest.mark.parametrize("values", [(0, 0.1), (1, 0.0), (1, 1.0)])
def test_a_filter_refuses_what_makes_no_sense(values: tuple[int, float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        BloomSet(*values)
    with pytest.raises(ValueError, match="is none"):
        BloomSet.from_bytes(b"x")


# -- links that ended ----------------------------------------------------------------------------


def test_up_to_the_limit_every_link_keeps_its_evidence_and_reason(path: Path) -> None:
    with closing(opened(path)) as frontier:
        end(frontier, range(EXACT), given_up=3)
        assert rows(frontier) == EXACT
        assert frontier.reason(an_id("2")) == "404"
        assert frontier.evidence(an_id("2")) is not None


def test_beyond_it_rows_stay_few_and_all_links_stay_known_and_counted(path: Path) -> None:
    with closing(opened(path)) as frontier:
        end(frontier, range(400), given_up=3)
        frontier.heartbeat(NOW)
        assert rows(frontier) <= EXACT + 3
        assert frontier.known([an_id(str(n)) for n in range(400)]) == [True] * 400
        assert frontier.known([an_id(f"x{n}") for n in range(400)]) == [False] * 400
        assert frontier.push([a_link("0", 1.0), a_link("399", 1.0)]) == [PushResult.SEEN] * 2
        assert frontier.size() == FrontierSize(0, 0, 0, 280, 120, 0)
        assert frontier.evidence(an_id("0")) is None
        assert frontier.evidence(an_id("399")) is not None


@pytest.mark.parametrize("given_up", [0, 10])
def test_a_link_of_a_filter_that_is_queued_again_and_forgotten_counts_as_ended_again(
    path: Path, given_up: int
) -> None:
    with closing(opened(path)) as frontier:
        end(frontier, range(200), given_up=given_up)
        before = frontier.size()
        links = [a_link("0", 2.0), a_link("1", 1.0)]
        for _time in range(3):
            assert frontier.push(links, again=True) == [PushResult.NEW] * 2
            assert popped_paths(frontier, n=1) == ["0"]
            frontier.fail(links[0].id, "503", NOW + 60.0)
            assert frontier.forget([it.id for it in links]) == 2
            assert frontier.size() == before
        assert frontier.push(links) == [PushResult.SEEN] * 2


def test_open_links_never_move(path: Path) -> None:
    with closing(opened(path)) as frontier:
        frontier.push([a_link(f"q{n}", -float(n)) for n in range(50)])
        end(frontier, range(200))
        assert popped_paths(frontier) == [f"q{n}" for n in range(50)]


def test_again_fetches_old_links_and_counts_stay_true(path: Path) -> None:
    with closing(opened(path)) as frontier:
        end(frontier, range(200), given_up=5)
        assert frontier.evidence(an_id("3")) is None
        links = [a_link("3", 1.0), a_link("8", 0.5)]  # one was given up, one done
        assert frontier.push(links, again=True) == [PushResult.NEW] * 2
        assert frontier.size() == FrontierSize(2, 0, 0, 99, 99, 1)
        assert popped_paths(frontier) == ["3", "8"]
        frontier.ack([an_id("3"), an_id("8")])
        assert frontier.size() == FrontierSize(0, 0, 0, 101, 99, 0)


def test_old_links_are_not_marked_as_ended_once_more(path: Path) -> None:
    with closing(opened(path)) as frontier:
        end(frontier, range(200))
        old = [a_link("0", 1.0), a_link("1", 1.0)]
        assert frontier.evidence(an_id("0")) is None
        assert frontier.mark_ended([*old, a_link("new", 1.0)]) == 1
        assert frontier.size().done == 201


def test_other_workers_and_later_runs_see_them_too(path: Path) -> None:
    with closing(opened(path)) as other:
        other.known([1])
        with closing(opened(path)) as frontier:
            end(frontier, range(100))
        assert other.known([an_id(str(n)) for n in range(100)]) == [True] * 100
        assert other.push([a_link("0", 1.0)]) == [PushResult.SEEN]
    with closing(opened(path)) as later:
        assert later.known([an_id("0"), an_id("100")]) == [True, False]


@pytest.mark.parametrize("ended", range(EXACT + 1, EXACT + 8))
def test_a_worker_that_leaves_in_the_middle_of_moving_is_followed(path: Path, ended: int) -> None:
    with closing(opened(path)) as other:
        with closing(opened(path)) as frontier:
            end(frontier, range(ended))
        end(other, range(ended, 200))
        other.heartbeat(NOW)
        assert rows(other) <= EXACT + 3
        assert other.known([an_id(str(n)) for n in range(200)]) == [True] * 200
        assert other.size().done == 200


def test_moving_is_done_in_steps(path: Path) -> None:
    with closing(opened(path)) as frontier:
        frontier.push([a_link(str(n), 1.0) for n in range(1_000)])
        popped_paths(frontier)
    with closing(opened(path, exact_links=10_000)) as frontier:
        frontier.ack([an_id(str(n)) for n in range(1_000)])  # came back when it was closed
    with closing(opened(path, exact_links=100)) as frontier:
        counts = [rows(frontier)]
        for number in range(1_000, 1_150):
            end(frontier, range(number, number + 1))
            counts.append(rows(frontier))
        steps = [before - after for before, after in itertools.pairwise(counts)]
        assert 0 < max(steps) <= 16  # rows for each link that ends
        assert counts[-1] <= 150
        assert all(frontier.known([an_id(str(n)) for n in range(1_150)]))


def test_links_that_are_queued_again_while_they_move_stay_in_the_queue(path: Path) -> None:
    with closing(opened(path, exact_links=200)) as frontier:
        end(frontier, range(202), given_up=1)  # of 101 links to move, 64 are gathered
        numbers = [0, 1, 2, *range(70, 195)]  # and fewer than the other 37 are left
        links = [a_link(str(n), 0.5) for n in numbers]
        assert frontier.push(links, again=True) == [PushResult.NEW] * len(links)
        assert popped_paths(frontier, n=1) == ["0"]
        frontier.ack([an_id("0")])  # given up before, done now
        end(frontier, range(300, 320))
        frontier.heartbeat(NOW)
        assert rows(frontier) < 200
        assert frontier.known([an_id(str(n)) for n in range(202)]) == [True] * 202
        before = frontier.size()
        assert frontier.push([a_link("0", 0.1)], again=True) == [PushResult.NEW]
        after = frontier.size()
        assert (after.done, after.given_up) == (before.done - 1, before.given_up)
        assert popped_paths(frontier) == [*map(str, numbers[1:]), "0"]


def test_a_limit_below_one_is_refused(path: Path) -> None:
    with pytest.raises(ValueError, match="exact_links"):
        opened(path, exact_links=0)
