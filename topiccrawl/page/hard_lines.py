"""Lines that were broken at a width become paragraphs again: mails, plain text in ``pre``, old pages with ``br``.

The HTML is changed before it is parsed, so that every reader of the page sees the same paragraphs. Program text
and verse stay as they are.
"""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from topiccrawl.page.landmarks import MAIL_HEAD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Fewest lines in which a width shows (a guess).
LEAST_LINES: Final = 4
#: Least and greatest width of lines that were broken, in columns, of which a Han character takes two (guesses: mails
#: have 65 to 80 columns, old pages 30 to 60 Han characters, columns of newspapers 17).
NARROWEST, WIDEST = 34, 132
#: Columns by which a full line may be too short: marks that must not begin a line, hyphens (a guess).
_SLACK: Final = 4
#: Lines that may be wider than the width, as addresses are.
_WIDER: Final = 0.1
#: Share of full lines, of those that have another one directly below, from which a run of lines was broken; fewest
#: full lines of such runs, and the share of these runs in all lines; share of the full lines that no mark ends;
#: sentences that end inside of a line, by line (guesses: lines that people end stop at a mark, items of a list are
#: neither full nor sentences, heads and signatures of mails are runs of short lines).
_FULL, _LEAST_FULL, _BROKEN, _UNFINISHED, _SENTENCES = 0.7, 3, 0.4, 0.5, 0.1

_PRE_END: Final = re.compile(r"</[pP][rR][eE]\s*>")
_BREAK: Final = re.compile(r"<(?:[bB][rR](?=[\s/>])[^<>]*>\s*|([pP][rR][eE])(?=[\s>])[^<>]*>)")
_SHOWN_SPACE: Final = re.compile("[\u3000\u00a0]")
_SOURCE_SPACE: Final = " \t\r\n"
_TAG: Final = re.compile(r"<[^<>]*>")
_BORDER: Final = re.compile(
    r"<(?!/?(?:a|abbr|b|big|em|font|i|img|q|small|span|strong|sub|sup|tt|u)(?=[\s/>]))[a-zA-Z!/][^<>]*>",
    re.IGNORECASE,
)
_MARKED: Final = re.compile(r"<code|<[a-z]+ [^<>]*(?:lang|highlight|brush|code)", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"[。！？；]|[.!?](?=\s)")
_ENDS: Final = re.compile(r"[。！？!?：:；;，,、….][”’」』）)\"']*$")
_ITEM: Final = re.compile(
    r"(?:[-*•·●○■□◆◇※#]|\(?\d{1,3}[.)、．]|[（(][一二三四五六七八九十\d]{1,3}[)）])(?=\D)"
)
_QUOTED: Final = re.compile(r"(?:[>|:]\s?){1,9}")
# Only at the beginning, and each white space in one way: there are lines of nothing else.
_QUOTED_HTML: Final = re.compile(r"\A\s*+((?:<[^<>]*>)*+)\s*+(?:(?:&gt;|[>|:])\s?){1,9}")
# Characters of program text, and their greatest share in running text (a guess: mails with addresses have .02).
_CODE: Final = re.compile(r"[][(){}<>=#$%&*+/\\^_|~;]")
_MOST_CODE: Final = 0.05
_HAN: Final = re.compile("[\u3400-\u9fff]")
_FIRST_WORD: Final = re.compile(r"[!-~]+|.")
# Characters of the HTML of a line; what is longer is none (a guess: lines have at most WIDEST, and some tags).
_MAX_LINE: Final = 600


class _Line(NamedTuple):
    """A line as a reader sees it."""

    text: str
    """Without the marks of a quotation and white space around it."""
    indent: int
    quoted: str
    width: int


def unwrapped(html: str) -> str:
    """Return a page whose lines broken at a width are joined to paragraphs; most pages unchanged. Linear time.

    >>> unwrapped("<p>one</p>")
    '<p>one</p>'
    """
    parts: list[str] = []
    done = 0
    for start, end, text in _edits(html):
        parts += html[done:start], text
        done = end
    return "".join([*parts, html[done:]]) if done else html


def _edits(html: str) -> Iterator[tuple[int, int, str]]:
    """Yield what replaces which part of the page, in order."""
    run: list[re.Match[str]] = []
    first = done = 0
    for found in _BREAK.finditer(html):
        start = found.start()
        if start < done:
            continue  # in a ``pre``
        between = html[done:start] if start - done <= _MAX_LINE else "<hr>"
        if "<" in between and _BORDER.search(between) is not None:
            yield from _joined(html, run, first)
            run, first = [], done
        done = found.end()
        if found[1] is None:
            run.append(found)
            continue
        yield from _joined(html, run, first)
        run = []
        end = _PRE_END.search(html, done)
        stop, after = (len(html), len(html)) if end is None else end.span()
        text = _paragraphs(found[0], html[done:stop])
        done = first = after
        if text is not None:
            yield start, after, f"<div{found[0][4:]}{text}</div>"
    yield from _joined(html, run, first)


def _paragraphs(tag: str, inner: str) -> str | None:
    """Return the content of a ``pre`` with ``br`` between paragraphs, None if it is not running text."""
    if "\n" not in inner.strip() or _MARKED.search(tag) or _MARKED.search(inner):
        return None
    pieces = inner.split("\n")
    lines = [_line(piece) for piece in pieces]
    joints = _joints(lines)
    if joints is None:
        plain = "".join(line.text for line in lines)
        has_mail = "信" in plain and any(MAIL_HEAD.match(line.text) for line in lines)
        if not has_mail and 2 * len(_HAN.findall(plain)) <= len("".join(plain.split())):
            return None
        joints = [False] * (len(lines) - 1)
    parts = [pieces[0]]
    for (line, following), piece, joined in zip(pairwise(lines), pieces[1:], joints, strict=True):
        if not joined:
            parts += "<br>", piece
            continue
        parts[-1] = parts[-1].rstrip()
        rest = _QUOTED_HTML.sub(r"\1", piece, count=1) if line.quoted else piece
        parts += _glue(line, following), rest.lstrip()
    return "".join(parts)


def _joined(html: str, run: Sequence[re.Match[str]], first: int) -> Iterator[tuple[int, int, str]]:
    """Yield what replaces each ``br`` inside a paragraph; nothing for a run of too few.

    Parameters
    ----------
    html : str
        The page.
    run : sequence of Match
        The ``br`` between lines of one box.
    first : int
        Where the text before the first of them begins at the earliest.
    """
    if len(run) < LEAST_LINES - 1:
        return
    texts = [html[one.end() : other.start()] for one, other in pairwise(run)]
    if 2 * sum("<a " in text or "<A " in text for text in texts) > len(texts):
        return
    begin, end = run[0].start(), run[-1].end()
    texts.insert(0, _BORDER.split(html[max(first, begin - _MAX_LINE) : begin])[-1])
    texts.append(_BORDER.split(html[end : end + _MAX_LINE], maxsplit=1)[0])
    # The indent of a line is in the white space behind the ``br``; of the source's own a browser shows nothing.
    gaps = ["", *("".join(_SHOWN_SPACE.findall(found[0])) for found in run)]
    lines = [_line(gap + text.strip(_SOURCE_SPACE)) for gap, text in zip(gaps, texts, strict=True)]
    joints = _joints(lines)
    if joints is None:
        return
    between = zip(run, texts, joints, pairwise(lines), strict=False)
    for found, text, joined, (line, following) in between:
        if joined:
            start = found.start() - len(text) + len(text.rstrip())
            yield start, found.end(), _glue(line, following)


def _line(html: str) -> _Line:
    text = _TAG.sub("", html) if "<" in html else html
    if "&" in text:
        text = unescape(text)
    text = text.strip("\r\n").expandtabs()
    quoted = _QUOTED.match(text)
    marks = quoted[0] if quoted is not None else ""
    text = text[len(marks) :].rstrip()
    bare = text.lstrip()
    return _Line(
        bare,
        _columns(text[: len(text) - len(bare)]),
        marks.strip(),
        _columns(marks) + _columns(text[:_MAX_LINE]),
    )


def _columns(text: str) -> int:
    """Return the columns that a text takes: two for a Han character, as in GBK."""
    return len(text) if text.isascii() else len(text.encode("gbk", "replace"))


def _joints(lines: Sequence[_Line]) -> list[bool] | None:
    """Return which lines continue with the next one, None if they were not broken at a width."""
    widths = sorted(line.width for line in lines if line.text)
    if len(widths) < LEAST_LINES:
        return None
    width = widths[int((1 - _WIDER) * (len(widths) - 1))]
    if not NARROWEST <= width <= WIDEST:
        return None
    joints = [False] * (len(lines) - 1)
    broken: list[_Line] = []
    full = unfinished = 0
    for first, end in _runs(lines):
        below = [i for i in range(first, end - 1) if not _begins(lines[i], lines[i + 1])]
        joined = [i for i in below if not _fits(lines[i], lines[i + 1], width - _SLACK)]
        if joined and len(joined) >= _FULL * len(below):
            broken += lines[first:end]
            full += len(joined)
            unfinished += sum(_ENDS.search(lines[i].text) is None for i in joined)
            for i in joined:
                joints[i] = True
    if full < _LEAST_FULL or len(broken) < _BROKEN * len(widths) or unfinished < _UNFINISHED * full:
        return None
    text = "\n".join(line.text for line in broken)
    inside = sum(len(_SENTENCE.findall(line.text[:-1])) for line in broken)
    if inside < _SENTENCES * len(broken) or len(_CODE.findall(text)) > _MOST_CODE * len(text):
        return None
    return joints


def _runs(lines: Sequence[_Line]) -> Iterator[tuple[int, int]]:
    """Yield beginning and end of each run of lines without an empty one, all quoted alike."""
    first = 0
    for i, line in enumerate(lines):
        if not line.text or (i > first and line.quoted != lines[first].quoted):
            if i > first:
                yield first, i
            first = i if line.text else i + 1
    if first < len(lines):
        yield first, len(lines)


def _fits(line: _Line, following: _Line, width: int) -> bool:
    """Whether the first word of a line would have fitted on the line before it."""
    return line.width + _needed(line, following) <= width


def _needed(line: _Line, following: _Line) -> int:
    """Return the columns that the first word of a line would have taken on the line before it."""
    word = _FIRST_WORD.match(following.text)
    columns = _columns(word[0]) if word is not None else 0
    return columns + (line.text[-1].isascii() and following.text[0].isascii())


def _begins(line: _Line, following: _Line) -> bool:
    """Whether a line begins a paragraph: an item of a list, or indented."""
    if _ITEM.match(following.text):
        return True
    return following.indent >= line.indent + 2 and _ITEM.match(line.text) is None


def _glue(line: _Line, following: _Line) -> str:
    """Return what joins two lines: nothing between Han characters."""
    return "" if _is_wide(line.text[-1]) and _is_wide(following.text[0]) else " "


def _is_wide(character: str) -> bool:
    return character >= "\u2e80" or character in "“”‘’—…·"
