"""The words of warnings: headline and details of each, in Chinese or English.

Everything that comes from pages is one line without control and direction characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from topiccrawl.alerts.records import Alert, AlertPage
from topiccrawl.alerts.rules import Interval
from topiccrawl.endings import STOP_REASONS
from topiccrawl.language import N_, Language, in_language, labeled, listed
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.reporting.markup import clean, is_web_link
from topiccrawl.reporting.scale import stated_moment

#: Characters of titles, and of words and names (a choice: a line of a telephone or two).
_TITLE: Final = 120
_NAME: Final = 60
#: Longest URL that becomes a link (a choice; robots limit the bytes of a message).
_MOST_URL: Final = 1_000


class CheckWords(NamedTuple):
    """What a check of a crawl's health is called, and what is written when it finds a problem."""

    name: str
    headline: str
    details: str
    """With the facts of the problem in braces."""


#: By :data:`~topiccrawl.alerts.rules.Check`.
CHECK_WORDS: Final[Mapping[str, CheckWords]] = {
    "harvest": CheckWords(
        N_("harvest rate"),
        N_("The crawl finds next to nothing any more"),
        N_("{relevant} of the last {pages} pages were on topic, before {before:.0%}"),
    ),
    "blocks": CheckWords(
        N_("blocks"),
        N_("Sites block the crawl"),
        N_("{blocking} of {hosts} hosts answer with block pages or captchas: {names}"),
    ),
    "queue": CheckWords(
        N_("empty queue"),
        N_("The crawl has nothing left to fetch"),
        N_("the queue is empty after {pages} pages, and the crawl still runs"),
    ),
    "disk": CheckWords(
        N_("disk"),
        N_("The disk is nearly full"),
        N_("{free_mb} MB are free, less than {least_mb} MB"),
    ),
    "worker": CheckWords(
        N_("lost workers"),
        N_("A worker is lost"),
        N_("{lost} ended without having said so; {workers} still run"),
    ),
    "store": CheckWords(
        N_("store"),
        N_("The store is behind"),
        N_("{waiting} records wait to be written"),
    ),
    "run": CheckWords(
        N_("failed runs"),
        N_("A crawl has failed"),
        N_("run {run} ended with: {reason}"),
    ),
}
#: For a warning whose check this version does not have.
_OTHER_CHECK: Final = CheckWords("", N_("A crawl has a problem"), "")


@dataclass(frozen=True, slots=True)
class DescribedPage:
    """A page of a warning: its title, where and when; the URL is empty if it is not safe as a link."""

    title: str
    origin: str
    url: str


@dataclass(frozen=True, slots=True)
class Described:
    """A warning in words."""

    alert: Alert
    label: str
    """What kind of warning it is."""
    headline: str
    details: tuple[str, ...]
    pages: tuple[DescribedPage, ...]


def describe(alert: Alert, language: Language) -> Described:
    """Return *alert* in words."""

    def say(message: str, **values: Any) -> str:
        return in_language(message, language).format(**values)

    facts = alert.facts
    pages = tuple(_page(it, say(N_("(untitled)"))) for it in alert.pages)
    rules = say(
        N_("Rule: {names}"), names=listed((clean(it, _NAME) for it in alert.rules), language)
    )
    if alert.kind == "story":
        words = dict.fromkeys(word for found in facts["words"].values() for word in found)
        shown = clean(listed(words, language), 2 * _NAME)
        label = say(N_("Story"))
        headline = pages[0].title if pages else say(N_("(untitled)"))  # its pages were deleted
        details = [say(N_("Words: {words}"), words=shown), rules] if shown else [rules]
    elif alert.kind == "host":
        label = say(N_("New host"))
        headline = say(N_("First page of {host}"), host=clean(alert.subject, _NAME))
        details = [rules]
        if facts.get("hosts", 1) > 1:
            domain = clean(facts["domain"], _NAME)
            more = say(N_("New hosts of {domain}: {hosts}"), domain=domain, hosts=facts["hosts"])
            details = [more, rules]
    elif alert.kind == "volume":
        label = say(N_("Volume"))
        headline, details = _volume(alert, say)
        details.append(rules)
    elif alert.kind == "test":
        label, headline = say(N_("Test")), say(N_("This channel works"))
        details = []
    else:
        check = CHECK_WORDS.get(str(facts.get("check")), _OTHER_CHECK)
        label, headline = say(N_("Crawl")), say(check.headline)
        values = {k: clean(v, 2 * _NAME) if isinstance(v, str) else v for k, v in facts.items()}
        if (reason := STOP_REASONS.get(str(facts.get("reason")))) is not None:
            values["reason"] = say(reason)
        details = [say(check.details, **values)] if check.details else []
    return Described(alert, label, headline, tuple(details), pages)


def _volume(alert: Alert, say: Any) -> tuple[str, list[str]]:
    facts = alert.facts
    last = datetime.fromisoformat(alert.subject)
    when = _interval(last, facts["interval"])
    if (days := facts.get("intervals", 1)) > 1:  # of days only
        when = f"{_interval(last - timedelta(days=days - 1), 'day')}–{when}"
    values = {"count": facts["count"], "mean": facts["mean"], "when": when}
    if facts["direction"] == "rise":
        headline = say(N_("Unusually many pages ({when}): {count}, expected {mean:.0f}"), **values)
    else:
        headline = say(N_("Unusually few pages ({when}): {count}, expected {mean:.0f}"), **values)
    why = say(
        N_("so many or more by chance: {chance:.0e}; learned from {observed} intervals")
        if facts["direction"] == "rise"
        else N_("so few or fewer by chance: {chance:.0e}; learned from {observed} intervals"),
        chance=facts["chance"],
        observed=facts["observed"],
    )
    if "domains" not in facts:
        return headline, [why]
    sources = say(
        N_("domains: {domains}; {share:.0%} of the pages from {largest}"),
        domains=facts["domains"],
        share=facts["share"],
        largest=clean(facts["largest"], _NAME),
    )
    return headline, [sources, why]


def _interval(start: datetime, interval: Interval) -> str:
    """Return a day in China, or an hour of it."""
    local = start.astimezone(CHINA_TIME)
    return f"{local:%Y-%m-%d}" if interval == "day" else f"{local:%Y-%m-%d %H}:00–{local:%H}:59"


def _page(page: AlertPage, untitled: str) -> DescribedPage:
    when = ""
    if page.published_at is not None:
        when = f" {stated_moment(page.published_at)}"
    url = page.url if len(page.url) <= _MOST_URL and is_web_link(page.url) else ""
    return DescribedPage(
        clean(page.title, _TITLE) or untitled, f"{clean(page.site, _NAME)}{when}", url
    )


def message_title(topic: str, described: list[Described], language: Language) -> str:
    """Return the title of a message about these warnings."""
    name = clean(topic, _NAME)
    if len(described) == 1:
        return f"[{name}] {labeled(described[0].label, described[0].headline, language)}"
    text = in_language(N_("[{topic}] {n} warnings"), language)
    return text.format(topic=name, n=len(described))
