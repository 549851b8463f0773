"""The report in a real browser: renders, loads nothing, runs nothing foreign, fits a telephone."""

from __future__ import annotations

import asyncio
import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.reporting_store import START, ReportingStore
from tests.support.sample_crawl import HOSTILE_TITLE, sample_crawl
from topiccrawl.reporting.collect import collect
from topiccrawl.reporting.page import render

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selenium.webdriver import Chrome

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (CHROMIUM and DRIVER), reason="install chromium and chromium-driver to run"
    ),
]

#: What keeps the browser from talking to anybody.
QUIET = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--lang=zh-CN",
)


@pytest.fixture(scope="module", name="report")
def report_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    async def work() -> str:
        store = ReportingStore()
        await store.write(*sample_crawl())
        return render(await collect(store, "侨情", generated_at=START))

    path: Path = tmp_path_factory.mktemp("report") / "侨情-report.html"
    path.write_text(asyncio.run(work()), "utf-8")
    return path


@pytest.fixture(scope="module", name="browser")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in (*QUIET, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def opened(browser: Chrome, report: Path, width: int = 1200) -> None:
    """Open the report anew at *width* CSS pixels."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    browser.get(report.as_uri())


def displayed(browser: Chrome, selector: str) -> bool:
    return bool(browser.find_element("css selector", selector).is_displayed())


def test_it_renders_without_errors_and_without_any_request(browser: Chrome, report: Path) -> None:
    browser.get("about:blank")  # the browser's own first page is forgotten
    browser.get_log("performance")
    browser.get_log("browser")
    opened(browser, report)
    assert browser.get_log("browser") == []
    events: list[dict[str, Any]] = [
        json.loads(entry["message"])["message"] for entry in browser.get_log("performance")
    ]
    requests = [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]
    assert [url for url in requests if not url.startswith("data:")] == [report.as_uri()]


def test_key_parts_are_visible(browser: Chrome, report: Path) -> None:
    opened(browser, report)
    figures = ("h1", "#figure-harvest b", "#curve svg", "#histogram svg")
    for selector in (*figures, "#best li a", "#queue-traps td.num"):
        assert displayed(browser, selector), selector
    curve = browser.find_element("css selector", "#curve svg .total")
    assert curve.size["height"] > 10


def test_a_hostile_title_is_text_and_is_not_executed(browser: Chrome, report: Path) -> None:
    opened(browser, report)
    assert "PWNED" not in browser.title
    titles = browser.find_elements("css selector", "#best .title")
    assert HOSTILE_TITLE in [title.get_property("textContent") for title in titles]
    assert browser.execute_script("return document.images.length") == 0
    # A script of a page, had it come in: the policy stops it.
    browser.execute_script(
        "var s = document.createElement('script'); s.textContent = 'document.title = \"PWNED\"';"
        "document.body.appendChild(s);"
    )
    assert "PWNED" not in browser.title


def test_the_language_can_be_switched(browser: Chrome, report: Path) -> None:
    opened(browser, report)
    for choice, zh, en in (("en", False, True), ("both", True, True), ("zh", True, False)):
        browser.find_element("css selector", f"label[for=lang-{choice}]").click()
        assert displayed(browser, "#curve h2 .zh") is zh
        assert displayed(browser, "#curve h2 .en") is en


@pytest.mark.parametrize("width", [400, 320])
@pytest.mark.parametrize("language", ["zh", "en", "both"])
def test_it_fits_a_telephone(browser: Chrome, report: Path, width: int, language: str) -> None:
    opened(browser, report, width)
    browser.find_element("css selector", f"label[for=lang-{language}]").click()
    script = "return [document.documentElement.scrollWidth, window.innerWidth]"
    content, window = browser.execute_script(script)
    assert window == width
    assert content <= width
    # Axis labels stay inside their drawing.
    outside = browser.execute_script(
        "return [...document.querySelectorAll('svg')].flatMap(svg => {"
        "const box = svg.getBoundingClientRect();"
        "return [...svg.querySelectorAll('text')].map(t => [t.textContent,"
        " t.getBoundingClientRect()]).filter(([, b]) => b.width && (b.left < box.left - 1 ||"
        " b.right > box.right + 1 || b.bottom > box.bottom + 1)).map(([text]) => text) })"
    )
    assert outside == []


def test_dark_and_printed_versions_differ_from_the_light_one(browser: Chrome, report: Path) -> None:
    opened(browser, report)
    paper = "return getComputedStyle(document.body).backgroundColor"
    light = browser.execute_script(paper)
    dark_query = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", dark_query)
    dark = browser.execute_script(paper)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": []})
    printed = browser.execute_script(paper)
    switch = displayed(browser, ".switch")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    assert len({light, dark, printed}) == 3
    assert printed == "rgb(255, 255, 255)"
    assert not switch
