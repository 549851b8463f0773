"""Watches the collection of one topic: applies the rules to what is new in the store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from topiccrawl.alerts.finding import PageRules, StoryMatch, host_alerts, story_alerts, story_of
from topiccrawl.alerts.records import ALERT, STATE, Alert, subject_key
from topiccrawl.alerts.rules import HealthRule, HostRule, VolumeRule, WordRule
from topiccrawl.alerts.runs import SIGN, intervals, run_alerts
from topiccrawl.alerts.volumes import Counts, volume_alerts
from topiccrawl.store.desk import DeskRecord

if TYPE_CHECKING:
    from topiccrawl.alerts.settings import AlertSettings
    from topiccrawl.store.contract import Store
    from topiccrawl.store.records import PageRecord, RunRecord

__all__ = ["Found", "Watch"]

#: How long before the last look pages are read again: records become durable some time after the page
#: was fetched (batches; an article of several parts).
_OVERLAP: Final = timedelta(minutes=10)
#: How long a page may wait to be compared with others before it counts as a story of its own (a guess:
#: comparing runs in the background within seconds).
_COMPARING: Final = timedelta(minutes=5)
#: Hosts found within this time of the first page are those that the collection began with.
_BEGINNING: Final = timedelta(days=1)
#: Pages that are remembered as done (a choice: some megabytes).
_MOST_DONE: Final = 50_000
_CURSOR: Final = "cursor"


@dataclass(slots=True)
class Found:
    """What a look at the store has found."""

    alerts: list[Alert] = field(default_factory=list)
    until: datetime | None = None
    """Time up to which everything was looked at."""
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
        self._every = settings.channel_names
        self._pages = PageRules(settings.rules_of(WordRule, topic))
        self._hosts = settings.rules_of(HostRule, topic)
        self._health = settings.rules_of(HealthRule, topic)
        self._counts = [Counts(rule) for rule in settings.rules_of(VolumeRule, topic)]
        self._known: dict[str, datetime] = {}
        """Time at which each host was found."""
        self._first_run = ""
        self._read_until: datetime | None = None
        self._done: dict[str, str] = {}
        """Hash of the body of pages that need not be looked at again, by id."""

    async def cursor(self) -> datetime | None:
        """Return the time up to which the pages were looked at; ``None`` if they never were."""
        entry = await self._store.desk_entry(self._topic, STATE, _CURSOR)
        return None if entry is None else datetime.fromisoformat(str(entry.value["until"]))

    async def looked(self, until: datetime) -> None:
        """Note that everything up to *until* was looked at."""
        value = {"until": until.isoformat()}
        record = DeskRecord(topic=self._topic, kind=STATE, key=_CURSOR, at=until, value=value)
        await self._store.write(desk=[record])

    async def look(self, since: datetime | None = None) -> Found:
        """Return the warnings of what is new since *since*, else since the last look.

        If there was none, since the beginning of the last run.
        """
        now = self._clock()
        runs = await self._store.runs(self._topic)
        since = since or await self.cursor() or _last_start(runs) or now
        found = Found(until=now)
        signs = await self._signs()
        if self._health:
            found.alerts += run_alerts(
                self._topic, runs, signs, self._health, self._every, since, now, self._run
            )
        patient = any(now - at <= timedelta(seconds=every) for at, every in signs.values())
        new = await self._new_pages(since, found) if self._pages or self._hosts else []
        if self._hosts or self._counts:
            await self._read_headlines(now)
        if self._hosts:
            self._first_run = runs[0].id if runs else ""
            found.alerts += self._new_hosts(new, since, now)
        if self._pages:
            found.alerts += await self._stories(new, now, patient=patient)
        for counts in self._counts:
            found.alerts += await self._volume(counts, runs, signs, now)
        return found

    async def _new_pages(self, since: datetime, found: Found) -> list[PageRecord]:
        pages = []
        start = since - _OVERLAP
        async for page in self._store.pages(self._topic, since=start, copies=True):
            if self._done.get(page.id) == page.content_hash:
                continue
            found.pages += 1
            if self._hosts or self._pages.match(page) is not None:
                pages.append(page)
            else:
                self._done[page.id] = page.content_hash
        if len(self._done) > _MOST_DONE:
            self._done.clear()
        return pages

    async def _read_headlines(self, now: datetime) -> None:
        """Read what is new among all pages, for the counts and the hosts."""
        since = None if self._read_until is None else self._read_until - _OVERLAP
        batch = []
        async for it in self._store.headlines(self._topic, since=since):
            seen = it.first_seen or it.fetched_at
            known = self._known.get(it.site)
            if known is None or seen < known:
                self._known[it.site] = seen
            batch.append(it)
        for counts in self._counts:
            counts.add(batch)
        self._read_until = now

    def _new_hosts(
        self, pages: Sequence[PageRecord], since: datetime, now: datetime
    ) -> list[Alert]:
        """Return a warning for each host that was first found since *since*, after the beginning."""
        if not self._known:
            return []
        begun = min(self._known.values()) + _BEGINNING
        limit = max(since - _OVERLAP, begun)
        new = [
            page
            for page in pages
            if self._known.get(page.site, now) >= limit and page.run_id != self._first_run
        ]
        known = (host for host, seen in self._known.items() if seen < limit)
        return host_alerts(self._topic, new, known, self._hosts, self._every, now)

    async def _stories(
        self, pages: Sequence[PageRecord], now: datetime, *, patient: bool
    ) -> list[Alert]:
        """Return a warning for each story; *patient* leaves pages out that may yet turn out as copies."""
        matches: dict[str, list[StoryMatch]] = defaultdict(list)
        for page in pages:
            match = self._pages.match(page)
            if match is None:
                continue
            seen = page.first_seen or page.fetched_at
            if patient and not page.compared and now - seen < _COMPARING:
                continue
            matches[story_of(page)].append(match)
        if not matches:
            return []
        warned = {it.key async for it in self._store.desk(self._topic, ALERT)}
        chosen: list[StoryMatch] = []
        for story, members in matches.items():
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
        runs: Sequence[RunRecord],
        signs: Mapping[str, tuple[datetime, float]],
        now: datetime,
    ) -> list[Alert]:
        warned = None
        async for record in self._store.desk(self._topic, ALERT):
            if record.value["kind"] == "volume" and counts.rule.name in record.value["rules"]:
                start = datetime.fromisoformat(str(record.value["subject"]))
                warned = start if warned is None else max(warned, start)
        spans = intervals(runs, signs, now)
        if not spans and self._known:
            spans = [(min(self._known.values()), max(self._known.values()))]
        return volume_alerts(self._topic, counts, spans, warned, self._every, now)

    async def _signs(self) -> dict[str, tuple[datetime, float]]:
        """Return the signs of life of runs: when, and the seconds to the next."""
        return {
            it.key.removeprefix(SIGN): (it.at.astimezone(UTC), float(str(it.value["every"])))
            async for it in self._store.desk(self._topic, STATE, prefix=SIGN)
        }


def _last_start(runs: Iterable[RunRecord]) -> datetime | None:
    return max((it.started_at for it in runs), default=None)
