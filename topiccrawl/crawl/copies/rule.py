"""How a crawl recognizes copies: the rules that ``TOPICCRAWL_DUPLICATES`` names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from topiccrawl.store.contract import PageRecord


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A page that was kept, as other workers receive it."""

    url: str
    """Canonical URL."""
    title: str = ""
    """Its normalized title; empty where the rule does not need it."""
    content_hash: str = ""


class CopyRule(Protocol):
    """Which pages are copies of others."""

    async def mark(self, page: PageRecord, *, own: bool = False) -> KeptPage:
        """Set the fields of the comparison of a page that is about to be stored.

        It has title, body and hash.  *own*: it is listed in any case, because the user judged it relevant. Returns
        what other workers need of it.
        """

    def durable(self, url: str) -> None:
        """Forget what is needed of a page only until it is in the store."""

    def not_stored(self, url: str) -> None:
        """Forget a marked page that is not stored after all: the store has its text already."""

    def receive(self, kept: KeptPage) -> None:
        """Add a page that another worker, or an earlier run, has kept."""

    def remove(self, url: str) -> None:
        """Remove a page that is not kept any longer; an unknown URL is ignored."""

    async def load(self) -> None:
        """Read from the store what the rule needs, once."""


class NoRule:
    """Every page is listed, whatever others there are."""

    async def mark(self, page: PageRecord, *, own: bool = False) -> KeptPage:
        """See :meth:`CopyRule.mark`."""
        return KeptPage(page.url)

    def durable(self, url: str) -> None:
        """Do nothing."""

    def not_stored(self, url: str) -> None:
        """Do nothing."""

    def receive(self, kept: KeptPage) -> None:
        """Do nothing."""

    def remove(self, url: str) -> None:
        """Do nothing."""

    async def load(self) -> None:
        """Do nothing."""
