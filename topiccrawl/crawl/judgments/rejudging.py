"""Judging pages again: bring the store to a new judgment, without fetching anything.

Kept pages can leave the collection (they are marked, not deleted), withdrawn ones can return, and near
misses can enter.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from topiccrawl import details
from topiccrawl.crawl.copies.rejected import RejectedTexts, withdrawn_with
from topiccrawl.crawl.copies.rule import CopyRule, NoRule
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.journal.kinds import KEPT, WITHDRAWN
from topiccrawl.crawl.judgments.deciding import JUDGED_OFF_TOPIC, JUDGED_RELEVANT
from topiccrawl.crawl.judgments.rejudged import Rejudged, RejudgingResult
from topiccrawl.crawl.storing.records import kept_verdict
from topiccrawl.language import _
from topiccrawl.steps import pieces
from topiccrawl.store.contract import (
    Membership,
    OutcomeRecord,
    PageJudgment,
    PageRecord,
    PageStanding,
    StoreUnavailable,
    Verdict,
)
from topiccrawl.store.near_misses import unpack_near_miss
from topiccrawl.store.reasons import JUDGED, REJECTED_TEXT

if TYPE_CHECKING:
    from topiccrawl.crawl.judgments.given import Judgments
    from topiccrawl.store.writer import StoreWriter

logger = logging.getLogger(__name__)

#: Pages read, and then written together, at a time: few enough that the event loop has its turn every 50
#: ms (pages of 4,000 characters, two busy cores; 2026-11).
_PIECE: Final = 20

#: Pages judged between two turns of the event loop: 6 ms (12 µs a page, one of two busy cores, 2026-11).
JUDGED_AT_ONCE: Final = 500

#: Probabilities written at a time.
_NUMBERS: Final = 500

#: Smallest change of a probability that is written in the middle of a crawl when nothing else changes.
#: A guess: rounds that move every page by less must not write to every page.
_LEAST_CHANGE: Final = 0.05


class Rejudging:
    """Applies new judgments to the store.

    Calls are safe at any time and from any number of workers, because each brings the store to a
    given state; but only the worker that ranks (:meth:`~topiccrawl.frontier.contract.Frontier.try_lead`)
    should apply those of a ranking round.  The user's *judgments* outweigh all others and are applied
    with every call; those of pages that are off topic hold for pages with the same text, which *rejected* finds.
    *copies* finds out which entering pages are copies.
    """

    def __init__(
        self,
        store: StoreWriter | None,
        journal: CrawlJournal,
        judgments: Judgments,
        copies: CopyRule | None = None,
        count: Callable[[str, int], object] = lambda name, number: None,
        rejected: RejectedTexts | None = None,
    ) -> None:
        self._rejected = rejected
        self._store = store
        self._journal = journal
        self._judgments = judgments
        self._copies = copies or NoRule()
        self._count = count

    @property
    def _is_open(self) -> bool:
        return self._store is not None and self._store.is_open

    @property
    def _writer(self) -> StoreWriter:
        """The writer, once :attr:`_is_open` was found to hold."""
        assert self._store is not None
        return self._store

    async def apply(
        self,
        rejudged: Sequence[Rejudged] = (),
        judge: Callable[[str], Rejudged | None] | None = None,
        *,
        everything: bool = False,
        taken_back: Collection[str] = (),
    ) -> RejudgingResult:
        """Bring the store to the state that *rejudged* and the user's judgments demand.

        A URL that is not in the store is skipped, a repeated one counts with its last judgment.  With
        *judge* all pages of the store are judged again, except those for which it returns ``None``.
        With *everything*, small changes of a probability are written, too.  What left the collection with the
        pages *taken_back*, whose judgment was taken back, returns; these pages themselves stay as they are.
        What cannot be read or written, because the store is away, is logged and left to the next call.
        """
        result = RejudgingResult()
        if not self._is_open:
            return result
        async with self._writer.outcomes_lock:
            try:
                known = await self._wanted(rejudged, judge, taken_back)
            except StoreUnavailable as error:
                logger.warning(_("Pages cannot be judged again yet: %(error)s"), {"error": error})
                return result
            if not known:
                return result
            due = [(it, now) for it, now in known if it.kept is not (now.standing == "kept")]
            # A page that leaves makes room for its copies.
            for judgment, now in known:
                if judgment.kept and now.standing == "kept" and judgment.url in self._judgments:
                    result.listed += await self._list(judgment)
            leaving = [pair for pair in due if not pair[0].kept]
            entering = [pair for pair in due if pair[0].kept]
            for pages in (leaving, entering):
                for piece in pieces(pages, _PIECE):
                    await self._apply_piece(piece, result)
            await self._set_judgments(
                {
                    it.url: it.judgment
                    for it, now in known
                    if it.judgment is not None
                    and it.kept is (now.standing == "kept")
                    and (everything or _differs(it.judgment, now))
                }
            )
        for name, number in result.statistics().items():
            if number:
                self._count(name, number)
        return result

    async def _wanted(
        self,
        rejudged: Sequence[Rejudged],
        judge: Callable[[str], Rejudged | None] | None,
        taken_back: Collection[str],
    ) -> list[tuple[Rejudged, PageStanding]]:
        """Return the judgments of pages that the store has, each with what it has of the page."""
        wanted = {it.url: it for it in rejudged}
        wanted.update({url: _by_user(url, yes) for url, yes in self._judgments.items()})
        if not (self._is_open and (wanted or judge or taken_back)):
            return []
        standings = {it.url: it async for it in self._writer.store.standings(self._writer.topic)}
        if judge is not None:
            for piece in pieces([url for url in standings if url not in wanted], JUDGED_AT_ONCE):
                wanted.update({it.url: it for it in map(judge, piece) if it is not None})
                await asyncio.sleep(0)
        wanted.update(await self._released(wanted, standings, taken_back))
        wanted.update(await self._rejected_copies())
        return [(it, standings[url]) for url, it in wanted.items() if url in standings]

    async def missing(self) -> list[str]:
        """Return the URLs that the user judged relevant and that are not in the store."""
        asked = [url for url, relevant in self._judgments.items() if relevant]
        if not (self._is_open and asked):
            return asked
        try:
            known = {it.url async for it in self._writer.store.standings(self._writer.topic)}
        except StoreUnavailable:
            return []
        return [url for url in asked if url not in known]

    async def _released(
        self,
        wanted: Mapping[str, Rejudged],
        standings: Mapping[str, PageStanding],
        taken_back: Collection[str],
    ) -> dict[str, Rejudged]:
        """Return the judgments of pages that left with a page which the user no longer judges off topic."""
        store = self._writer.store
        withdrawn = [url for url, it in standings.items() if it.standing == "withdrawn"]
        originals = list(taken_back)
        for url in withdrawn:
            if url in wanted and wanted[url].kept:
                outcome = await store.outcome(self._writer.topic, url)
                if outcome is not None and outcome.reason == JUDGED:
                    originals.append(url)
        found: dict[str, Rejudged] = {}
        for url in originals:
            detail = details.NO_LONGER_REJECTED(url=url)
            for copy in await withdrawn_with(store, self._writer.topic, url, withdrawn):
                if copy not in wanted:
                    found[copy] = Rejudged(copy, None, True, detail)
        return found

    async def _rejected_copies(self) -> dict[str, Rejudged]:
        """Return the judgments of kept pages with the text of a page that the user judged off topic."""
        found: dict[str, Rejudged] = {}
        if self._rejected is not None:
            for url, original in (await self._rejected.copies()).items():
                if url not in self._judgments:
                    detail = details.COPY_OF_REJECTED(url=original)
                    found[url] = Rejudged(url, None, False, detail, by_user=True, same_as=original)
        return found

    async def _apply_piece(
        self, due: Sequence[tuple[Rejudged, PageStanding]], result: RejudgingResult
    ) -> None:
        """Read the pages of *due* one by one, and write what changes in one batch."""
        writes: list[Awaitable[None]] = []
        try:
            for judgment, standing in due:
                page = await self._page(standing)
                if page is not None and not await self._stays_out(judgment, page):
                    writes.append(self._change(judgment, standing, page, result))
        except StoreUnavailable as error:
            logger.warning(_("Pages cannot be judged again yet: %(error)s"), {"error": error})
        for done in await asyncio.gather(*writes, return_exceptions=True):
            if isinstance(done, StoreUnavailable):
                logger.error(_("A page is not judged again: %(error)s"), {"error": done})
            elif isinstance(done, BaseException):
                raise done

    async def _set_judgments(self, judgments: Mapping[str, PageJudgment]) -> None:
        """Write the judgments of pages whose standing stays; the next call repeats what fails."""
        try:
            for piece in pieces(list(judgments.items()), _NUMBERS):
                await self._writer.store.set_judgments(self._writer.topic, dict(piece))
        except StoreUnavailable as error:
            logger.warning(_("Judgments cannot be written yet: %(error)s"), {"error": error})

    async def _list(self, judgment: Rejudged) -> bool:
        """List a copy beside its original: the user has judged it relevant.  Return whether it is one."""
        store = self._writer.store
        try:
            outcome = await store.outcome(self._writer.topic, judgment.url)
            if outcome is None or outcome.verdict != "duplicate":
                return False
            page = await store.page(self._writer.topic, judgment.url)
            if page is None:
                return False
            await self._writer.put(
                replace(outcome, verdict="stored", reason=JUDGED, detail=judgment.detail)
            )
            listed = Membership(story=page.story, compared=0)
            await store.set_relations(self._writer.topic, {page.url: listed})
        except StoreUnavailable as error:
            logger.warning(_("Pages cannot be judged again yet: %(error)s"), {"error": error})
            return False
        return True

    async def _page(self, standing: PageStanding) -> PageRecord | None:
        if standing.standing != "near-miss":
            return await self._writer.store.page(self._writer.topic, standing.url)
        found = await self._writer.store.near_miss(self._writer.topic, standing.url)
        return None if found is None else unpack_near_miss(found)

    async def _stays_out(self, judgment: Rejudged, page: PageRecord) -> bool:
        """Return whether *page* does not enter, because the user judged its text off topic."""
        if self._rejected is None or not judgment.kept or judgment.by_user:
            return False
        return bool(await self._rejected.original(page))

    def _change(
        self,
        judgment: Rejudged,
        standing: PageStanding,
        page: PageRecord,
        result: RejudgingResult,
    ) -> Awaitable[None]:
        """Return the write that brings *page* to its new *judgment*."""
        if judgment.judgment is not None:
            page = replace(page, probability=judgment.judgment.probability)
        if standing.standing == "kept":
            return self._withdraw(judgment, page, result)
        return self._admit(judgment, standing, page, result)

    async def _withdraw(
        self, judgment: Rejudged, page: PageRecord, result: RejudgingResult
    ) -> None:
        gone = replace(page, withdrawn_at=datetime.now(UTC))
        reason = "withdrawn"
        if judgment.by_user:
            reason = REJECTED_TEXT if judgment.same_as else JUDGED
        outcome = await self._outcome(gone, judgment.judgment, "dropped", reason, judgment.detail)
        await self._writer.put(gone, outcome)
        self._copies.remove(page.url)
        self._journal.publish(WITHDRAWN, page.url)
        if judgment.same_as:
            result.same_text[judgment.same_as] = result.same_text.get(judgment.same_as, 0) + 1
        if page.copy_of:
            result.copies_withdrawn += 1
        else:
            result.withdrawn += 1

    async def _admit(
        self,
        judgment: Rejudged,
        standing: PageStanding,
        page: PageRecord,
        result: RejudgingResult,
    ) -> None:
        back = replace(page, withdrawn_at=None)
        kept = await self._copies.mark(back, own=judgment.by_user)
        reason = "readmitted" if standing.standing == "withdrawn" else "admitted"
        if judgment.by_user:
            reason = JUDGED
        verdict, reason, detail = kept_verdict(back, reason, judgment.detail)
        outcome = await self._outcome(back, judgment.judgment, verdict, reason, detail)
        await self._writer.put(back, outcome)
        self._copies.durable(back.url)
        self._journal.publish(KEPT, kept)
        if back.copy_of:
            result.copies += 1
        elif standing.standing == "withdrawn":
            result.readmitted += 1
        else:
            result.admitted += 1

    async def _outcome(
        self,
        page: PageRecord,
        judgment: PageJudgment | None,
        verdict: Verdict,
        reason: str,
        detail: str,
    ) -> OutcomeRecord:
        """Return the page's outcome with a new verdict, at its old place in the order of the crawl."""
        old = await self._writer.store.outcome(self._writer.topic, page.url) or OutcomeRecord(
            topic=page.topic,
            url=page.url,
            verdict=verdict,
            reason=reason,
            detail=detail,
            at=page.fetched_at,
            run_id=page.run_id,
            sequence=0,
            title=page.title,
            site=page.site,
            relevance=page.relevance,
            main_terms=page.main_terms,
            link=page.link,
        )
        new = replace(old, verdict=verdict, reason=reason, detail=detail)
        if judgment is None:
            return new
        return replace(
            new,
            probability=judgment.probability,
            probability_threshold=judgment.threshold,
            judgment_parts=judgment.parts,
        )


def _differs(judgment: PageJudgment, standing: PageStanding) -> bool:
    """Return whether the probability differs enough to be written."""
    known = standing.probability
    return known is None or abs(judgment.probability - known) >= _LEAST_CHANGE


def _by_user(url: str, relevant: bool) -> Rejudged:
    decision = JUDGED_RELEVANT if relevant else JUDGED_OFF_TOPIC
    return Rejudged(url, decision.judgment, decision.kept, decision.detail, by_user=True)
