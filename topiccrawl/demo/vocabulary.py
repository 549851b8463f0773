"""Sentence templates with slots, read from ``data/topic-*.toml``.

In a template ``{slot}`` draws a new word, ``{slot!}`` draws it once per story, ``{3-40}`` draws a
number.  Templates are compiled once, so that filling takes a few list look-ups per sentence.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topiccrawl.demo.draws import Draws

#: Topic families with a vocabulary file.
TOPICS = (
    "qiaoqing",
    "sport",
    "finance",
    "food",
    "technology",
    "local",
    "estate",
    "english",
)

_SLOT = re.compile(r"\{([^{}]+)\}")
_RANGE = re.compile(r"(\d+)-(\d+)")


@dataclass(frozen=True, slots=True)
class Slot:
    """A placeholder in a template for a word."""

    name: str
    words: tuple[str, ...]
    sticky: bool
    """Drawn once per story, then reused."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """A placeholder in a template for an integer."""

    low: int
    high: int


Template = tuple["str | Slot | Numbers", ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The templates of one topic family."""

    topic: str
    titles: tuple[Template, ...]
    leads: tuple[Template, ...]
    bodies: tuple[Template, ...]
    ends: tuple[Template, ...]


def compile_template(text: str, slots: Mapping[str, list[str]]) -> Template:
    """Split *text* at its placeholders; raises ``KeyError`` for a slot without words."""
    parts: list[str | Slot | Numbers] = []
    for index, piece in enumerate(_SLOT.split(text)):
        if index % 2 == 0:
            if piece:
                parts.append(piece)
        elif bounds := _RANGE.fullmatch(piece):
            parts.append(Numbers(int(bounds[1]), int(bounds[2])))
        else:
            name = piece.rstrip("!")
            parts.append(Slot(name, tuple(slots[name]), piece.endswith("!")))
    return tuple(parts)


def fill(template: Template, draws: Draws, fixed: dict[str, str]) -> str:
    """Fill *template*; *fixed* contains the sticky words of the story and is updated.

    A sticky slot reuses its word only where it is marked ``!``, so that a text can be about one town
    and still mention others.
    """
    out: list[str] = []
    below = draws.below
    for part in template:
        if isinstance(part, str):
            out.append(part)
        elif isinstance(part, Slot):
            words = part.words
            if part.sticky:
                word = fixed.get(part.name)
                if word is None:
                    word = fixed[part.name] = words[below(len(words))]
                out.append(word)
            else:
                out.append(words[below(len(words))])
        elif isinstance(part, Numbers):
            out.append(str(part.low + below(part.high - part.low + 1)))
    return "".join(out)


@cache
def load_vocabulary(topic: str) -> Vocabulary:
    """Return the vocabulary of *topic* (one of :data:`TOPICS`), common sentences included."""
    common = _read("common")
    own = _read(topic)
    slots = {**common["slots"], **own["slots"]}
    shared = [] if topic == "english" else common["bodies"]

    def compiled(texts: list[str]) -> tuple[Template, ...]:
        return tuple(compile_template(text, slots) for text in texts)

    return Vocabulary(
        topic=topic,
        titles=compiled(own["titles"]),
        leads=compiled(own["leads"]),
        bodies=compiled(own["bodies"] + shared),
        ends=compiled(own["ends"]),
    )


def _read(name: str) -> dict[str, Any]:
    resource = files("topiccrawl.demo") / "data" / f"topic-{name}.toml"
    return tomllib.loads(resource.read_text(encoding="utf-8"))
