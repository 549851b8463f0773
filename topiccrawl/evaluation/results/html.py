"""An evaluation as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topiccrawl.evaluation.experiment import seed_group
from topiccrawl.evaluation.results.charts import COLORS, band_chart, curve_table
from topiccrawl.evaluation.results.htmltables import figures, headings, region, table
from topiccrawl.evaluation.results.judged_html import judged_parts
from topiccrawl.evaluation.results.judged_summary import JudgedRow
from topiccrawl.evaluation.results.records import Results, RunRecord
from topiccrawl.evaluation.results.style import STYLE
from topiccrawl.evaluation.results.summary import ALL, Band, Row, Summary, bands
from topiccrawl.evaluation.results.tables import (
    COLUMNS,
    Column,
    conditions_text,
    figure_text,
    test_text,
)
from topiccrawl.reporting.markup import Html, clean, el
from topiccrawl.reporting.scale import number, short

#: Content-Security-Policy of the page: it loads nothing and runs no script.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
#: Curves of the charts (fields of ``Curves``) with their titles.
_CURVES = (
    ("harvest", "Cumulative harvest rate 累计收获率"),
    ("windowed", "Windowed harvest rate 近期收获率"),
    ("recall", "Recall of hidden targets 目标召回率"),
)

#: Reference curves of every chart with their labels; "random" is also a strategy.
_LIMITS = {"oracle": "oracle", "random": "random, expected"}


def render_results(results: Results, summary: Summary, judged: Sequence[JudgedRow]) -> str:
    """Return the page; its Content-Security-Policy forbids scripts and external resources."""
    name = clean(str(results.conditions.get("web", "")), 80)
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", f"{name} · crawl strategies compared"),
        el("link", rel="icon", href="data:,"),
        el("style", Html(STYLE)),
    )
    body = el(
        "body",
        el(
            "header",
            el("p", "Crawl strategies compared 抓取策略比较", class_="kicker"),
            el("h1", el("bdi", name)),
            el("p", conditions_text(results.conditions), class_="note"),
        ),
        el("main", [_group(results, summary, judged, group) for group in reversed(summary.groups)],
           _references(results), _runs(results)),
        el("footer", el("p", _FOOTNOTE)),
    )  # fmt: skip
    return f"<!DOCTYPE html>\n{el('html', head, body, lang='en')}\n"


_FOOTNOTE = (
    "Means over topics (after averaging over repeats and seed sets); ± and bands: 95 % intervals by "
    "topic, none with fewer than two topics. p: two-sided sign-flip permutation test over topics and seed "
    "sets; p Holm: corrected for the number of strategies. Intervals and bands are wide when there "
    "are few topics. All formulas: docs/evaluation.md."
)


def _group(results: Results, summary: Summary, judged: Sequence[JudgedRow], group: str) -> Html:
    rows = summary.group(group)
    title = "All seed sets 全部种子" if group == ALL else f"Seeds 种子: {clean(group, 60)}"
    ranked = [row.strategy for row in rows]
    charts: list[Html] = []
    for curve, label in _CURVES:
        found = {band.name: band for band in bands(results, curve, group)}
        best = [found[name] for name in ranked if name in found]
        limits = _limits(results, curve, group)
        if best:
            name = f"{label}, {title}"
            charts.append(el("h3", label))
            charts.append(region(name, band_chart(name, best, limits)))
            charts.append(curve_table(name, [*best, *limits]))
    return el("section", el("h2", title), _table(rows, title), _legend(ranked), charts,
              judged_parts(results, judged, group, ranked))  # fmt: skip


def _legend(ranked: Sequence[str]) -> Html:
    items = [
        el("li", el("svg", el("line", x1=0, x2=28, y1=6, y2=6), viewBox="0 0 28 12",
                    class_=f"key line c{i}", aria_hidden="true"), clean(name, 60))
        for i, name in enumerate(ranked[:COLORS])
    ]  # fmt: skip
    items += [
        el("li", el("svg", el("line", x1=0, x2=28, y1=6, y2=6), viewBox="0 0 28 12",
                    class_=f"key {class_}", aria_hidden="true"), name)
        for name, class_ in zip(
            (*_LIMITS.values(), "others"), ("limit l0", "limit l1", "other"), strict=True
        )
    ]  # fmt: skip
    return el("ul", items, class_="legend", aria_label="Lines of the charts")


def _limits(results: Results, curve: str, group: str) -> list[Band]:
    chosen = [r for r in results.references.values() if group in (seed_group(r.seeds), ALL)]
    found = []
    for name, shown in _LIMITS.items():
        curves = [getattr(reference, name) for reference in chosen]
        longest: list[int] = max(
            (c.pages for c in curves), key=lambda p: p[-1] if p else 0, default=[]
        )
        table = [np.interp(longest, c.pages, getattr(c, curve)) for c in curves if c.pages]
        if table:
            mean = np.mean(table, axis=0).tolist()
            found.append(Band(shown, longest, mean, mean, mean))
    return found


def _table(rows: Sequence[Row], title: str) -> Html:
    tested = any(row.comparison is not None for row in rows)
    head = [
        *headings(["strategy 策略"]),
        *(el("th", it.title, scope="col", class_="n", title=it.help) for it in COLUMNS),
        *(headings(["against (difference, p, p Holm)"]) if tested else ()),
        *headings(["runs"], "n"),
    ]
    best = {column.figure: _best(rows, column) for column in COLUMNS}
    body = [
        el(
            "tr",
            el("th", clean(row.strategy, 60), scope="row"),
            [
                el("td", figure_text(row, column), class_="n best" if row is best[column.figure]
                   else "n")
                for column in COLUMNS
            ],
            el("td", test_text(row)) if tested else None,
            figures([number(row.runs)]),
        )
        for row in rows
    ]  # fmt: skip
    return region(title, table(title, head, body))


def _best(rows: Sequence[Row], column: Column) -> Row | None:
    known = [row for row in rows if row.figures[column.figure].mean is not None]
    if column.better == 0 or not known:
        return None
    return max(known, key=lambda row: column.better * (row.figures[column.figure].mean or 0.0))


def _references(results: Results) -> Html:
    head = ("topic 主题", "seeds 种子", "seed pages", "relevant", "reachable pages", "hidden targets",
            "pages counted", "AUC of oracle", "AUC of random", "judge: precision", "recall")  # fmt: skip
    rows = [
        el(
            "tr",
            el("th", el("bdi", clean(r.topic, 60)), scope="row"),
            el("td", clean(r.seeds, 40)),
            figures(map(number, (r.seed_pages, r.relevant, r.reachable, r.targets, r.pages))),
            figures(map(short, (r.oracle_auc, r.random_auc, r.judge_precision, r.judge_recall))),
        )
        for r in results.references.values()
    ]  # fmt: skip
    return _plain("What there is to find 可寻目标", head, rows)


def _runs(results: Results) -> Html:
    head = ("topic 主题", "seeds 种子", "strategy", "repeat", "share of oracle", "AUC", "fetched",
            "relevant", "recall", "relevant kept", "kept", "F1 of kept", "seconds", "note")  # fmt: skip
    ordered = sorted(
        results.runs.values(), key=lambda r: (r.topic, r.seeds, -r.share_of_oracle, r.repeat)
    )
    rows = [
        el(
            "tr",
            el("th", el("bdi", clean(r.topic, 60)), scope="row"),
            el("td", clean(r.seeds, 40)),
            el("td", clean(r.strategy, 60)),
            figures([
                str(r.repeat), f"{r.share_of_oracle:.3f}", f"{r.metrics.auc:.4f}",
                number(r.metrics.fetched), number(r.metrics.relevant),
                "—" if r.metrics.recall is None else f"{r.metrics.recall:.3f}",
                *_kept(r), f"{r.seconds:.1f}",
            ]),
            el("td", clean(r.note, 80)),
        )
        for r in ordered
    ]  # fmt: skip
    return _plain("Runs 各次运行", head, rows, folded=True)


def _kept(run: RunRecord) -> tuple[str, str, str]:
    """Return relevant pages kept, pages kept and F1 at the end of a run."""
    if not run.judged:
        return "—", "—", "—"
    kept = run.judged[-1].kept
    return number(kept.right), number(kept.kept), "—" if kept.f1 is None else f"{kept.f1:.3f}"


def _plain(title: str, head: Sequence[str], rows: Sequence[Html], *, folded: bool = False) -> Html:
    shown = region(title, table(title, headings(head), rows))
    if folded:
        shown = el("details", el("summary", f"{title} ({len(rows)})"), shown)
    return el("section", el("h2", title), shown)
