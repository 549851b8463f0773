"""The key figures at the top of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.reporting.html.parts import stop_text
from topiccrawl.reporting.markup import Child, Html, clean, el, join
from topiccrawl.reporting.scale import number, percent, span_text

if TYPE_CHECKING:
    from topiccrawl.reporting.aggregates.report_data import ReportData
    from topiccrawl.reporting.words.labels import Words


def headline(data: ReportData, words: Words) -> Html:
    """Return the key figures of the crawl."""
    counts, run = data.counts, data.last_run
    seconds = data.duration.total_seconds() if data.duration else 0.0
    hosts = join(
        None if data.hosts_complete else [words("at-least"), " "], el("b", number(data.hosts))
    )
    figures: list[tuple[str, Child, str]] = [
        (
            "stored",
            [
                el("b", number(data.pages.count)),
                " ",
                el("small", words("today"), " ", el("b", number(data.pages.today), id="today")),
            ],
            "main",
        ),
        ("fetched", el("b", number(counts.fetched)), "main"),
        (
            "harvest",
            [
                el("b", percent(counts.harvest)),
                " ",
                el("small", words("relevant"), f" {number(counts.relevant)}"),
            ],
            "main",
        ),
        ("hosts", hosts, "main"),
        ("failed", el("b", number(counts.failed)), ""),
        (
            "duration",
            [
                el("b", span_text(data.duration) if data.duration else "—"),
                [" ", el("small", f"{counts.fetched / seconds:.1f} ", words("speed"))]
                if seconds
                else None,
            ],
            "",
        ),
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
