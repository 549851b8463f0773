"""From the start page to who published a story first and who took it: in a real browser, in three clicks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.chromium import CHROMIUM, needs_chromium
from tests.support.console_server import RunningConsole, console, fill
from tests.support.told_stories import CONGRESS_PAGES, TOPIC, told
from topiccrawl.console.paths import story_path

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningConsole]:
    path: Path = tmp_path_factory.mktemp("desk") / "pages.sqlite"
    with console(fill(path, lambda store: store.write(told()))) as running:
        yield running


@pytest.mark.parametrize(
    ("locale", "width", "scripts"),
    [("zh-CN", 1280, True), ("en-US", 360, True), ("zh-CN", 360, False)],
)
def test_three_clicks_lead_to_first_publisher_and_takers(
    desk: RunningConsole, locale: str, width: int, scripts: bool
) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            context = browser.new_context(
                viewport={"width": width, "height": 800}, locale=locale, java_script_enabled=scripts
            )
            page = context.new_page()
            page.goto(desk.url)
            clicks = 0
            wanted = page.locator(f'main a[href="{story_path(TOPIC, "a" * 16)}"]')
            for way in (f'main a[href*="/t/"] >> text={TOPIC}', 'nav a[href$="/stories"]'):
                if wanted.count() == 0:
                    page.locator(way).first.click()
                    clicks += 1
            wanted.first.click()
            clicks += 1
            page.wait_for_url("**/stories/" + "a" * 16)
            assert clicks <= 3
            first = page.locator(".first-publisher")
            assert "中新网" in first.inner_text()
            rows = page.locator(".spread-table tbody tr")
            table = rows.all_inner_texts()
            for _host, name, _hours, source in CONGRESS_PAGES[1:]:
                assert any(name in row and source in row for row in table)
            assert (
                page.evaluate("document.documentElement.scrollWidth") <= width if scripts else True
            )
        finally:
            browser.close()
