"""The look before a page is stored: whether it is a copy of a page that is stored, or about to be.

What it finds is complete for a crawl of one worker, but for the choice of the representative.  Two workers
may meet copies at the same moment, and the store may be away; such pages, and all copies, are stored as
pages that must be compared, and :func:`~topiccrawl.crawl.settling.settling.settle` does that.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.copies.comparing import candidates, computed, same_story, sharing, with_others
from topiccrawl.crawl.copies.ready import Ready, ReadyPages
from topiccrawl.crawl.copies.rule import KeptPage, NoRule
from topiccrawl.crawl.copies.signing import PageSigner
from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.recent import RecentTokens
from topiccrawl.dedup.relation import relate
from topiccrawl.dedup.tokens import METHOD
from topiccrawl.errors import described
from topiccrawl.store.compared import compared_page
from topiccrawl.store.contract import PageRecord, StoreUnavailable

if TYPE_CHECKING:
    from topiccrawl.dedup.compared import Relation
    from topiccrawl.dedup.signing import SignedPage
    from topiccrawl.store.writer import StoreWriter

logger = logging.getLogger(__name__)

#: Pages on their way into the store that are kept in memory at most: more than are ever on their way at
#: once, and all that a crawl without a store compares with (a choice; some 60 KB each).
_IN_FLIGHT: Final = 200


class StoryRule(NoRule):
    """Looks for the story of each page among the pages in the store and those on their way.

    *writer* is ``None`` when nothing is stored; *alone*: no other worker writes to the store.
    """

    def __init__(
        self,
        writer: StoreWriter | None,
        *,
        alone: bool,
        signer: PageSigner | None = None,
    ) -> None:
        self._writer = writer
        self._alone = alone
        self._tokens = RecentTokens(_IN_FLIGHT)
        self._pages: dict[str, tuple[PageRecord, SignedPage]] = {}
        # What changes of these meanwhile is settled later.
        self._ready = ReadyPages()
        self.signer = signer or PageSigner()

    def durable(self, url: str) -> None:
        """Keep a page that is in the store now for the next comparisons only."""
        if self._writer is not None:
            self._tokens.remove(url)
            if (found := self._pages.pop(url, None)) is not None:
                page, signed = found
                # With what the later pipelines found; title and text are those that were signed.
                signed.prepared.page = compared_page(page)
                self._ready.put(Ready(signed.prepared, page.copy_of))

    def not_stored(self, url: str) -> None:
        """Forget a page on its way: pages that share text with it would wait for it until the run ends."""
        self._tokens.remove(url)
        self._pages.pop(url, None)

    def remove(self, url: str) -> None:
        """Forget a page that is not kept any longer."""
        self._ready.remove(url)

    def prepared(self, url: str) -> PreparedPage | None:
        """Return a page that was stored lately, ready for comparisons."""
        found = self._ready.peek(url)
        return None if found is None else found.prepared

    def in_flight(self, tokens: Sequence[int]) -> bool:
        """Return whether a page on its way into the store has one of these tokens."""
        return bool(self._tokens.sharing(tokens))

    async def mark(self, page: PageRecord, *, own: bool = False) -> KeptPage:
        """Set tokens, and of which page it is a copy; a page that cannot be compared is left as it is."""
        try:
            await self._mark(page, own=own)
        except Exception as error:
            logger.warning("A page cannot be compared: %s: %s", page.url, described(error))
        return KeptPage(page.url)

    async def _mark(self, page: PageRecord, *, own: bool) -> None:
        page.story, page.copy_of, page.relation, page.relation_detail = "", "", "", ()
        page.tokens, page.compared = (), 0
        signed = await self.signer.sign(page)
        # Without a pause in between: of two copies that come at the same time, one finds the other.
        coming = self._tokens.sharing(signed.lookups)
        self._add(page, signed)
        stored: Mapping[int, Sequence[str]] = {}
        complete = self._alone
        if self._writer is not None and self._writer.is_open:
            if self._writer.away:
                complete = False
            else:
                try:
                    stored = await sharing(self._writer.store, self._writer.topic, signed.lookups)
                except StoreUnavailable:
                    complete = False
                if any(page.url in urls for urls in stored.values()) and await self._is_known(page):
                    return
        self._ready.remove(page.url)
        page.tokens = signed.tokens
        linked = await self._link(page, signed, with_others(stored, coming), own=own)
        if complete and not linked:
            page.story, page.compared = page.id, METHOD

    def _add(self, page: PageRecord, signed: SignedPage) -> None:
        self._tokens.add(page.url, signed.tokens)
        self._pages[page.url] = (page, signed)
        while len(self._pages) > _IN_FLIGHT:
            oldest = next(iter(self._pages))
            self._pages.pop(oldest)
            self._tokens.remove(oldest)

    async def _is_known(self, page: PageRecord) -> bool:
        """Return whether the store has this page with this text: what was found of it stays then."""
        known = next(iter(await self._stored([page.url])), None)
        if known is None or (known.title, known.body) != (page.title, page.body):
            return False
        page.story, page.compared = known.story, known.compared
        page.relation, page.relation_detail = known.relation, known.relation_detail
        page.copy_of = known.copy_of
        return True

    async def _link(
        self,
        page: PageRecord,
        signed: SignedPage,
        shared: Mapping[int, Sequence[str]],
        *,
        own: bool,
    ) -> bool:
        """Set of which page *page* is a copy; return whether it belongs to a story."""
        linked = False
        mine = signed.prepared
        rest: Sequence[Ready] = await self._pages_at(candidates(shared, page.url))
        while (found := await _next_of_story(mine, rest)) is not None:
            linked = True
            other, relation, rest = found
            if own or other.copy_of == page.url:
                break
            first = other.copy_of or other.url
            if other.copy_of:
                relation = await self._to(mine, first) or relation
            if relation.is_copy:
                page.copy_of, page.relation = first, relation.kind
                page.relation_detail = relation.reasons
                break
        return linked

    async def _to(self, mine: PreparedPage, url: str) -> Relation | None:
        """Return what the page is to the representative *url*, if it is a copy of that."""
        for other in await self._pages_at([url]):
            chars = len(mine.page.body) + len(other.prepared.page.body)
            relation = await computed(partial(relate, mine, other.prepared), chars)
            return relation if relation.is_copy else None
        return None

    async def _pages_at(self, urls: Sequence[str]) -> list[Ready]:
        """Return the pages with these URLs, on their way or stored, in the same order."""
        found: dict[str, Ready] = {}
        for url in urls:
            if url in self._pages:
                page, signed = self._pages[url]
                found[url] = Ready(signed.prepared, page.copy_of)
            elif (ready := self._ready.get(url)) is not None:
                found[url] = ready
        for page in await self._stored([url for url in urls if url not in found]):
            found[page.url] = Ready(PreparedPage(compared_page(page)), page.copy_of)
            self._ready.put(found[page.url])
        return [found[url] for url in urls if url in found]

    async def _stored(self, urls: Sequence[str]) -> Sequence[PageRecord]:
        """Return kept pages of the store."""
        if not urls or self._writer is None or not self._writer.is_open:
            return ()
        try:
            return await self._writer.store.pages_at(self._writer.topic, urls)
        except StoreUnavailable:
            return ()


async def _next_of_story(
    mine: PreparedPage, others: Sequence[Ready]
) -> tuple[Ready, Relation, Sequence[Ready]] | None:
    """Return the first of *others* that belongs to the story, what the page is to it, and the rest."""

    def search() -> tuple[Ready, Relation, Sequence[Ready]] | None:
        for at, other in enumerate(others):
            if (relation := same_story(mine, other.prepared)) is not None:
                return other, relation, others[at + 1 :]
        return None

    chars = sum(len(it.prepared.page.body) for it in others) + len(mine.page.body)
    return await computed(search, chars)
