"""The sections of the report, one function each, from data to markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.reporting.charts import curve_chart, histogram_chart
from topiccrawl.reporting.curve import window_pages
from topiccrawl.reporting.markup import Child, Html, anchor, clean, el, join
from topiccrawl.reporting.scale import china_date, moment, number, percent, short, span_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.reporting.data import ReportData, RunRow
    from topiccrawl.reporting.tallies import HostCount, ReasonCount
    from topiccrawl.reporting.words import Words
    from topiccrawl.store.records import PageRecord

#: Main terms shown with each page.
CHIPS = 6

#: Characters of a summary shown; three Chinese sentences have fewer.
MAX_SUMMARY = 300


def section(id_: str, heading: Html, *children: Child) -> Html:
    """Return one titled part of the page."""
    return el("section", el("h2", heading), *children, id=id_)


def empty_text(words: Words, key: str) -> Html:
    """Return the sentence *key*, shown in place of missing data."""
    return el("p", words(key), class_="empty")


def headline(data: ReportData, words: Words) -> Html:
    """Return the key figures of the crawl."""
    counts, run = data.counts, data.last_run
    seconds = data.duration.total_seconds() if data.duration else 0.0
    hosts = join(
        None if data.hosts_complete else [words("at-least"), " "], el("b", number(data.hosts))
    )
    duration = join(
        el("b", span_text(data.duration) if data.duration else "—"),
        [" ", el("small", f"{counts.fetched / seconds:.1f} ", words("speed"))] if seconds else None,
    )
    stop = _stop(run, words) if run else join("—")
    figures: list[tuple[str, Child, str]] = [
        ("harvest", el("b", percent(counts.harvest)), "main"),
        ("fetched", el("b", number(counts.fetched)), "main"),
        ("relevant", el("b", number(counts.relevant)), "main"),
        ("stored", el("b", number(counts.stored)), "main"),
        ("hosts", hosts, ""),
        ("failed", el("b", number(counts.failed)), ""),
        ("duration", duration, ""),
        ("strategy", el("b", run.strategy if run and run.strategy else "—", class_="word"), ""),
        ("stop", el("b", stop, class_="word"), ""),
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
            el("small", el("bdi", clean(example.detail))) if example.detail else None,
        )
        for example in reason.examples
    ]
    return el(
        "details",
        el("summary", name, kind, count, el("span", bar, class_="track")),
        el("ul", examples),
    )


def pages_section(id_: str, pages: Sequence[PageRecord], words: Words, empty: str) -> Html:
    """Return a list of stored pages with title, site, date, relevance and main terms."""
    if not pages:
        return section(id_, words(id_), empty_text(words, empty))
    return section(
        id_, words(id_), el("ol", [_page(page, words) for page in pages], class_="pages")
    )


def _page(page: PageRecord, words: Words) -> Html:
    date = china_date(page.published_at) if page.published_at else None
    chips = [
        el(
            "span",
            el("bdi", clean(term, 40)),
            class_="chip",
            title=f"{clean(term, 40)}: {short(value)}",
        )
        for term, value in page.main_terms[:CHIPS]
    ]
    facts = [
        el("span", el("bdi", clean(page.site, 80))) if page.site else None,
        el("span", el("bdi", clean(page.source, 40))) if page.source else None,
        el("span", words.kind(page.kind)) if page.kind else None,
        el("time", date) if date else None,
        _fact("probability", page.probability, words) if page.probability is not None else None,
        _fact("relevance", page.relevance, words),
    ]
    return el(
        "li",
        anchor(page.url, page.title or page.url, "title"),
        el("div", facts, class_="facts"),
        el("p", el("bdi", clean(page.summary, MAX_SUMMARY)), class_="digest")
        if page.summary
        else None,
        el("div", chips, class_="chips") if chips else None,
    )


def _fact(name: str, value: float, words: Words) -> Html:
    return el("span", words(name), " ", el("b", f"{value:.3f}"), class_=name)


def hosts_section(data: ReportData, words: Words) -> Html:
    """Return the table of hosts, most stored pages first, the remaining ones in one row."""
    if not data.top_hosts:
        return section("hosts", words("hosts-table"), empty_text(words, "empty-curve"))
    names = ("harvest", "fetched", "relevant", "stored", "failed")
    head = table_head(words, ("host", ""), *((name, "num") for name in names))
    rows = [_host(el("bdi", clean(host.host, 80)), host) for host in data.top_hosts]
    if data.other_hosts.fetched or data.other_hosts.failed:
        rows.append(_host(el("i", words("others")), data.other_hosts))
    return section("hosts", words("hosts-table"), scroll_table(head, rows))


def _host(name: Html, host: HostCount) -> Html:
    meter = el("span", el("span", style=f"width:{100 * host.harvest:.1f}%"), class_="meter")
    numbers = (host.fetched, host.relevant, host.stored, host.failed)
    return el(
        "tr",
        el("td", name),
        el("td", percent(host.harvest) if host.fetched else "—", meter, class_="num"),
        [el("td", number(n), class_="num") for n in numbers],
    )


def waiting_section(data: ReportData, words: Words) -> Html:
    """Return the best links that were still waiting."""
    heading = join(words("queue"), el("small", number(data.counts.queued), class_="badge"))
    if not data.waiting:
        return section("waiting", heading, empty_text(words, "empty-queue"))
    items = []
    for row in data.waiting:
        parent = anchor(row.link.parent, row.link.parent) if row.link.parent else words("seed")
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
    head = table_head(
        words,
        ("run", ""),
        ("started", ""),
        ("duration", "num"),
        ("strategy", ""),
        ("fetched", "num"),
        ("stored", "num"),
        ("harvest", "num"),
        ("stop", ""),
    )
    table = scroll_table(head, [_run(run, words) for run in data.runs])
    stats = data.runs[-1].stats
    rows = [
        el("tr", el("td", el("code", clean(key))), el("td", _stat(stats[key]), class_="num"))
        for key in sorted(stats)
    ]
    details = el(
        "details",
        el("summary", words("stats")),
        scroll_table(None, rows),
        class_="stats",
    )
    return section("runs", words("runs"), table, details if rows else None)


def _run(run: RunRow, words: Words) -> Html:
    return el(
        "tr",
        el("td", el("code", clean(run.id, 60))),
        el("td", moment(run.started_at) if run.started_at else "—"),
        el("td", span_text(run.duration) if run.duration is not None else "—", class_="num"),
        el("td", clean(run.strategy, 60) or "—"),
        el("td", number(run.counts.fetched), class_="num"),
        el("td", number(run.counts.stored), class_="num"),
        el("td", percent(run.counts.harvest), class_="num"),
        el("td", _stop(run, words)),
    )


def _stop(run: RunRow, words: Words) -> Html:
    """Return why the run ended; a run that was killed left no reason."""
    if run.stop_reason:
        return words.reason(run.stop_reason)
    return words("unknown" if run.finished else "not-finished")


def _stat(value: float | str) -> str:
    return clean(value) if isinstance(value, str) else number(value)


def table_head(words: Words, *columns: tuple[str, str]) -> Html:
    """Return the head of a table; *columns* are labels, each with a class or ``""``."""
    return el(
        "tr", [el("th", words(key), class_=kind or None, scope="col") for key, kind in columns]
    )


def scroll_table(head: Html | None, rows: Sequence[Html]) -> Html:
    """Return a table in a scrolling box."""
    # A wide table scrolls inside its box, so that the page never gets wider than the screen.
    table = el("table", el("thead", head) if head else None, el("tbody", rows))
    return el("div", table, class_="scroll", tabindex="0")
