"""Judgments of pages on the results page: what is kept, its curves, and the reliability diagram."""

from __future__ import annotations

from collections.abc import Sequence

from topiccrawl.evaluation.results.averages import ALL
from topiccrawl.evaluation.results.charts import band_chart, reliability, reliability_chart
from topiccrawl.evaluation.results.htmltables import figures, folded_values, headings, region, table
from topiccrawl.evaluation.results.judged_summary import CRAWLER, WHOLE_WEB, JudgedRow, judged_bands
from topiccrawl.evaluation.results.judged_tables import (
    after_text,
    kept_text,
    mean_text,
    plain_text,
    wins_text,
)
from topiccrawl.evaluation.results.records import Results
from topiccrawl.evaluation.results.summary import Band
from topiccrawl.reporting.markup import Html, clean, el
from topiccrawl.reporting.scale import number, percent

#: Curves (fields of ``Selection``) with their titles.
_CURVES = (
    ("precision", "Precision of kept pages 保留页面的准确率"),
    ("recall", "Recall among fetched pages 已抓取相关页面的保留率"),
)
_HEAD = ("after 抓取页数", "strategy 策略", "judge 判断", "relevant / kept 相关 / 保留", "precision 准确率",
         "recall 召回率", "F1", "AUC", "calibration error 校准误差",
         "> home-made 优于自制爬虫", "> naive 优于简单规则")  # fmt: skip
_NOTE = (
    "Recall is of the relevant pages fetched. Sums over topics and seed sets; precision, recall and "
    "F1 are means over topics. > home-made: topics and seed sets in which more relevant pages are kept; "
    "> naive: in which F1 is better than that of all naive rules. Pages given to the crawler and pages "
    "on the border of a topic are not counted. "
    "召回率以已抓取的相关页面为准；给爬虫的页面和难以判定的页面不计。"
)


def judged_parts(
    results: Results, rows: Sequence[JudgedRow], group: str, ranked: Sequence[str]
) -> list[Html]:
    """Return table, curves and reliability diagram of a group of seed sets; nothing without rows."""
    own = [row for row in rows if row.seeds == group]
    if not own:
        return []
    title = "all seed sets 全部种子" if group == ALL else f"seeds 种子: {clean(group, 60)}"
    parts = [el("h3", "Kept pages 保留的页面"), el("p", _NOTE, class_="note"), _table(own, title)]
    for figure, label in _CURVES:
        found = {band.name: band for band in judged_bands(results, figure, group)}
        bands = [found.get(name, Band(name, [], [], [], [])) for name in ranked]
        if found:
            name = f"{label}, {title}"
            parts += [
                el("h3", label),
                region(name, band_chart(name, bands, [])),
                _values(name, bands),
            ]
    crawled = [row for row in own if row.at != WHOLE_WEB]
    parts += _reliability("Reliability at the end 末尾的可靠性", crawled, title, ranked)
    whole = [row for row in own if row.at == WHOLE_WEB]
    return parts + _reliability("Reliability, whole web 整个网的可靠性", whole, title, ranked)


def _table(rows: Sequence[JudgedRow], title: str) -> Html:
    body = [
        el(
            "tr",
            el("td", after_text(row)),
            el("th", clean(row.strategy, 60), scope="row"),
            el("td", name),
            figures([
                kept_text(kept), plain_text(kept.precision), plain_text(kept.recall), mean_text(kept.f1),
                *(_of_crawler(row) if name == CRAWLER else [""] * 4),
            ]),
        )
        for row in rows
        for name, kept in row.judges.items()
    ]  # fmt: skip
    return region(f"Kept pages, {title}", table(title, headings(_HEAD), body))


def _of_crawler(row: JudgedRow) -> list[str]:
    error = "—" if row.calibration_error is None else f"{row.calibration_error:.3f}"
    return [plain_text(row.auc), error, wins_text(row.above_home_made), wins_text(row.above_naive)]


def _values(caption: str, bands: Sequence[Band]) -> Html:
    places = sorted({at for band in bands for at in band.pages})
    head = headings(map(number, places), "n")
    rows = []
    for band in bands:
        values = dict(zip(band.pages, band.mean, strict=True))
        cells = [percent(values[at]) if at in values else "—" for at in places]
        rows.append((band.name, cells))
    return folded_values(caption, head, rows)


def _reliability(
    label: str, rows: Sequence[JudgedRow], title: str, ranked: Sequence[str]
) -> list[Html]:
    """Return the diagram of the last checkpoint of *rows*; nothing without probabilities."""
    last = {row.strategy: row.calibration for row in rows}
    found = [(name, last.get(name)) for name in ranked]
    if not any(bins for _, bins in found):
        return []
    name = f"{label}, {title}"
    head = [el("th", "share of relevant pages at mean probability (pages) 相关页面比例")]
    shares = [
        (strategy, ["; ".join(
            f"{percent(y)} at {percent(p)} ({number(n)})"
            for (p, y), n in zip(reliability(bins), filter(None, bins.pages), strict=True)
        )])
        for strategy, bins in found
        if bins
    ]  # fmt: skip
    return [el("h3", label), reliability_chart(name, found), folded_values(name, head, shares)]
