"""From pages to warnings: stories with certain words, and first pages of hosts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.alerts.records import Alert, AlertPage, subject_key
from topiccrawl.alerts.words import Matcher
from topiccrawl.insight.days import day_of_moment
from topiccrawl.urls.domains import registered_domain

if TYPE_CHECKING:
    from topiccrawl.alerts.rules import HostRule, WordRule
    from topiccrawl.store.headlines import PageHeadline
    from topiccrawl.store.records import PageRecord

#: Characters of a body that are searched (a choice: a long report).
_MOST_BODY: Final = 200_000


def story_of(page: PageRecord) -> str:
    """Return the id of the page's story; a page that was not compared yet is a story by itself."""
    return page.story or page.id


def page_of(page: PageRecord) -> AlertPage:
    """Return the fields of *page* that a warning shows."""
    return AlertPage(page.url, page.title, page.site, page.published_at)


@dataclass(frozen=True, slots=True)
class StoryMatch:
    """A page whose text fulfills rules."""

    page: PageRecord
    words: Mapping[str, Sequence[str]]
    """The words that were found, by the name of the rule."""


class PageRules:
    """Applies the rules about words to pages of one topic."""

    def __init__(self, rules: Iterable[WordRule]) -> None:
        self._rules = [(rule, Matcher(rule.words, rule.least)) for rule in rules]
        self._by_name = {rule.name: rule for rule, _matcher in self._rules}

    def __bool__(self) -> bool:
        """Whether there are rules."""
        return bool(self._rules)

    def match(self, page: PageRecord) -> StoryMatch | None:
        """Return the rules that *page* fulfills; ``None`` if there are none."""
        texts: dict[tuple[str, ...], str] = {}
        found: dict[str, Sequence[str]] = {}
        for rule, matcher in self._rules:
            if not rule.takes_site(page.site):
                continue
            where = tuple(rule.where)
            if where not in texts:
                texts[where] = "\n".join(str(getattr(page, it))[:_MOST_BODY] for it in where)
            words = matcher(texts[where])
            if words is not None:
                found[rule.name] = words
        return StoryMatch(page, found) if found else None

    def channels(self, names: Iterable[str], every: Sequence[str]) -> tuple[str, ...]:
        """Return the channels of the rules *names*; *every* channel for a rule that names none."""
        wanted: dict[str, None] = {}
        for name in names:
            wanted.update(dict.fromkeys(self._by_name[name].channels or every))
        return tuple(wanted)


def story_alerts(
    topic: str, matches: Iterable[StoryMatch], rules: PageRules, every: Sequence[str], at: datetime
) -> list[Alert]:
    """Return one warning for each story among *matches*, in the order of their first pages."""
    stories: dict[str, list[StoryMatch]] = defaultdict(list)
    for match in matches:
        stories[story_of(match.page)].append(match)
    alerts = []
    for story, members in stories.items():
        members.sort(key=lambda it: (bool(it.page.copy_of), _seen(it.page), it.page.url))
        words: dict[str, dict[str, None]] = defaultdict(dict)
        for match in members:
            for name, found in match.words.items():
                words[name].update(dict.fromkeys(found))
        facts: dict[str, Any] = {
            "words": {name: list(found) for name, found in words.items()},
            "members": len(members),
        }
        alerts.append(
            Alert(
                key=subject_key("story", topic, story),
                kind="story",
                rules=tuple(words),
                channels=rules.channels(words, every),
                subject=story,
                at=at,
                facts=facts,
                pages=tuple(page_of(it.page) for it in members),
            )
        )
    return alerts


def host_alerts(
    topic: str,
    first_pages: Iterable[PageHeadline],
    start: datetime,
    known: int,
    rules: Sequence[HostRule],
    every: Sequence[str],
    at: datetime,
) -> list[Alert]:
    """Return a warning for the new hosts of each domain and day, with their first pages.

    A domain may answer under any number of names: its hosts that are new on one day in China are one subject,
    named by the first of them.  Days count whose first host was found since *start*: those hosts that come
    after are no subject of their own.  *known* is the number of hosts that are not new.
    """
    found: dict[tuple[str, int, tuple[str, ...]], list[PageHeadline]] = defaultdict(list)
    for page in sorted(first_pages, key=lambda it: (it.first_seen, it.url)):
        names = tuple(rule.name for rule in rules if rule.takes_site(page.site))
        if names and page.site:
            day = day_of_moment(page.first_seen)
            found[registered_domain(page.site), day, names].append(page)
    alerts = []
    for (domain, _day, names), pages in found.items():
        first = pages[0]
        if first.first_seen < start:
            continue
        mine = [rule for rule in rules if rule.name in names]
        channels = dict.fromkeys(name for rule in mine for name in (rule.channels or every))
        alerts.append(
            Alert(
                key=subject_key("host", topic, first.site),
                kind="host",
                rules=names,
                channels=tuple(channels),
                subject=first.site,
                at=at,
                facts={"known": known, "hosts": len(pages), "domain": domain},
                pages=tuple(AlertPage(it.url, it.title, it.site, it.published_at) for it in pages),
            )
        )
    return alerts


def _seen(page: PageRecord) -> datetime:
    return page.first_seen or page.fetched_at
