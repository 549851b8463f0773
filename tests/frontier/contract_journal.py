"""Contract: the journal that the workers of a shared frontier exchange."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from topiccrawl.frontier.contract import Frontier
from topiccrawl.frontier.options import FrontierLimits

OpenWorker = Callable[[str, FrontierLimits], Frontier]

LIMITS = FrontierLimits()


class JournalContract:
    """Uses the fixtures of :class:`frontier.contract_shared_fixtures.SharedFixtures`."""

    def test_each_worker_reads_the_entries_of_the_others_once_and_in_order(
        self, a: Frontier, b: Frontier, open_worker: OpenWorker
    ) -> None:
        c = open_worker("c", LIMITS)
        a.journal.append([b"a1", b"a2"])
        b.journal.append([b"b1"])
        assert c.journal.read_new() == [b"a1", b"a2", b"b1"]
        a.journal.append([b"a3"])
        assert b.journal.read_new() == [b"a1", b"a2", b"a3"]
        assert a.journal.read_new() == [b"b1"]
        assert c.journal.read_new() == [b"a3"]
        assert [x.journal.read_new() for x in (a, b, c)] == [[], [], []]

    def test_entries_are_any_bytes(self, a: Frontier, b: Frontier) -> None:
        entries = [b"", b"\x00\xff\n", "侨情".encode(), bytes(range(256)) * 300]
        a.journal.append(entries)
        assert b.journal.read_new() == entries

    def test_appending_nothing_adds_nothing(self, a: Frontier, b: Frontier) -> None:
        a.journal.append([])
        assert b.journal.read_new() == []

    def test_entries_come_in_pieces_and_own_entries_between_them_hide_nothing(
        self, a: Frontier, b: Frontier
    ) -> None:
        for i in range(30):
            a.journal.append([b"own %d" % i] * 9)
            b.journal.append([b"%d" % i])
        pieces = []
        while piece := a.journal.read_new(limit=4):
            pieces.append(piece)
        assert all(1 <= len(piece) <= 4 for piece in pieces)
        assert [entry for piece in pieces for entry in piece] == [b"%d" % i for i in range(30)]

    def test_what_stands_before_the_entries_of_a_worker_can_be_read_alone(
        self, a: Frontier, b: Frontier
    ) -> None:
        assert a.journal.read_new(before_own=True) == []
        b.journal.append([b"b1"])
        assert a.journal.read_new(before_own=True) == []
        a.journal.append([b"a1"])
        b.journal.append([b"b2"])
        a.journal.append([b"a2", b"a3"])
        b.journal.append([b"b3"])
        assert a.journal.read_new(limit=1, before_own=True) == [b"b1"]
        assert a.journal.read_new(before_own=True) == [b"b2"]
        assert a.journal.read_new(before_own=True) == []
        assert a.journal.read_new() == [b"b3"]
        assert b.journal.read_new(before_own=True) == [b"a1", b"a2", b"a3"]

    def test_more_entries_than_the_usual_limit_are_all_read(self, a: Frontier, b: Frontier) -> None:
        entries = [b"%d" % i for i in range(1_200)]
        a.journal.append(entries)
        found = []
        while piece := b.journal.read_new():
            assert len(piece) <= 500
            found += piece
        assert found == entries

    def test_a_worker_that_joins_late_reads_everything_from_the_beginning(
        self, a: Frontier, b: Frontier, open_worker: OpenWorker
    ) -> None:
        a.journal.append([b"1"])
        b.journal.append([b"2"])
        a.close()
        b.journal.append([b"3"])
        assert open_worker("c", LIMITS).journal.read_new() == [b"1", b"2", b"3"]

    @pytest.mark.parametrize("name", ["a", "other"])
    def test_a_worker_that_starts_again_reads_everything_including_its_own_entries(
        self, open_worker: OpenWorker, name: str
    ) -> None:
        first = open_worker("a", LIMITS)
        first.journal.append([b"1", b"2"])
        first.close()
        again = open_worker(name, LIMITS)
        assert again.journal.read_new() == [b"1", b"2"]
        again.journal.append([b"3"])
        assert again.journal.read_new() == []
