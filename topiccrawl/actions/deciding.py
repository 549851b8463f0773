"""Decisions about words on the terminal: a page of words, one line of answers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from rich.markup import escape
from rich.table import Table

from topiccrawl.commandline.console import make_console
from topiccrawl.commandline.errors import CommandError, fail
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.text.normalize import normalize
from topiccrawl.text.personal import FULL_WIDTH
from topiccrawl.topics.decisions import Decision, checked_value, load_decisions, save_decisions
from topiccrawl.vocabulary.candidates import Candidates
from topiccrawl.vocabulary.ranking import RankedWord, rank

#: Words of a page (a choice: with head and question a small terminal).
PAGE = 20
#: Full-width characters, which an input method for Chinese writes, are those of ASCII, and commas are spaces.
_NARROW: Final = {**FULL_WIDTH, **dict.fromkeys(map(ord, ",，、"), " ")}


def decide(found: Candidates, file: Path) -> int:
    """Show pages of words and record the answers until the user ends it; the words are ranked anew."""
    if not sys.stdin.isatty():
        raise CommandError(_("--decide needs a terminal; in scripts use --accept and --refuse"))
    console = make_console()
    skipped: set[str] = set()
    while True:
        decisions = {it.word: it.accepted for it in load_decisions(file)}
        by_word = {w: decisions[key] for w in found.words if (key := normalize(w)) in decisions}
        page = [it for it in rank(found, by_word) if it.word not in skipped][:PAGE]
        if not page:
            return 0
        console.print(_table(page))
        try:
            line = input(_("accept: 1 3=.8 · refuse: -2 · all others: -* · end: q > "))
            changes = answers(line, page)
        except EOFError:
            return 0
        except ConfigurationError as error:
            fail(str(error))
            continue
        if changes is None:
            return 0
        if changes:
            save_decisions(file, changes)
        skipped |= {it.word for it in page}


def answers(line: str, page: Sequence[RankedWord]) -> list[Decision] | None:
    """Return the decisions in a line of answers; ``None`` to end.

    A number accepts the word, with ``=VALUE`` or the proposed value; ``-NUMBER`` refuses it, ``-*`` all that
    are not accepted. Raises ``ConfigurationError`` if an answer is not a number of the page, or a value not
    in (0, 1].
    """
    now = datetime.now(UTC).replace(microsecond=0)
    decided: dict[str, Decision] = {}
    tokens = line.translate(_NARROW).split()
    if tokens and tokens[0].lower() in ("q", "quit"):
        return None
    for token in (it for it in tokens if it != "-*"):
        number, equals, value = token.lstrip("-").partition("=")
        if not number.isascii() or not number.isdecimal() or not 1 <= int(number) <= len(page):
            raise ConfigurationError(
                _("answers must be numbers from 1 to {most}, got {token!r}").format(
                    most=len(page), token=token
                )
            )
        it = page[int(number) - 1]
        accepted = not token.startswith("-")
        grade = checked_value(value, token) if equals else it.value
        decided[it.word] = Decision(normalize(it.word), accepted, grade, now)
    if "-*" in tokens:
        for it in page:
            decided.setdefault(it.word, Decision(normalize(it.word), False, at=now))
    return list(decided.values())


def _table(page: Sequence[RankedWord]) -> Table:
    table = Table()
    for head in ("", _("Word"), _("Value"), _("Texts"), _("Probability")):
        table.add_column(head, justify="left" if head == _("Word") else "right")
    for number, it in enumerate(page, 1):
        table.add_row(
            str(number), escape(it.word), f"{it.value:.2f}", str(it.texts), f"{it.probability:.2f}"
        )
    return table
