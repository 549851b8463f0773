"""Messages have the commas and colons of the user's language: 甲、乙, not 甲, 乙."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from scrapy.settings import Settings

import topiccrawl
from topiccrawl.commandline.store import brief_list
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError, of_setting
from topiccrawl.export.fields import choose_columns
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.language import Language, using_language
from topiccrawl.reporting.aggregates.histogram import Bin
from topiccrawl.reporting.html.charts import histogram_chart
from topiccrawl.reporting.words.labels import Words
from topiccrawl.tables import reject
from topiccrawl.topics.load import find_definition

ROOT = Path(topiccrawl.__file__).parent
#: What shows its argument to the user as it is.
USERS_ERRORS = {"CommandError", "ConfigurationError", "MissingSecret", "TableError", "fail"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@pytest.mark.parametrize(("language", "comma"), [("zh", "、"), ("en", ", ")])
def test_names_are_listed_as_the_language_lists_them(language: Language, comma: str) -> None:
    config = replace(CrawlSettings.from_settings(Settings()), frontier_backend="redis2")
    with using_language(language):
        assert brief_list(["甲", "乙"]) == f"甲{comma}乙"
        with pytest.raises(ConfigurationError, match=f"memory{comma}redis{comma}sqlite"):
            frontier_backend(config)
        with pytest.raises(ConfigurationError, match=f"title{comma}url{comma}"):
            choose_columns("shade")


def test_near_and_known_topics_are_listed_as_the_language_lists_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("侨务", "侨情"):
        (tmp_path / "seeds" / name).mkdir(parents=True)
        (tmp_path / "seeds" / name / "topic.toml").write_text(f'name = "{name}"\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    with using_language("zh"), pytest.raises(ConfigurationError) as refused:
        find_definition("侨事")
    assert ", " not in str(refused.value)
    assert "侨务、侨情" in str(refused.value) or "侨情、侨务" in str(refused.value)


def joined_by_commas(tree: ast.AST) -> Iterator[int]:
    """Yield the lines of translated messages that are given names joined by English commas."""

    def is_join(node: ast.AST) -> bool:
        calls = (it for it in ast.walk(node) if isinstance(it, ast.Call))
        return any(ast.unparse(it.func) == "', '.join" for it in calls)

    for function in (it for it in ast.walk(tree) if isinstance(it, FUNCTIONS)):
        nodes = list(ast.walk(function))
        names = {
            ast.unparse(target)
            for it in nodes
            if isinstance(it, ast.Assign) and is_join(it.value)
            for target in it.targets
        }
        for it in nodes:
            if isinstance(it, ast.Call) and ast.unparse(it.func).startswith(("_('", '_("')):
                given = [keyword.value for keyword in it.keywords]
                if any(is_join(value) or ast.unparse(value) in names for value in given):
                    yield it.lineno


def test_no_translated_message_is_given_names_joined_by_english_commas() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(ROOT.rglob("*.py"))
        for line in joined_by_commas(ast.parse(path.read_text("utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        '_("one of {names}").format(names=", ".join(names))',
        'known = ", ".join(names) or _("none")\n    print(_("one of {names}").format(names=known))',
    ],
)
def test_names_joined_by_english_commas_are_noticed(code: str) -> None:
    assert list(joined_by_commas(ast.parse(f"def f(names):\n    {code}")))


def labels_with_english_colons(tree: ast.AST) -> Iterator[int]:
    """Yield the lines where an error for the user begins with a name and an English colon."""
    for call in (it for it in ast.walk(tree) if isinstance(it, ast.Call)):
        if ast.unparse(call.func) in USERS_ERRORS and call.args:
            match call.args[0]:
                case ast.JoinedStr(values=values):
                    texts = [it.value for it in values if isinstance(it, ast.Constant)]
                    if any(str(text).startswith(": ") for text in texts):
                        yield call.lineno


def test_no_error_begins_with_a_name_and_an_english_colon() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(ROOT.rglob("*.py"))
        for line in labels_with_english_colons(ast.parse(path.read_text("utf-8")))
    ]
    assert found == []
    assert list(labels_with_english_colons(ast.parse('fail(f"{name}: {error}")')))


@pytest.mark.parametrize(("language", "colon"), [("zh", "："), ("en", ": ")])
def test_what_is_wrong_follows_its_setting_as_the_language_writes_it(
    language: Language, colon: str, tmp_path: Path
) -> None:
    file = tmp_path / "seeds" / "侨情" / "topic.toml"
    with using_language(language):
        with (
            pytest.raises(ConfigurationError, match=f"^TOPICCRAWL_STRATEGY{colon}a$"),
            of_setting("TOPICCRAWL_STRATEGY"),
        ):
            raise ConfigurationError("a")
        with pytest.raises(ConfigurationError, match=f"^{re.escape(str(file))}{colon}name a"):
            reject(str(file), "name", "a")


def test_no_view_of_the_console_puts_an_english_colon_between_two_values() -> None:
    templates = sorted((ROOT / "console" / "templates").rglob("*.html"))
    assert templates
    assert [it.name for it in templates if "}}: {{" in it.read_text("utf-8")] == []


@pytest.mark.parametrize(("language", "line"), [("zh", "入库：1"), ("en", "stored: 1")])
def test_tooltips_of_drawings_have_the_colon_of_their_language(
    language: Literal["zh", "en"], line: str
) -> None:
    drawing = histogram_chart([Bin(0, 0.1, 1, 0)], None, Words(language))
    assert line in str(drawing)
