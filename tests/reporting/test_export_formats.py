"""Cells of an export: hostile, illegal and oversized values in each format."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from openpyxl import load_workbook
from openpyxl.utils.escape import unescape

from tests.support.reporting_store import START, make_page
from topiccrawl.errors import ConfigurationError
from topiccrawl.export.cells import legal, table_value
from topiccrawl.export.fields import Headings, choose_columns, heading
from topiccrawl.export.guard import neutral
from topiccrawl.export.story_columns import EXPORT_COLUMNS
from topiccrawl.export.writers import CsvWriter, JsonLinesWriter, choose_format
from topiccrawl.export.xlsx import CELL_UNITS, CUT_MARK, XlsxWriter, cut
from topiccrawl.store.columns import COLUMNS, Column

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

ANY_TEXT = st.text(st.characters(exclude_categories=())) | st.sampled_from(
    ["=1", "\x00侨", "\ud800"]
)


def columns(*names: str) -> list[Column]:
    return [COLUMNS[name] for name in names]


def test_negative_numbers_stay_numbers() -> None:
    stream = io.BytesIO()
    writer = CsvWriter(stream, columns("link_score"), "fields")
    writer.row([-0.512345])
    writer.finish()
    assert stream.getvalue().decode("utf-8-sig").splitlines() == ['"link_score"', '"-0.5123"']


@given(st.lists(ANY_TEXT, min_size=1, max_size=4))
def test_any_text_survives_csv(texts: list[str]) -> None:
    stream = io.BytesIO()
    writer = CsvWriter(stream, columns(*list(COLUMNS)[: len(texts)]))
    writer.row(texts)
    writer.finish()
    rows = list(csv.reader(io.StringIO(stream.getvalue().decode("utf-8-sig"), newline="")))
    assert rows[1] == [neutral(legal(text)) for text in texts]


@given(ANY_TEXT)
def test_any_text_survives_json_lines(text: str) -> None:
    stream = io.BytesIO()
    JsonLinesWriter(stream, columns("title")).row([text])
    assert stream.getvalue().count(b"\n") == 1
    shown = json.loads(stream.getvalue().decode())["title"]
    assert shown == re.sub("[\ud800-\udfff]", "\ufffd", text)


def test_json_has_no_nan() -> None:
    stream = io.BytesIO()
    names = ("relevance", "link_parts", "main_terms")
    row = [math.nan, {"rw": math.inf}, [("侨", math.nan)]]
    JsonLinesWriter(stream, columns(*names)).row(row)
    assert list(json.loads(stream.getvalue()).values()) == [None, {"rw": None}, [["侨", None]]]


def xlsx(
    rows: list[list[Any]], *names: str, headings: Headings = "en", **limits: int
) -> list[Worksheet]:
    """Return the sheets of a workbook with *rows*, as another program reads them."""
    stream = io.BytesIO()
    writer = XlsxWriter(stream, columns(*names or ("title",)), headings, **limits)
    for row in rows:
        writer.row(row)
    writer.finish()
    return list(load_workbook(io.BytesIO(stream.getvalue())))


def texts(sheet: Worksheet) -> list[Any]:
    """Return the values of the first column, without its heading."""
    return [row[0].value for row in sheet.iter_rows(min_row=2)]


def test_excel_gets_no_illegal_characters() -> None:
    (sheet,) = xlsx([["a\x00b\x1bc\uffff"], ["\ud800x"]])
    assert texts(sheet) == ["abc", "\ufffdx"]
    (sheet,) = xlsx([[math.nan], [math.inf], [0.25]], "relevance")
    assert texts(sheet) == [None, None, 0.25]


def test_controls_and_overrides_of_direction_are_in_no_table_but_in_json_lines() -> None:
    hidden = "".join(map(chr, [*range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]))
    title = f"侨{hidden}情\u200d\u00a0报.xlsx"
    stream = io.BytesIO()
    writer = CsvWriter(stream, columns("title"))
    writer.row([title])
    writer.finish()
    assert stream.getvalue().decode("utf-8-sig").splitlines()[1] == '"侨情\u200d\u00a0报.xlsx"'
    (sheet,) = xlsx([[title]])
    assert texts(sheet) == ["侨情\u200d\u00a0报.xlsx"]
    stream = io.BytesIO()
    JsonLinesWriter(stream, columns("title")).row([title])
    assert json.loads(stream.getvalue())["title"] == title


@given(st.lists(ANY_TEXT, min_size=1, max_size=4))
def test_any_text_survives_excel_as_text(rows: list[str]) -> None:
    (sheet,) = xlsx([[text] for text in rows])
    read = [row[0] for row in sheet.iter_rows(min_row=2)]
    for text, cell in zip(rows, read, strict=False):
        assert cell.data_type in ("s", "n")  # n: empty
        assert (cell.value or "") == re.sub("\r\n?", "\n", legal(text))


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "<r><t>x</t></r>",
        "<r></is></c>",
        "<r>&</r>",
        "_x003D_1",
        "#N/A",
        "TRUE",
        "http://x/",
    ],
)
def test_excel_shows_text_as_it_is_and_calculates_nothing(text: str) -> None:
    (sheet,) = xlsx([[text]])
    cell = sheet["A2"]
    assert cell.data_type in ("s", "s")
    # The file escapes what looks like an escape; openpyxl leaves that to its readers.
    assert unescape(cell.value).rstrip() == text
    assert cell.hyperlink is None
    assert cell.quotePrefix == (text == "=1+1")  # not even when the cell is edited


def test_a_workbook_has_bold_headings_that_stay_and_filter_and_columns_of_fitting_width() -> None:
    (sheet,) = xlsx([["侨情", 0.123456]], "title", "relevance", headings="zh")
    assert [cell.value for cell in sheet[1]] == ["标题", "相关度"]
    assert all(cell.font.bold for cell in sheet[1])
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:B2"
    assert sheet.column_dimensions["A"].width > 3 * sheet.column_dimensions["B"].width
    assert (sheet["B2"].value, sheet["B2"].number_format) == (0.1235, "0.000")


def test_yes_and_no_are_those_of_excel_or_chinese_words() -> None:
    (sheet,) = xlsx([[True], [False]], "title")
    assert [sheet[at].value for at in ("A2", "A3")] == [True, False]
    assert sheet["A2"].data_type == "b"
    (sheet,) = xlsx([[True], [False]], "title", headings="zh")
    assert [sheet[at].value for at in ("A2", "A3")] == ["是", "否"]


def test_dates_of_a_workbook_are_dates_in_china() -> None:
    days = [START, datetime(1850, 1, 1, tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
    (sheet,) = xlsx([[day] for day in days], "fetched_at")
    assert sheet["A2"].value == datetime(2024, 5, 1, 10)
    assert sheet["A2"].is_date
    assert sheet["A3"].value == "1850-01-01 08:05:43"  # Excel has no such date; local mean time
    assert sheet["A4"].is_date


def test_urls_of_a_workbook_are_links_up_to_the_limit_of_a_sheet() -> None:
    urls = [
        "http://a.cn/1",
        "javascript:alert(1)",
        "http://a.cn/#x",
        f"http://a.cn/{'x' * 3000}",
        "http://侨.cn/新闻 \"'<>^`{}?a=1&b=%22",
        "http://a.cn/2",
    ]
    (sheet,) = xlsx([[url] for url in urls], "url", sheet_links=2)
    links = [row[0].hyperlink for row in sheet.iter_rows(min_row=2)]
    assert [link is not None for link in links] == [True, False, False, False, True, False]
    assert links[0].target == "http://a.cn/1"
    assert texts(sheet) == urls


def test_excel_rows_go_on_with_headings_on_the_next_sheet() -> None:
    sheets = xlsx([[n] for n in range(5)], "depth", sheet_rows=3)
    assert [texts(sheet) for sheet in sheets] == [[0, 1], [2, 3], [4]]
    assert [sheet["A1"].value for sheet in sheets] == ["Depth"] * 3
    assert [sheet.title for sheet in sheets] == ["Pages", "Pages 2", "Pages 3"]


@given(st.text("a侨𠀀", max_size=60), st.integers(20, 60))
@example("侨" * 21, 20)
@example("𠀀" * 11, 21)
def test_a_cut_text_fits_and_is_marked(text: str, units: int) -> None:
    result = cut(text, units)
    assert len(result.encode("utf-16-le")) <= 2 * units
    if len(text.encode("utf-16-le")) > 2 * units:
        assert result.endswith(CUT_MARK)
        assert text.startswith(result.removesuffix(CUT_MARK))
    else:
        assert result == text


def test_a_character_outside_the_basic_plane_is_not_cut_in_half() -> None:
    result = cut("a" + "𠮷" * CELL_UNITS)
    assert "\ufffd" not in result
    assert result.encode("utf-8")


def test_a_long_body_is_cut_in_excel_only() -> None:
    body = "侨" * 40_000
    cell = xlsx([[body]])[0]["A2"].value
    assert cell.endswith(CUT_MARK)
    assert len(cell) == CELL_UNITS
    stream = io.BytesIO()
    JsonLinesWriter(stream, columns("body")).row([body])
    assert json.loads(stream.getvalue())["body"] == body


def test_every_field_of_a_page_can_be_written() -> None:
    values = [column.exported(make_page()) for column in COLUMNS.values()]
    cells = [table_value(value) for value in values]
    assert all(isinstance(cell, str | int | float | datetime | None) for cell in cells)


def test_every_column_has_headings_in_both_languages() -> None:
    for column in EXPORT_COLUMNS.values():
        zh, en = heading(column, "zh"), heading(column, "en")
        assert re.search("[一-鿿]", zh), column.name
        assert en.isascii(), column.name
        assert heading(column, "fields") == column.name
    assert len({heading(column, "zh") for column in EXPORT_COLUMNS.values()}) == len(EXPORT_COLUMNS)


def test_a_page_with_a_date_at_the_end_of_the_calendar_can_be_exported() -> None:
    page = make_page(published_at=datetime.max.replace(tzinfo=UTC))
    assert COLUMNS["published_at"].exported(page) == page.published_at


def test_fields_may_be_separated_by_a_chinese_comma() -> None:
    assert [column.name for column in choose_columns("url， title")] == ["url", "title"]


def test_no_field_at_all_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="--fields names none"):
        choose_columns(" , ")


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
    assert table_value(["华侨", "捐资助学"]) == "华侨; 捐资助学"
    assert table_value([]) == ""
    comments = [
        {"author": "方敏", "time": "2023-04-01", "text": "写得好。"},
        {"author": "", "time": "", "text": "是的。"},
    ]
    assert table_value(comments) == "方敏 2023-04-01: 写得好。\n是的。"
    stream = io.BytesIO()
    row = [("华侨", "\ud800"), [("华侨", 0.5)]]
    JsonLinesWriter(stream, columns("keywords", "main_terms")).row(row)
    record = {"keywords": ["华侨", "\ufffd"], "main_terms": [["华侨", 0.5]]}
    assert json.loads(stream.getvalue()) == record


def test_a_keyword_that_looks_like_a_formula_is_neutralized() -> None:
    stream = io.BytesIO()
    writer = CsvWriter(stream, columns("keywords"))
    writer.row([["=1+1", "华侨", "-1"]])
    writer.finish()
    assert stream.getvalue().decode("utf-8-sig").splitlines()[1] == "\"'=1+1; 华侨;' -1\""
