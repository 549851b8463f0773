"""Watches the collection of one topic: applies the rules to what is new in the store."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from topiccrawl.alerts.finding import PageRules, StoryMatch, host_alerts, story_alerts, story_of
from topiccrawl.alerts.records import ALERT, KEPT, STATE, Alert, subject_key, value_of
from topiccrawl.alerts.rules import HostRule, VolumeRule, WordRule
from topiccrawl.alerts.runs import SIGN, intervals, run_alerts
from topiccrawl.alerts.volumes import Counts, volume_alerts
from topiccrawl.steps import pieces
from topiccrawl.store.desk import DeskRecord

if TYPE_CHECKING:
    from topiccrawl.alerts.settings import AlertSettings
    from topiccrawl.store.contract import Store
    from topiccrawl.store.headlines import PageHeadline
    from topiccrawl.store.records import RunRecord

#: How long before the last look what has changed in the store is read again: the clocks of machines differ
#: (a guess).
_OVERLAP: Final = timedelta(minutes=10)
#: By how much the clocks of machines differ (a guess).
_CLOCKS: Final = timedelta(minutes=1)
#: Pages that are read with their texts at a time (a choice: a megabyte).
_PAGES_AT_ONCE: Final = 100
#: How long a page may wait to be compared with others before it counts as a story of its own (a guess:
#: comparing runs in the background within seconds).
_COMPARING: Final = timedelta(minutes=5)
#: Hosts found within this time of the first page are those that the collection began with.
_BEGINNING: Final = timedelta(days=1)
#: The same for hosts that the first run has found.
_FIRST_RUN: Final = timedelta(days=7)
#: How much of the last run is looked at when a topic is watched for the first time.
_LAST: Final = timedelta(days=1)
#: Pages that are remembered as done (a choice: some megabytes).
_MOST_DONE: Final = 50_000
_CURSOR: Final = "cursor"


@dataclass(slots=True)
class Found:
    """What a look at the store has found."""

    start: datetime
    """Time from which on the topic is watched."""
    until: datetime
    """Time up to which everything was looked at."""
    alerts: list[Alert] = field(default_factory=list)
    pages: int = 0
    """Pages that were read."""


class Watch:
    """Finds warnings in the store; :meth:`look` can be called as often as one likes.

    What was looked at is noted in the store by :meth:`looked`, after the warnings were claimed, so that
    another process, or the next run, goes on from there.
    """

    def __init__(
        self,
        store: Store,
        topic: str,
        settings: AlertSettings,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        run: str = "",
    ) -> None:
        """*run* is the id of the run that watches, if one does."""
        self._store = store
        self._topic = topic
        self._clock = clock
        self._run = run
        self._settings = settings
        self._every = settings.channel_names
        self._pages = PageRules(settings.rules_of(WordRule, topic))
        self._hosts = settings.rules_of(HostRule, topic)
        self._counts = [Counts(rule) for rule in settings.rules_of(VolumeRule, topic)]
        self._first: dict[str, PageHeadline] = {}
        """The page of each host that was found first."""
        self._read_until: datetime | None = None
        self._done: dict[str, str] = {}
        """State of pages that need not be looked at again, by URL."""

    def use(self, store: Store) -> None:
        """Go on with another connection, for a run that has ended."""
        self._store = store
        self._run = ""

    async def cursor(self) -> tuple[datetime, datetime] | None:
        """Return since when the topic is watched, and up to when it was; ``None`` if it never was."""
        entry = await self._store.desk_entry(self._topic, STATE, _CURSOR)
        if entry is None:
            return None
        value = value_of(entry)
        return datetime.fromisoformat(value["start"]), datetime.fromisoformat(value["until"])

    async def looked(self, found: Found) -> None:
        """Note that everything was looked at that *found* is about."""
        value = {"start": found.start.isoformat(), "until": found.until.isoformat()}
        record = DeskRecord(topic=self._topic, kind=STATE, key=_CURSOR, at=found.until, value=value)
        await self._store.write(desk=[record])

    async def look(self, since: datetime | None = None) -> Found:
        """Return the warnings of what is new since *since*, else since the last look.

        If there was none, since the beginning of the last run, at most a day before its end.
        """
        now = self._clock()
        runs = await self._store.runs(self._topic)
        signs = await self._signs()
        spans = intervals(runs, signs, now)
        start, until = await self.cursor() or (None, None)
        start = since or start or _last(spans) or now
        until = since or until or start
        found = Found(start=start, until=now)
        # Of what was found before, warnings are no longer there, which would show that it is known.
        start = since or max(start, min(until, now - KEPT))
        if until - now > _CLOCKS:
            # The clock was set back: what has changed since then seems to be older than the last look.
            until = start
        found.alerts += run_alerts(self._settings, self._topic, runs, signs, start, now, self._run)
        if self._hosts or self._counts:
            await self._read_headlines(now)
        if self._hosts:
            found.alerts += self._new_hosts(runs, start, now)
        if self._pages:
            matches = await self._new_pages(start, until, found)
            patient = any(now - at <= timedelta(seconds=every) for at, every in signs.values())
            found.alerts += await self._stories(matches, now, patient=patient)
        for counts in self._counts:
            found.alerts += await self._volume(counts, spans, now)
        return found

    async def _new_pages(self, start: datetime, until: datetime, found: Found) -> list[StoryMatch]:
        """Return the pages that fulfill a rule: found since *start*, and in the store since *until*."""
        wanted = []
        async for it in self._store.headlines(self._topic, since=until - _OVERLAP):
            seen = max(it.first_seen, it.changed_at or it.first_seen)
            mark = f"{it.changed_at} {it.story}"
            if it.withdrawn_at is None and seen >= start and self._done.get(it.url) != mark:
                wanted.append((it.url, mark))
        found.pages = len(wanted)
        if len(self._done) > _MOST_DONE:
            self._done.clear()
        found_matches: list[StoryMatch] = []
        for piece in pieces(wanted, _PAGES_AT_ONCE):
            some = dict(piece)
            read = await self._store.pages_at(self._topic, list(some))
            # Normalizing the texts of 100 pages takes some tenths of a second.
            matches = await asyncio.to_thread(lambda: [(it, self._pages.match(it)) for it in read])  # noqa: B023
            for page, match in matches:
                if match is None:
                    self._done[page.url] = some[page.url]
                else:
                    found_matches.append(match)
        return found_matches

    async def _read_headlines(self, now: datetime) -> None:
        """Read what is new among all pages, for the counts and the hosts."""
        until = self._read_until
        # All, if the clock was set back.
        since = None if until is None or until - now > _CLOCKS else until - _OVERLAP
        batch = []
        async for it in self._store.headlines(self._topic, since=since):
            batch.append(it)
            first = self._first.get(it.site)
            if it.withdrawn_at is None and (first is None or it.first_seen < first.first_seen):
                self._first[it.site] = it
        for counts in self._counts:
            await asyncio.to_thread(counts.add, batch)
            await asyncio.to_thread(counts.forget, now)
        self._read_until = now

    def _new_hosts(self, runs: Sequence[RunRecord], start: datetime, now: datetime) -> list[Alert]:
        """Return a warning for each host that was first found since *start*, after the beginning."""
        if not self._first:
            return []
        first = min(it.first_seen for it in self._first.values())
        run = runs[0].id if runs else None
        later = [
            it
            for it in self._first.values()
            if it.first_seen >= first + (_FIRST_RUN if it.run_id == run else _BEGINNING)
        ]
        known = len(self._first) - sum(it.first_seen >= start for it in later)
        return host_alerts(self._topic, later, start, known, self._hosts, self._every, now)

    async def _stories(
        self, matches: Sequence[StoryMatch], now: datetime, *, patient: bool
    ) -> list[Alert]:
        """Return a warning for each story; *patient* leaves pages out that may yet turn out as copies."""
        stories: dict[str, list[StoryMatch]] = defaultdict(list)
        for match in matches:
            seen = match.page.first_seen or match.page.fetched_at
            if not (patient and not match.page.compared and now - seen < _COMPARING):
                stories[story_of(match.page)].append(match)
        if not stories:
            return []
        warned = {it.key async for it in self._store.desk(self._topic, ALERT)}
        chosen: list[StoryMatch] = []
        for story, members in stories.items():
            if subject_key("story", self._topic, story) in warned:
                continue
            ids = {it.id for it in await self._store.members(self._topic, story)}
            # The id of a story is that of a member, also of one that has merged with others.
            if not any(subject_key("story", self._topic, id_) in warned for id_ in ids):
                chosen += members
        return story_alerts(self._topic, chosen, self._pages, self._every, now)

    async def _volume(
        self,
        counts: Counts,
        spans: Sequence[tuple[datetime, datetime]],
        now: datetime,
    ) -> list[Alert]:
        warned = None
        async for record in self._store.desk(self._topic, ALERT):
            value = value_of(record)
            if value["kind"] == "volume" and counts.rule.name in value["rules"]:
                start = datetime.fromisoformat(value["subject"])
                warned = start if warned is None else max(warned, start)
        if not spans and self._first:  # written by other programs
            seen = [it.first_seen for it in self._first.values()]
            spans = [(min(seen), now)]
        # It goes over all pages of three months.
        return await asyncio.to_thread(
            volume_alerts, self._topic, counts, spans, warned, self._every, now
        )

    async def _signs(self) -> dict[str, tuple[datetime, float]]:
        """Return the signs of life of runs: when, and the seconds to the next."""
        return {
            it.key.removeprefix(SIGN): (it.at.astimezone(UTC), float(str(it.value["every"])))
            async for it in self._store.desk(self._topic, STATE, prefix=SIGN)
        }


def _last(spans: Iterable[tuple[datetime, datetime]]) -> datetime | None:
    """Return the beginning of the last run, or of its last day."""
    start, end = max(spans, default=(None, None))
    return None if start is None or end is None else max(start, end - _LAST)
