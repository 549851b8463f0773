"""Draw reports from templates.

Slots: ``when`` and ``When`` (day of the event, without and with its part of the day), ``day`` (its number), ``span``
(first to last day), ``line`` (a dateline: its city is mostly not the place), ``place`` and ``Place`` (short, and with
the province or country), ``region`` (province or country), ``other`` (another place), ``p1`` to ``p3`` (persons),
``f1`` (a person with a foreign name), ``o1`` and ``o2`` (organizations of the pool), ``past``, ``past2`` and
``later`` (days that are not the event's), ``n`` and ``m`` (numbers), ``rep`` (a reporter).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from benchmarks.event_reports.template import Report, Template
from topiccrawl.page.dates import CHINA_TIME


@dataclass(frozen=True, slots=True)
class Pool:
    """Names to draw from."""

    home: Sequence[tuple[str, str]]
    """Place and province."""
    abroad: Sequence[tuple[str, str]]
    """City and country."""
    surnames: str
    given: str
    foreign: Sequence[str]
    organizations: Sequence[str]
    agencies: Sequence[str]
    capitals: Sequence[str]
    """Cities of datelines."""


_WEEKDAYS = "一二三四五六日"
_PARTS = ("上午", "下午", "晚", "晚间", "清晨", "上午9时", "下午3时许", "上午10时30分")
_BARE = ("上午", "下午", "晚", "中午")


def _days(event: datetime, published: datetime, draw: random.Random) -> list[str]:
    """Return expressions that a newspaper would use for the day of the event."""
    ago = (published.date() - event.date()).days
    same_month = (event.year, event.month) == (published.year, published.month)
    found = [f"{event.month}月{event.day}日"] * 3
    if event.year != published.year or draw.random() < 0.3:
        found.append(f"{event.year}年{event.month}月{event.day}日")
    near = {
        0: ("今天", "今日"),
        1: ("昨天", "昨日"),
        2: ("前天", "前日"),
        -1: ("明天", "明日"),
        -2: ("后天",),
    }
    found += near.get(ago, ())
    if 0 <= ago <= 6 and (same_month or ago < 5):
        found += [f"{event.day}日"] * 3
    if same_month and draw.random() < 0.3:
        found.append(f"本月{event.day}日")
    monday = published.date() - timedelta(days=published.weekday())
    weeks = ((event.date() - timedelta(days=event.weekday())) - monday).days // 7
    weekday = _WEEKDAYS[event.weekday()]
    if weeks == -1:
        found.append(f"上周{weekday}")
    elif weeks == 0 and ago != 0:
        found.append(f"本周{weekday}")
    elif weeks == 1:
        found.append(f"下周{weekday}")
    if draw.random() < 0.15:
        found.append(f"{event.month}月{event.day}日（周{weekday}）")
    return found


def _year_word(day: datetime, published: datetime) -> str:
    return {0: "今年", 1: "去年"}.get(published.year - day.year, f"{day.year}年")


def _name(pool: Pool, draw: random.Random) -> str:
    return draw.choice(pool.surnames) + "".join(draw.sample(pool.given, draw.choice((1, 2, 2, 2))))


def _line(pool: Pool, place: str, published: datetime, draw: random.Random) -> str:
    """Return a dateline, by-line or nothing."""
    city = draw.choice((place, draw.choice(pool.capitals)))
    agency = draw.choice(pool.agencies)
    day = f"{published.month}月{published.day}日"
    return draw.choice(
        (
            f"{agency}{city}{day}电（记者{_name(pool, draw)}）",
            f"{agency}{city}{day}电 （记者 {_name(pool, draw)}）",
            f"{agency}{day}讯（记者{_name(pool, draw)} 通讯员{_name(pool, draw)}）",
            f"{agency}讯 ",
            f"本报讯（记者{_name(pool, draw)}）",
            f"本报{city}{day}电 ",
            "",
        )
    )


def draw_report(template: Template, pool: Pool, draw: random.Random) -> Report:
    """Return a report drawn from *template*."""
    published = datetime(2023, 1, 1, tzinfo=CHINA_TIME) + timedelta(
        days=draw.randrange(1300), hours=draw.randrange(8, 23)
    )
    low, high = template.ago
    event = published - timedelta(days=draw.randint(low, high))
    last = event + timedelta(days=template.lasts - 1)
    places = {"home": pool.home, "abroad": pool.abroad, "any": (*pool.home, *pool.abroad)}
    place, region = draw.choice(places[template.where])
    at_home = (place, region) in pool.home
    # A city named like its region (北京) has no longer form.
    full = place if place == region else region + place
    if at_home and place != region and draw.random() < 0.3:
        full = f"{region}省{place}市" if len(place) == 2 else full
    other, other_region = draw.choice([it for it in (*pool.home, *pool.abroad) if it[0] != place])
    day = draw.choice(_days(event, published, draw))
    part = draw.choice(_PARTS if day[-1] in "日号天" else _BARE)
    span = (
        f"{event.month}月{event.day}日至{last.day}日"
        if event.month == last.month
        else f"{event.month}月{event.day}日至{last.month}月{last.day}日"
    )
    past = event - timedelta(days=draw.randint(200, 4000))
    past2 = event - timedelta(days=draw.randint(40, 300))
    later = max(event, published) + timedelta(days=draw.randint(15, 90))
    organizations = draw.sample(list(pool.organizations), 2)
    slots = {
        "when": day, "When": day + part, "day": f"{event.day}日", "span": span,
        "line": _line(pool, place, published, draw), "place": place, "Place": full, "region": region,
        "other": other, "other_region": other_region, "rep": _name(pool, draw),
        "p1": _name(pool, draw), "p2": _name(pool, draw), "p3": _name(pool, draw),
        "f1": draw.choice(list(pool.foreign)), "o1": organizations[0], "o2": organizations[1],
        "past": f"{past.year}年{past.month}月{past.day}日",
        "past2": f"{_year_word(past2, published)}{past2.month}月",
        "later": f"{later.month}月{later.day}日", "n": str(draw.randint(3, 900)), "m": str(draw.randint(11, 99)),
    }  # fmt: skip
    for key in ("o1", "o2"):
        slots[key] = slots[key].format(place=place, region=region)
    accepted = {
        place,
        full,
        f"{place}市",
        f"{region}省{place}市",
        f"{region}{place}市",
        f"{place}县",
    }
    return Report(
        template=template.name,
        title=template.title.format(**slots),
        text=template.text.format(**slots),
        published=published,
        day=event.date().isoformat() if template.dated else None,
        places=frozenset(accepted if template.placed else ()),
        persons=frozenset(slots[key] for key in template.persons),
        organizations=frozenset(slots[key] for key in template.organizations),
    )


def reports(templates: Sequence[Template], pool: Pool, seed: int, each: int) -> list[Report]:
    """Return *each* reports of every template."""
    draw = random.Random(seed)
    return [draw_report(template, pool, draw) for template in templates for _ in range(each)]
