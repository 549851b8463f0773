"""Sections of the diagnostics, one function each, from data to markup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from topiccrawl.reporting.aggregates.curve import window_pages
from topiccrawl.reporting.html.charts import curve_chart, histogram_chart
from topiccrawl.reporting.html.parts import empty_text, pairs_table, section, stop_text, table
from topiccrawl.reporting.markup import Child, Html, anchor, clean, el, join
from topiccrawl.reporting.scale import moment, number, percent, short, span_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.reporting.aggregates.report_data import ReportData, RunRow
    from topiccrawl.reporting.aggregates.tallies import HostCount, ReasonCount
    from topiccrawl.reporting.words.labels import Words


def curve_section(data: ReportData, words: Words) -> Html:
    """Return the harvest curve with its legend."""
    if not data.curve:
        return section("curve", words("curve"), empty_text(words, "empty-curve"))
    window = window_pages(data.curve[-1].fetched)
    legend = [
        el("span", words("cumulative"), class_="key total"),
        el("span", words("windowed", n=window), class_="key recent"),
        el("span", words("run-begins"), class_="key mark") if data.marks else None,
    ]
    chart = curve_chart(data.curve, data.marks, words)
    figure = el(
        "figure",
        el("figcaption", legend, class_="legend"),
        chart,
        el("p", words("curve-note"), class_="note"),
    )
    return section("curve", words("curve"), figure)


def histogram_section(data: ReportData, words: Words) -> Html:
    """Return the histogram of the relevance of fetched pages."""
    if not data.bins:
        return section("histogram", words("histogram"), empty_text(words, "empty-histogram"))
    legend = [
        el("span", words("kept"), class_="key kept"),
        el("span", words("rejected"), class_="key rejected"),
        el("span", words("threshold"), class_="key threshold") if data.thresholds else None,
    ]
    chart = histogram_chart(data.bins, data.thresholds, words)
    figure = el("figure", el("figcaption", legend, class_="legend"), chart)
    return section("histogram", words("histogram"), figure)


def reasons_section(reasons: Sequence[ReasonCount], words: Words) -> Html:
    """Return the reasons why URLs were not kept, each with a bar and examples."""
    if not reasons:
        return section("reasons", words("rejected-by"), empty_text(words, "empty-reasons"))
    largest = max(reason.count for reason in reasons)
    rows = [_reason(reason, largest, words) for reason in reasons]
    return section("reasons", words("rejected-by"), el("div", rows, class_="reasons"))


def _reason(reason: ReasonCount, largest: int, words: Words) -> Html:
    failed = reason.verdict == "failed"
    bar = el(
        "span",
        class_="bar failed" if failed else "bar",
        style=f"width:{100 * reason.count / largest:.1f}%",
    )
    name = el("span", words.reason(reason.reason), class_="name")
    kind = el("span", words("failed-page" if failed else "rejected-page"), class_="kind")
    count = el("span", number(reason.count), class_="num")
    examples = [
        el(
            "li",
            anchor(example.url, example.title or example.url),
            el("small", words.detail(example.detail)) if example.detail else None,
        )
        for example in reason.examples
    ]
    return el(
        "details",
        el("summary", name, kind, count, el("span", bar, class_="track")),
        el("ul", examples),
    )


def hosts_section(data: ReportData, words: Words) -> Html:
    """Return the table of hosts, most stored pages first, the remaining ones in one row."""
    if not data.top_hosts:
        return section("hosts", words("hosts-table"), empty_text(words, "empty-curve"))
    names = ("harvest", "fetched", "relevant", "stored", "failed")
    rows = [_host(el("bdi", clean(host.host, 80)), host) for host in data.top_hosts]
    if data.other_hosts.fetched or data.other_hosts.failed:
        rows.append(_host(el("i", words("others")), data.other_hosts))
    columns = [("host", ""), *((name, "num") for name in names)]
    return section("hosts", words("hosts-table"), table(words, columns, rows))


def _host(name: Html, host: HostCount) -> list[Child]:
    meter = el("span", el("span", style=f"width:{100 * host.harvest:.1f}%"), class_="meter")
    harvest = join(percent(host.harvest) if host.fetched else "—", meter)
    return [name, harvest, *map(number, (host.fetched, host.relevant, host.stored, host.failed))]


#: Characters of the ways by which a waiting link was found (a choice).
MAX_WAYS: Final = 200


def waiting_section(data: ReportData, words: Words) -> Html:
    """Return the best links that were still waiting."""
    heading = join(words("queue"), el("small", number(data.counts.queued), class_="badge"))
    if not data.waiting:
        return section("waiting", heading, empty_text(words, "empty-queue"))
    items = []
    for row in data.waiting:
        parent = anchor(row.link.parent, row.link.parent) if row.link.parent else words("seed")
        if row.link.found_by and not row.link.parent:
            ways = row.link.found_by.splitlines()
            parent = el("bdi", clean("; ".join(map(words.detail, ways)), MAX_WAYS))
        facts = [
            el("span", words("score"), " ", el("b", short(row.link.score))),
            el("span", words("depth"), f" {row.link.depth}"),
            el("span", words("parent"), " ", parent),
        ]
        text = row.link.anchor or row.url
        items.append(
            el(
                "li",
                anchor(row.url, text, "title"),
                el("div", el("bdi", clean(row.url)), class_="url") if text != row.url else None,
                el("div", facts, class_="facts"),
            )
        )
    return section("waiting", heading, el("ol", items, class_="pages"))


def runs_section(data: ReportData, words: Words) -> Html:
    """Return a table with one row for each run, and the last run's statistics."""
    if not data.runs:
        return section("runs", words("runs"), empty_text(words, "empty-runs"))
    stats = data.runs[-1].stats
    details = el(
        "details",
        el("summary", words("stats")),
        pairs_table((el("code", clean(key)), _stat(stats[key])) for key in sorted(stats)),
        class_="stats",
    )
    columns = [
        ("run", ""),
        ("started", ""),
        ("duration", "num"),
        ("strategy", ""),
        ("fetched", "num"),
        ("stored", "num"),
        ("harvest", "num"),
        ("stop", ""),
    ]
    rows = [_run(run, words) for run in data.runs]
    return section("runs", words("runs"), table(words, columns, rows), details if stats else None)


def _run(run: RunRow, words: Words) -> list[Child]:
    return [
        el("code", clean(run.id, 60)),
        moment(run.started_at) if run.started_at else "—",
        span_text(run.duration) if run.duration is not None else "—",
        clean(run.strategy, 60) or "—",
        number(run.counts.fetched),
        number(run.counts.stored),
        percent(run.counts.harvest),
        stop_text(run, words),
    ]


def _stat(value: float | str) -> str:
    return clean(value) if isinstance(value, str) else number(value)
