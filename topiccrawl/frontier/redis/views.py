"""Walks through a Redis frontier: everything that waits, and the best of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.redis.codec import StoredLink, packed_ids, stored
from topiccrawl.frontier.redis.connection import Argument, RedisAwayError, RedisConnection

#: Hosts in one script that reads queues.
_HOSTS: Final = 200
#: Links in one script that reads or changes records: some milliseconds.
LINKS: Final = 200
#: Links after which a script that reads queues begins no further host.
_ENOUGH: Final = 500
_SCORE = np.dtype(">f8")
_QUEUED = np.dtype([("place", ">u8"), ("id", ">i8"), ("score", _SCORE), ("host", ">u4")])
_WAITING = np.dtype([("id", ">i8"), ("score", _SCORE)])
#: More links than a queue has.
_ALL: Final = 2**31
#: Best links of each host that are asked for at first; four times as many, when all were among the best.
_FIRST: Final = 4

Piece = tuple[NDArray[np.int64], NDArray[np.float64]]


class RedisViews:
    """Reads queues host by host; a host's queue is read in one step of the server."""

    def __init__(self, link: RedisConnection, base: bytes) -> None:
        self._link = link
        self._base = base

    def waiting(self, piece: int) -> Iterator[Piece]:
        """Yield ids and scores of queued and delayed links; ends early when the server is away."""
        try:
            hosts, delayed = self._hosts(), self._delayed()
            given: list[NDArray[np.int64]] = []
            for found in self._queues(hosts, min(piece, _ENOUGH)):
                for start in range(0, len(found), piece):
                    part = found[start : start + piece]
                    ids, scores = _native(part) if start == 0 else self._present(part["id"])
                    if len(ids):
                        given.append(ids)
                        yield ids, scores
            # Those that were queued at the beginning and are delayed now, and the other way round.
            late = np.union1d(delayed, self._delayed())
            if len(late) and given:
                late = late[~np.isin(late, np.concatenate(given))]
            for start in range(0, len(late), piece):
                ids, scores = self._present(late[start : start + piece])
                if len(ids):
                    yield ids, scores
        except RedisAwayError:
            return

    def best(self, n: int) -> Iterator[QueuedLink]:
        """Yield the *n* best queued links over all hosts."""
        try:
            hosts = self._hosts()
            heads = _ranked(self._first(hosts, range(len(hosts)), 1))
            # A host whose best link is not among the n best has none of them.
            each = _FIRST
            ranked = _ranked(self._first(hosts, heads["host"][:n].tolist(), each))
            while cut := _cut_off(ranked[:n], each):
                each *= _FIRST
                others = ranked[~np.isin(ranked["host"], cut)]
                ranked = _ranked(np.concatenate([others, self._first(hosts, cut, each)]))
            yield from self._links(ranked[:n])
        except RedisAwayError:
            return

    # -- inside --------------------------------------------------------------------------------

    def _hosts(self) -> list[bytes]:
        return sorted(self._link.plain(lambda client: client.hkeys(self._base + b"hosts")))

    def _delayed(self) -> NDArray[np.int64]:
        ids = self._link.plain(lambda client: client.zrange(self._base + b"delayed", 0, -1))
        return np.frombuffer(b"".join(ids), ">i8").astype(np.int64)

    def _queues(self, hosts: Sequence[bytes], enough: int) -> Iterator[NDArray[np.void]]:
        at = 0
        while at < len(hosts):
            looked, blob = self._link.ask("queues", enough, 0, *hosts[at : at + _HOSTS])
            at += looked
            yield np.frombuffer(blob, _QUEUED)

    def _first(self, hosts: Sequence[bytes], chosen: Sequence[int], each: int) -> NDArray[np.void]:
        """The *each* best links of the chosen hosts."""
        pieces = [chosen[start : start + _HOSTS] for start in range(0, len(chosen), _HOSTS)]
        calls: list[list[Argument]] = [[_ALL, each, *[hosts[i] for i in piece]] for piece in pieces]
        tables = [np.empty(0, _QUEUED)]
        for piece, (_, blob) in zip(pieces, self._link.ask_all("queues", calls), strict=True):
            table = np.frombuffer(blob, _QUEUED).copy()
            table["host"] = np.array(piece, ">u4")[table["host"]]
            tables.append(table)
        return np.concatenate(tables)

    def _present(self, ids: NDArray[np.int64]) -> Piece:
        """Those of *ids* that still wait, with their scores."""
        calls = [(packed_ids(ids[at : at + LINKS].tolist()),) for at in range(0, len(ids), LINKS)]
        return _native(np.frombuffer(b"".join(self._link.ask_all("waiting", calls)), _WAITING))

    def _links(self, ranked: NDArray[np.void]) -> Iterator[QueuedLink]:
        ids = ranked["id"].tolist()
        for at in range(0, len(ids), LINKS):
            for answer in self._link.ask("look", packed_ids(ids[at : at + LINKS])):
                # It may have been popped since its queue was read.
                if answer is not None and answer[:1] == b"q":
                    yield looked_up(answer).link


def looked_up(answer: bytes) -> StoredLink:
    """Read one answer of ``look``: state, present score, record."""
    (score,) = np.frombuffer(answer, _SCORE, 1, offset=1).tolist()
    return stored(answer[1 + _SCORE.itemsize :], score)


def _native(table: NDArray[np.void]) -> Piece:
    return table["id"].astype(np.int64), table["score"].astype(np.float64)


def _ranked(table: NDArray[np.void]) -> NDArray[np.void]:
    """Best first; equal scores by their place, which is big-endian: its bytes are in order."""
    return table[np.lexsort((table["place"], -table["score"]))]


def _cut_off(best: NDArray[np.void], each: int) -> list[int]:
    """Hosts that give so many of the best that they may have more."""
    hosts, counts = np.unique(best["host"], return_counts=True)
    return [int(host) for host in hosts[counts >= each]]
