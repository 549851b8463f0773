"""Every view in a real browser: accessible, narrow and wide, in both languages, harmless."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support.chromium import needs_chromium
from tests.support.console_server import RunningConsole, console, fill
from tests.support.console_stores import (
    EVIL_STORY,
    EVIL_TOPIC,
    EVIL_URL,
    STORY,
    TOPIC,
    URL,
    fill_honest,
    fill_hostile,
)
from tests.support.console_walk import chromium, view_paths, walk, window
from topiccrawl.console.sections import sections

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SECTIONS = [section.key for section in sections()]
#: Most bytes of a first load: page, style sheet, scripts.
MOST_BYTES = 150_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningConsole]:
    uri = fill(tmp_path_factory.mktemp("honest") / "pages.sqlite", fill_honest)
    with console(uri, write=True) as running:
        running.get(f"/t/{TOPIC}/")
        yield running


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningConsole]:
    uri = fill(tmp_path_factory.mktemp("hostile") / "pages.sqlite", fill_hostile)
    with console(uri, write=True) as running:
        yield running


@needs_chromium
@pytest.mark.parametrize(
    ("width", "language", "theme"),
    [(1280, "zh", "light"), (360, "en", "dark")],
    ids=lambda value: str(value),
)
@pytest.mark.parametrize("section", SECTIONS)
def test_a_view_is_accessible_and_fits(
    browser: Browser,
    honest: RunningConsole,
    section: str,
    width: int,
    language: str,
    theme: str,
) -> None:
    problems = {}
    with window(browser, width, language, theme) as page:
        for path in view_paths(section, TOPIC, URL, {"story": STORY}):
            if honest.get(path).headers.get("content-type", "").startswith("text/html"):
                problems[path] = walk(page, honest.url, path).problems(width)
    assert {path: found for path, found in problems.items() if found} == {}


@needs_chromium
@pytest.mark.parametrize("section", SECTIONS)
def test_nothing_of_an_attackers_store_runs(
    browser: Browser, hostile: RunningConsole, section: str
) -> None:
    problems = {}
    with window(browser, 1280, "zh", "light") as page:
        for path in view_paths(section, EVIL_TOPIC, EVIL_URL, {"story": EVIL_STORY}):
            answer = hostile.get(path)
            if answer.headers.get("content-type", "").startswith("text/html"):
                problems[path] = walk(page, hostile.url, path, axe=False).problems(1280)
                assert not set("\u202e\u2066\x1b\x07\x00") & set(answer.text), path
    assert {path: found for path, found in problems.items() if found} == {}


@pytest.mark.parametrize("section", SECTIONS)
def test_a_first_load_is_small_and_no_view_fails(honest: RunningConsole, section: str) -> None:
    import re

    for path in view_paths(section, TOPIC, URL, {"story": STORY}):
        answer = honest.get(path, accept_encoding="gzip")
        assert answer.status in (200, 303, 404), path
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        files = re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.text)
        sizes = [len(honest.get(file, accept_encoding="gzip").body) for file in set(files)]
        assert len(answer.body) + sum(sizes) <= MOST_BYTES, path
