"""Documents whose lines and objects are made to be searched again and again."""

from __future__ import annotations

import time
import zipfile
from io import BytesIO

import pytest
import xlsxwriter

from tests.documents.office_forms import ofd, ofd_prose
from topiccrawl.documents.layout.lines import Line, PageLines
from topiccrawl.documents.layout.paragraphs import paragraphs
from topiccrawl.documents.pdf import with_trailer
from topiccrawl.documents.reading import read_document
from topiccrawl.documents.rtf import read_rtf

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
    assert read_document(output.getvalue()).lines == ["2023-03-15"]
    assert time.process_time() - begun < MOST


def changed(packed: bytes, old: bytes, new: bytes) -> bytes:
    """Return a zip file with other bytes in its members."""
    output = BytesIO()
    with zipfile.ZipFile(BytesIO(packed)) as before, zipfile.ZipFile(output, "w") as after:
        for name in before.namelist():
            after.writestr(name, before.read(name).replace(old, new))
    return output.getvalue()


@pytest.mark.parametrize("number", ["NaN", "INF", "-1E999", "²"])
@pytest.mark.parametrize("date_format", ["", "yyyy-mm-dd"])
def test_a_cell_that_is_no_number_does_not_hide_its_sheet(number: str, date_format: str) -> None:
    output = BytesIO()
    book = xlsxwriter.Workbook(output)
    sheet = book.add_worksheet()
    sheet.write_string(0, 0, "归侨人数")
    sheet.write_number(1, 0, 31_415, book.add_format({"num_format": date_format or "General"}))
    book.close()
    found = read_document(changed(output.getvalue(), b"<v>31415</v>", f"<v>{number}</v>".encode()))
    assert not found.reason, found.detail
    assert found.lines[0] == "归侨人数"


def test_a_place_that_is_no_number_does_not_hide_its_page() -> None:
    pages = ofd_prose(["侨批档案馆开放", "侨批档案馆昨日开放，归侨带着孙辈前来参观。"])
    good = read_document(ofd(pages))
    bad = read_document(changed(ofd(pages), b'DeltaX="', b'DeltaX="g inf 1 '))
    assert not bad.reason, bad.detail
    assert sorted("".join(bad.lines)) == sorted("".join(good.lines))


def test_headers_of_rich_text_are_left_out_in_linear_time() -> None:
    begun = time.process_time()
    body = b"{\\rtf1 " + b"{\\header a}" * 100_000 + b"text}"
    assert read_rtf(body).lines == ["text"]
    assert time.process_time() - begun < MOST
