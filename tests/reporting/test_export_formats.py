"""Cells of an export: hostile, illegal and oversized values in each format."""

from __future__ import annotations

import csv
import io
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from tests.support.reporting_store import make_page
from topiccrawl.errors import ConfigurationError
from topiccrawl.export.cells import CUT_MARK, XLSX_CELL_UNITS, as_text, cut, legal, neutral
from topiccrawl.export.fields import choose_fields
from topiccrawl.export.writers import CsvWriter, JsonLinesWriter, XlsxWriter, choose_format
from topiccrawl.store.columns import COLUMNS

ANY_TEXT = st.text(st.characters(exclude_categories=())) | st.sampled_from(
    ["=1", "\x00侨", "\ud800"]
)


@pytest.mark.parametrize("start", list("=+-@\t\r\n＝＋－＠"))
def test_text_that_could_be_a_formula_gets_an_apostrophe(start: str) -> None:
    assert neutral(f"{start}cmd") == f"'{start}cmd"


@pytest.mark.parametrize("text", ["侨情", "1+1", " =1", "", "——评论", "'x"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert neutral(text) == text


def test_negative_numbers_stay_numbers() -> None:
    stream = io.BytesIO()
    writer = CsvWriter(stream, ["link_score"])
    writer.row([-0.5])
    writer.finish()
    assert stream.getvalue().decode("utf-8-sig").splitlines() == ["link_score", "-0.5"]


@given(st.lists(ANY_TEXT, min_size=1, max_size=4))
def test_any_text_survives_csv(texts: list[str]) -> None:
    stream = io.BytesIO()
    writer = CsvWriter(stream, [f"c{n}" for n in range(len(texts))])
    writer.row(texts)
    writer.finish()
    rows = list(csv.reader(io.StringIO(stream.getvalue().decode("utf-8-sig"), newline="")))
    assert rows[1] == [neutral(legal(text)) for text in texts]


@given(ANY_TEXT)
def test_any_text_survives_json_lines(text: str) -> None:
    stream = io.BytesIO()
    JsonLinesWriter(stream, ["t"]).row([text])
    expected = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert stream.getvalue().count(b"\n") == 1
    shown = json.loads(stream.getvalue().decode())["t"]
    assert shown == expected or "\ufffd" in shown


def test_json_has_no_nan() -> None:
    stream = io.BytesIO()
    JsonLinesWriter(stream, ["a", "b", "c"]).row([math.nan, {"rw": math.inf}, [("侨", math.nan)]])
    assert json.loads(stream.getvalue()) == {"a": None, "b": {"rw": None}, "c": [["侨", None]]}


def xlsx(rows: list[list[object]], sheet_rows: int = 100) -> list[list[list[object]]]:
    stream = io.BytesIO()
    writer = XlsxWriter(stream, ["a"], sheet_rows)
    for row in rows:
        writer.row(row)  # type: ignore[arg-type]
    writer.finish()
    book = load_workbook(io.BytesIO(stream.getvalue()))
    return [[[c.value for c in row] for row in sheet.iter_rows()] for sheet in book]


def test_excel_gets_no_illegal_characters_and_no_formula() -> None:
    assert xlsx([["a\x00b\x1bc\uffff"], ["=1+1"], ["\ud800x"], [math.nan]])[0] == [
        ["a"],
        ["abc"],
        ["=1+1"],
        ["\ufffdx"],
    ]


def test_excel_rows_go_on_with_a_head_on_the_next_sheet() -> None:
    sheets = xlsx([[n] for n in range(5)], sheet_rows=3)
    assert sheets == [[["a"], [0], [1]], [["a"], [2], [3]], [["a"], [4]]]


@given(st.text(min_size=0, max_size=40), st.integers(20, 60))
def test_a_cut_text_fits_and_is_marked(text: str, units: int) -> None:
    result = cut(text, units)
    assert len(result.encode("utf-16-le")) <= 2 * units
    if len(text.encode("utf-16-le")) > 2 * units:
        assert result.endswith(CUT_MARK)
        assert text.startswith(result.removesuffix(CUT_MARK))
    else:
        assert result == text


def test_a_character_outside_the_basic_plane_is_not_cut_in_half() -> None:
    result = cut("a" + "𠮷" * XLSX_CELL_UNITS)
    assert "\ufffd" not in result
    assert result.encode("utf-8")


def test_a_long_body_is_cut_in_excel_only() -> None:
    body = "侨" * 40_000
    (cell,) = xlsx([[body]])[0][1]
    assert isinstance(cell, str)
    assert cell.endswith(CUT_MARK)
    assert len(cell) == XLSX_CELL_UNITS
    stream = io.BytesIO()
    JsonLinesWriter(stream, ["a"]).row([body])
    assert json.loads(stream.getvalue())["a"] == body


def test_every_field_of_a_page_can_be_written() -> None:
    values = [column.exported(make_page()) for column in COLUMNS.values()]
    assert all(isinstance(as_text(value), str | int | float) for value in values)


def test_fields_may_be_separated_by_a_chinese_comma() -> None:
    assert choose_fields("url， title") == ["url", "title"]


def test_no_field_at_all_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="--fields names none"):
        choose_fields(" , ")


def test_format_wins_over_the_extension() -> None:
    assert choose_format("x.txt", "jsonl") == "jsonl"
    assert choose_format("X.CSV", None) == "csv"


DETAILS = ["author", "source", "editor", "kind", "summary", "keywords", "script"]


def test_details_of_a_page_are_columns_of_their_own() -> None:
    page = make_page(language="zh-Hant")
    values = [COLUMNS[name].exported(page) for name in DETAILS]
    assert values[:5] == ["方敏", "侨乡日报", "李小明", "article", "海外华侨捐资建学校。"]
    assert list(values[5]) == ["华侨", "捐资助学"]  # type: ignore[arg-type]
    assert values[6] == "traditional"
    assert COLUMNS["script"].exported(make_page(language="en")) == ""


def test_keywords_are_one_cell_of_a_table_and_an_array_in_json() -> None:
    assert as_text(["华侨", "捐资助学"]) == "华侨; 捐资助学"
    assert as_text([]) == ""
    stream = io.BytesIO()
    JsonLinesWriter(stream, ["k", "t"]).row([("华侨", "\ud800"), [("华侨", 0.5)]])
    assert json.loads(stream.getvalue()) == {"k": ["华侨", "\ufffd"], "t": [["华侨", 0.5]]}


def test_a_keyword_that_looks_like_a_formula_is_neutralized() -> None:
    stream = io.BytesIO()
    writer = CsvWriter(stream, ["keywords"])
    writer.row([["=1+1", "华侨"]])
    writer.finish()
    assert stream.getvalue().decode("utf-8-sig").splitlines()[1] == "'=1+1; 华侨"
