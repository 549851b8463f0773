"""A store whose records are read with masks over personal data, for reports."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from topiccrawl.text.personal import masked

if TYPE_CHECKING:
    from topiccrawl.store.contract import Store
    from topiccrawl.store.records import OutcomeRecord, PageRecord


def masked_reads(store: Store) -> Store:
    """Return *store* for a report: what is shown of its pages and outcomes is masked.

    Bodies and comments, which a report does not show, stay as they are; so do addresses.
    """
    return _MaskedReads(store)


def masked_page(page: PageRecord) -> PageRecord:
    """Return *page* with masks over personal data, except in its body and its comments."""
    return replace(
        page,
        title=masked(page.title),
        summary=masked(page.summary),
        author=masked(page.author),
        source=masked(page.source),
        editor=masked(page.editor),
        site_name=masked(page.site_name),
        found_by=masked(page.found_by),
        keywords=tuple(map(masked, page.keywords)),
        relation_detail=tuple(map(masked, page.relation_detail)),
        main_terms=tuple((masked(term), weight) for term, weight in page.main_terms),
        link=replace(page.link, anchor=masked(page.link.anchor)),
    )


def _masked_outcome(outcome: OutcomeRecord) -> OutcomeRecord:
    return replace(
        outcome,
        title=masked(outcome.title),
        detail=masked(outcome.detail),
        main_terms=tuple((masked(term), weight) for term, weight in outcome.main_terms),
        link=replace(outcome.link, anchor=masked(outcome.link.anchor)),
    )


class _MaskedReads:
    """A store that passes every call on, and masks what the calls below return."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def pages(self, topic: str, **options: Any) -> AsyncIterator[PageRecord]:
        async with aclosing(self._store.pages(topic, **options)) as pages:  # type: ignore[type-var]
            async for page in pages:
                yield masked_page(page)

    async def page(self, topic: str, url: str) -> PageRecord | None:
        page = await self._store.page(topic, url)
        return None if page is None else masked_page(page)

    async def members(self, topic: str, story: str) -> Sequence[PageRecord]:
        return [masked_page(it) for it in await self._store.members(topic, story)]

    async def attachments(self, topic: str, url: str) -> Sequence[PageRecord]:
        return [masked_page(it) for it in await self._store.attachments(topic, url)]

    async def outcomes(self, topic: str, **options: Any) -> AsyncIterator[OutcomeRecord]:
        async with aclosing(self._store.outcomes(topic, **options)) as outcomes:  # type: ignore[type-var]
            async for outcome in outcomes:
                yield _masked_outcome(outcome)
