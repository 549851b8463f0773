"""The journal of a Redis frontier: one stream for all workers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from topiccrawl.frontier.contract import Journal
from topiccrawl.frontier.redis.connection import RedisAwayError, RedisConnection
from topiccrawl.steps import pieces

#: Entries of one script: they may be some kilobytes each.
_PIECE: Final = 50

_Entries = list[tuple[bytes, dict[bytes, bytes]]]


class RedisJournal(Journal):
    """See :class:`topiccrawl.frontier.contract.Journal`.

    Entries that are appended while the server is away are sent when it is back.
    """

    def __init__(self, connection: RedisConnection, key: bytes, entries: int | None) -> None:
        """About this many *entries* are kept, all of them with ``None``."""
        self._connection = connection
        self._key = key
        self._entries = "" if entries is None else entries
        self._last = b"-"
        self._own: bytes | None = None

    def append(self, entries: Sequence[bytes]) -> None:
        calls = [(self._entries, *piece) for piece in pieces(entries, _PIECE)]
        if calls:
            places = self._connection.write_all("journal", calls)
            self._own = places[0] if places else None

    def read_new(self, limit: int = 500, *, before_own: bool = False) -> list[bytes]:
        if before_own and self._own is None:
            return []
        end = b"(" + self._own if before_own and self._own is not None else b"+"
        mine, found = b"%d" % self._connection.worker, list[bytes]()
        try:
            while len(found) < limit:
                most = limit - len(found)
                entries = self._read(end, most)
                found += [fields[b"d"] for _, fields in entries if fields[b"w"] != mine]
                if entries:
                    self._last = b"(" + entries[-1][0]
                if len(entries) < most:
                    break
        except RedisAwayError:
            pass
        return found

    def _read(self, end: bytes, most: int) -> _Entries:
        answer = self._connection.command(
            lambda client: client.xrange(self._key, self._last, end, most)
        )
        return cast("_Entries", answer)
