"""Any sequence of calls leaves SQLite and MongoDB with equal content."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

import tests.support.store_records as make
from tests.support.store_records import NOON, listed, opened
from topiccrawl.store.contract import (
    DeskRecord,
    OutcomeRecord,
    PageJudgment,
    PageOrder,
    PageRecord,
    Store,
    record_id,
)
from topiccrawl.store.factory import open_store
from topiccrawl.store.reasons import DELETED
from topiccrawl.store.stories import Membership

#: Calls of one sequence, and after how many of them the stores are compared.
CALLS = 80
COMPARED_EVERY = 10
#: Few, so that calls meet the same records.
TOPICS = ("侨情", "华侨 $.%")
PAGES = 6
#: What is called, the most important calls more often.
KINDS = (
    *["page"] * 3,
    *["outcome"] * 2,
    *["run", "near", "visit", "version", "judge", "relate", "delete", "trim", "trim-versions"],
    *["desk", "claim", "delete-desk", "batch", "forget", "lease"],
)


def url(number: int) -> str:
    return make.page(number).url


class Calls:
    """Draws calls."""

    def __init__(self, seed: int) -> None:
        self._draw = Random(seed)
        self._at = NOON

    def __call__(self) -> tuple[str, Callable[[Store], Awaitable[Any]]]:
        draw = self._draw
        topic, number = draw.choice(TOPICS), draw.randrange(PAGES)
        self._at += timedelta(seconds=draw.randrange(3))
        kind = draw.choice(KINDS)
        match kind:
            case "page":
                record = self._page(topic, number)
                return kind, lambda store: store.write([record])
            case "outcome":
                verdict = draw.choice(["stored", "dropped", "failed", "queued", "duplicate"])
                outcome = make.outcome(
                    number,
                    topic=topic,
                    verdict=verdict,
                    at=self._at,
                    sequence=draw.randrange(9),
                    run_id=f"run-{draw.randrange(2)}",
                    relevance=draw.choice([None, 0.0, 0.5]),
                )
                return f"outcome {verdict}", lambda store: store.write(outcomes=[outcome])
            case "run":
                run = make.run(draw.randrange(3), topic=topic, stop_reason=draw.choice(["", "x"]))
                return kind, lambda store: store.write(runs=[run])
            case "near":
                near = make.near_miss(number, draw.random(), topic=topic)
                return kind, lambda store: store.write(near_misses=[near])
            case "visit":
                visit = make.visit(number, topic=topic, gone_at=draw.choice([None, self._at]))
                return kind, lambda store: store.write(visits=[visit])
            case "version":
                version = make.version(number, draw.randrange(1, 9), topic=topic)
                return kind, lambda store: store.write(versions=[version])
            case "judge":
                judgment = PageJudgment(draw.random(), 0.5, {"words": draw.random()})
                urls = [url(draw.randrange(PAGES + 1)) for _ in range(3)]
                given = dict.fromkeys(urls, judgment)
                return kind, lambda store: store.set_judgments(topic, given)
            case "relate":
                relations = self._relations(topic)
                return kind, lambda store: store.set_relations(topic, relations)
            case "delete":
                urls = [url(draw.randrange(PAGES + 1)) for _ in range(2)]
                return kind, lambda store: store.delete_pages(topic, urls)
            case "trim":
                most = draw.randrange(4)
                return kind, lambda store: store.trim_near_misses(topic, most)
            case "trim-versions":
                return kind, lambda store: store.trim_versions(topic, url(number), 3)
            case "desk" | "claim":
                desk = DeskRecord(
                    topic=topic,
                    kind=draw.choice(["note", "tag"]),
                    key=draw.choice(["a", "ab", "b", "%", "_"]),
                    at=self._at,
                    value={"text": f"{draw.random()}", "a.b": [1, {"$x": None}]},
                )
                if kind == "claim":
                    return kind, lambda store: store.claim_desk(desk)
                return kind, lambda store: store.write(desk=[desk])
            case "delete-desk":
                key = draw.choice(["a", "ab", "b", "%", "_"])
                return kind, lambda store: store.delete_desk(topic, "note", [key, "none"])
            case "batch":
                pages = [self._page(topic, draw.randrange(PAGES)) for _ in range(4)]
                nears = [make.near_miss(draw.randrange(PAGES), 0.3, topic=topic)]
                return kind, lambda store: store.write(pages, near_misses=nears)
            case "lease":
                owner, seconds = draw.choice("ab"), draw.choice([0, 100])
                return kind, lambda store: store.lease_settling(topic, owner, seconds)
            case _:
                # Rarely: it ends what the others have built.
                if draw.random() < 0.8:
                    return "size", lambda store: store.size(topic)
                return kind, lambda store: store.forget(topic)

    def _page(self, topic: str, number: int) -> Any:
        draw = self._draw
        story = draw.choice(["", url(0), url(1)])
        return make.page(
            number,
            topic=topic,
            title=draw.choice(["侨乡", "華僑 會議", "😀"]),
            body=draw.choice(["归侨侨眷。", "侨批。\n第二段", "海外 侨胞"]),
            relevance=draw.choice([0.25, 0.5]),
            fetched_at=self._at,
            first_seen=draw.choice([None, NOON, self._at]),
            changed_at=draw.choice([None, self._at]),
            gone_at=draw.choice([None, None, self._at]),
            withdrawn_at=draw.choice([None, None, self._at]),
            published_at=draw.choice([None, NOON]),
            story="" if not story else record_id(topic, story),
            copy_of=draw.choice(["", story]),
            compared=draw.choice([0, 1]),
            tokens=draw.choice([(), (1, 2), (2, 3)]),
            attached_to=draw.choice(["", url(0)]),
            run_id=f"run-{draw.randrange(2)}",
            html=draw.choice([None, b"x"]),
        )

    def _relations(self, topic: str) -> dict[str, Membership]:
        draw = self._draw
        lead = url(draw.randrange(PAGES))
        found = {lead: Membership(story=record_id(topic, lead), compared=1)}
        for number in draw.sample(range(PAGES), 2):
            if url(number) != lead:
                found[url(number)] = Membership(
                    story=record_id(topic, lead),
                    relation="copy",
                    copy_of=lead,
                    detail=["same text"],
                    compared=draw.choice([0, 1, 2]),
                    tokens=draw.choice([None, (1, 5)]),
                    content_hash=draw.choice([None, make.page(1).content_hash, "0"]),
                )
        return found


def timeless(outcomes: list[OutcomeRecord]) -> list[OutcomeRecord]:
    """The outcomes; those of deleted pages, which a store writes with its own clock, last and without time."""
    deleted = [replace(it, at=NOON) for it in outcomes if it.reason == DELETED]
    others = [it for it in outcomes if it.reason != DELETED]
    return [*others, *sorted(deleted, key=lambda it: it.url)]


async def content(store: Store) -> dict[str, Any]:
    """Everything that can be read, by what it is.

    MongoDB writes page by page: it may have more pages compared again than SQLite (``compared`` is 0), never fewer
    for good.
    """

    def settled(pages: Sequence[PageRecord]) -> list[PageRecord]:
        return [replace(it, compared=0) for it in pages]

    found: dict[str, Any] = {"topics": dict(await store.topics())}
    for topic in TOPICS:
        read: dict[str, Any] = {
            f"pages {order}": settled(await listed(store.pages(topic, order=order, with_html=True)))
            for order in get_args(PageOrder)
        }
        read |= {
            "copies too": settled(await listed(store.pages(topic, copies=True))),
            "withdrawn": settled(await listed(store.pages(topic, withdrawn=True, with_html=True))),
            "limited": settled(await listed(store.pages(topic, limit=2))),
            "since": settled(await listed(store.pages(topic, since=NOON + timedelta(seconds=40)))),
            "outcomes": timeless(await listed(store.outcomes(topic))),
            "outcomes of a run": await listed(store.outcomes(topic, run_id="run-1")),
            "runs": list(await store.runs(topic)),
            "count": await store.count(topic),
            "size": await store.size(topic),
            "titles": await listed(store.titles(topic)),
            "attachments": settled(await store.attachments(topic, url(0))),
            "standings": sorted(await listed(store.standings(topic)), key=repr),
            "headlines": sorted(await listed(store.headlines(topic)), key=lambda it: it.url),
            "near misses": await listed(store.near_misses(topic)),
            "visits": await listed(store.visits(topic)),
            "changes": await listed(store.changes(topic)),
            "notes": await listed(store.desk(topic, "note")),
            "tags": await listed(store.desk(topic, "tag", prefix="a")),
            "odd keys": await listed(store.desk(topic, "note", prefix="%")),
            "copies": dict(await store.copies(topic)),
            "stories": await listed(store.stories(topic)),
            "newest stories": await listed(store.stories(topic, order="newest", least=1)),
            "sharing": {
                token: sorted(urls)
                for token, urls in (await store.sharing(topic, (1, 2, 3, 5), most=9)).items()
            },
        }
        for number in range(PAGES):
            page = await store.page(topic, url(number))
            read[f"page {number}"] = settled([page] if page else [])
            outcome = await store.outcome(topic, url(number))
            read[f"outcome {number}"] = timeless([outcome] if outcome else [])
            read[f"versions {number}"] = list(await store.versions(topic, url(number)))
            story = record_id(topic, url(number))
            read[f"members {number}"] = settled(await store.members(topic, story))
        found[topic] = read
    return found


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Names of what differs, with both values."""
    pairs = [("topics", one["topics"], other["topics"])]
    pairs += [(f"{t} {k}", one[t][k], other[t][k]) for t in TOPICS for k in one[t]]
    return [f"{name}:\n  {here}\n  {there}" for name, here, there in pairs if here != there]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_the_stores_are_equal_after_any_calls(
    seed: int, tmp_path: Path, mongo_database_uri: str
) -> None:
    async def compare() -> None:
        async with (
            opened(open_store(f"sqlite:///{tmp_path}/s.sqlite")) as sqlite,
            opened(open_store(mongo_database_uri)) as mongo,
        ):
            calls, made = Calls(seed), []
            for number in range(1, CALLS + 1):
                name, call = calls()
                made.append(name)
                assert await call(sqlite) == await call(mongo), made[-COMPARED_EVERY:]
                if number % COMPARED_EVERY == 0:
                    found = differences(await content(sqlite), await content(mongo))
                    assert not found, (made[-COMPARED_EVERY:], "\n".join(found)[:3_000])

    asyncio.run(compare())
