"""Documents whose lines and objects are made to be searched again and again."""

from __future__ import annotations

import time
from io import BytesIO

import pytest
import xlsxwriter

from topiccrawl.documents.layout import Line, PageLines, paragraphs
from topiccrawl.documents.pdf import with_trailer
from topiccrawl.documents.sheets import read_excel

#: CPU seconds: quadratic time takes a minute and more.
MOST = 2.0


@pytest.mark.parametrize("unit", [b"1", b"1 0 obj<<", b"1 0 obj ", b"1 0 obj<< /Type "])
def test_the_catalog_of_a_damaged_pdf_is_found_in_linear_time(unit: bytes) -> None:
    body = unit * (1_000_000 // len(unit))
    begun = time.process_time()
    assert not with_trailer(body)
    assert time.process_time() - begun < MOST


def test_the_last_catalog_of_a_pdf_that_ends_early_is_named() -> None:
    old = b"11 0 obj\n<< /Pages 2 0 R /Type /Catalog >>\nendobj\n"
    assert b"/Root 12 0 R" in with_trailer(old + old.replace(b"11", b"12"))


@pytest.mark.parametrize("number", ["1", "第", "-"])
def test_a_first_line_of_spaces_is_compared_with_page_numbers_in_linear_time(number: str) -> None:
    lines = [
        Line(f"{number}{' ' * 100_000}x", 100, 300, 810, 820, 10),
        Line("侨批档案馆昨日开放，归侨带着孙辈前来参观。", 100, 300, 600, 610, 10),
    ]
    begun = time.process_time()
    assert paragraphs([PageLines(595, 842, lines)])[-1].endswith(lines[1].text)
    assert time.process_time() - begun < MOST


def test_a_page_number_with_spaces_is_left_out() -> None:
    lines = [
        Line("- 第  12  页 / 共  340  页 -", 250, 300, 20, 30, 10),
        Line("侨批档案馆昨日开放，归侨带着孙辈前来参观。", 100, 300, 600, 610, 10),
    ]
    assert paragraphs([PageLines(595, 842, lines)]) == [lines[1].text]


def test_the_format_of_a_cell_is_read_to_the_longest_of_excel() -> None:
    output = BytesIO()
    book = xlsxwriter.Workbook(output)
    sheet = book.add_worksheet()
    sheet.write_number(0, 0, 45_000, book.add_format({"num_format": f"yyyy{'[' * 200_000}"}))
    book.close()
    begun = time.process_time()
    assert read_excel(output.getvalue(), "xlsx").lines == ["2023-03-15"]
    assert time.process_time() - begun < MOST
