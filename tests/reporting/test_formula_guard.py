"""No text of a page becomes a formula, whatever a program trims and wherever it splits."""

from __future__ import annotations

import csv
import io
import re
import sys
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.export import guard
from topiccrawl.export.guard import TRIGGERS, looks_like_formula, neutral
from topiccrawl.export.writers import CsvWriter
from topiccrawl.store.columns import COLUMNS

HIDDEN = (
    " \t\r\n\v\f\x1f\x85\xa0\xad\u034f\u115f\u180e\u200b\u200f\u2028\u2060\u2800"
    '\u3000\u3164\ufe0f\ufeff\U000e0041"'
)

#: Whatever may stand before a formula, in any order, and the formula.
HOSTILE = st.lists(
    st.sampled_from([*HIDDEN, ";", "；", ",", "侨", "x", "'", *TRIGGERS]), max_size=12
).map("".join)


def cells_of(text: str, delimiter: str) -> list[str]:
    """Return the cells of a CSV file with *text*, as a program with another *delimiter* reads them."""
    stream = io.BytesIO()
    writer = CsvWriter(stream, [COLUMNS["title"], COLUMNS["body"]], "fields")
    writer.row([text, text])
    writer.finish()
    lines = io.StringIO(stream.getvalue().decode("utf-8-sig"), newline="")
    return [cell for row in csv.reader(lines, delimiter=delimiter) for cell in row]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@given(HOSTILE, st.sampled_from(TRIGGERS))
def test_no_cell_begins_with_a_formula(delimiter: str, before: str, trigger: str) -> None:
    for cell in cells_of(f"{before}{trigger}cmd()", delimiter):
        shown = cell.lstrip(HIDDEN)
        assert not shown.startswith(tuple(TRIGGERS)), (cell, before)


def test_everything_that_is_not_seen_counts_as_such() -> None:
    unseen = re.compile(f"[{guard.INVISIBLE}]")
    missing = [
        hex(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in ("Zs", "Zl", "Zp", "Cc", "Cf")
        and not unseen.match(chr(code))
    ]
    assert missing == []


@pytest.mark.parametrize("start", [*TRIGGERS, "\t", "\r", "\n"])
def test_text_that_could_be_a_formula_gets_an_apostrophe(start: str) -> None:
    assert neutral(f"{start}cmd") == f"'{start}cmd"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("侨情;=1", "侨情;'=1"),
        ("侨情; \u3000=1", "侨情;' \u3000=1"),
        ("\ufeff=1", "'\ufeff=1"),
        ("一\n- 二\n三", "一\n'- 二\n三"),
        ('a";"=1', 'a";\'"=1'),
    ],
    ids=["semicolon", "blanks after it", "byte order mark", "line", "quotes"],
)
def test_formulas_inside_a_text_are_neutralized_where_a_cell_could_begin(
    text: str, shown: str
) -> None:
    assert neutral(text) == shown


@pytest.mark.parametrize(
    "text",
    ["侨情", "1+1", "", "——评论", "'x", " 侨情", "a-b;c", "x\u200b=1", "甲；=乙", "2024-05-01"],
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert neutral(text) == text


@given(HOSTILE)
def test_neutral_text_stays_neutral_and_loses_nothing(text: str) -> None:
    once = neutral(text)
    assert neutral(once) == once
    assert once.replace("'", "") == text.replace("'", "")
    assert not looks_like_formula(once)


@pytest.mark.parametrize("part", [" ", ";", "; ", "\n", "\n ", "\u200b", ";\u3000x"])
def test_the_guard_takes_linear_time(part: str) -> None:
    def seconds(length: int) -> float:
        def once() -> float:
            start = time.process_time()
            neutral(part * length)
            return time.process_time() - start

        return min(once() for _ in range(3))

    assert seconds(64_000) < 40 * seconds(8_000) + 0.01  # quadratic: 64 times
