"""A store in memory and a small crawl to fill it with, for tests of reading commands."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import (
    NearMissRecord,
    OutcomeRecord,
    PageJudgment,
    PageOrder,
    PageRecord,
    PageStanding,
    RunRecord,
    VersionRecord,
    VisitRecord,
)
from topiccrawl.store.stories import StoredStory

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

START = datetime(2024, 5, 1, 2, 0, tzinfo=UTC)
CST = datetime.fromisoformat("2024-01-01T00:00+08:00").tzinfo


class ReportingStore:
    """The store contract over dictionaries."""

    def __init__(self) -> None:
        self.page_map: dict[tuple[str, str], PageRecord] = {}
        self.outcome_map: dict[tuple[str, str], OutcomeRecord] = {}
        self.run_list: list[RunRecord] = []
        self.visit_map: dict[tuple[str, str], VisitRecord] = {}
        self.version_list: list[VersionRecord] = []
        self.near_miss_list: list[NearMissRecord] = []
        self.limits: list[int | None] = []
        self.opened = 0
        self.closed = 0

    async def open(self) -> None:
        self.opened += 1

    async def close(self) -> None:
        self.closed += 1

    async def write(
        self,
        pages: Sequence[PageRecord] = (),
        outcomes: Sequence[OutcomeRecord] = (),
        runs: Sequence[RunRecord] = (),
        near_misses: Sequence[NearMissRecord] = (),
        visits: Sequence[VisitRecord] = (),
        versions: Sequence[VersionRecord] = (),
    ) -> None:
        self.visit_map.update({(it.topic, it.url): it for it in visits})
        self.version_list.extend(versions)
        self.page_map.update({(p.topic, p.url): p for p in pages})
        for o in outcomes:
            if o.verdict != "queued" or (o.topic, o.url) not in self.outcome_map:
                self.outcome_map[o.topic, o.url] = o
        self.run_list.extend(runs)
        self.near_miss_list.extend(near_misses)

    async def pages(
        self,
        topic: str,
        *,
        order: PageOrder = "fetched",
        limit: int | None = None,
        with_html: bool = False,
        withdrawn: bool = False,
        since: datetime | None = None,
    ) -> AsyncIterator[PageRecord]:
        self.limits.append(limit)
        chosen = [
            p
            for p in self.page_map.values()
            if p.topic == topic and (p.withdrawn_at is not None) is withdrawn
        ]
        if since is not None:
            moments = ((p, (p.first_seen, p.changed_at, p.gone_at)) for p in chosen)
            chosen = [p for p, them in moments if any(it and it >= since for it in them)]
        never = datetime(1, 1, 1, tzinfo=UTC)
        if order == "fetched":
            chosen.sort(key=lambda p: (p.fetched_at, p.url))
        elif order == "relevance":
            chosen.sort(key=lambda p: (-p.relevance, p.url))
        else:
            chosen.sort(key=lambda p: (p.published_at or never, p.url), reverse=True)
        for page in chosen[:limit]:
            yield page

    async def page(self, topic: str, url: str) -> PageRecord | None:
        return self.page_map.get((topic, url))

    async def outcome(self, topic: str, url: str) -> OutcomeRecord | None:
        return self.outcome_map.get((topic, url))

    async def outcomes(
        self, topic: str, *, run_id: str | None = None
    ) -> AsyncIterator[OutcomeRecord]:
        chosen = [
            o for o in self.outcome_map.values() if o.topic == topic and run_id in (None, o.run_id)
        ]
        for outcome in sorted(chosen, key=lambda o: (o.at, o.sequence)):
            yield outcome

    async def runs(self, topic: str) -> Sequence[RunRecord]:
        return sorted((r for r in self.run_list if r.topic == topic), key=lambda r: r.started_at)

    async def visit(self, topic: str, url: str) -> VisitRecord | None:
        return self.visit_map.get((topic, url))

    async def versions(self, topic: str, url: str) -> Sequence[VersionRecord]:
        return [it for it in self.version_list if (it.topic, it.url) == (topic, url)]

    async def changes(
        self, topic: str, *, since: datetime | None = None
    ) -> AsyncIterator[tuple[str, datetime]]:
        for it in sorted(self.version_list, key=lambda version: version.replaced_at):
            if it.topic == topic and (since is None or it.replaced_at >= since):
                yield it.url, it.replaced_at

    async def topics(self) -> Mapping[str, int]:
        names = {t for t, _ in (*self.page_map, *self.outcome_map)}
        return {n: await self.count(n) for n in sorted(names)}

    async def count(self, topic: str) -> int:
        pages = [page for (name, _), page in self.page_map.items() if name == topic]
        return sum(page.withdrawn_at is None for page in pages)

    async def copies(self, topic: str) -> Mapping[str, int]:
        copies = [p.story for p in self.page_map.values() if p.topic == topic and p.copy_of]
        return dict(Counter(copies))

    async def stories(self, topic: str, *, limit: int | None = None) -> AsyncIterator[StoredStory]:
        counts = await self.copies(topic)
        for story in sorted(counts, key=lambda story: (-counts[story], story))[:limit]:
            yield StoredStory(story, counts[story] + 1, "", "", START, START)

    async def attachments(self, topic: str, url: str) -> Sequence[PageRecord]:
        pages = (p for p in self.page_map.values() if url and p.attached_to == url)
        return sorted((p for p in pages if p.topic == topic), key=lambda page: page.url)

    async def members(self, topic: str, story: str) -> Sequence[PageRecord]:
        pages = (p for p in self.page_map.values() if (p.topic, p.story) == (topic, story))
        return sorted(pages, key=lambda page: page.fetched_at)

    async def titles(self, topic: str) -> AsyncIterator[tuple[str, str]]:
        async for page in self.pages(topic):
            yield page.url, page.title

    async def standings(self, topic: str) -> AsyncIterator[PageStanding]:
        for it in self.near_miss_list:
            yield PageStanding(it.url, "near-miss", it.probability)
        for page in [page for (name, _), page in self.page_map.items() if name == topic]:
            standing = "kept" if page.withdrawn_at is None else "withdrawn"
            yield PageStanding(page.url, standing, page.probability)

    async def near_miss(self, topic: str, url: str) -> NearMissRecord | None:
        return None

    async def near_misses(self, topic: str) -> AsyncIterator[NearMissRecord]:
        for near_miss in ():
            yield near_miss

    async def set_judgments(self, topic: str, judgments: Mapping[str, PageJudgment]) -> None:
        for url in judgments.keys() & {url for name, url in self.page_map if name == topic}:
            self.page_map[topic, url].probability = judgments[url].probability

    async def trim_near_misses(self, topic: str, most: int) -> int:
        return 0


def make_outcome(url: str = "http://qw.example.cn/1", **changes: object) -> OutcomeRecord:
    """An outcome of a stored page, with *changes*."""
    values: dict[str, object] = {
        "topic": "侨情",
        "url": url,
        "verdict": "stored",
        "reason": "relevant",
        "detail": "relevance 0.41 >= threshold 0.22",
        "at": START,
        "run_id": "run-1",
        "sequence": 1,
        "title": "华侨捐资助学",
        "site": "qw.example.cn",
        "relevance": 0.41,
        "threshold": 0.22,
        "main_terms": (("华侨", 0.2), ("侨务", 0.11)),
        "link": LinkEvidence(),
    }
    return OutcomeRecord(**{**values, **changes})  # type: ignore[arg-type]


def make_page(url: str = "http://qw.example.cn/1", **changes: object) -> PageRecord:
    """A stored page, with *changes*."""
    values: dict[str, object] = {
        "topic": "侨情",
        "url": url,
        "final_url": url,
        "title": "华侨捐资助学",
        "body": "海外华侨捐资建学校。",
        "site": "qw.example.cn",
        "charset": "gb18030",
        "language": "zh-Hans",
        "content_hash": "00ff",
        "relevance": 0.41,
        "main_terms": (("华侨", 0.2), ("侨务", 0.11)),
        "fetched_at": START,
        "published_at": datetime(2024, 4, 30, 0, 0, tzinfo=CST),
        "link": LinkEvidence(0.9, {"rw": 0.9, "rwb": 0.9}, "http://qw.example.cn/", "侨务新闻", 1),
        "run_id": "run-1",
        "author": "方敏",
        "source": "侨乡日报",
        "editor": "李小明",
        "kind": "article",
        "summary": "海外华侨捐资建学校。",
        "keywords": ("华侨", "捐资助学"),
    }
    return PageRecord(**{**values, **changes})  # type: ignore[arg-type]


def make_run(id_: str = "run-1", **changes: object) -> RunRecord:
    """A finished run, with *changes*."""
    values: dict[str, object] = {
        "id": id_,
        "topic": "侨情",
        "started_at": START,
        "finished_at": START + timedelta(minutes=5),
        "stop_reason": "closespider_pagecount",
        "strategy": "ipagerank-rwb",
        "seed": 1,
        "stats": {"topiccrawl/pages/fetched": 120},
    }
    return RunRecord(**{**values, **changes})  # type: ignore[arg-type]
