"""Pages of a collection with planted stories: events, sites, authors, days over two years.

What is planted is written to the store, too, as desk records of the kind ``planted``: of each story its
members in the order of their publication, each with the one that it was taken from.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final

import opencc

from benchmarks.desk.words import Vocabulary, event_title
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.desk import JSON, DeskRecord
from topiccrawl.store.records import OutcomeRecord, PageRecord, RunRecord

#: First day, and number of days.
FIRST_DAY: Final = datetime(2024, 11, 1, tzinfo=UTC)
DAYS: Final = 730

#: Topics with their shares of the pages.
TOPICS: Final = {"侨情": 0.9, "科技": 0.1}

#: Share of the stories that have copies, and of the pages in traditional characters.
_COPIED, _TRADITIONAL = 0.16, 0.06

#: Runs of the crawler, one every so many days.
_RUN_DAYS: Final = 14


@dataclass(frozen=True, slots=True)
class Site:
    """A web site of the generated web."""

    host: str
    name: str
    authors: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Batch:
    """Records to write in one call."""

    pages: list[PageRecord]
    outcomes: list[OutcomeRecord]
    desk: list[DeskRecord]


class Collection:
    """The generated collection of *pages* pages."""

    def __init__(self, pages: int, seed: int = 0) -> None:
        self.pages = pages
        self.vocabulary = Vocabulary(seed)
        self._random = Random(f"collection {seed}")
        self._convert = opencc.OpenCC("s2t").convert
        self.sites = [self._site(number) for number in range(240)]
        self._days = self._weights()
        self._number = 0

    def runs(self) -> list[RunRecord]:
        """Return the runs that stored the pages."""
        found = []
        for topic in TOPICS:
            for number in range(DAYS // _RUN_DAYS + 1):
                start = FIRST_DAY + timedelta(days=number * _RUN_DAYS)
                found.append(
                    RunRecord(
                        topic=topic,
                        id=f"run-{number:03}",
                        started_at=start,
                        finished_at=start + timedelta(days=_RUN_DAYS, seconds=-1),
                        stop_reason="finished",
                        strategy="ipagerank-rwb",
                    )
                )
        return found

    def batches(self, size: int = 500) -> Iterator[Batch]:
        """Yield all records in batches of about *size* pages."""
        batch = Batch([], [], [])
        for topic, share in TOPICS.items():
            left = round(self.pages * share)
            while left > 0:
                story, planted = self._story(topic, left)
                left -= len(story)
                batch.pages.extend(story)
                batch.outcomes.extend(map(_outcome, story))
                batch.desk.extend(planted)
                if len(batch.pages) >= size:
                    yield batch
                    batch = Batch([], [], [])
        if batch.pages:
            yield batch

    def _site(self, number: int) -> Site:
        random = self._random
        name = "".join(random.choices(self.vocabulary.words[:800], k=2)) + random.choice("网报台")
        people = tuple(random.choices(self.vocabulary.people, k=random.randint(2, 12)))
        host = f"{random.choice(('www', 'news', 'qw', 'm'))}.site{number:03}.example"
        return Site(host, name, people, 1 / (number + 4))

    def _weights(self) -> list[float]:
        """Return the weight of each day: weeks, growth, and some days without a crawl."""
        found = []
        for day in range(DAYS):
            weekday = (FIRST_DAY + timedelta(days=day)).weekday()
            week = 0.45 if weekday >= 5 else 1.0
            gap = 0.02 if day % 211 in range(4) else 1.0
            found.append(week * gap * (1 + day / DAYS) * (1 + 0.2 * math.sin(day / 29)))
        return found

    def _story(self, topic: str, most: int) -> tuple[list[PageRecord], list[DeskRecord]]:
        """Return the pages of one event: an original and, of some, copies on other sites."""
        random = self._random
        title, place, body = event_title(random)
        own = [place, body, *(self.vocabulary.word(random) for _ in range(4))]
        own += random.sample(self.vocabulary.people, 2)
        day = random.choices(range(DAYS), self._days)[0]
        moment = FIRST_DAY + timedelta(days=day, minutes=random.randint(0, 1439))
        length = min(60, max(4, round(random.lognormvariate(2.9, 0.6))))
        first = self._page(topic, title + self.vocabulary.word(random), own, moment, length)
        count = 0
        if random.random() < _COPIED:
            count = min(most - 1, int(random.paretovariate(1.3)), 120)
        if not count:
            return [replace(first, story=first.id)], []
        return self._copies(first, own, count)

    def _copies(
        self, first: PageRecord, own: list[str], count: int
    ) -> tuple[list[PageRecord], list[DeskRecord]]:
        random = self._random
        members = [replace(first, story=first.id)]
        parents = [""]
        sites = random.choices(self.sites, [it.weight for it in self.sites], k=count)
        for site in sites:
            source = random.choice(members[: max(1, len(members) // 3)])
            parents.append(source.url)
            after = timedelta(minutes=random.expovariate(1 / 900))
            moment = (source.published_at or first.fetched_at) + after
            relation = random.choices(("copy", "edited", "excerpt"), (6, 3, 1))[0]
            page = self._page(first.topic, first.title, own, moment, 0, site)
            sentences = first.body.split("\n")
            if relation == "excerpt":
                sentences = sentences[: max(1, len(sentences) // 2)]
            elif relation == "edited":
                sentences = [*sentences, self.vocabulary.sentence(random, own)]
            body = "\n".join(sentences)
            named = next(it.name for it in self.sites if it.host == source.site)
            members.append(
                replace(
                    page,
                    body=body,
                    content_hash=_digest(body),
                    story=first.id,
                    copy_of=first.url,
                    relation=relation,
                    relation_detail=("planted",),
                    source=named if random.random() < 0.7 else "",
                )
            )
        value: dict[str, JSON] = {
            "url": first.url,
            "members": [
                {"url": page.url, "from": parent, "relation": page.relation}
                for page, parent in zip(members, parents, strict=True)
            ],
        }
        planted = DeskRecord(
            topic=first.topic, kind="planted", key=first.id, at=first.fetched_at, value=value
        )
        return members, [planted]

    def _page(
        self,
        topic: str,
        title: str,
        own: list[str],
        moment: datetime,
        sentences: int,
        site: Site | None = None,
    ) -> PageRecord:
        random = self._random
        self._number += 1
        site = site or random.choices(self.sites, [it.weight for it in self.sites])[0]
        url = f"http://{site.host}/{moment:%Y/%m/%d}/{self._number}.html"
        body = "\n".join(self.vocabulary.text(random, own, sentences))
        language = "zh-Hans"
        if random.random() < _TRADITIONAL:
            title, body, language = self._convert(title), self._convert(body), "zh-Hant"
        fetched = moment + timedelta(minutes=random.randint(5, 2_000))
        run = max(0, (fetched - FIRST_DAY).days // _RUN_DAYS)
        probability = round(random.betavariate(6, 2), 3)
        stated = random.random() < 0.93
        return PageRecord(
            topic=topic,
            url=url,
            final_url=url,
            fetched_at=fetched,
            published_at=moment if stated else None,
            relevance=round(probability * random.uniform(0.2, 0.6), 4),
            probability=probability,
            compared=1,
            title=title,
            site=site.host,
            site_name=site.name,
            charset="utf-8",
            language=language,
            content_hash=_digest(body),
            run_id=f"run-{min(run, DAYS // _RUN_DAYS):03}",
            main_terms=tuple((word, round(0.3 / (at + 1), 3)) for at, word in enumerate(own[:4])),
            link=LinkEvidence(1.5, {"rw": 0.5, "rwb": 1.0}, f"http://{site.host}/", title, 2),
            author=random.choice(site.authors) if random.random() < 0.8 else "",
            kind=random.choices(("article", "list", "thread", "other"), (88, 5, 4, 3))[0],
            keywords=tuple(own),
            summary=body[:80],
            body=body,
        )


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _outcome(page: PageRecord) -> OutcomeRecord:
    return OutcomeRecord(
        topic=page.topic,
        url=page.url,
        verdict="duplicate" if page.copy_of else "stored",
        reason=page.relation or "relevant",
        detail="",
        at=page.fetched_at,
        run_id=page.run_id,
        sequence=1,
        title=page.title,
        site=page.site,
        relevance=page.relevance,
        probability=page.probability,
        link=page.link,
    )
