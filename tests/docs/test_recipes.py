"""The recipes of CONTRIBUTING.md, followed step by step."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy.settings import Settings

from tests.support.contract_support import a_link
from tests.support.drawn_web import DrawnLink, DrawnWeb, crawl_order
from tests.support.recipes import follow, recipes, run_in
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.page.body.extractors import get_extractor
from topiccrawl.page.page import Page
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.store.factory import open_store

RECIPES = recipes()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder on Python's path; what was imported from it is forgotten afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "my_project"]:
        del sys.modules[name]


def setting(name: str) -> str:
    value = getattr(importlib.import_module("my_project.settings"), name)
    assert isinstance(value, str)
    return value


def test_a_strategy_of_another_project_orders_the_links(project: Path) -> None:
    follow(RECIPES["Add a strategy"], project)
    strategy = make_strategy(setting("TOPICCRAWL_STRATEGY"), StrategyConfig())
    web = DrawnWeb(
        {"s": [DrawnLink("a", anchor=0.1), DrawnLink("b", anchor=0.9)], "b": [DrawnLink("c")]},
        relevance={"b": 0.8},
    )
    assert crawl_order(web, strategy, ["s"]) == "s b c a"


def test_an_extractor_of_another_project_finds_the_body(project: Path) -> None:
    follow(RECIPES["Add a body extractor"], project)
    extractor = get_extractor(setting("TOPICCRAWL_BODY_EXTRACTOR"))
    page = Page("http://a.example/", "<p>短\n这一行最长，没有标签。\n</p>".encode())
    assert extractor.extract(page).body == "这一行最长，没有标签。"


def test_a_store_of_another_project_is_opened_by_its_dotted_path(project: Path) -> None:
    written = [step for step in RECIPES["Add a store backend"] if step.file]
    follow(written, project)  # test_recipes_in_topiccrawl.py also runs the contract
    assert type(open_store(setting("TOPICCRAWL_STORE_URI"))).__name__ == "MyStore"


def test_a_frontier_of_another_project_is_opened(project: Path) -> None:
    follow(RECIPES["Add a frontier backend"], project)
    settings = Settings({"TOPICCRAWL_FRONTIER_BACKEND": setting("TOPICCRAWL_FRONTIER_BACKEND")})
    opened = frontier_backend(CrawlSettings.from_settings(settings)).open("侨情")
    opened.frontier.push([a_link(str(number), 1.0) for number in range(1_001)])
    assert opened.frontier.size().queued == 1_000


def test_a_step_writes_appends_and_inserts(tmp_path: Path) -> None:
    document = """
## Recipes

### Example

1. First:

   ```python file=package/x.py
   class A:
       one = 1
   ```

2. Then:

   ```python file=package/x.py append
   print(A.one + A.two)
   ```
   ```python file=package/x.py after="one ="
   two = 2
   ```
   ```python file=package/x.py before="one ="
   zero = 0
   ```

   ```sh run
   python package/x.py > out
   ```
   ```sh
   exit 1
   ```
"""
    follow(recipes(document)["Example"], tmp_path)
    text = (tmp_path / "package" / "x.py").read_text()
    assert text == "class A:\n    zero = 0\n    one = 1\n    two = 2\nprint(A.one + A.two)\n"
    assert (tmp_path / "out").read_text() == "3\n"
    assert run_in(tmp_path, "cat", "out") == "3\n"


def test_a_step_that_does_not_fit_is_an_error(tmp_path: Path) -> None:
    document = '\n## Recipes\n### R\n```python file=x.py after="nowhere"\n1\n```\n'
    with pytest.raises(LookupError, match="nowhere"):
        follow(recipes(document)["R"], tmp_path)


def test_a_misspelled_instruction_is_an_error() -> None:
    with pytest.raises(LookupError, match="fil=x"):
        recipes("\n## Recipes\n### R\n```python fil=x.py\n1\n```\n")


def test_each_recipe_has_steps_to_follow() -> None:
    assert RECIPES
    assert not [title for title, steps in RECIPES.items() if not steps]
