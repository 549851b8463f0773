"""The file of a user's judgments: which pages are on the topic and which are not.

One judgment in a line, separated by tabs: URL, ``yes`` or ``no``, the time (optional), a note
(optional).  The text is UTF-8; empty lines and lines that start with ``#`` are skipped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.topics.addresses import check_page_url
from topiccrawl.topics.definition import Judgment
from topiccrawl.topics.tsv import (
    MOST_SHOWN,
    changing,
    is_comment,
    read_lines,
    read_time,
    replace_text,
)
from topiccrawl.urls.canonical import canonical_url

#: Name of the file in a topic's folder.
JUDGMENTS_FILE: Final = "judgments.tsv"

_HEADER: Final = (
    "# 用户判断：网址、yes 或 no、时间、备注，以制表符分隔；由 scrapy judge 写入，也可手工编辑。\n"
    "# The user's judgments: URL, yes or no, time, note, separated by tabs; see scrapy judge -h.\n"
)
_WORDS: Final = {"yes": True, "no": False}


def load_judgments(file: Path | Traversable) -> tuple[Judgment, ...]:
    """Return the judgments in *file*, with canonical URLs; none if there is no such file.

    Raises ``ConfigurationError`` if a line is wrong, a URL is judged twice, or the file is not UTF-8; the
    message names the file, the line and the rule.
    """
    return tuple(_judgments(read_lines(file), str(file)).values())


def judgment_of(word: str) -> bool | None:
    """Return whether *word* means relevant, ``None`` if it is neither ``yes`` nor ``no``."""
    return _WORDS.get(word.strip().lower())


def save_judgments(file: Path, changes: Sequence[Judgment]) -> None:
    """Add *changes* to *file* in one step; a judgment of the same URL replaces its line.

    Comments and the order of the lines stay.  The folder is created if it is missing.  Raises
    ``ConfigurationError`` if the file holds a wrong line, which is left as it is, or cannot be written.
    """
    changed = {judgment.url: judgment for judgment in changes}
    with changing(file):
        lines = read_lines(file)
        _judgments(lines, str(file))
        kept = []
        for line in lines:
            url = None if is_comment(line) else canonical_url(line.split("\t")[0].strip())
            judgment = changed.pop(url, None) if url is not None else None
            kept.append(line if judgment is None else _line(judgment))
        kept += [_line(judgment) for judgment in changed.values()]
        text = "".join(f"{line}\n" for line in kept)
        replace_text(file, text if lines else _HEADER + text)


def delete_judgments(file: Path, urls: Collection[str]) -> int:
    """Delete the lines of *file* that judge *urls*, in one step; return how many there were.

    Raises ``ConfigurationError`` if the file holds a wrong line or cannot be written.
    """
    if not file.parent.is_dir():
        return 0
    with changing(file):
        lines = read_lines(file)
        _judgments(lines, str(file))
        kept = [
            line
            for line in lines
            if is_comment(line) or canonical_url(line.split("\t")[0].strip()) not in urls
        ]
        if len(kept) != len(lines):
            replace_text(file, "".join(f"{line}\n" for line in kept))
    return len(lines) - len(kept)


def _judgments(lines: Iterable[str], name: str) -> dict[str, Judgment]:
    found: dict[str, Judgment] = {}
    first: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if is_comment(line):
            continue
        judgment = _parse(line, f"{name}, line {number}")
        if judgment.url in first:
            raise ConfigurationError(
                _(
                    "{name}, line {number}: URL must not be judged twice; line {first} judges it "
                    "too, got {url!r}"
                ).format(
                    name=name,
                    number=number,
                    first=first[judgment.url],
                    url=judgment.url[:MOST_SHOWN],
                )
            )
        first[judgment.url] = number
        found[judgment.url] = judgment
    return found


def _parse(line: str, where: str) -> Judgment:
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) < 2:
        raise ConfigurationError(
            _("{where}: must be a URL and yes or no, separated by a tab, got {line!r}").format(
                where=where, line=line[:MOST_SHOWN]
            )
        )
    url = canonical_url(check_page_url(where, cells[0]))
    relevant = judgment_of(cells[1])
    if relevant is None:
        raise ConfigurationError(
            _("{where}: judgment must be yes or no, got {word!r}").format(
                where=where, word=cells[1][:MOST_SHOWN]
            )
        )
    return Judgment(
        url,
        relevant,
        at=read_time(next(iter(cells[2:3]), ""), where),
        note="\t".join(cells[3:]).strip(),
    )


def _line(judgment: Judgment) -> str:
    at = "" if judgment.at is None else judgment.at.isoformat(timespec="seconds")
    note = " ".join(judgment.note.split())
    return "\t".join([judgment.url, "yes" if judgment.relevant else "no", at, note]).rstrip("\t")
