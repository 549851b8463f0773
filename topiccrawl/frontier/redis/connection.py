"""The connection to a Redis that may be away: writes wait in memory, in order, and nothing is lost.

Every write has a number; the server remembers the last one of each worker, so that a write whose
answer got lost is sent again without being done twice.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import redis
from redis.backoff import NoBackoff
from redis.exceptions import (
    BusyLoadingError,
    ClusterDownError,
    ConnectionError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    ResponseError,
    TimeoutError,
    TryAgainError,
)
from redis.retry import Retry

from topiccrawl.frontier.redis.scripts import script

logger = logging.getLogger(__name__)

#: Seconds between two attempts to reach a server that is away.  A guess: an attempt on a machine that
#: is gone lasts as long as the socket's time-out and holds the crawl for so long.
RETRY_SECONDS: Final = 1.0
#: Scripts sent at once: their answers are read only after all were sent.
_PIECE: Final = 64
_AWAY = (
    ConnectionError,
    TimeoutError,
    BusyLoadingError,
    ReadOnlyError,
    ClusterDownError,
    TryAgainError,
    OutOfMemoryError,
)
#: Beginnings of other answers of a server that cannot write for a while.
_AWAY_ANSWERS = ("MISCONF", "NOREPLICAS", "UNBLOCKED", "BUSY ", "OOM ", "LOADING", "READONLY")

#: Begins the answer to a write that came before one with a lower number.
_GAP: Final = "GAP"

Argument = bytes | str | int | float


class RedisAwayError(Exception):
    """The server cannot be asked at the moment."""


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    number: int | None
    arguments: Sequence[Argument]


class RedisConnection:
    """Runs the frontier's scripts for one worker; see the module."""

    def __init__(
        self,
        client: redis.Redis,
        base: bytes,
        arguments: Sequence[Argument],
        *,
        clock: Callable[[], float],
        on_return: Callable[[], None] = lambda: None,
    ) -> None:
        """*base* begins all keys, *arguments* are every script's after it; *clock* paces the attempts to reconnect.

        *on_return* is called when the server is back and has got everything that waited; it may ask
        and write.
        """
        # The client's own retries would send a script twice, and sleep in between.
        client.set_retry(Retry(NoBackoff(), 0))
        self.client = client
        self.on_return = on_return
        self._key = base + b"meta"
        self._writes = base + b"writes"
        self._execute: Callable[..., Any] = client.execute_command
        self._arguments = (base, *arguments)
        self.worker = 0
        """The number of this worker, which every script is told."""
        self._clock = clock
        self._outbox: deque[_Call] = deque()
        self._number = 0
        self._away_since: float | None = None
        self._next_try = 0.0
        self._returning = False

    @property
    def away(self) -> bool:
        """Whether the server was away at the last attempt."""
        return self._away_since is not None

    @property
    def waiting(self) -> int:
        """Writes that the server has not got yet."""
        return len(self._outbox)

    def ask(self, name: str, *arguments: Argument) -> Any:
        """Run a script that may be lost with its answer; raises :class:`RedisAwayError`."""
        return self.ask_all(name, [arguments])[0]

    def ask_all(self, name: str, calls: Sequence[Sequence[Argument]]) -> list[Any]:
        """The same for many at once."""
        self.bring_back()
        answers: list[Any] = []
        for start in range(0, len(calls), _PIECE):
            piece = [_Call(name, None, arguments) for arguments in calls[start : start + _PIECE]]
            answers += self._run(piece)
        return answers

    def write(self, name: str, *arguments: Argument) -> Any:
        """Run a script now or when the server is back; ``None`` if its answer is not known."""
        answers = self.write_all(name, [arguments])
        return None if answers is None else answers[0]

    def write_all(self, name: str, calls: Sequence[Sequence[Argument]]) -> list[Any] | None:
        """The same for many, in this order."""
        try:
            self.bring_back()
        except RedisAwayError:
            self._keep(name, calls)
            return None
        self._keep(name, calls)
        try:
            return self._send()
        except RedisAwayError:
            return None

    def plain(self, question: Callable[[redis.Redis], Any]) -> Any:
        """Ask the client itself; raises :class:`RedisAwayError`."""
        self.bring_back()
        try:
            return question(self.client)
        except (*_AWAY, ResponseError) as error:
            if not _is_away(error):
                raise
            raise self._lost(error) from error

    def try_now(self) -> None:
        """Try a server that is away again whatever the clock says; raises :class:`RedisAwayError`."""
        self._next_try = -math.inf
        self.bring_back()

    # -- inside --------------------------------------------------------------------------------

    def _keep(self, name: str, calls: Sequence[Sequence[Argument]]) -> None:
        for arguments in calls:
            self._number += 1
            self._outbox.append(_Call(name, self._number, arguments))

    def bring_back(self) -> None:
        """Reach the server again when it was away, and send what waited.

        Raises :class:`RedisAwayError` when it cannot be reached, or was tried a moment ago.
        """
        if self._away_since is None or self._returning:
            return
        if self._clock() < self._next_try:
            raise RedisAwayError
        sent = len(self._outbox)
        self._returning = True
        try:
            self._send()
            self.on_return()
        finally:
            self._returning = False
        logger.info(
            "Redis is back after %(seconds).0f s; %(sent)d writes that waited were sent",
            {"seconds": self._clock() - self._away_since, "sent": sent},
        )
        self._away_since = None

    def _send(self) -> list[Any]:
        """Send what waits; the answers.  What was answered waits no more, whatever happens next."""
        answers: list[Any] = []
        while self._outbox:
            piece = [self._outbox[i] for i in range(min(_PIECE, len(self._outbox)))]
            answers += self._run(piece, forget=True)
        return answers

    def _run(self, calls: Sequence[_Call], *, forget: bool = False) -> list[Any]:
        """Run scripts in order.

        A script that the server does not know is loaded, and sent again with all that follow: the
        server has refused those, because one before them was missing.
        """
        answers: list[Any] = []
        mended: set[str] = set()
        while len(answers) < len(calls):
            before = len(answers)
            for answer in self._exchange(calls[before:]):
                call = calls[len(answers)]
                if isinstance(answer, Exception):
                    if _is_away(answer):
                        raise self._lost(answer) from answer
                    if self._mend(answer, call, mended, first=len(answers) == before):
                        break
                answers.append(answer)
                if forget:
                    self._outbox.popleft()
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers

    def _mend(self, error: Exception, call: _Call, mended: set[str], *, first: bool) -> bool:
        """Do something about an error, once for each cause; whether to send the call again."""
        missing, gap = isinstance(error, NoScriptError), str(error).startswith(_GAP)
        cause = call.name if missing else _GAP
        if not (missing or gap) or (cause in mended and first):
            return False
        try:
            if missing:
                self.client.script_load(script(call.name).text)
            elif first:
                # The server has lost its last writes in a crash, their numbers with them.
                self.client.hdel(self._writes, str(self.worker))
        except _AWAY as away:
            raise self._lost(away) from away
        if missing or first:
            mended.add(cause)
        return True

    def _exchange(self, calls: Sequence[_Call]) -> list[Any]:
        try:
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
        except _AWAY as error:
            raise self._lost(error) from error

    def _command(self, call: _Call) -> tuple[Argument, ...]:
        number = "" if call.number is None else call.number
        fixed = (
            "EVALSHA",
            script(call.name).sha,
            1,
            self._key,
            *self._arguments,
            self.worker,
            number,
        )
        return (*fixed, *call.arguments)

    def _lost(self, error: Exception) -> RedisAwayError:
        now = self._clock()
        if self._away_since is None:
            self._away_since = now
            logger.warning(
                "Redis is away (%(error)s); writes wait in memory until it is back",
                {"error": type(error).__name__},
            )
        self._next_try = now + RETRY_SECONDS
        # Connections to a server that was replaced or made a replica lead nowhere.
        self.client.connection_pool.disconnect()
        return RedisAwayError(str(error))


def _is_away(error: Exception) -> bool:
    return isinstance(error, _AWAY) or str(error).startswith(_AWAY_ANSWERS)
