"""The whole report as one self-contained HTML document."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources

from topiccrawl.reporting.aggregates.report_data import ReportData
from topiccrawl.reporting.html import diagnostics
from topiccrawl.reporting.html.activity import activity_section
from topiccrawl.reporting.html.attachments import attachments_section
from topiccrawl.reporting.html.headline import headline
from topiccrawl.reporting.html.page_list import pages_section, summary_sections
from topiccrawl.reporting.html.probability import probability_section
from topiccrawl.reporting.html.queue import queue_section
from topiccrawl.reporting.html.stories import events_section, stories_section
from topiccrawl.reporting.html.ways import ways_section
from topiccrawl.reporting.markup import Html, clean, el, join
from topiccrawl.reporting.scale import china_day, moment
from topiccrawl.reporting.words.labels import Language, Words


def render(data: ReportData, language: Language = "both") -> str:
    """Return the report as an HTML document in *language*.

    Its Content-Security-Policy forbids loading anything and running any script but its own, as a
    second defense besides escaping.  Raises ``ValueError`` for another language.
    """
    words = Words(language)
    switch = _switch(words) if language == "both" else []
    script = _read("report.js")
    title = f"{clean(data.topic, 80)} · {words.plain('report')}"
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=_policy(script)),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="referrer", content="no-referrer"),
        el("meta", name="robots", content="noindex"),
        el("title", title),
        el("link", rel="icon", href="data:,"),
        el("style", Html(_read("report.css"))),
    )
    body = el(
        "body",
        switch,
        el("div", _header(data, words), _main(data, words), _footer(data, words), class_="report"),
        el("script", Html(script)),
    )
    document = el("html", head, body, lang="en" if language == "en" else "zh-CN")
    return f"<!DOCTYPE html>\n{document}\n"


def _header(data: ReportData, words: Words) -> Html:
    which = join(words("run"), f" {data.run_id}") if data.run_id else words("all-runs")
    if data.since is not None:
        which = join(which, " · ", words("since"), f" {moment(data.since)}")
    return el(
        "header",
        el("p", words("report"), class_="kicker"),
        el("h1", el("bdi", clean(data.topic, 80))),
        el("p", which, " · ", words("generated"), f" {moment(data.generated_at)}", class_="note"),
    )


def _main(data: ReportData, words: Words) -> Html:
    today = str(china_day(data.generated_at))
    return el(
        "main",
        headline(data, words),
        activity_section(data.activity, words, asked=data.since is not None),
        pages_section(data.pages, today, words),
        stories_section(data.stories, words),
        events_section(data.stories, words),
        attachments_section(data.attachments, words),
        summary_sections(data.pages, words),
        _diagnostics(data, words),
    )


def _diagnostics(data: ReportData, words: Words) -> Html:
    """Return what explains the crawl, folded."""
    note = el("small", words("diagnostics-note"), class_="badge")
    return el(
        "details",
        el("summary", el("h2", words("diagnostics"), note)),
        diagnostics.curve_section(data, words),
        probability_section(data.probabilities, words),
        ways_section(data.ways, words),
        el(
            "div",
            diagnostics.histogram_section(data, words),
            diagnostics.reasons_section(data.reasons, words),
            class_="columns",
        ),
        diagnostics.hosts_section(data, words),
        queue_section(data, words),
        diagnostics.waiting_section(data, words),
        diagnostics.runs_section(data, words),
        id="diagnostics",
    )


def _footer(data: ReportData, words: Words) -> Html:
    notes = ["note-harvest", "note-dates"] + (["note-last"] if len(data.runs) > 1 else [])
    return el("footer", [el("p", words(note)) for note in notes])


def _switch(words: Words) -> list[Html]:
    """Return radio buttons and their labels, which precede everything that they switch."""
    choices = (("zh", "中文"), ("en", "English"), ("both", "中文 + English"))
    parts = [
        el(
            "input",
            type="radio",
            name="lang",
            id=f"lang-{key}",
            value=key,
            checked=key == "zh",
        )
        for key, _ in choices
    ]
    labels = [el("label", text, for_=f"lang-{key}") for key, text in choices]
    group = el("nav", labels, class_="switch", aria_label=words.plain("language"))
    return [*parts, group]


def _policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _read(name: str) -> str:
    """Return the text of a file of this package, also from a zipped egg."""
    return resources.files("topiccrawl.reporting.html").joinpath("data", name).read_text("utf-8")
