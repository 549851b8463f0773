"""Features of a text that may be the title of a page."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.dates.visible_lines import is_byline
from topiccrawl.page.title.additions import without_additions
from topiccrawl.page.title.lines import is_box, is_no_headline
from topiccrawl.page.title.places import levels_above
from topiccrawl.page.title.site_names import is_generic, looks_like_name, plain, plain_all

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from topiccrawl.page.learned import Floats
    from topiccrawl.page.outline import Boxes, Heading

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
    "emphasized", "emphasized_absent", "level", "level_first", "level_lines", "level_absent",
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
    """A candidate with the features that follow from where it was found, by name."""

    text: str
    found: dict[str, float]


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
        emphasized: set[str],
        boxes: Boxes,
        places: Sequence[int],
    ) -> None:
        self.title, self.og, self.known, self.hint = plain(title), plain(og), known, plain(hint)
        self.lines, self.start = lines, start
        self.bylines: dict[str, bool] = {}
        self.emphasized = emphasized
        shown = range(start, len(lines)) if start is not None else _long(lines)
        running, size = [], 0
        for number in shown:
            running.append(number)
            size += len(lines[number])
            if size >= _TEXT_CHARACTERS:
                break
        bare = plain_all(lines[: max(_MAX_LINES, running[-1] + 1 if running else 0)])
        # How many boxes around the first line of the running text each line above it is in, and the last of these
        # lines with each text: above the headline the trail may end in it.
        first = running[0] if running else 0
        self.levels = levels_above(boxes, places, first) if first < len(places) else []
        self.last = {line: number for number, line in enumerate(bare[: len(self.levels)])}
        self.running = " ".join([bare[number] for number in running])[:_TEXT_CHARACTERS]
        self.plain_lines = bare[:_MAX_LINES]
        self.all_lines = "\n".join(self.plain_lines)
        self.line_ends = list(accumulate(len(line) + 1 for line in self.plain_lines))
        self.headings = plain_all([heading.text for heading in headings[:MAX_HEADINGS]])
        self.all_headings = "\n".join(self.headings)
        self.long_headings = [it for it in self.headings if len(it) >= 4]
        self.count = Counter(self.plain_lines)
        self.first: dict[str, int] = {}
        for number, line in enumerate(self.plain_lines):
            self.first.setdefault(line, number)

    def matrix(self, rows: Mapping[str, Row]) -> Floats:
        """Return the features of the candidates, by their plain texts; shape (candidates, features)."""
        matrix = np.zeros((len(rows), len(FEATURES)))
        for i, row in enumerate(rows.values()):
            for name, value in row.found.items():
                matrix[i, AT[name]] = value
        keys, texts = list(rows), [row.text for row in rows.values()]
        for name, values in (self._of_texts(keys, texts) | self._of_places(keys)).items():
            matrix[:, AT[name]] = values
        matrix[:, AT["text_overlap"]] = shares_of_pairs(keys, self.running)
        if self.title:
            share = _shares(keys, self.title)
            matrix[:, AT["title_absent"]] = share == 0
            np.maximum(matrix[:, AT["title_share"]], share, out=matrix[:, AT["title_share"]])
        if self.og:
            share = _shares(keys, self.og)
            matrix[:, AT["og"]] = share == 1
            np.copyto(matrix[:, AT["og_share"]], share, where=share > 0)
        if self.hint:
            shares = np.maximum(_shares(keys, self.hint), [_share(self.hint, it) for it in keys])
            matrix[:, AT["hint"]] = shares
        return matrix

    def _of_texts(self, keys: list[str], texts: list[str]) -> dict[str, Sequence[float] | bool]:
        """Return the features of the texts themselves, and what the page has to compare them with."""
        return {
            "short": [len(key) < 4 for key in keys],
            "length": [min(1.0, len(key) / 40) for key in keys],
            "long": [len(text) > 70 for text in texts],
            "digits": [sum(map(str.isdigit, key)) / len(key) for key in keys],
            "sentence": [text.endswith(_SENTENCE_ENDS) for text in texts],
            "title_empty": not self.title,
            "og_absent": not self.og,
            "headings_absent": not self.headings,
            "hint_absent": not self.hint,
            "emphasized": [key in self.emphasized for key in keys],
            "emphasized_absent": not self.emphasized,
            "in_heading": [self._in_heading(key) for key in keys],
            "around_heading": [self._around_heading(key) for key in keys],
            "generic": list(map(is_generic, texts)),
            "box": list(map(is_box, texts)),
            "name": list(map(looks_like_name, texts)),
            "known_name": [key in self.known for key in keys],
            "no_headline": list(map(is_no_headline, texts)),
            "byline": list(map(is_byline, texts)),
            "addition": [bool(without_additions(text)) for text in texts],
        }

    def _of_places(self, keys: list[str]) -> dict[str, Sequence[float] | bool]:
        """Return the features of the lines that the candidates are, or are in."""
        lines = [self.first.get(key) for key in keys]
        places = [
            self._line_with(key) if line is None else line
            for key, line in zip(keys, lines, strict=True)
        ]
        steps = [0 if at is None else self._steps_to_byline(at) for at in places]
        start = len(self.lines) if self.start is None else self.start
        above = [0 if at is None or self.start is None else start - at for at in places]
        return {
            "no_text": self.start is None,
            "line": [line is not None for line in lines],
            "lines_equal": [min(1.0, self.count[key] / 4) for key in keys],
            "in_line": [
                line is None and at is not None for line, at in zip(lines, places, strict=True)
            ],
            "first_line": [at == 0 for at in places],
            "byline_next": [step == 1 for step in steps],
            "byline_near": [1 - (step - 1) / _BYLINE_WITHIN if step else 0.0 for step in steps],
            "after_text": [at is not None and at >= start for at in places],
            **self._of_levels(
                [self.last.get(key, at) for key, at in zip(keys, places, strict=True)]
            ),
            "text_distance": [max(0.0, 1 - (it - 1) / 10) if it > 0 else 0.0 for it in above],
        }

    def _of_levels(self, places: Sequence[int | None]) -> dict[str, Sequence[float] | bool]:
        """Return the features of the boxes that the lines share with the running text below them."""
        levels = self.levels
        # The innermost of them is the first one; lines in the same are together.
        ranks = {level: rank for rank, level in enumerate(sorted(set(levels), reverse=True), 1)}
        sizes = Counter(levels)
        known = [at if at is not None and at < len(levels) else None for at in places]
        return {
            "level": [0.0 if at is None else 1 / ranks[levels[at]] for at in known],
            "level_first": [
                at is not None and (at == 0 or levels[at - 1] != levels[at]) for at in known
            ],
            "level_lines": [0.0 if at is None else min(1.0, sizes[levels[at]] / 8) for at in known],
            "level_absent": not levels,
        }

    def _in_heading(self, key: str) -> float:
        """Return the largest share that a text has of a longer heading."""
        if key not in self.all_headings:
            return 0.0
        return max(
            [len(key) / len(it) for it in self.headings if key in it and key != it], default=0.0
        )

    def _around_heading(self, key: str) -> float:
        """Return the largest share that a shorter heading has of a text."""
        shares = [len(it) / len(key) for it in self.long_headings if it in key and key != it]
        return max(shares, default=0.0)

    def _line_with(self, key: str) -> int | None:
        """Return the number of the first line with ``key`` in it and little else, ``None`` without one."""
        at = self.all_lines.find(key)
        while at >= 0:
            number = bisect_right(self.line_ends, at)
            if len(self.plain_lines[number]) <= 2 * len(key) + 20:
                return number
            at = self.all_lines.find(key, self.line_ends[number])
        return None

    def _steps_to_byline(self, number: int) -> int:
        """Return how many lines below a line the first by-line near it is, 0 if none is."""
        for step, line in enumerate(self.lines[number + 1 : number + 1 + _BYLINE_WITHIN], 1):
            if self._is_byline(line):
                return step
        return 0

    def _is_byline(self, line: str) -> bool:
        """Return whether a line looks like a by-line; several candidates ask for the same one."""
        known = self.bylines.get(line)
        if known is None:
            known = self.bylines[line] = is_byline(line)
        return known


def _share(key: str, text: str) -> float:
    return len(key) / len(text) if key in text else 0.0


def _shares(keys: Sequence[str], text: str) -> Floats:
    """Return the share that each key has of a text, 0 if it is not in it."""
    return np.array([_share(key, text) for key in keys], float)


def shares_of_pairs(keys: Sequence[str], text: str) -> Floats:
    """Return the share of the pairs of neighboring characters of each key that occur in a text.

    Parameters
    ----------
    keys : sequence of str
        Texts of two or more characters without line ends.
    text : str
        A text without line ends.
    """
    sizes = np.array([len(key) for key in keys], np.intp)
    joined = "\n".join(keys)
    own, others, characters = _codes(joined), _codes(text), _codes("".join(set(joined)))
    if not len(own) or not len(others):
        return np.zeros(len(keys))
    # The characters of the keys are numbered from 1; all others are 0.
    count = len(characters) + 1
    numbers = np.zeros(int(characters.max()) + 2, np.intp)
    numbers[characters] = np.arange(1, count)
    own, others = numbers[own], numbers[np.minimum(others, len(numbers) - 1)]
    known = np.zeros(count * count, np.bool_)
    known[others[:-1] * count + others[1:]] = True
    hits = np.concatenate(([0], np.cumsum(known[own[:-1] * count + own[1:]])))
    ends = np.cumsum(sizes + 1) - 2
    shares: Floats = (hits[ends] - hits[ends - sizes + 1]) / (sizes - 1)
    return shares


def _codes(text: str) -> NDArray[np.intp]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.intp)
