"""Cells of spreadsheets as their formats show them."""

from __future__ import annotations

from io import BytesIO

import pytest
import xlsxwriter

from topiccrawl.documents.reading import read_document


@pytest.mark.parametrize(
    ("number", "number_format", "shown"),
    [
        (45_000, "yyyy-mm-dd", "2023-03-15"),
        (45_000, 'yyyy"年"m"月"d"日"', "2023-03-15"),
        (45_000.5, "yyyy-mm-dd hh:mm", "2023-03-15 12:00:00"),
        (0.5, "h:mm", "12:00:00"),
        (1.5, "[h]:mm", "36:00:00"),
        (1.5, "[h]:mm:ss", "36:00:00"),
        (12.5, "0.0", "12.5"),
        (12.5, "[Red]0.0", "12.5"),
        (12.5, "[Magenta]0.0", "12.5"),
        (12.5, "[$-804]0.0", "12.5"),
    ],
)
def test_a_cell_is_a_day_a_time_hours_or_a_number_by_its_format(
    number: float, number_format: str, shown: str
) -> None:
    output = BytesIO()
    book = xlsxwriter.Workbook(output)
    book.add_worksheet().write_number(0, 0, number, book.add_format({"num_format": number_format}))
    book.close()
    assert read_document(output.getvalue()).lines == [shown]
