"""Signing the pages of a crawl, for all that compares them on their way into the store."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from topiccrawl.bounded import BoundedDict
from topiccrawl.crawl.copies.comparing import computed
from topiccrawl.dedup.signing import SignedPage, Signer
from topiccrawl.store.compared import compared_page

if TYPE_CHECKING:
    from topiccrawl.store.contract import PageRecord

#: Pages that wait to be signed again at most: more than are between the two looks at once (a choice; some
#: 60 KB each).
_MOST: Final = 32


class PageSigner:
    """Signs pages; where that takes long, in a thread.

    *signer*, whose tables take a moment to load, is made with the first page.
    """

    def __init__(self, signer: Signer | None = None) -> None:
        self._signer = signer
        self._again: BoundedDict[str, SignedPage] = BoundedDict(_MOST)

    async def loaded(self) -> Signer:
        """Return what computes the tokens, for others that sign pages."""
        if self._signer is None:
            return await asyncio.to_thread(self._load)
        return self._signer

    async def sign(self, page: PageRecord, *, again: bool = False) -> SignedPage:
        """Return *page* with its tokens; with *again*, the same is returned the next time."""
        compared = compared_page(page)
        signed = self._again.pop(page.url, None)
        if signed is None or signed.prepared.page != compared:
            signer = await self.loaded()
            signed = await computed(partial(signer.sign, compared), len(page.body))
        if again:
            self._again[page.url] = signed
        return signed

    def _load(self) -> Signer:
        # Two threads may come here at once: the tables are equal.
        if self._signer is None:
            self._signer = Signer()
        return self._signer
