"""The report in a real browser: renders, loads nothing, runs nothing foreign, fits a telephone."""

from __future__ import annotations

import asyncio
import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.support.reporting_store import START, ReportingStore
from tests.support.sample_crawl import HOSTILE_TITLE, sample_crawl
from topiccrawl.reporting.aggregates.collect import collect
from topiccrawl.reporting.html.document import render

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
    for selector in (
        "h1",
        "#figure-stored b",
        "#list li a",
        "#filter",
        "#days svg",
        "#keywords li",
    ):
        assert displayed(browser, selector), selector
    diagnostics = ("#curve svg", "#histogram svg", "#queue-traps td.num")
    assert not any(displayed(browser, selector) for selector in diagnostics)
    browser.find_element("css selector", "#diagnostics > summary").click()
    for selector in diagnostics:
        assert displayed(browser, selector), selector
    curve = browser.find_element("css selector", "#curve svg .total")
    assert curve.size["height"] > 10


def test_a_hostile_title_is_text_and_is_not_executed(browser: Chrome, report: Path) -> None:
    opened(browser, report)
    assert "PWNED" not in browser.title
    titles = browser.find_elements("css selector", "#list .title")
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
        assert displayed(browser, "#pages h2 .zh") is zh
        assert displayed(browser, "#pages h2 .en") is en


@pytest.mark.parametrize("width", [400, 320])
@pytest.mark.parametrize("language", ["zh", "en", "both"])
def test_it_fits_a_telephone(browser: Chrome, report: Path, width: int, language: str) -> None:
    opened(browser, report, width)
    browser.find_element("css selector", f"label[for=lang-{language}]").click()
    browser.find_element("css selector", "#diagnostics > summary").click()
    script = "return [document.documentElement.scrollWidth, window.innerWidth]"
    content, window = browser.execute_script(script)
    assert window == width
    assert content <= width
    # Nothing is cut off at the right edge, also not in boxes of their own.
    cut = browser.execute_script(
        "return [...document.querySelectorAll('main *')].filter(e => e.scrollWidth > e.clientWidth + 1"
        " && e.clientWidth && !e.closest('svg')).map(e => e.outerHTML.slice(0, 80))"
    )
    assert cut == []
    # Axis labels stay inside their drawing.
    outside = browser.execute_script(
        "return [...document.querySelectorAll('svg')].flatMap(svg => {"
        "const box = svg.getBoundingClientRect();"
        "return [...svg.querySelectorAll('text')].map(t => [t.textContent,"
        " t.getBoundingClientRect()]).filter(([, b]) => b.width && (b.left < box.left - 1 ||"
        " b.right > box.right + 1 || b.bottom > box.bottom + 1)).map(([text]) => text) })"
    )
    assert outside == []


def test_long_statistics_leave_all_values_in_sight(browser: Chrome, report: Path) -> None:
    opened(browser, report)
    cut = browser.execute_script(
        "document.querySelectorAll('details').forEach(it => { it.open = true });"
        "document.querySelector('.stats td').textContent = 'the page budget is used up '.repeat(20);"
        "return [...document.querySelectorAll('.scroll')].filter(it => it.scrollWidth > it.clientWidth)"
        ".map(it => it.outerHTML.slice(0, 80))"
    )
    assert cut == []


def typed(browser: Chrome, text: str) -> list[str]:
    """Return the titles in the list after *text* was typed into the filter."""
    filter_ = browser.find_element("id", "filter")
    filter_.clear()
    filter_.send_keys(text)
    return titles(browser)


def titles(browser: Chrome) -> list[str]:
    return [str(e.text) for e in browser.find_elements("css selector", "#list .title")]


def test_the_list_is_the_same_with_and_without_scripts(browser: Chrome, report: Path) -> None:
    opened(browser, report)
    drawn = browser.execute_script("return document.getElementById('list').innerHTML")
    source = report.read_text("utf-8")
    static = source.split('id="list">')[1].split("</ol>")[0]
    parsed = browser.execute_script(
        "return new DOMParser().parseFromString('<ol>' + arguments[0] + '</ol>', 'text/html')"
        ".querySelector('ol').innerHTML",
        static,
    )
    assert drawn == parsed


def test_all_pages_can_be_filtered(browser: Chrome, report: Path) -> None:
    opened(browser, report)
    count = int(browser.find_element("id", "matching").text)
    assert count > len(titles(browser)) == 20
    assert typed(browser, "第13条") == ["侨情新闻第13条"]
    assert typed(browser, "第14条") == []  # not stored
    both = typed(browser, "侨情新闻 3条")
    assert both
    assert all(title.startswith("侨情新闻") and title.endswith("3条") for title in both)
    assert typed(browser, "HOST7.example.cn 华侨")
    assert typed(browser, "没有这个词") == []
    assert browser.find_element("id", "matching").text == "0"
    assert not displayed(browser, "#more")
    typed(browser, "")
    browser.find_element("css selector", "#keywords button").click()
    assert browser.find_element("id", "filter").get_property("value") == "华侨"


def test_the_list_can_be_ordered_and_continued_with_the_keyboard(
    browser: Chrome, report: Path
) -> None:
    opened(browser, report)
    dates = "return [...document.querySelectorAll('#list .published')].map(e => e.textContent)"
    new = browser.execute_script("return document.querySelectorAll('#list li.day').length")
    browser.find_element("css selector", "input[value=new]").send_keys(Keys.RIGHT, Keys.RIGHT)
    published = browser.execute_script(dates)
    assert published == sorted(published, reverse=True)
    assert new == 1
    assert not browser.find_elements("css selector", "#list li.day")
    browser.find_element("id", "more").send_keys(Keys.ENTER)
    assert len(titles(browser)) == 40
    assert browser.execute_script("return document.activeElement.className") == "title"


COLORS = """
const at = name => {
  const e = document.createElement('i'); e.style.color = `var(--${name})`;
  document.body.append(e);
  const rgb = getComputedStyle(e).color.match(/[\\d.]+/g).slice(0, 3).map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  e.remove();
  return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2] + 0.05;
};
return arguments[0].map(([ink, paper]) => {
  const pair = [at(ink), at(paper)].sort((a, b) => a - b); return pair[1] / pair[0];
});
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_have_the_contrast_of_wcag_aa(browser: Chrome, report: Path, scheme: str) -> None:
    opened(browser, report)
    inks = ("ink", "muted", "accent", "link", "second")
    pairs = [*((ink, paper) for ink in inks for paper in ("paper", "card")), ("card", "accent")]
    pairs += [("accent", "accent-soft"), ("muted", "accent-soft")]
    query = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", query)
    ratios = browser.execute_script(COLORS, pairs)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    assert {pair: ratio for pair, ratio in zip(pairs, ratios, strict=True) if ratio < 4.5} == {}


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
