"""The key figures at the top of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.reporting.html.parts import stop_text
from topiccrawl.reporting.markup import Child, Html, clean, el
from topiccrawl.reporting.scale import number, percent, span_text

if TYPE_CHECKING:
    from topiccrawl.reporting.aggregates.report_data import ReportData
    from topiccrawl.reporting.words.labels import Words


def headline(data: ReportData, words: Words) -> Html:
    """Return the key figures of the crawl."""
    counts, run = data.counts, data.last_run
    at_least = None if data.hosts_complete else [words("at-least"), " "]
    today = el("b", number(data.pages.today), id="today")
    duration: Child = el("b", "—")
    if data.duration:
        speed = f"{counts.fetched / data.duration.total_seconds():.1f} "
        duration = _noted(span_text(data.duration), speed, words("speed"))
    relevant = f" {number(counts.relevant)}"
    figures: list[tuple[str, Child, str]] = [
        ("stored", _noted(number(data.pages.count), words("today"), " ", today), "main"),
        ("fetched", el("b", number(counts.fetched)), "main"),
        ("harvest", _noted(percent(counts.harvest), words("relevant"), relevant), "main"),
        ("hosts", [at_least, el("b", number(data.hosts))], "main"),
        ("failed", el("b", number(counts.failed)), ""),
        ("duration", duration, ""),
        ("strategy", el("b", (run and clean(run.strategy, 60)) or "—", class_="word"), ""),
        ("stop", el("b", stop_text(run, words) if run else "—", class_="word"), ""),
    ]
    cards = [
        el(
            "div",
            el("dt", words(key)),
            el("dd", value),
            class_=f"card {kind}".strip(),
            id=f"figure-{key}",
        )
        for key, value, kind in figures
    ]
    return el("dl", cards, class_="cards")


def _noted(figure: str, *note: Child) -> list[Child]:
    return [el("b", figure), " ", el("small", *note)]
