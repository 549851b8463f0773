"""Texts of the pages: stories from ``texts/`` with their slots filled."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random

from topiccrawl.page.dates import CHINA_TIME

TEXTS = Path(__file__).parent / "texts"
TOPICS = (
    "street", "rice", "library", "bus", "flood", "letters", "canteen", "birds", "clinic",
    "football", "solar", "pottery",
)  # fmt: skip
TRADITIONAL = ("tw_trail", "tw_books")
ENGLISH = ("en_mill",)

_SLOT = re.compile(r"\{(.)\}")
_ENGLISH_PLACES = ("Harrow Sound", "Penmarsh", "Saltby", "Lower Wick", "Tarn Haven")
_TRADITIONAL_PLACES = ("南埔", "溪尾", "山腳", "新寮")


@dataclass(frozen=True, slots=True)
class Story:
    """A headline and paragraphs about one place."""

    title: str
    paragraphs: tuple[str, ...]
    place: str


@cache
def read_lines(name: str) -> tuple[str, ...]:
    """Return the lines of a text file."""
    return tuple((TEXTS / f"{name}.txt").read_text(encoding="utf-8").splitlines())


@cache
def read_sections(name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the sections of a text file: each a title (``# …``) and the lines up to the next one."""
    found: list[tuple[str, list[str]]] = []
    for line in read_lines(name):
        if line.startswith("# "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return tuple((title, tuple(lines)) for title, lines in found)


def place_for(draw: Random, topic: str = "") -> str:
    """Return the name of a place in the script of the topic."""
    if topic in ENGLISH:
        return draw.choice(_ENGLISH_PLACES)
    return draw.choice(_TRADITIONAL_PLACES if topic in TRADITIONAL else read_lines("places"))


def fill(text: str, draw: Random, place: str) -> str:
    """Return a text with its slots filled: 地 the place, 数 a number, 年 a year, 日 a day."""

    def value(match: re.Match[str]) -> str:
        if match.group(1) == "地":
            return place
        low, high = {"年": (2008, 2027), "日": (1, 29)}.get(match.group(1), (12, 90))
        return str(draw.randrange(low, high))

    return _SLOT.sub(value, text)


def story(draw: Random, topic: str, *, least: int = 4, most: int = 8) -> Story:
    """Return a headline, the topic's first paragraph and some of the others in order."""
    lines = read_lines(topic)
    titles = [line[2:] for line in lines if line.startswith("# ")]
    first, *others = (line for line in lines if not line.startswith("# "))
    wanted = min(draw.randint(least, most) - 1, len(others))
    kept = sorted(draw.sample(range(len(others)), wanted))
    place = place_for(draw, topic)
    paragraphs = tuple(fill(text, draw, place) for text in (first, *(others[i] for i in kept)))
    return Story(fill(draw.choice(titles), draw, place), paragraphs, place)


def section(draw: Random, name: str, number: int) -> Story:
    """Return a whole section of a text file; ``number`` cycles through them."""
    sections = read_sections(name)
    title, lines = sections[number % len(sections)]
    place = place_for(draw)
    return Story(fill(title, draw, place), tuple(fill(line, draw, place) for line in lines), place)


def headline(draw: Random, topics: tuple[str, ...] = TOPICS) -> str:
    """Return the headline of some other page."""
    topic = draw.choice(topics)
    titles = [line[2:] for line in read_lines(topic) if line.startswith("# ")]
    return fill(draw.choice(titles), draw, place_for(draw, topic))


def moment(draw: Random) -> datetime:
    """Return a random time of publication."""
    start = datetime(2009, 3, 1, 7, 11, tzinfo=CHINA_TIME)
    return start + timedelta(days=draw.randrange(5_800), minutes=draw.randrange(13 * 60))
