"""Parts and wholes in other stories: the texts that a page gathers, and those that it is an excerpt of.

They are looked up when somebody asks.  Stored, they would be out of date whenever a page comes or goes.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.crawl.copies.comparing import candidates, sharing
from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.relation import relate
from topiccrawl.dedup.signing import Signer
from topiccrawl.store.compared import compared_page

if TYPE_CHECKING:
    from topiccrawl.store.contract import PageRecord, Store


@dataclass(frozen=True, slots=True)
class Parts:
    """Kept pages that share text with a page as parts and wholes do, without being of its story."""

    gathered: tuple[str, ...] = ()
    """URLs of the pages whose texts the page contains, sorted."""
    excerpt_of: tuple[str, ...] = ()
    """URLs of the pages that contain its text, sorted."""


async def parts(store: Store, page: PageRecord, signer: Signer) -> Parts:
    """Return the parts and wholes of a kept *page* among the pages of its topic.

    Raises ``StoreUnavailable`` if the store is away.
    """
    signed = await asyncio.to_thread(signer.sign, compared_page(page))
    gathered, excerpt_of = [], []
    for url in candidates(await sharing(store, page.topic, signed.lookups), page.url):
        other = await store.page(page.topic, url)
        if other is None or other.withdrawn_at is not None or page.story == other.story != "":
            continue
        ready = PreparedPage(compared_page(other))
        kind = relate(signed.prepared, ready).kind
        if kind == "gathers":
            gathered.append(url)
        elif kind == "excerpt":
            excerpt_of.append(url)
    return Parts(tuple(sorted(gathered)), tuple(sorted(excerpt_of)))
