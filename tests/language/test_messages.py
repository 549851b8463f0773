"""Every message has a Chinese translation with the same placeholders, and the files are up to date."""

from __future__ import annotations

import runpy
from typing import Any

import pytest

from tests.support.clean_copy import ROOT

TOOL: dict[str, Any] = runpy.run_path(str(ROOT / ".ci" / "messages.py"))


def translated(*pairs: tuple[str, str]) -> Any:
    """A catalog with these messages."""
    catalog = TOOL["Catalog"]("zh_CN")
    for message, translation in pairs:
        catalog.add(message, translation, locations=[("a.py", None)])
    return catalog


def test_all_messages_are_translated_and_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    # Run `make messages`, translate what it lists in the .po file, and run it again.
    assert TOOL["main"]([]) == 0, capsys.readouterr().out


def test_the_catalog_has_no_guesses_and_no_messages_that_the_code_has_not() -> None:
    text = TOOL["SOURCE"].read_text("utf-8")
    assert "#, fuzzy" not in text
    assert "#~" not in text


@pytest.mark.parametrize(
    ("message", "translation", "problem"),
    [
        ("{n} pages", "", "no translation"),
        ("{n} pages", "几页", "placeholders"),
        ("{n} pages", "{m} 页", "placeholders"),
        ("got {value!r}", "现为 {value}", "placeholders"),
        ("{rate:.1%} stored", "入库 {rate}", "placeholders"),
        ("%(n)d pages", "%(n)s 页", "placeholders"),
    ],
)
def test_a_translation_that_would_lose_a_value_is_found(
    message: str, translation: str, problem: str
) -> None:
    [found] = TOOL["mistakes"](translated((message, translation)))
    assert problem in found


def test_the_order_of_placeholders_is_free() -> None:
    pair = ("{failed} of {all} could not be read", "{all} 个中有 {failed} 个无法读取")
    assert TOOL["mistakes"](translated(pair)) == []
