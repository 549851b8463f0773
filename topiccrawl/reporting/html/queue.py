"""The report's section on queue and hosts: traps, budgets, politeness, retries, remaining links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from topiccrawl.reporting.aggregates.report_data import ReportData, RunRow
from topiccrawl.reporting.aggregates.runs import stat_count
from topiccrawl.reporting.html.parts import empty_text, pairs_table, section
from topiccrawl.reporting.markup import Html, clean, el, join
from topiccrawl.reporting.scale import number
from topiccrawl.reporting.words.labels import Words
from topiccrawl.reporting.words.stats import PREFIX, TABLES, StatTable


def queue_section(data: ReportData, words: Words) -> Html:
    """Return the section on the links and hosts of the topic, without rows that are zero."""
    last = next((run for run in data.runs if run.id == data.measured_run), None)
    sums = totals(data.runs)
    state = {} if last is None else totals([last])
    tables = []
    for table in TABLES:
        counts = state if table.state else sums
        if rows := table_rows(table, counts):
            tables.append(_table(table, rows, counts, last, words))
    if not tables:
        return section("queue", words("queue-hosts"), empty_text(words, "empty-stats"))
    cut_off = any(not run.finished for run in data.runs)
    notes = [
        el("p", words("note-sums"), class_="note") if len(data.runs) > 1 else None,
        el("p", words("note-cut-off"), class_="note") if cut_off else None,
    ]
    return section("queue", words("queue-hosts"), el("div", tables, class_="tables"), notes)


def totals(runs: Iterable[RunRow]) -> dict[str, int]:
    """Return the sums of our stats over *runs* by their names without the prefix; zeros left out."""
    sums: dict[str, int] = {}
    for run in runs:
        for name, value in run.stats.items():
            if name.startswith(PREFIX) and (count := stat_count(value)):
                short = name.removeprefix(PREFIX)
                sums[short] = sums.get(short, 0) + count
    return sums


def table_rows(table: StatTable, counts: Mapping[str, int]) -> list[tuple[str, str, int]]:
    """Return (Chinese, English, count) of each stat of *table* that is not zero.

    Members of a family without words of their own come last, with their names.
    """
    known = [(zh, en, counts[name]) for name, (zh, en) in table.rows.items() if name in counts]
    named = {name for other in TABLES for name in other.rows}
    unknown = [
        (text, text, count)
        for name, count in sorted(counts.items())
        for family in table.families
        if name.startswith(family) and name not in named
        for text in [clean(name.removeprefix(family), 60)]
    ]
    return known + unknown


def _table(
    table: StatTable,
    rows: Sequence[tuple[str, str, int]],
    counts: Mapping[str, int],
    last: RunRow | None,
    words: Words,
) -> Html:
    aside: Html | None = None
    if table.total:
        whole = sum(count for name, count in counts.items() if name.startswith(table.total))
        aside = el("small", number(whole), class_="badge")
    if table.state and last is not None:
        aside = el("small", words("run"), " ", el("code", clean(last.id, 60)), class_="badge")
    lines = ((words.pair(zh, en), number(count)) for zh, en, count in rows)
    heading = el("h4", join(words(table.label), aside))
    return el("div", heading, pairs_table(lines), id=f"queue-{table.label}")
