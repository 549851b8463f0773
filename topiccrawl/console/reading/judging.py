"""Judging a page in the console: on topic, off topic or not interesting; and taking it back."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from topiccrawl.console.desk import PATIENCE_SECONDS, Desk
from topiccrawl.crawl.judgments.given import given_judgments, judgments_file
from topiccrawl.crawl.judgments.recording import record_judgments, take_back_judgments
from topiccrawl.crawl.queue.redis_client import redis_client
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.crawl.storing.records import kept_verdict
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import N_, user_language, using_language
from topiccrawl.store.contract import PageRecord, Store
from topiccrawl.store.desk import DeskRecord
from topiccrawl.store.reasons import JUDGED
from topiccrawl.store.sqlite.file import lock_patience
from topiccrawl.topics.definition import Judgment, TopicDefinition
from topiccrawl.topics.load import UnknownTopicError, bare_definition, find_definition

#: Kind of the desk records of judgments; the key is the URL of the page.
JUDGMENT: Final = "judgment"
#: Judgments and their names.
VERDICTS: Final[Mapping[str, str]] = {
    "on": N_("on topic"),
    "off": N_("off topic"),
    "dull": N_("not interesting"),
}
_VERDICT_OF: Final = {True: "on", False: "off"}


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page that was judged in the console."""

    url: str
    title: str
    verdict: str
    at: datetime
    terms: Sequence[str]
    """Its keywords and main terms then."""
    prior: float
    """Its probability before the judgment."""
    before: Mapping[str, Any]
    """What the store had of the page before."""

    @property
    def is_relevant(self) -> bool:
        """Whether the page was judged to be on the topic; a dull one was not judged so."""
        return self.verdict == "on"


async def judged_pages(
    store: Store, topic: str, written: Mapping[str, Judgment]
) -> list[JudgedPage]:
    """Return the judgments of *topic* that were made in a console, the last first.

    *written* are those of the topic's file, by URL.
    """
    found = [_judged(it) async for it in store.desk(topic, JUDGMENT)]
    judged = [_as_written(it, written.get(it.url)) for it in found if it]
    return sorted(judged, key=lambda it: (-it.at.timestamp(), it.url))


async def judgment_of_page(desk: Desk, topic: str, url: str) -> JudgedPage | None:
    """Return the judgment of one page, also one of ``scrapy judge`` or by hand."""
    record = await desk.store.desk_entry(topic, JUDGMENT, url)
    known = None if record is None else _judged(record)
    try:
        _file, judgments = await judgments_of_file(desk, topic)
    except ConfigurationError:
        return known
    written = next((it for it in judgments if it.url == url), None)
    if written is None:
        return known
    return _as_written(known, written) if known else await _judged_elsewhere(desk, topic, written)


def _as_written(known: JudgedPage, written: Judgment | None) -> JudgedPage:
    """Return *known* with the verdict of the topic's file if that is later; a line by hand has no time."""
    if written is None or (written.at and written.at < known.at.replace(microsecond=0)):
        return known
    verdict = _VERDICT_OF[written.relevant]
    return known if verdict == known.verdict else replace(known, verdict=verdict)


async def judgments_of_file(desk: Desk, topic: str) -> tuple[str, list[Judgment]]:
    """Return the topic's file of judgments and what is in it, also from ``scrapy judge`` and by hand.

    Raises ``ConfigurationError`` if the topic's files are wrong.
    """

    def read() -> tuple[str, list[Judgment]]:
        definition, settings = _definition(topic, desk)
        file = judgments_file(definition, settings)
        return str(file), given_judgments(definition, settings)

    return await asyncio.to_thread(read)


async def judge_page(desk: Desk, page: PageRecord, verdict: str) -> list[str]:
    """Record a judgment of *page*; return warnings: what only the next crawl can do.

    The topic's file of judgments, a running crawl and the store follow it.  What the store had before
    is kept for :func:`take_back`.
    """
    if verdict not in VERDICTS:
        raise ConfigurationError(f"verdict: {verdict!r}")
    warnings: list[str] = []
    async with desk.shared("judging", asyncio.Lock):
        # A topic with a wrong file stops here, before anything is recorded.
        definition, settings = await asyncio.to_thread(_definition, page.topic, desk)
        known = await judgment_of_page(desk, page.topic, page.url)
        # Of a judgment that was made elsewhere, what was before is known of a page that left only.
        before = (known and known.before) or await _state(desk.store, page)
        if known and known.verdict != "dull" and verdict == "dull":
            await _undo(desk, page.topic, known, warnings)
        record = DeskRecord(
            topic=page.topic,
            kind=JUDGMENT,
            key=page.url,
            at=desk.now(),
            value={
                "verdict": verdict,
                "title": page.title,
                "terms": [*page.keywords, *(term for term, _share in page.main_terms)],
                "prior": known.prior if known else _prior(page),
                "before": before,
            },
        )
        # First: if the rest fails half-way, it can be taken back.
        await desk.store.write(desk=[record])
        if verdict != "dull":
            judgment = Judgment(page.url, verdict == "on", desk.now().replace(microsecond=0))
            await _in_thread(
                record_judgments(
                    definition,
                    [judgment],
                    settings,
                    lambda: redis_client(desk.settings),
                    warnings.append,
                )
            )
    return warnings


async def take_back(desk: Desk, topic: str, url: str) -> list[str]:
    """Undo the judgment of a page, also one of ``scrapy judge`` or by hand; return warnings."""
    warnings: list[str] = []
    async with desk.shared("judging", asyncio.Lock):
        known = await judgment_of_page(desk, topic, url)
        if known is None:
            return []
        if known.verdict != "dull":
            await _undo(desk, topic, known, warnings)
        await desk.store.delete_desk(topic, JUDGMENT, [url])
    return warnings


async def _judged_elsewhere(desk: Desk, topic: str, written: Judgment) -> JudgedPage:
    """Return a judgment of a page that is only in the topic's file.

    What the store had before is not recorded: a page that left because of it returns, and one that entered
    stays until the next crawl judges it.
    """
    url = written.url
    page, outcome = await desk.store.page(topic, url), await desk.store.outcome(topic, url)
    before: dict[str, Any] = {}
    if page is not None and outcome is not None and page.withdrawn_at and outcome.reason == JUDGED:
        verdict, reason, detail = kept_verdict(page, "readmitted", "")
        before = {"probability": page.probability, "verdict": verdict, "reason": reason}
        before["detail"] = detail
    at = written.at or desk.now()
    return JudgedPage(url, "", _VERDICT_OF[written.relevant], at, (), 0.5, before)


async def _undo(desk: Desk, topic: str, known: JudgedPage, warnings: list[str]) -> None:
    """Delete a judgment from the topic's file and give the page what it had before."""
    definition, settings = await asyncio.to_thread(_definition, topic, desk)
    await _in_thread(
        take_back_judgments(
            definition,
            [Judgment(known.url, known.is_relevant)],
            settings,
            lambda: redis_client(desk.settings),
            warnings.append,
        )
    )
    page = await desk.store.page(topic, known.url)
    outcome = await desk.store.outcome(topic, known.url)
    before = known.before
    if page is not None and before:
        withdrawn = before.get("withdrawn_at")
        page = replace(
            page,
            probability=before.get("probability"),
            withdrawn_at=datetime.fromisoformat(withdrawn) if withdrawn else None,
        )
        outcomes = []
        if outcome is not None and before.get("verdict"):
            names = ("verdict", "reason", "detail", "probability")
            outcomes = [
                replace(outcome, **{name: before[name] for name in names if name in before})
            ]
        await desk.store.write([page], outcomes)


async def _state(store: Store, page: PageRecord) -> dict[str, Any]:
    """Return what a judgment changes of *page*."""
    outcome = await store.outcome(page.topic, page.url)
    state: dict[str, Any] = {
        "probability": page.probability,
        "withdrawn_at": page.withdrawn_at.isoformat() if page.withdrawn_at else None,
    }
    if outcome is not None:
        state |= {
            "verdict": outcome.verdict,
            "reason": outcome.reason,
            "detail": outcome.detail,
        }
    return state


def _prior(page: PageRecord) -> float:
    return page.relevance if page.probability is None else page.probability


def _definition(topic: str, desk: Desk) -> tuple[TopicDefinition, CrawlSettings]:
    settings = CrawlSettings.from_settings(desk.settings)
    settings = replace(settings, store_uri=desk.config.store_uri)
    try:
        return find_definition(topic), settings
    except UnknownTopicError:
        return bare_definition(topic), settings


async def _in_thread(work: Coroutine[Any, Any, object]) -> None:
    """Run *work*, which opens a frontier and a store of its own, in an event loop of its own."""
    language = user_language()

    def run() -> None:
        with using_language(language), lock_patience(PATIENCE_SECONDS):
            asyncio.run(work)

    await asyncio.to_thread(run)


def _judged(record: DeskRecord) -> JudgedPage | None:
    value = record.value
    verdict, terms, before = value.get("verdict"), value.get("terms"), value.get("before")
    prior = value.get("prior")
    if verdict not in VERDICTS:
        return None
    return JudgedPage(
        record.key,
        str(value.get("title", "")),
        str(verdict),
        record.at,
        [str(it) for it in terms] if isinstance(terms, list | tuple) else [],
        float(prior) if isinstance(prior, int | float) else 0.5,
        dict(before) if isinstance(before, Mapping) else {},
    )
