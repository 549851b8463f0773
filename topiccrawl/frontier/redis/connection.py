"""The connection to a Redis server that may be away: writes wait in memory, in order.

Every write is numbered, and the server stores the number of each worker's last write.  A write
whose answer was lost is therefore sent again without being executed twice.
"""

from __future__ import annotations

import logging
import math
import re
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha1
from typing import Any, Final

import redis
from redis.backoff import NoBackoff
from redis.exceptions import (
    AuthenticationError,
    NoPermissionError,
    NoScriptError,
    RedisError,
    ResponseError,
)
from redis.retry import Retry

from topiccrawl.frontier.redis.reasons import error_code, in_words, is_away
from topiccrawl.frontier.redis.scripts import script
from topiccrawl.language import _
from topiccrawl.steps import pieces

logger = logging.getLogger(__name__)

#: Seconds between two attempts to reach a server that is away.  A guess: an attempt on a machine that
#: is gone lasts as long as the socket's time-out and blocks the crawl for that long.
RETRY_SECONDS: Final = 1.0
#: Scripts in one pipeline: their answers are read only after all of them were sent.
_PIPELINE_CALLS: Final = 64
#: Error code of our scripts for a write that arrived before one with a lower number (lua/keys.lua).
_GAP_CODE: Final = "GAP"
#: Error code of our scripts for a worker that has joined a frontier that is gone (lua/keys.lua).
_LOST_CODE: Final = "LOST"
#: The script by which a worker joins; the only one that runs in whatever frontier there is.
JOIN: Final = "open"

#: Of the answer to INFO: which process the server is.
_PROCESS: Final = re.compile(rb"run_id:\w+")

Argument = bytes | str | int | float


class RedisAwayError(Exception):
    """The server cannot be reached, or cannot write, at the moment."""


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    number: int | None
    arguments: Sequence[Argument]


class RedisConnection:
    """Runs the frontier's scripts for one worker.

    :meth:`call` runs a script at most once and raises :class:`RedisAwayError` when the server is
    away.  :meth:`write` runs a script exactly once, now or when the server is back.
    """

    def __init__(
        self,
        client: redis.Redis,
        base: bytes,
        arguments: Sequence[Argument],
        *,
        clock: Callable[[], float],
        on_restart: Callable[[], bool],
        on_return: Callable[[], None],
        on_loss: Callable[[], None],
        on_gap: Callable[[], None],
    ) -> None:
        """*base* is the prefix of all keys; every script receives it and then *arguments*.

        *clock* paces the attempts to reconnect.  *on_restart* is called before anything else is sent to a
        server that was started again, or to another one in its place; it may call, and returns whether the
        server counts as away for a moment.  *on_return* is called when the server is back and has received
        every write that was waiting; it may call and write.  *on_loss* is called when the server has lost the
        frontier, and must join the new one; the script that was refused is sent again then.  *on_gap* is
        called when the server has lost the last writes of this worker in a crash, before those that come next
        are sent; it may call.
        """
        # The client's own retries would send a script twice, and sleep in between.
        client.set_retry(Retry(NoBackoff(), 0))
        # A connection that was closed is opened again without a word, and its server may be another process.
        client.connection_pool.connection_kwargs["redis_connect_func"] = self._connected
        self._process: bytes | None = None
        self.client = client
        self._on_restart = on_restart
        self._on_return = on_return
        self._on_loss = on_loss
        self._on_gap = on_gap
        self._key = base + b"meta"
        self._writes = base + b"writes"
        self._execute: Callable[..., Any] = client.execute_command
        self._arguments = (base, *arguments)
        self._worker = 0
        self._instance = ""
        self._clock = clock
        self._outbox: deque[_Call] = deque()
        self._number = 0
        self._away_since: float | None = None
        self._next_try = 0.0
        #: Whether a callback is talking to a server that counts as away, or to a new one.
        self._reporting = False

    @property
    def worker(self) -> int:
        """Number of this worker, which every script receives; 0 until it has joined."""
        return self._worker

    def join_as(self, worker: int, instance: str) -> None:
        """Take the number that the server gave this worker; scripts run in this *instance* only."""
        self._worker, self._instance = worker, instance

    @property
    def instance(self) -> str:
        """The frontier that this worker has joined; empty before."""
        return self._instance

    @property
    def last_sent(self) -> int:
        """Number of the last write that the server has received."""
        return self._number - len(self._outbox)

    @property
    def waiting(self) -> int:
        """Writes that the server has not received yet."""
        return len(self._outbox)

    def call(self, name: str, *arguments: Argument) -> Any:
        """Run a script at most once; raise :class:`RedisAwayError` if there is no answer."""
        return self.call_all(name, [arguments])[0]

    def call_all(self, name: str, calls: Sequence[Sequence[Argument]]) -> list[Any]:
        """Run a script for each list of arguments; see :meth:`call`."""
        self.reconnect()
        answers: list[Any] = []
        for piece in pieces(calls, _PIPELINE_CALLS):
            answers += self._run([_Call(name, None, arguments) for arguments in piece])
        return answers

    def write(self, name: str, *arguments: Argument) -> Any:
        """Run a script now or when the server is back; return ``None`` if the answer is unknown."""
        answers = self.write_all(name, [arguments])
        return None if answers is None else answers[0]

    def write_all(self, name: str, calls: Sequence[Sequence[Argument]]) -> list[Any] | None:
        """Run a script for each list of arguments, in this order; see :meth:`write`."""
        if not calls:
            return []
        try:
            self.reconnect()
        except RedisAwayError:
            self._enqueue(name, calls)
            return None
        self._enqueue(name, calls)
        try:
            return self._flush()
        except RedisAwayError:
            return None

    def command(self, send: Callable[[redis.Redis], Any]) -> Any:
        """Return what *send* gets from the client; raise :class:`RedisAwayError`."""
        self.reconnect()
        with self._noticing_absence():
            return send(self.client)

    def reconnect(self) -> None:
        """Reach the server again if it was away, and send the waiting writes.

        Raises :class:`RedisAwayError` when it cannot be reached, or was tried a moment ago.
        """
        if self._away_since is None or self._reporting:
            return
        if self._clock() < self._next_try:
            raise RedisAwayError
        sent = len(self._outbox)
        with self._reports():
            self._flush()
            self._on_return()
        logger.info(
            _("Redis is back after %(seconds).0f s; %(sent)d writes that waited were sent"),
            {"seconds": self._clock() - self._away_since, "sent": sent},
        )
        self._away_since = None

    def reconnect_now(self) -> None:
        """Like :meth:`reconnect`, however recent the last attempt was."""
        self._next_try = -math.inf
        self.reconnect()

    # -- inside --------------------------------------------------------------------------------

    def _enqueue(self, name: str, calls: Sequence[Sequence[Argument]]) -> None:
        for arguments in calls:
            self._number += 1
            self._outbox.append(_Call(name, self._number, arguments))

    def _flush(self) -> list[Any]:
        """Send the waiting writes and return their answers.

        A write that was answered is removed, even if a later one fails.
        """
        answers: list[Any] = []
        while self._outbox:
            piece = [self._outbox[i] for i in range(min(_PIPELINE_CALLS, len(self._outbox)))]
            answers += self._run(piece, from_outbox=True)
        return answers

    def _run(self, calls: Sequence[_Call], *, from_outbox: bool = False) -> list[Any]:
        """Run scripts in order.

        A script that the server has not loaded is loaded and sent again with all that follow it: the
        server has refused those, because a write before them was missing.
        """
        answers: list[Any] = []
        repaired: set[str] = set()
        while len(answers) < len(calls):
            before = len(answers)
            for answer in self._exchange(calls[before:]):
                call = calls[len(answers)]
                if isinstance(answer, Exception):
                    if is_away(answer):
                        raise self._went_away(answer) from answer
                    if self._repair(answer, call, repaired, first=len(answers) == before):
                        break
                answers.append(answer)
                if from_outbox:
                    self._outbox.popleft()
        for answer in answers:
            if isinstance(answer, NoPermissionError) and self._worker:
                raise _refused(answer)
            if isinstance(answer, Exception):
                raise answer
        return answers

    def _repair(self, error: Exception, call: _Call, repaired: set[str], *, first: bool) -> bool:
        """Remove the cause of an error, once for each cause; return whether to send again."""
        missing, code = isinstance(error, NoScriptError), error_code(error)
        cause = call.name if missing else code
        if not (missing or code in (_GAP_CODE, _LOST_CODE)) or (cause in repaired and first):
            return False
        if code == _LOST_CODE:
            self._on_loss()
            repaired.add(cause)
            return True
        if first and not missing:
            # The server lost its last writes in a crash, and their numbers with them.
            self._on_gap()
        with self._noticing_absence():
            if missing:
                self.client.script_load(script(call.name).text)
            elif first and call.number is not None:
                self.client.hset(self._writes, str(self._worker), call.number - 1)
        if missing or first:
            repaired.add(cause)
        return True

    def _connected(self, connection: Any) -> None:
        """Begin a connection.  At the first one to another process than before, the worker reports to it."""
        connection.on_connect()
        before, self._process = self._process, self._process_of(connection)
        if before in (None, self._process):
            return
        try:
            # The report takes a second connection, to a process that is known by then.
            with self._reports():
                wait = self._on_restart()
        except RedisAwayError as error:
            self._process = before  # the next connection reports
            raise redis.ConnectionError(str(error)) from error
        if wait:
            raise redis.ConnectionError("the server was started again")

    @contextmanager
    def _reports(self) -> Iterator[None]:
        """Let calls through although the server counts as away: what waited, and those of a callback."""
        before, self._reporting = self._reporting, True
        try:
            yield
        finally:
            self._reporting = before

    def _process_of(self, connection: Any) -> bytes:
        """Return a name of the server's process; empty if it allows nothing that would name it."""

        def ask(*command: Argument) -> Any:
            connection.send_command(*command)
            return connection.read_response()

        with suppress(ResponseError):
            answer = ask("INFO", "server")
            found = _PROCESS.search(answer if isinstance(answer, bytes) else str(answer).encode())
            return found.group() if found else b""
        # Not allowed (``-@dangerous``): a script of our own, which the next process has not loaded.
        with suppress(ResponseError):
            if self._process and ask("SCRIPT", "EXISTS", sha1(self._process).hexdigest()) == [1]:
                return self._process
            name = f"return '{uuid.uuid4().hex}'"
            ask("SCRIPT", "LOAD", name)
            return name.encode()
        return b""

    def _exchange(self, calls: Sequence[_Call]) -> list[Any]:
        with self._noticing_absence():
            if len(calls) == 1:
                try:
                    return [self._execute(*self._command(calls[0]))]
                except ResponseError as error:
                    return [error]
            with self.client.pipeline(transaction=False) as pipe:
                queue: Callable[..., Any] = pipe.execute_command
                for call in calls:
                    queue(*self._command(call))
                return pipe.execute(raise_on_error=False)

    @contextmanager
    def _noticing_absence(self) -> Iterator[None]:
        """Turn an error of a server that is away into :class:`RedisAwayError`; leave all others."""
        try:
            yield
        except RedisError as error:
            if not is_away(error):
                raise
            raise self._went_away(error) from error

    def _command(self, call: _Call) -> tuple[Argument, ...]:
        number = "" if call.number is None else call.number
        joined = call.name != JOIN
        fixed = (
            "EVALSHA",
            script(call.name).sha,
            1,
            self._key,
            *self._arguments,
            f"{self._worker}:{self._instance}" if joined else "0",
            number,
        )
        return (*fixed, *call.arguments)

    def _went_away(self, error: Exception) -> RedisAwayError:
        if self._worker and isinstance(error, AuthenticationError):
            # A ConnectionError for redis-py, but waiting does not help: the password was changed.
            raise _refused(error)
        now = self._clock()
        words = in_words(error, self.client)
        if self._away_since is None:
            self._away_since = now
            if self._worker:  # a worker that has not joined does not wait
                logger.warning(
                    _(
                        "Redis is away: %(why)s; until it is back, nothing new is fetched and writes "
                        "wait in memory"
                    ),
                    {"why": words},
                )
        self._next_try = now + RETRY_SECONDS
        # Connections to a server that was replaced or made a replica lead nowhere.
        self.client.connection_pool.disconnect()
        return RedisAwayError(words)


def _refused(error: Exception) -> PermissionError:
    return PermissionError(_("Redis refuses this worker: {error}").format(error=error))
