"""Features of a text that may be the title of a page."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING, Final

from topiccrawl.page.dates.visible_lines import is_byline
from topiccrawl.page.title.additions import without_additions
from topiccrawl.page.title.lines import is_box, is_no_headline
from topiccrawl.page.title.site_names import is_generic, looks_like_name, plain, plain_all

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from topiccrawl.page.outline import Heading

#: Names of the features, in the order of the columns.
FEATURES: Final = (
    "short", "length", "long", "digits", "sentence",
    "title_share", "title_whole", "title_first", "title_last", "title_absent", "title_empty",
    "fields_before", "fields_after", "names_before", "names_after", "strong_before", "strong_after",
    "title_fields", "og", "og_share", "og_absent", "json_ld",
    "only_h1", "h1", "h2", "h3", "titled", "in_heading", "around_heading", "headings_absent",
    "line", "lines_equal", "in_line", "text_distance", "after_text", "no_text", "byline_next", "byline_near",
    "first_line", "own_link", "other_link", "generic", "box", "name", "known_name", "no_headline",
    "byline", "text_overlap", "addition", "cut", "hint", "hint_absent",
)  # fmt: skip
#: Column of each feature.
AT: Final = {name: number for number, name in enumerate(FEATURES)}

#: Lines after a title within which its by-line is near (a guess).
_BYLINE_WITHIN: Final = 5
#: Headings and lines that a candidate is compared with (guesses).
MAX_HEADINGS: Final = 40
_MAX_LINES: Final = 400
#: Characters of running text in which the words of a candidate are searched (a guess).
_TEXT_CHARACTERS: Final = 4_000
_SENTENCE_ENDS: Final = tuple("。！？!?.…")


@dataclass(slots=True)
class Row:
    """A candidate with its features, those of :data:`FEATURES`."""

    text: str
    values: list[float]


def _long(lines: Sequence[str]) -> list[int]:
    """Return the numbers of the lines that may be running text of a page on which none was found."""
    return [number for number, line in enumerate(lines) if len(line) >= 25]


class PageContext:
    """What the features of all candidates of a page refer to: its stated titles, lines and text."""

    def __init__(
        self,
        title: str,
        og: str,
        lines: Sequence[str],
        start: int | None,
        known: set[str],
        headings: Sequence[Heading],
        hint: str,
    ) -> None:
        self.title, self.og, self.known, self.hint = plain(title), plain(og), known, plain(hint)
        self.lines, self.start = lines, start
        shown = range(start, len(lines)) if start is not None else _long(lines)
        running, size = [], 0
        for number in shown:
            running.append(number)
            size += len(lines[number])
            if size >= _TEXT_CHARACTERS:
                break
        bare = plain_all(lines[: max(_MAX_LINES, running[-1] + 1 if running else 0)])
        joined = " ".join([bare[number] for number in running])[:_TEXT_CHARACTERS]
        self.grams = set(map(add, joined, joined[1:]))
        self.plain_lines = bare[:_MAX_LINES]
        self.all_lines = "\n".join(self.plain_lines)
        self.line_ends = list(accumulate(len(line) + 1 for line in self.plain_lines))
        self.bylines: dict[int, bool] = {}
        self.headings = plain_all([heading.text for heading in headings[:MAX_HEADINGS]])
        self.count = Counter(self.plain_lines)
        self.first: dict[str, int] = {}
        for number, line in enumerate(self.plain_lines):
            self.first.setdefault(line, number)

    def complete(self, key: str, row: Row) -> None:
        """Set the features that do not depend on where the candidate was found."""
        values, text = row.values, row.text

        def put(name: str, value: float) -> None:
            values[AT[name]] = float(value)

        put("short", len(key) < 4)
        put("length", min(1.0, len(key) / 40))
        put("long", len(text) > 70)
        put("digits", sum(map(str.isdigit, key)) / len(key))
        put("sentence", text.endswith(_SENTENCE_ENDS))
        put("title_empty", not self.title)
        put("title_absent", bool(self.title) and key not in self.title)
        if self.title and key in self.title:
            put("title_share", max(values[AT["title_share"]], len(key) / len(self.title)))
        put("og", bool(self.og) and key == self.og)
        put("og_absent", not self.og)
        if self.og and key in self.og:
            put("og_share", len(key) / len(self.og))
        inside = [it for it in self.headings if key != it and key in it]
        around = [it for it in self.headings if key != it and len(it) >= 4 and it in key]
        put("in_heading", max((len(key) / len(it) for it in inside), default=0.0))
        put("around_heading", max((len(it) / len(key) for it in around), default=0.0))
        put("headings_absent", not self.headings)
        at = self.first.get(key)
        put("line", at is not None)
        put("lines_equal", min(1.0, self.count[key] / 4))
        if at is None:
            at = self._line_with(key)
            put("in_line", at is not None)
        self._place(at, put)
        put("generic", is_generic(text))
        put("box", is_box(text))
        put("name", looks_like_name(text))
        put("known_name", key in self.known)
        put("no_headline", is_no_headline(text))
        put("byline", is_byline(text))
        overlap = sum(map(self.grams.__contains__, map(add, key, key[1:])))
        put("text_overlap", overlap / max(1, len(key) - 1))
        put("addition", bool(without_additions(text)))
        put("hint_absent", not self.hint)
        if self.hint:
            smaller, larger = sorted((key, self.hint), key=len)
            put("hint", len(smaller) / len(larger) if smaller in larger else 0.0)

    def _line_with(self, key: str) -> int | None:
        """Return the number of the first line with ``key`` in it and little else, ``None`` without one."""
        at = self.all_lines.find(key)
        while at >= 0:
            number = bisect_right(self.line_ends, at)
            if len(self.plain_lines[number]) <= 2 * len(key) + 20:
                return number
            at = self.all_lines.find(key, self.line_ends[number])
        return None

    def _is_byline(self, number: int) -> bool:
        """Return whether a line looks like a by-line; several candidates ask for the same one."""
        known = self.bylines.get(number)
        if known is None:
            known = self.bylines[number] = is_byline(self.lines[number])
        return known

    def _place(self, at: int | None, put: Callable[[str, float], None]) -> None:
        put("no_text", self.start is None)
        if at is None:
            return
        put("first_line", at == 0)
        for step in range(1, _BYLINE_WITHIN + 1):
            if at + step < len(self.lines) and self._is_byline(at + step):
                put("byline_next", step == 1)
                put("byline_near", 1 - (step - 1) / _BYLINE_WITHIN)
                break
        if self.start is not None:
            put("after_text", at >= self.start)
            if at < self.start:
                put("text_distance", max(0.0, 1 - (self.start - at - 1) / 10))
