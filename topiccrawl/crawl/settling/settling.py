"""Settling: stories, representatives and relations of the pages in a store, as the rule demands.

A *story* is a connected component: its pages are linked by :func:`~topiccrawl.crawl.copies.comparing.same_story`,
which depends on two pages only.  A chain of links may end at another text; such members are listed beside
the representative.  Pages enter one by one: a page that was not compared yet joins the
stories of the compared pages that it is linked to, and makes one story of several.  Hence the result does
not depend on the order of the pages, on how they were divided among workers, or on how often this ran.

What joins two stories may disappear: a page is withdrawn, or fetched again with another text.  The store
then marks the other members of its story as not compared, and they enter again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from topiccrawl.crawl.copies.comparing import candidates, computed, same_story, sharing, with_others
from topiccrawl.crawl.copies.ready import Ready, ReadyPages
from topiccrawl.crawl.settling.memberships import differs, following, membership, memberships
from topiccrawl.crawl.settling.piece import Entered, Piece
from topiccrawl.crawl.settling.right import SettlingRight
from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.recent import RecentTokens
from topiccrawl.dedup.signing import SignedPage, Signer
from topiccrawl.dedup.tokens import METHOD
from topiccrawl.errors import described
from topiccrawl.store.compared import compared_page
from topiccrawl.store.contract import Membership, OutcomeRecord, PageRecord, Store, StoreUnavailable

logger = logging.getLogger(__name__)

#: Pages that enter together: their stories are written once.  A choice: each piece is written before the
#: next one, so that an interrupted pass loses little.
_PIECE: Final = 50
#: Times that a piece may come back unchanged before the pass ends.
_PATIENCE: Final = 3


@dataclass(slots=True)
class Settled:
    """What one pass did, in pages."""

    compared: int = 0
    joined: int = 0
    """Pages that became copies."""
    freed: int = 0
    """Copies that are listed now: they represent a story, or are alone."""
    failed: int = 0
    """Pages that cannot be compared; they are listed."""
    postponed: int = 0
    """Pages whose outcome, or a page with which they share text, is on its way into the store; the next
    pass compares them."""
    busy: bool = False
    """Whether the pass ended because another process settles the topic."""


@dataclass(frozen=True, slots=True)
class StoringCrawl:
    """A crawl of this process that stores pages of the topic while they are settled.

    Pages without an outcome wait for the next pass: the worker that stored one is about to write the outcome, which
    would replace the one that follows from the comparison.
    """

    in_flight: Callable[[Sequence[int]], bool]
    """Whether a page that is on its way into the store has one of these tokens."""
    prepared: Callable[[str], PreparedPage | None]
    """Returns the page of a URL ready for comparisons, if it was stored lately."""
    outcomes_lock: asyncio.Lock
    """Held while outcomes are read and written back."""


async def settle(
    store: Store,
    topic: str,
    *,
    signer: Signer | None = None,
    crawl: StoringCrawl | None = None,
    limit: int | None = None,
    patience: float = 0.0,
    may_go_on: Callable[[], bool] = lambda: True,
    on_progress: Callable[[Settled], object] = lambda settled: None,
) -> Settled:
    """Compare every page of *topic* that must be compared, and bring stories and outcomes up to date.

    It may be stopped at any time, killed too, and repeated.  Two passes at the same time must not
    write to one topic: each leases that right from the store, also from passes of other crawls and of
    ``scrapy stories --update``.  Raises ``StoreUnavailable`` if the store is away; what was written before
    stays.

    Parameters
    ----------
    signer
        Shared with others, because its tables take a moment to load.
    crawl
        The crawl that the pass is part of.
    limit
        Pages to compare at most.
    patience
        Seconds to wait for another process that settles the topic.
    may_go_on
        Asked before every piece, and again before it is written: ``False`` ends the pass.
    on_progress
        Receives the counts after every piece of some pages.
    """
    if signer is None:
        signer = await asyncio.to_thread(Signer)
    async with SettlingRight(store, topic, patience, may_go_on) as right:
        work = _Pass(store, topic, signer, right, may_go_on, crawl)
        await work.run(limit, on_progress)
    work.done.busy = right.refused
    return work.done


class _Pass:
    """One pass over the store of *topic*."""

    def __init__(
        self,
        store: Store,
        topic: str,
        signer: Signer,
        right: SettlingRight,
        may_go_on: Callable[[], bool],
        crawl: StoringCrawl | None,
    ) -> None:
        self._store = store
        self._topic = topic
        self._signer = signer
        self._right = right
        self._may_go_on = may_go_on
        self._crawl = crawl
        self._ready = ReadyPages()
        # Outcomes of the pages of this piece; before one is changed, it is read again.
        self._found: dict[str, OutcomeRecord] = {}
        self._postponed: set[str] = set()
        self.done = Settled()

    async def run(self, limit: int | None, on_progress: Callable[[Settled], object]) -> None:
        """Enter the pages that must be compared, piece by piece."""
        done, before, unchanged = self.done, set[str](), 0
        while self._may_go_on() and (limit is None or done.compared < limit):
            size = _PIECE if limit is None else min(_PIECE, limit - done.compared)
            pages = [page async for page in self._uncompared(size)]
            if pages and not self._right.taken:
                if not await self._right.take():
                    break
                continue  # Others may have compared them meanwhile.
            urls = {page.url for page in pages}
            unchanged = unchanged + 1 if urls == before else 0
            if not pages or unchanged >= _PATIENCE or not await self._right.kept():
                break
            before = urls
            async with self._crawl.outcomes_lock if self._crawl else nullcontext():
                await self._enter(pages)
            on_progress(done)
            await asyncio.sleep(0)
        done.postponed = len(self._postponed)

    async def _uncompared(self, size: int) -> AsyncIterator[PageRecord]:
        """Yield *size* pages that must be compared, besides those that were postponed."""
        most = size + len(self._postponed)
        async for page in self._store.uncompared(self._topic, METHOD, limit=most):
            if page.url not in self._postponed:
                yield page

    async def _enter(self, pages: Sequence[PageRecord]) -> None:
        """Compare *pages* with all that are compared, and write what follows."""
        self._found.clear()
        piece = Piece(RecentTokens(len(pages)))
        for page in pages:
            await self._compare(page, piece)
        for keys in piece.groups.sets():
            try:
                await self._decide_story(keys, piece)
            except StoreUnavailable:
                raise
            except Exception as error:
                self._leave_alone(keys, piece, error)
        if self._may_go_on() and await self._right.kept():
            await self._write(piece)

    async def _compare(self, page: PageRecord, piece: Piece) -> None:
        """Add *page* to the piece, unless it is postponed."""
        try:
            if self._crawl and not await self._outcome(page.url):
                self._postponed.add(page.url)
                return
            sign = partial(self._signer.sign, self._prepared(page))
            signed = await computed(sign, len(page.body))
            if self._crawl and self._crawl.in_flight(signed.lookups):
                self._postponed.add(page.url)
                return
            known = await self._link(page, signed, piece)
        except StoreUnavailable:
            raise
        except Exception as error:
            # Whatever a page contains: it is listed as it is, and the others go on.
            logger.warning("A page cannot be compared: %s: %s", page.url, described(error))
            piece.alone[page.url] = membership(page, page.id)
            return
        piece.entered[page.url] = Entered(page, signed, known)
        piece.tokens.add(page.url, signed.tokens)

    def _leave_alone(self, keys: Sequence[str], piece: Piece, error: Exception) -> None:
        """List those of *keys* that enter as they are, whatever they contain, so that the others go on."""
        for key in keys:
            if (entered := piece.entered.pop(key, None)) is not None:
                logger.warning("A page cannot be compared: %s: %s", key, described(error))
                piece.alone[key] = membership(entered.page, entered.page.id)

    async def _decide_story(self, keys: Sequence[str], piece: Piece) -> None:
        """Find what follows for the members of one story: those of *keys*, stories and entering pages."""
        entered = piece.entered
        members = await self._members([key for key in keys if key not in entered])
        members += [entered[key].page for key in keys if key in entered]
        if not members:
            return
        chars = sum(len(page.body) for page in members)
        story = await computed(partial(memberships, members, self._prepared), chars)
        await self._judged(members, story)
        piece.outcomes += await self._outcomes(members, story)
        piece.changes.update(
            {
                page.url: story[page.url]
                for page in members
                if page.url in entered or differs(page, story[page.url])
            }
        )
        piece.joined += sum(bool(story[it.url].copy_of) and not it.copy_of for it in members)
        piece.freed += sum(bool(it.copy_of) and not story[it.url].copy_of for it in members)

    async def _write(self, piece: Piece) -> None:
        """Write what follows: outcomes first, and the entering pages last.

        Until these are written, the next pass repeats everything.
        """
        if piece.outcomes:
            await self._store.write(outcomes=piece.outcomes)
        last = {
            url: it if entered.known else replace(it, tokens=entered.signed.tokens)
            for url, it in piece.changes.items()
            if (entered := piece.entered.get(url)) is not None
        }
        if len(piece.changes) > len(last):
            everything = {
                url: replace(last[url], compared=0) if url in last else it
                for url, it in piece.changes.items()
            }
            await self._store.set_relations(self._topic, everything)
        await self._store.set_relations(self._topic, {**last, **piece.alone})
        done = self.done
        done.compared += len(last) + len(piece.alone)
        done.joined += piece.joined
        done.freed += piece.freed
        done.failed += len(piece.alone)

    async def _link(self, page: PageRecord, signed: SignedPage, piece: Piece) -> bool:
        """Join the groups that *page* belongs to; return whether the store has all its tokens."""
        groups = piece.groups
        groups.find(page.url)
        shared = await sharing(self._store, self._topic, signed.lookups)
        known = all(page.url in shared.get(token, ()) for token in signed.tokens)
        shared = with_others(shared, piece.tokens.sharing(signed.lookups))
        others = await self._others(candidates(shared, page.url), piece.entered)

        chars = sum(len(other.page.body) for _, other in others) + len(page.body)

        def join() -> None:
            for key, other in others:
                if not groups.joined(key, page.url) and same_story(signed.prepared, other):
                    groups.join(key, page.url)

        await computed(join, chars)
        return known

    async def _others(
        self, urls: Sequence[str], entered: Mapping[str, Entered]
    ) -> list[tuple[str, PreparedPage]]:
        """Return the compared and the entering ones of these pages with the keys of their groups."""
        found: dict[str, tuple[str, PreparedPage]] = {
            url: (url, entered[url].signed.prepared) for url in urls if url in entered
        }
        wanted = [url for url in urls if url not in entered]
        for record in await self._store.pages_at(self._topic, wanted) if wanted else ():
            # One that is not compared yet enters later, and finds this page then.
            if record.compared == METHOD and record.story:
                found[record.url] = (record.story, self._prepared(record))
        return [found[url] for url in urls if url in found]

    def _prepared(self, record: PageRecord) -> PreparedPage:
        page, known = compared_page(record), self._ready.get(record.url)
        if known is not None and known.prepared.page == page:
            return known.prepared
        stored = self._crawl and self._crawl.prepared(record.url)
        prepared = (stored and stored.of(page)) or PreparedPage(page)
        self._ready.put(Ready(prepared, record.copy_of))
        return prepared

    async def _outcome(self, url: str) -> OutcomeRecord | None:
        found = self._found.get(url) or await self._store.outcome(self._topic, url)
        if found is not None:
            self._found[url] = found
        return found

    async def _members(self, stories: Iterable[str]) -> list[PageRecord]:
        """Return the compared members of *stories*."""
        return [
            page
            for story in sorted(stories)
            for page in await self._store.members(self._topic, story)
            if page.compared == METHOD
        ]

    async def _judged(self, members: Sequence[PageRecord], story: dict[str, Membership]) -> None:
        """List the members that the user judged relevant beside the representative."""
        for page in members:
            member = story[page.url]
            if not member.copy_of or (page.compared == METHOD and page.copy_of):
                continue
            outcome = await self._outcome(page.url)
            if outcome is not None and outcome.is_wanted:
                story[page.url] = replace(member, relation="", copy_of="", detail=())

    async def _outcomes(
        self, members: Sequence[PageRecord], story: Mapping[str, Membership]
    ) -> list[OutcomeRecord]:
        """Return the outcomes of *members* that must change."""
        found = []
        for page in members:
            member = story[page.url]
            if page.compared == METHOD and page.copy_of == member.copy_of:
                continue
            if not (page.copy_of or member.copy_of):
                continue
            outcome = await self._store.outcome(self._topic, page.url)
            if outcome is not None and (new := following(outcome, member)) != outcome:
                found.append(new)
        return found
