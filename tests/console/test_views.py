"""Every view in a real browser: accessible, narrow and wide, in both languages, harmless."""

from __future__ import annotations

import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.chromium import needs_chromium
from tests.support.console_examples import examples, keep_events, leave_crawl
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
from tests.support.markup_check import links_of, markup_faults
from topiccrawl.console.paths import topic_path
from topiccrawl.console.sections import sections
from topiccrawl.store.contract import Store

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SECTIONS = [section.key for section in sections()]
#: Most bytes of a first load: page, style sheet, scripts.
MOST_BYTES = 150_000
#: Links that were followed by a test.
CHECKED_LINKS: set[str] = set()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningConsole]:
    with filled(tmp_path_factory.mktemp("honest"), fill_honest, TOPIC) as running:
        yield running


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningConsole]:
    with filled(tmp_path_factory.mktemp("hostile"), fill_hostile, EVIL_TOPIC) as running:
        yield running


@contextmanager
def filled(
    project: Path, write: Callable[[Store], Awaitable[None]], topic: str
) -> Iterator[RunningConsole]:
    """Serve a store with everything that views show, and a crawl."""

    async def fill_it(store: Store) -> None:
        await write(store)
        await keep_events(store, topic)

    uri = fill(project / "pages.sqlite", fill_it)
    leave_crawl(project, topic)
    with console(uri, write=True, folder=project) as running:
        running.get(topic_path(topic))
        yield running


def paths_of(desk: RunningConsole, section: str, topic: str, url: str, story: str) -> list[str]:
    """Return the paths of a section that show a page of their own, all of which exist."""
    found = []
    for path in view_paths(section, topic, url, examples(desk, topic, story)):
        answer = desk.get(path)
        assert answer.status in (200, 286), path
        # Pieces that scripts put into a page are no documents.
        is_page = answer.headers.get("content-type", "").startswith("text/html")
        if is_page and answer.text.startswith("<!DOCTYPE html>"):
            found.append(path)
    return found


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
        for path in paths_of(honest, section, TOPIC, URL, STORY):
            problems[path] = walk(page, honest.url, path).problems(width)
    assert {path: found for path, found in problems.items() if found} == {}


@needs_chromium
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_view_is_printed_dark_on_white_whatever_the_colors_of_the_screen_are(
    browser: Browser, honest: RunningConsole, theme: str
) -> None:
    for chosen in (False, True):
        with window(browser, 760, "zh", theme) as page:
            if chosen:
                page.goto(f"{honest.url}/preferences?theme={theme}&next=/")
            page.goto(honest.url + topic_path(TOPIC, "trends"))
            page.emulate_media(media="print")
            colors = page.evaluate(
                "[...document.querySelectorAll('.card, main a, main small, main td')]"
                ".map(it => [getComputedStyle(it).color, it.matches('.card')"
                " ? getComputedStyle(it).backgroundColor : ''])"
            )
        for ink, paper in colors:
            assert max(map(int, re.findall(r"\d+", ink)[:3])) < 150, (ink, chosen)
            assert paper in ("", "rgb(255, 255, 255)")


@needs_chromium
def test_what_forms_hold_is_printed_as_text(browser: Browser, honest: RunningConsole) -> None:
    kept = examples(honest, TOPIC, STORY)["id"]
    expected = {
        topic_path(TOPIC, "page", url=URL): '.note-text:text("核对日期") >> visible=true',
        topic_path(TOPIC, f"briefing/{kept}"): ".briefing-entries h3 >> visible=true",
    }
    with window(browser, 760, "en", "light") as page:
        for path, text in expected.items():
            page.goto(honest.url + path)
            page.emulate_media(media="screen")
            assert page.locator("main form >> visible=true").count(), path
            assert not page.locator(text).count(), path
            page.emulate_media(media="print")
            assert not page.locator("main form >> visible=true").count(), path
            assert page.locator(text).count(), path


@needs_chromium
def test_the_names_of_cells_are_in_one_line_on_a_telephone(
    browser: Browser, honest: RunningConsole
) -> None:
    widths: list[tuple[str, float]] = []
    with window(browser, 360, "zh", "light") as page:
        for view in ("crawls", "events", "hosts", "relations"):
            page.goto(honest.url + topic_path(TOPIC, view))
            widths += page.evaluate(
                "[...document.querySelectorAll('.stacked td:not(:first-child, .num)')].map(it => {"
                # However long the value beside it is.
                "it.lastElementChild.textContent = '字'.repeat(200);"
                "const style = getComputedStyle(it, '::before');"
                "return [it.dataset.label, parseFloat(style.width) / parseFloat(style.fontSize)]})"
            )
    assert widths
    assert [name for name, width in widths if width < 0.9 * sum(c > "\u3000" for c in name)] == []


@needs_chromium
@pytest.mark.parametrize("language", ["zh", "en"])
def test_no_heading_of_a_column_and_no_day_is_broken(
    browser: Browser, honest: RunningConsole, language: str
) -> None:
    broken = {}
    paths = [topic_path(TOPIC, f"stories/{STORY}")]
    paths += [topic_path(TOPIC, view) for view in ("events", "relations", "crawls", "hosts")]
    with window(browser, 1280, language, "light") as page:
        for path in paths:
            page.goto(honest.url + path)
            broken[path] = page.evaluate(
                # However long the names in the other columns are.
                "document.querySelectorAll('td bdi').forEach(it => it.textContent += '某'.repeat(200));"
                "[...document.querySelectorAll('th, td time, td .days')].filter(it => {"
                "const range = document.createRange(); range.selectNodeContents(it);"
                "const lines = new Set([...range.getClientRects()].map(box => box.top)).size;"
                "return lines > it.textContent.trim().split(/\\s+/).length"
                "|| it.matches('td *') && lines > 1 }).map(it => it.outerHTML)"
            )
    assert {path: found for path, found in broken.items() if found} == {}


@needs_chromium
def test_letters_of_drawings_can_be_read_on_a_telephone(
    browser: Browser, honest: RunningConsole
) -> None:
    sizes: list[float] = []
    with window(browser, 360, "zh", "light") as page:
        for view in ("trends", f"stories/{STORY}", "relations"):
            page.goto(honest.url + topic_path(TOPIC, view))
            sizes += page.evaluate(
                "[...document.querySelectorAll('main svg text')].map(it =>"
                " parseFloat(getComputedStyle(it).fontSize) * it.getScreenCTM().a)"
            )
    # A choice: what the smallest letters of printed tables have.
    assert sizes
    assert min(sizes) >= 10


@needs_chromium
@pytest.mark.parametrize("section", SECTIONS)
def test_nothing_of_an_attackers_store_runs(
    browser: Browser, hostile: RunningConsole, section: str
) -> None:
    problems = {}
    with window(browser, 1280, "zh", "light") as page:
        for path in view_paths(
            section, EVIL_TOPIC, EVIL_URL, examples(hostile, EVIL_TOPIC, EVIL_STORY)
        ):
            answer = hostile.get(path)
            assert answer.status in (200, 286), path
            if answer.headers.get("content-type", "").startswith("text/html"):
                # A piece of a page has no style sheet of its own.
                width = 1280 if answer.text.startswith("<!DOCTYPE html>") else sys.maxsize
                problems[path] = walk(page, hostile.url, path, axe=False).problems(width)
                assert not set("\u202e\u2066\x1b\x07\x00") & set(answer.text), path
    assert {path: found for path, found in problems.items() if found} == {}


@pytest.mark.parametrize("section", SECTIONS)
def test_a_first_load_is_small_and_no_view_fails(honest: RunningConsole, section: str) -> None:
    for path in paths_of(honest, section, TOPIC, URL, STORY):
        answer = honest.get(path, accept_encoding="gzip")
        files = re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.text)
        sizes = [len(honest.get(file, accept_encoding="gzip").body) for file in set(files)]
        assert len(answer.body) + sum(sizes) <= MOST_BYTES, path


@pytest.mark.parametrize("section", SECTIONS)
def test_the_markup_is_valid_and_links_of_the_console_lead_somewhere(
    honest: RunningConsole, section: str
) -> None:
    faults, dead = {}, {}
    for path in paths_of(honest, section, TOPIC, URL, STORY):
        text = honest.get(path).text
        if found := markup_faults(text):
            faults[path] = found
        inside = {link for link in links_of(text) if not link.startswith(("http:", "https:", "#"))}
        for link in sorted(inside - CHECKED_LINKS):
            CHECKED_LINKS.add(link)
            if honest.get(link).status >= 400:
                dead[path] = link
    assert (faults, dead) == ({}, {})
