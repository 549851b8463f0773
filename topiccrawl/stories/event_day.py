"""Choose the day of a report's event among the times that it names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.stories.time_spans import TimeSpan
from topiccrawl.stories.times import find_times

if TYPE_CHECKING:
    from datetime import datetime

    from topiccrawl.stories.leads import Lead

# All weights are guesses, kept because they hold on the first set of ``benchmarks/event_reports``.
#: Points of a time in the first sentence, and how many fewer in each further one.
_FIRST: Final = 3.0
_LATER: Final = 0.5
_LATEST: Final = 2.0
#: Clauses on what was before: foundation, birth, earlier occasions, periods until today.
_BACKGROUND: Final = re.compile(
    r"成立|创办|创立|创刊|始建|建于|建成|投产|出生|生于|\d年生|月生|毕业|参加工作|入党|入选|上一?(?:届|次|回)|曾|此前|以来|"
    r"首次|首届|去年同期|自.{0,16}(?:起|后|开始)|历史上|当年|签约时|达成意向|父母|受害人"
)
#: What follows a time that is a limit or a period.
_LIMIT: Final = re.compile(r"^(?:之?前|以前|为止|截止|起|以来|后|竣工|到期)")
#: Before a day that comes again and again: 每到周末.
_RECURRING: Final = re.compile(r"(?:每|每到|每逢|逢)$")
#: What follows the day of a dateline.
_DATELINE: Final = re.compile(r"^\s?(?:电|讯|消息|报道|[\u4e00-\u9fff]{0,4}消息)")
_AHEAD: Final = re.compile(r"将|拟|定于|计划|预计|即将|预定|明[天日]|后[天日]|下周")
#: Points of a dateline: it counts where nothing else is named.
_LINE_POINTS: Final = 0.6
#: Days from the publication: near ones, remote ones, and those that no report calls its own.
_NEAR: Final = 10
_REMOTE: Final = 45
_OLD: Final = 300
_COARSE: Final = frozenset({"vague", "year", "part-year", "month", "part-month", "week"})


@dataclass(frozen=True, slots=True)
class DayFound:
    """A time with its points."""

    span: TimeSpan
    points: float


def find_day(lead: Lead, published: datetime) -> DayFound | None:
    """Return the time of the event, resolved against *published*; ``None`` if the report states no day."""
    best: DayFound | None = None
    spans = find_times(lead.text, published)
    vague = min(
        (lead.sentence(it.place) for it in spans if it.precision == "vague" and len(it.text) <= 3),
        default=99,
    )
    for span in spans:
        before = lead.text[max(0, span.place - 4) : span.place]
        if span.precision in _COARSE or _RECURRING.search(before):
            continue
        found = DayFound(span, _points(lead, span, published, vague))
        if found.points > 0 and (best is None or found.points > best.points):
            best = found
    return best


def _points(lead: Lead, span: TimeSpan, published: datetime, vague: int) -> float:
    after = lead.text[span.place + len(span.text) :][:12]
    if _DATELINE.match(after) and lead.sentence(span.place) <= 2:
        # 近日 instead of a day is said on purpose.
        return 0.0 if vague <= 2 else _LINE_POINTS
    sentence = lead.sentence(span.place)
    points = _FIRST - min(_LATER * max(sentence - 1, 0), _LATEST)
    if vague < sentence:
        points -= 1.0
    clause = lead.clause_text(span.place)
    if _BACKGROUND.search(clause):
        points -= 2.5
    if _LIMIT.match(after):
        points -= 2.0
    today = published.astimezone(CHINA_TIME).date()
    away = (today - span.first.date()).days
    if away < 0 and not _AHEAD.search(clause):
        points -= 0.8
    if abs(away) > _OLD:
        points -= 3.0
    elif abs(away) > _REMOTE:
        points -= 1.5
    elif -_NEAR <= away <= _NEAR:
        points += 1.0
    if span.days > _REMOTE:
        points -= 3.0
    return points
