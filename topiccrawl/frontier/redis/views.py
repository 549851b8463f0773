"""Reads of a Redis frontier: everything that waits, the best of it, and single links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.records import UnreadableRecordError
from topiccrawl.frontier.redis.codec import looked_up, packed_id, packed_ids
from topiccrawl.frontier.redis.connection import Argument, RedisAwayError, RedisConnection
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.steps import pieces

#: Hosts in one script that reads queues.
_HOSTS_PER_SCRIPT: Final = 200
#: Links in one script that reads or changes records: some milliseconds.
LINKS_PER_SCRIPT: Final = 200
#: Links after which a script that reads queues begins no further host.
_ENOUGH: Final = 500
_SCORE = np.dtype(">f8")
_QUEUED = np.dtype([("place", ">u8"), ("id", ">i8"), ("score", _SCORE), ("host", ">u4")])
_WAITING = np.dtype([("id", ">i8"), ("score", _SCORE)])
#: More links than a queue can hold.
_ALL: Final = 2**31
#: Best links read of each host at first; four times as many when all were among the best.
_FIRST: Final = 4

Piece = tuple[NDArray[np.int64], NDArray[np.float64]]


class RedisViews:
    """Reads a frontier; a host's queue is read in one step of the server.

    Iterators end early when the server is away; single look-ups then return their empty answer.
    """

    def __init__(self, connection: RedisConnection, base: bytes) -> None:
        self._connection = connection
        self._base = base

    def waiting(self, piece: int) -> Iterator[Piece]:
        """Yield ids and scores of queued and delayed links, host by host."""
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

    def evidence(self, id: int) -> LinkEvidence | None:
        """Return the evidence of an open link."""
        try:
            (answer,) = self._connection.call("look", packed_id(id))
        except RedisAwayError:
            return None
        try:
            return None if answer is None else looked_up(answer).link.evidence
        except UnreadableRecordError:
            return None

    def reason(self, id: int) -> str | None:
        """Return why a link last failed."""
        key = self._base + b"reasons"
        try:
            found = self._connection.command(lambda client: client.hget(key, packed_id(id)))
        except RedisAwayError:
            return None
        return None if found is None else found.decode("utf-8", "replace")

    def known(self, ids: Sequence[int]) -> list[bool]:
        """Return for each id whether it was ever accepted and not forgotten."""
        calls = [(piece,) for piece in id_pieces(ids)]
        try:
            answers = self._connection.call_all("known", calls) if calls else []
        except RedisAwayError:
            return [False] * len(ids)
        return [letter == ord("1") for answer in answers for letter in answer]

    # -- inside --------------------------------------------------------------------------------

    def _hosts(self) -> list[bytes]:
        key = self._base + b"hosts"
        return sorted(self._connection.command(lambda client: client.hkeys(key)))

    def _delayed(self) -> NDArray[np.int64]:
        key = self._base + b"delayed"
        ids = self._connection.command(lambda client: client.zrange(key, 0, -1))
        # Foreign members have another length; the script that wakes links gives them up.
        ids = [id for id in ids if len(id) == 8]
        return np.frombuffer(b"".join(ids), ">i8").astype(np.int64)

    def _queues(self, hosts: Sequence[bytes], enough: int) -> Iterator[NDArray[np.void]]:
        at = 0
        while at < len(hosts):
            chosen = hosts[at : at + _HOSTS_PER_SCRIPT]
            read, packed = self._connection.call("queues", enough, 0, *chosen)
            at += read
            yield np.frombuffer(packed, _QUEUED)

    def _first(self, hosts: Sequence[bytes], chosen: Sequence[int], each: int) -> NDArray[np.void]:
        """Return the *each* best links of the chosen hosts."""
        parts = list(pieces(chosen, _HOSTS_PER_SCRIPT))
        calls: list[list[Argument]] = [[_ALL, each, *[hosts[i] for i in part]] for part in parts]
        answers = self._connection.call_all("queues", calls)
        tables = [np.empty(0, _QUEUED)]
        for part, (_, packed) in zip(parts, answers, strict=True):
            table = np.frombuffer(packed, _QUEUED).copy()
            table["host"] = np.array(part, ">u4")[table["host"]]
            tables.append(table)
        return np.concatenate(tables)

    def _present(self, ids: NDArray[np.int64]) -> Piece:
        """Return those of *ids* that still wait, with their scores."""
        calls = [(piece,) for piece in id_pieces(ids.tolist())]
        answers = self._connection.call_all("waiting", calls)
        return _native(np.frombuffer(b"".join(answers), _WAITING))

    def _links(self, ranked: NDArray[np.void]) -> Iterator[QueuedLink]:
        for piece in id_pieces(ranked["id"].tolist()):
            for answer in self._connection.call("look", piece):
                # It may have been popped since its queue was read.
                if answer is not None and answer[:1] == b"q":
                    with suppress(UnreadableRecordError):  # given up when it is its turn
                        yield looked_up(answer).link


def id_pieces(ids: Sequence[int]) -> list[bytes]:
    """Return *ids* in pieces for scripts that read or change records."""
    return list(map(packed_ids, pieces(ids, LINKS_PER_SCRIPT)))


def _native(table: NDArray[np.void]) -> Piece:
    # Only a stranger writes infinite scores; the next pop still finds the link.
    table = table[np.isfinite(table["score"])]
    return table["id"].astype(np.int64), table["score"].astype(np.float64)


def _ranked(table: NDArray[np.void]) -> NDArray[np.void]:
    """Sort by score, best first, and equal scores by place."""
    return table[np.lexsort((table["place"], -table["score"]))]


def _cut_off(best: NDArray[np.void], each: int) -> list[int]:
    """Return the hosts with so many of the best links that they may have more of them."""
    hosts, counts = np.unique(best["host"], return_counts=True)
    return [int(host) for host in hosts[counts >= each]]
