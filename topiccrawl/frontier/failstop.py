"""A frontier that can fail, for a crawl that must then stop and not hang.

A full disk or a damaged file is nothing that a crawl can wait out.  The first failure is told once;
from then on nothing is handed out and nothing is accepted, so that the engine comes to its end.  What
had been written before is there for the next run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from topiccrawl.frontier.contract import FrontierSize, PushResult

if TYPE_CHECKING:
    from topiccrawl.frontier.contract import Frontier, Journal, QueuedLink


def _refused(links: Sequence[QueuedLink], **more: object) -> list[PushResult]:
    return [PushResult.REFUSED] * len(links)


#: What each call answers once the frontier is lost; the others answer ``None``.
_ANSWERS: dict[str, Callable[..., object]] = {
    "push": _refused,
    "ack": lambda ids: 0,
    "put_back": lambda link: False,
    "rescore": lambda ids, scores: 0,
    "reap": lambda now: 0,
    "try_lead": lambda now: False,
    "queued": lambda piece=0: iter(()),
    "best": lambda n: iter(()),
    "known": lambda ids: [False] * len(ids),
    "size": lambda: FrontierSize(0, 0, 0, 0, 0, 0),
    "news": lambda limit=0: [],
}


class _Guard:
    """Stands before *guarded*; any of *errors* makes it lost."""

    def __init__(
        self, guarded: Any, errors: type[Exception], tell: Callable[[Exception], None]
    ) -> None:
        self._guarded = guarded
        self._errors = errors
        self._tell = tell
        self._lost = False
        self._closed: FrontierSize | None = None

    def close(self) -> None:
        """Close the frontier; ``size`` then returns what it was closed with."""
        if self._closed is None:
            self._closed = self.size()
            self._call("close")

    def size(self) -> FrontierSize:
        return self._call("size") if self._closed is None else self._closed

    def _call(self, name: str) -> Any:
        return self.__getattr__(name)()

    @property
    def shared(self) -> bool:
        return bool(self._guarded.shared)

    @property
    def journal(self) -> Journal:
        return cast("Journal", _Guard(self._guarded.journal, self._errors, self._lose))

    def _lose(self, error: Exception) -> None:
        if not self._lost:
            self._lost = True
            self._tell(error)

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._guarded, name)

        def guarded(*args: Any, **more: Any) -> Any:
            if not self._lost or name == "close":
                try:
                    return call(*args, **more)
                except self._errors as error:
                    self._lose(error)
            answer = _ANSWERS.get(name)
            return None if answer is None else answer(*args, **more)

        return guarded


def guarded(
    frontier: Frontier, errors: type[Exception], tell: Callable[[Exception], None]
) -> Frontier:
    """Return *frontier* so that it never raises one of *errors*: the first is told to *tell*.

    ``ValueError`` for wrong arguments is raised as before.
    """
    return cast("Frontier", _Guard(frontier, errors, tell))
