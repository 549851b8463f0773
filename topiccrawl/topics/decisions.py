"""The file of a user's decisions about words: which belong to the topic and which do not.

One decision in a line, separated by tabs: word, ``accept`` or ``refuse``, value (of an accepted word), time
(optional), note (optional).  Lines are only added: the last one about a word counts, those before it are
its history.  The text is UTF-8; empty lines and lines that start with ``#`` are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.text.normalize import normalize
from topiccrawl.topics.definition import Keyword, TopicDefinition
from topiccrawl.topics.tsv import (
    MOST_SHOWN,
    changing,
    is_comment,
    read_lines,
    read_time,
    replace_text,
)

#: Name of the file in a topic's folder.
DECISIONS_FILE: Final = "vocabulary.tsv"
#: Value of an accepted word for which none is given: the border between near and remote words of
#: [thesis] 4.5.2, so that a link that has it is followed.
DEFAULT_VALUE: Final = 0.5

_HEADER: Final = (
    "# 词汇的取舍：词、accept 或 refuse、相关度、时间、备注，以制表符分隔；末次为准；由 scrapy vocabulary 写入，"
    "也可手工编辑。\n"
    "# Decisions about words: word, accept or refuse, value, time, note, separated by tabs; the last one counts.\n"
)
_WORDS: Final = {"accept": True, "refuse": False}


@dataclass(frozen=True, slots=True)
class Decision:
    """The user's decision about one word."""

    word: str
    """Normalized."""
    accepted: bool
    value: float = DEFAULT_VALUE
    """Of an accepted word, in (0, 1]."""
    at: datetime | None = None
    note: str = ""


def load_decisions(file: Path | Traversable) -> tuple[Decision, ...]:
    """Return the last decision about each word in *file*; none if there is no such file.

    Raises ``ConfigurationError`` if a line is wrong or the file is not UTF-8; the message names the file, the
    line and the rule.
    """
    found: dict[str, Decision] = {}
    for number, line in enumerate(read_lines(file), 1):
        if not is_comment(line):
            decision = _parse(line, f"{file}, line {number}")
            found.pop(decision.word, None)
            found[decision.word] = decision
    return tuple(found.values())


def save_decisions(file: Path, changes: Sequence[Decision]) -> None:
    """Add *changes* to *file* in one step; the folder is created if it is missing.

    Raises ``ConfigurationError`` if the file holds a wrong line, which is left as it is, or cannot be
    written.
    """
    with changing(file):
        load_decisions(file)
        lines = read_lines(file)
        text = "".join(f"{line}\n" for line in [*lines, *map(_line, changes)])
        replace_text(file, text if lines else _HEADER + text)


def with_decisions(definition: TopicDefinition, decisions: Iterable[Decision]) -> TopicDefinition:
    """Return *definition* with the accepted words as related keywords, and the refused ones barred.

    The words of topic.toml are left as they are.
    """
    given = {normalize(k.term).strip() for k in (*definition.keywords, *definition.negatives)}
    new = [decision for decision in decisions if decision.word not in given]
    accepted = [Keyword(it.word, it.value, "related") for it in new if it.accepted]
    return replace(
        definition,
        keywords=(*definition.keywords, *accepted),
        refused=tuple(it.word for it in new if not it.accepted),
    )


def checked_word(word: str, where: str) -> str:
    """Return *word* in normal form; raise ConfigurationError if it has no letter, digit or character."""
    normal = " ".join(normalize(word).split())
    if not any(character.isalnum() for character in normal):
        raise ConfigurationError(
            _(
                "{where}: word must contain a letter, a digit or a Han character, got {word!r}"
            ).format(where=where, word=word[:MOST_SHOWN])
        )
    return normal


def checked_value(value: str, where: str) -> float:
    """Return the number in *value*; raise ConfigurationError if it is none in (0, 1]."""
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0.0 < number <= 1.0:
        raise ConfigurationError(
            _("{where}: value must be a number in (0, 1], got {value!r}").format(
                where=where, value=value[:MOST_SHOWN]
            )
        )
    return number


def _parse(line: str, where: str) -> Decision:
    cells = [cell.strip() for cell in line.split("\t")] + [""] * 4
    word = checked_word(cells[0], where)
    accepted = _WORDS.get(cells[1].lower())
    if accepted is None:
        raise ConfigurationError(
            _("{where}: decision must be accept or refuse, got {word!r}").format(
                where=where, word=cells[1][:MOST_SHOWN]
            )
        )
    value = checked_value(cells[2], where) if accepted and cells[2] else DEFAULT_VALUE
    return Decision(word, accepted, value, read_time(cells[3], where), " ".join(cells[4:]).strip())


def _line(decision: Decision) -> str:
    at = "" if decision.at is None else decision.at.isoformat(timespec="seconds")
    value = f"{decision.value:g}" if decision.accepted else ""
    word = "accept" if decision.accepted else "refuse"
    note = " ".join(decision.note.split())
    return "\t".join([decision.word, word, value, at, note]).rstrip("\t")
