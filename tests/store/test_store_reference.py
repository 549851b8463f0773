"""docs/store.md lists the fields of a page as they are declared."""

from __future__ import annotations

from tests.support.store_reference import (
    CHINESE,
    MEANINGS_ZH,
    chinese_table,
    field_table,
    written_table,
)
from topiccrawl.store.records import PAGES


def test_the_table_of_page_fields_is_generated_from_the_declarations() -> None:
    assert written_table() == field_table(), "run: python -m tests.support.store_reference"
    assert written_table(CHINESE) == chinese_table(), "run: python -m tests.support.store_reference"


def test_only_fields_that_exist_are_described_in_chinese() -> None:
    assert set(MEANINGS_ZH) <= {field.key for field in PAGES.fields}


def test_each_field_of_a_page_has_headings_and_a_meaning() -> None:
    bare = [
        field.name
        for field in PAGES.fields
        if not (field.declaration.zh and field.declaration.en and field.declaration.doc)
    ]
    assert bare == []
