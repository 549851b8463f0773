"""A worker of a Redis frontier: how it joins, shows that it is alive, leads and leaves."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from redis.exceptions import RedisError, ResponseError

from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.redis.codec import as_bytes, as_text, packed_ids
from topiccrawl.frontier.redis.connection import JOIN, Argument, RedisAwayError, RedisConnection
from topiccrawl.frontier.redis.contacts import Contact
from topiccrawl.frontier.redis.server import ServerClock, address, check_durability, unusable
from topiccrawl.language import _

logger = logging.getLogger(__name__)

#: Version of the keys on the server; a frontier of another version is refused.
FORMAT: Final = "1"


@dataclass(slots=True)
class HeldLease:
    """A lease of this worker."""

    attempt: int
    host: str = ""
    in_transfer: bool = True


@dataclass(frozen=True, slots=True)
class Joined:
    """Reply of the server when the worker joined."""

    unordered: bool
    """The size limit is new to this frontier: its queue is not ordered by score yet."""
    earlier: bytes
    """Number of an earlier worker of the same name, empty if there is none."""


class RedisWorker:
    """This worker among the others on the server."""

    def __init__(
        self, connection: RedisConnection, base: bytes, name: str, clock: ServerClock
    ) -> None:
        """*base* is the prefix of all keys, *name* the name for people."""
        self._connection = connection
        self._meta = base + b"meta"
        self._names = base + b"names"
        self._workers = base + b"workers"
        self._name = name
        self._clock = clock

    def join(self) -> Joined:
        """Register on the server.

        Raises :class:`ConfigurationError` when it cannot be used or holds another format.
        """
        connection = self._connection
        server = address(connection.client)
        try:
            answer = self._open()
            if answer[0] != FORMAT.encode():
                raise ConfigurationError(
                    _(
                        "{server}: field 'format' of key {meta!r} must be {format}, got {answer!r}: "
                        "finish that run with the version that wrote it, or erase it with -a fresh=1"
                    ).format(
                        server=server,
                        meta=as_text(self._meta),
                        format=FORMAT,
                        answer=answer[0].decode(errors="replace"),
                    )
                )
            check_durability(connection)
            self._clock.refresh()
        except RedisAwayError as error:
            cause = error.__cause__ if isinstance(error.__cause__, RedisError) else error
            raise ConfigurationError(unusable(cause, connection.client)) from error
        except ResponseError as error:
            raise ConfigurationError(
                _("REDIS_URL: {server} refuses: {error}").format(server=server, error=error)
            ) from error
        connection.join_as(answer[1], as_text(answer[5]))
        return Joined(bool(answer[3]), answer[4])

    def _open(self) -> list[Any]:
        connection = self._connection
        instance = uuid.uuid4().hex
        answer: list[Any] = connection.call(
            JOIN, FORMAT, self._name, instance, connection.last_sent
        )
        return answer

    def knows_frontier(self) -> bool:
        """Return whether the server has the frontier that this worker has joined."""
        meta = self._meta
        found = self._connection.command(lambda client: client.hget(meta, "instance"))
        return bool(found == self._connection.instance.encode())

    def keep_number(self) -> bool:
        """Take another number if the server has forgotten this worker; return whether it has.

        It may have given the number to the next worker that joined.
        """
        names, connection = self._names, self._connection
        known = connection.command(lambda client: client.hget(names, self._name))
        if known == b"%d" % connection.worker:
            return False
        answer = self._open()
        connection.join_as(answer[1], as_text(answer[5]))
        return True

    def join_anew(self) -> None:
        """Join the frontier of a server that has lost the one before: a new one, or another worker's."""
        answer = self._open()
        self._connection.join_as(answer[1], as_text(answer[5]))
        logger.error(
            _(
                "%(server)s has lost the queue of this crawl, with all that workers have noted there"
            ),
            {"server": address(self._connection.client)},
        )

    def rejoin(self, held: Mapping[int, HeldLease], contacts: Mapping[str, Contact]) -> None:
        """Report the leases that are *held* here, and recent *contacts* with hosts, once the server is back.

        The server returns its other leases of this worker: the answers to their pops were lost.
        """
        self.return_all_but(held)
        self._clock.refresh()
        self.report(held, contacts)

    def report(self, held: Mapping[int, HeldLease], contacts: Mapping[str, Contact]) -> None:
        """Report that this worker is alive, its leases, and its recent *contacts* with hosts.

        If the server has lost its last moments in a crash, the pages that are being fetched still count for
        their hosts.
        """
        call, now = self._connection.call, self._clock()
        ids = [packed_ids(id for id in held if held[id].in_transfer is it) for it in (True, False)]
        hosts: list[Argument] = []
        for host, contact in contacts.items():
            hosts += (as_bytes(host), contact.ready_at, contact.delay)
        call("resume", now, *ids, *hosts)
        call("heartbeat", now)

    def return_all_but(self, held: Iterable[int]) -> None:
        """Return the leases that are not *held* here; the returns do not count against the links."""
        connection = self._connection
        connection.call("keep", packed_ids(held), "", connection.worker)

    def return_after_gap(self, held: Iterable[int]) -> None:
        """Return the leases that are not *held* here: the server has lost what was written about them.

        Outcomes that are still to be sent do not count for them, since links that were pushed before
        the crash may be lost.
        """
        connection = self._connection
        connection.call("keep", packed_ids(held), "", connection.worker, "1")
        logger.warning(
            _(
                "%(server)s has lost its last moments in a crash: pages that this worker was fetching are "
                "fetched again"
            ),
            {"server": address(connection.client)},
        )

    def return_leases_of(self, earlier: bytes) -> None:
        """Return the leases of an *earlier* worker of the same name, which is gone."""
        self._connection.call("keep", b"", self._clock(), earlier)

    def heartbeat(self, now: float) -> None:
        """Report that this worker is alive, at the server's time, after comparing the clocks."""
        before = self._clock()
        self._clock.refresh()
        # A write, so that a worker with nothing else to write notices that the server has lost some.
        self._connection.write("heartbeat", float(now) + self._clock() - before)

    def others(self, now: float, silence: float) -> int:
        """Return how many other workers have sent a heartbeat in the last *silence* seconds."""
        key, mine = self._workers, str(self._connection.worker).encode()
        alive = self._connection.command(
            lambda client: client.zrangebyscore(key, now - silence, "+inf")
        )
        return sum(name != mine for name in alive)

    def try_lead(self, now: float) -> bool:
        """See :meth:`topiccrawl.frontier.contract.Frontier.try_lead`."""
        return bool(self._connection.call("try_lead", float(now)))

    def leave(self) -> None:
        """Return all leases and deregister; a server that is away is tried once more."""
        connection = self._connection
        try:
            connection.reconnect_now()
            self.return_all_but(())
            connection.call("leave", self._name)
        except RedisAwayError:
            logger.warning(
                _(
                    "Redis is away at the end of the run: %(count)d writes are lost; what they are "
                    "about is fetched again when the leases of this worker end"
                ),
                {"count": connection.waiting},
            )
