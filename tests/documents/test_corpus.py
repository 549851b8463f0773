"""Documents in all forms are read, or have the reason why not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.documents import office_forms as office
from tests.documents.corpus import character_error, readable, unreadable
from tests.documents.corpus_texts import Example
from topiccrawl.documents.reader import DocumentReader
from topiccrawl.documents.xlsx import without_empty

READABLE = [example for example in readable() if not example.costly]
UNREADABLE = [example for example in unreadable() if not example.costly]


@pytest.fixture(scope="module")
def reader() -> Iterator[DocumentReader]:
    with DocumentReader() as reader:
        yield reader


def test_the_corpus_has_sixty_readable_documents() -> None:
    assert len({example.name for example in READABLE}) == len(READABLE) >= 60


@pytest.mark.parametrize("example", READABLE, ids=lambda example: example.name)
def test_a_readable_document_is_read(reader: DocumentReader, example: Example) -> None:
    found = reader.read(example.make(), example.content_type, example.file_name)
    assert character_error(example.truth, found.text) <= 0.01
    assert found.reason in ("", "damaged")
    assert example.kind in ("", found.kind)


@pytest.mark.parametrize("example", UNREADABLE, ids=lambda example: example.name)
def test_an_unreadable_document_has_its_reason(reader: DocumentReader, example: Example) -> None:
    found = reader.read(example.make(), example.content_type, example.file_name)
    assert found.reason
    assert example.reason in ("any", found.reason)


def test_cells_and_rows_without_content_are_left_out_before_the_parser() -> None:
    row = b'<row r="1"><c r="A1"><v>1</v></c><c r="B1" s="2"/></row>'
    empty = b'<row r="2" spans="1:3"><c r="A2" s="1"/><c r="B2" s="1"></c></row><row r="3"/>'
    whole = b"<sheetData>" + row + 3 * empty + row + b"</sheetData>"
    for size in (1, 7, 30, 1_000):
        pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
        kept = b"".join(without_empty(pieces))
        assert kept == b"<sheetData>" + 2 * row.replace(b'<c r="B1" s="2"/>', b"") + b"</sheetData>"


def test_the_character_error_is_the_relative_edit_distance() -> None:
    assert character_error(["abcd"], "a b\nd") == 0.25
    assert character_error(["kitten"], "sitting") == 0.5
    assert character_error(["侨务"], "侨务") == 0.0


def test_a_title_comes_from_the_layout_or_the_styles(reader: DocumentReader) -> None:
    titled = [x for x in READABLE if x.name in ("docx", "pdf, GBK-EUC-H", "ofd")]
    assert len(titled) == 3
    for example in titled:
        assert reader.read(example.make()).title == example.truth[0]


def test_raised_numbers_are_not_digits_of_the_number_before(reader: DocumentReader) -> None:
    raised = '<w:vertAlign w:val="superscript"/>'
    line = office.paragraph(
        "约10", office.run("6", raised), "平方米，第1", office.run("st", raised)
    )
    assert reader.read(office.word(line)).lines == ["约10⁶平方米，第1st"]
