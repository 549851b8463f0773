"""The texts that the user judged off topic: a judgment of a page holds for the same text elsewhere."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from topiccrawl import details
from topiccrawl.crawl.copies.comparing import candidates, computed, sharing
from topiccrawl.crawl.copies.signing import PageSigner
from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.recent import RecentTokens
from topiccrawl.dedup.relation import may_share_text, relate
from topiccrawl.store.compared import compared_page
from topiccrawl.store.contract import PageRecord, Store, StoreUnavailable
from topiccrawl.store.near_misses import unpack_near_miss
from topiccrawl.store.reasons import BY_USER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from topiccrawl.dedup.signing import SignedPage
    from topiccrawl.store.writer import StoreWriter

#: Rejected pages whose text is recognized on other pages at most: more than anyone judges by hand.  A choice
#: that bounds memory (some 1 KB each).
_MOST: Final = 20_000
#: Relations of pages with the same text.  An edited copy or an excerpt may leave out what was off topic.
_SAME_TEXT: Final = frozenset({"same-page", "copy"})


@dataclass(frozen=True, slots=True)
class _Rejected:
    lookups: tuple[int, ...]
    story: str


class RejectedTexts:
    """Finds pages with the text of a page that the user judged off topic.

    The text must be stored; of two judgments of the same text, each holds for its page only.

    *writer* is ``None`` when nothing is stored; *judgments*, the user's by canonical URL, may change.
    """

    def __init__(
        self, writer: StoreWriter | None, judgments: Mapping[str, bool], signer: PageSigner | None
    ) -> None:
        self._topic = "" if writer is None else writer.topic
        self._writer = writer
        self._judgments = judgments
        self._signer = signer or PageSigner()
        self._found: dict[str, _Rejected] = {}
        self._absent: set[str] = set()
        self._contradicted: set[str] = set()
        self._tokens = RecentTokens(_MOST)
        self._loading = asyncio.Lock()

    async def original(self, page: PageRecord) -> str:
        """Return the URL of the rejected page that has the text of *page*; empty if none has."""
        store = self._store
        try:
            if store is None or not await self._load(store):
                return ""
            # A page whose text is not rejected is signed again, to find its story.
            mine = await self._sign(page, again=True)
            if mine is None:
                return ""
            for url in candidates(self._tokens.sharing(mine.lookups), page.url):
                if url not in self._contradicted and await self._is_same(store, url, mine.prepared):
                    return url
        except StoreUnavailable:
            pass  # The next round of judgments looks again.
        return ""

    async def copies(self) -> dict[str, str]:
        """Return the kept pages that have a rejected text, each with the URL of the rejected page.

        Raises ``StoreUnavailable`` if the store is away.
        """
        store = self._store
        self._absent.clear()
        if store is None or not await self._load(store):
            return {}
        found: dict[str, str] = {}
        for url, rejected in list(self._found.items()):
            same = await self._kept_with(store, url, rejected)
            self._contradicted.discard(url)
            if any([await _is_wanted(store, page) for page in same]):
                self._contradicted.add(url)
            else:
                found.update((page.url, url) for page in same)
        return found

    @property
    def _store(self) -> Store | None:
        writer = self._writer
        return writer.store if writer is not None and writer.can_read else None

    async def _load(self, store: Store) -> bool:
        """Read the rejected pages that are new; return whether there are rejected texts."""
        off = {url for url, relevant in self._judgments.items() if not relevant}
        async with self._loading:
            for url in self._found.keys() - off:
                del self._found[url]
                self._tokens.remove(url)
            for url in sorted(off - self._found.keys() - self._absent):
                page = await self._stored(store, url)
                signed = None if page is None else await self._sign(page)
                if page is None or signed is None:
                    self._absent.add(url)
                    continue
                self._found[url] = _Rejected(signed.lookups, page.story)
                self._tokens.add(url, signed.lookups)
        return bool(self._found)

    async def _stored(self, store: Store, url: str) -> PageRecord | None:
        page = await store.page(self._topic, url)
        if page is None and (near_miss := await store.near_miss(self._topic, url)) is not None:
            page = unpack_near_miss(near_miss)
        return page

    async def _sign(self, page: PageRecord, *, again: bool = False) -> SignedPage | None:
        """Return the page with its tokens; ``None`` without text."""
        if not page.body:
            return None
        signed = await self._signer.sign(page, again=again)
        return signed if signed.prepared.size else None

    async def _is_same(self, store: Store, url: str, page: PreparedPage) -> bool:
        rejected = await self._stored(store, url)
        if rejected is None:
            return False
        chars = len(rejected.body) + len(page.page.body)
        return await computed(partial(_same, page, _prepared(rejected)), chars)

    async def _kept_with(self, store: Store, url: str, rejected: _Rejected) -> list[PageRecord]:
        """Return the kept pages with the text of the rejected page *url*."""
        urls = candidates(await sharing(store, self._topic, rejected.lookups), url)
        near = await store.pages_at(self._topic, urls) if urls else ()
        stories = {rejected.story, *(page.story for page in near)} - {""}
        members = [
            it for story in sorted(stories) for it in await store.members(self._topic, story)
        ]
        pages = {page.url: page for page in (*near, *members) if page.url != url}
        text = await self._stored(store, url) if pages else None
        if text is None:
            return []
        mine = _prepared(text)

        def same() -> list[PageRecord]:
            return [page for page in pages.values() if _same(mine, _prepared(page))]

        return await computed(same, len(text.body) + sum(len(it.body) for it in pages.values()))


async def withdrawn_with(store: Store, topic: str, url: str, urls: Iterable[str]) -> Sequence[str]:
    """Return those of *urls* that left the collection because they have the text of the page *url*."""
    detail = details.COPY_OF_REJECTED(url=url)
    return [
        it
        for it in urls
        if (found := await store.outcome(topic, it))
        and found.reason in BY_USER
        and found.detail == detail
    ]


async def _is_wanted(store: Store, page: PageRecord) -> bool:
    """Return whether the user judged a kept page relevant."""
    outcome = await store.outcome(page.topic, page.url)
    return outcome is not None and outcome.is_wanted


def _prepared(page: PageRecord) -> PreparedPage:
    return PreparedPage(compared_page(page))


def _same(first: PreparedPage, second: PreparedPage) -> bool:
    if not (first.size and second.size and may_share_text(first, second)):
        return False
    return relate(first, second).kind in _SAME_TEXT
