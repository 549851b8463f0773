"""One round of warnings: look at the store, record what is new, send what is due."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from topiccrawl.alerts.channels.sending import send
from topiccrawl.alerts.delivery import Delivered, Delivery, Send
from topiccrawl.alerts.outbox import Outbox
from topiccrawl.alerts.records import Alert, TopicDesk
from topiccrawl.alerts.watch import Watch

if TYPE_CHECKING:
    from topiccrawl.alerts.settings import AlertSettings
    from topiccrawl.store.contract import Store


@dataclass(slots=True)
class Round:
    """What a round has done."""

    found: list[Alert] = field(default_factory=list)
    """Warnings that nobody had found before."""
    delivered: Delivered = field(default_factory=Delivered)
    pages: int = 0
    """Pages whose text was searched."""


class AlertService:
    """Warnings of one topic: rounds may be made by any number of processes at any time."""

    def __init__(
        self,
        store: Store,
        topic: str,
        settings: AlertSettings,
        *,
        run: str = "",
        sender: Send = send,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """*run* is the id of the run that watches, if one does."""
        self.watch = Watch(store, topic, settings, clock=clock, run=run)
        self._desk = desk = TopicDesk(store, topic)
        self.outbox = Outbox(desk, settings.channels, clock)
        self.delivery = Delivery(desk, settings, sender, clock)

    def use(self, store: Store) -> None:
        """Go on with another connection, for a run that has ended."""
        self.watch.use(store)
        self._desk.use(store)

    async def round(
        self, *, since: datetime | None = None, more: list[Alert] | None = None
    ) -> Round:
        """Make one round; *more* are warnings of the crawl itself, each removed once it is recorded.

        The time up to which the store was looked at is noted after the warnings were recorded: a round
        that is interrupted is repeated, and finds that they are known.
        """
        looked = await self.watch.look(since)
        new = []
        while more:
            new += await self.outbox.claim(more[:1])
            del more[0]
        new += await self.outbox.claim(looked.alerts)
        await self.watch.looked(looked)
        await self.outbox.forget()
        left = await self.outbox.dispatch()
        return Round(new, await self.delivery.deliver(left), looked.pages)
