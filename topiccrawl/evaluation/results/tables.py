"""Columns, number formats and conditions of the tables on the terminal and the HTML page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table

from topiccrawl.evaluation.results.judged_tables import group_title, noise_text, print_caption
from topiccrawl.evaluation.results.summary import Row, Summary
from topiccrawl.language import N_, _

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, slots=True)
class Column:
    """A figure as a column."""

    figure: str
    """Key of ``summary.FIGURES``."""
    title: str
    help: str
    form: str = "{:.3f}"
    better: int = 1
    """1: larger is better, -1: smaller is better, 0: neither."""
    scale: float = 1.0


#: Columns of the tables, from left to right.
COLUMNS = (
    Column("share_of_oracle", N_("share of oracle"), N_("AUC over the AUC of the oracle")),
    Column("normalised", N_("norm."), N_("AUC between random order (0) and oracle (1)")),
    Column("auc", N_("AUC"), N_("mean cumulative harvest rate over the pages counted")),
    Column("harvest", N_("harvest"), N_("relevant pages over pages fetched, at the end")),
    Column("recall", N_("recall"), N_("hidden targets found, at the end")),
    Column("pages_to_50", N_("to 50 %"), N_("pages to 50 % of the targets"), "{:,.0f}", -1),
    Column("pages_to_80", N_("to 80 %"), N_("pages to 80 % of the targets"), "{:,.0f}", -1),
    Column("pages_to_90", N_("to 90 %"), N_("pages to 90 % of the targets"), "{:,.0f}", -1),
    Column(
        "mean_similarity",
        N_("similarity"),
        N_("mean of the crawler's own relevance scores"),
        better=0,
    ),
    Column("relevant_hosts", N_("hosts"), N_("hosts with relevant pages"), "{:,.1f}", 0),
    Column("bytes", N_("MB"), N_("bodies fetched"), "{:,.1f}", 0, 1e-6),
)


def figure_text(row: Row, column: Column) -> str:
    """Return a figure with its interval and, in parentheses, the share of runs that have it."""
    figure = row.figures[column.figure]
    if figure.mean is None:
        return "—"
    text = column.form.format(column.scale * figure.mean)
    if column.figure == "share_of_oracle" and figure.low is not None and figure.high is not None:
        text += f" ±{(figure.high - figure.low) / 2:.3f}"
    if column.figure == "share_of_oracle":
        text += noise_text(figure)
    if 0 < figure.missing < 1:
        # The mean covers only runs that reached the recall level, so their share must be shown.
        text += f" ({1 - figure.missing:.0%})"
    return text


def test_text(row: Row) -> str:
    """Return baseline, difference, interval and p values of a row's test."""
    found = row.comparison
    if found is None:
        return _("baseline")
    text = f"{row.baseline}: {found.difference:+.3f}"
    if found.low is not None and found.high is not None:
        text += f" [{found.low:+.3f}, {found.high:+.3f}]"
    if found.p is not None:
        text += f", p {_p(found.p)}"
    if row.p_holm is not None:
        text += f", Holm {_p(row.p_holm)}"
    return _("{figures} ({count} pairs)").format(figures=text, count=found.pairs)


def _p(value: float) -> str:
    return "< 0.0001" if value < 1e-4 else f"{value:.4f}"


def conditions_text(conditions: Mapping[str, Any]) -> str:
    """Return everything that the figures depend on, in one line."""
    cap = conditions.get("per_host_cap")
    growth = conditions.get("per_host_growth")
    host = (
        _("{cap:,} pages + {growth} per relevant page").format(cap=cap, growth=growth)
        if cap
        else _("none")
    )
    parts = [
        _("web {web} ({pages:,} pages)").format(
            web=conditions.get("web"), pages=conditions.get("web_pages")
        ),
        _("budget {pages:,} pages").format(pages=conditions.get("max_pages")),
        _("mode {mode}").format(mode=conditions.get("mode")),
        _("topic defined by: {what}").format(what=conditions.get("define")),
        _("judge: {judge}").format(judge=conditions.get("judge")),
        _("per-host cap: {cap}").format(cap=host),
        _("politeness: {delays}").format(delays=_(str(conditions.get("politeness")))),
        _("concurrency {n}").format(n=conditions.get("concurrency")),
    ]
    settings = conditions.get("settings") or {}
    parts += [f"{name}={value}" for name, value in settings.items()]
    return " · ".join(parts)


def print_summary(summary: Summary, conditions: Mapping[str, Any], console: Console) -> None:
    """Print one table per seed set and one over all of them."""
    for group in summary.groups:
        title = group_title(group)
        table = Table(title=title, box=box.SIMPLE, title_justify="left")
        table.add_column(_("strategy"), no_wrap=True)
        for column in COLUMNS:
            table.add_column(_(column.title), justify="right")
        rows = summary.group(group)
        tested = any(row.comparison is not None for row in rows)
        for row in rows:
            table.add_row(row.strategy, *(figure_text(row, column) for column in COLUMNS))
        console.print(table)
        print_caption(conditions_text(conditions), console)
        if tested:
            for row in rows:
                text = _("{strategy}: against {test}").format(
                    strategy=row.strategy, test=test_text(row)
                )
                console.print(f"  {text}", markup=False)
