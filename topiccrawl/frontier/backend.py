"""A kind of frontier: opens the queues of topics, and manages those that earlier crawls have left."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.clock import SteadyClock
from topiccrawl.frontier.contract import Frontier, FrontierSize
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.salvage import Salvage
from topiccrawl.language import _

if TYPE_CHECKING:
    import redis

#: Fills a new queue; receives what is sound in the old one.
Refill = Callable[[Frontier, Salvage], None]
#: Makes the Redis client that the settings describe.
Connect = Callable[[], "redis.Redis"]


class FrontierConfig(Protocol):
    """The values of :class:`topiccrawl.crawl.settings.CrawlSettings` from which a frontier is opened."""

    @property
    def frontier_backend(self) -> str:
        """TOPICCRAWL_FRONTIER_BACKEND."""

    @property
    def frontier_dir(self) -> str:
        """TOPICCRAWL_FRONTIER_DIR."""

    @property
    def frontier_prefix(self) -> str:
        """TOPICCRAWL_FRONTIER_PREFIX."""

    @property
    def frontier_exact_links(self) -> int:
        """TOPICCRAWL_FRONTIER_EXACT_LINKS."""

    @property
    def store_uri(self) -> str:
        """TOPICCRAWL_STORE_URI."""

    @property
    def frontier_limits(self) -> FrontierLimits:
        """The limits of every backend."""


@dataclass(frozen=True, slots=True)
class OpenFrontier:
    """An open frontier with its clock and the errors that make it unusable."""

    frontier: Frontier
    clock: Callable[[], float] = field(default_factory=SteadyClock)
    """Seconds on a clock that all workers of the frontier share."""
    failures: tuple[type[Exception], ...] = ()
    """Exceptions after which the frontier cannot be used any longer (a full disk, a damaged file)."""

    def behind(self) -> float:
        """Return by how many seconds the time of day is ahead of the clock; 0 for the clock of a server."""
        return self.clock.behind() if isinstance(self.clock, SteadyClock) else 0.0


class FrontierBackend(ABC):
    """The queues of all topics in one kind of frontier.

    Only :meth:`open` must be written.  The other methods are right for a backend of which nothing else
    is known: its queues outlive the process, and are neither counted, rebuilt nor found without opening.

    All methods raise :class:`~topiccrawl.errors.ConfigurationError` for a queue that cannot be read and
    a server that does not answer.
    """

    local: ClassVar[bool] = False
    """Whether queues are in this process or in a file: no other machine works on them."""

    def __init__(self, config: FrontierConfig, connect: Connect) -> None:
        self._config = config
        self._connect = connect

    @abstractmethod
    def open(self, topic: str, *, fresh: bool = False) -> OpenFrontier:
        """Open the frontier of *topic*; with *fresh*, erase its former content first.

        Raises :class:`~topiccrawl.errors.ConfigurationError` for a frontier that cannot be opened,
        and with *fresh* for one that other workers are using.
        """

    def keeps_queue(self) -> bool:
        """Return whether a queue outlives the process."""
        return True

    def has_queue(self, topic: str) -> bool:
        """Return whether an earlier crawl has left a queue of *topic*, without making one."""
        return False

    def may_have_queue(self, topic: str) -> bool:
        """Return whether a crawl may have left a queue of *topic* or be using one; asks no server."""
        return self.keeps_queue()

    def size(self, topic: str) -> FrontierSize | None:
        """Return the size of the queue of *topic*, ``None`` if there is none."""
        if not self.has_queue(topic):
            return None
        opened = self.open(topic)
        try:
            return opened.frontier.size()
        except opened.failures as error:
            raise ConfigurationError(str(error)) from error
        finally:
            opened.frontier.close()

    def check_erasable(self, topic: str) -> None:  # noqa: B027  (nothing is known)
        """Raise ``ConfigurationError`` if the queue of *topic* cannot be erased now.

        Other workers are using it, it is not topiccrawl's, or its server is away or would drop parts
        of the next one.
        """

    def refuse_running(self, topic: str) -> None:  # noqa: B027  (nothing is known)
        """Raise ``ConfigurationError`` while a crawl uses the queue of *topic*."""

    def forget(self, topic: str) -> None:
        """Delete the queue of *topic*, its journal, and what :meth:`rebuild` has kept of older ones.

        Raises ``ConfigurationError`` while it is used.
        """
        self.open(topic, fresh=True).frontier.close()

    def rebuild(self, topic: str, refill: Refill) -> tuple[FrontierSize, str]:
        """Make a new queue of *topic*; return its size, and where the old one is kept ("" for none).

        *refill* fills the new queue and receives what is sound in the old one.  Raises
        ``ConfigurationError`` while workers use it, and if the backend cannot do it.
        """
        raise ConfigurationError(
            _(
                "TOPICCRAWL_FRONTIER_BACKEND must be sqlite or redis to rebuild a queue, got "
                "{frontier_backend!r}"
            ).format(frontier_backend=self._config.frontier_backend)
        )
