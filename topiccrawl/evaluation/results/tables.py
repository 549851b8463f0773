"""Columns, number formats and conditions of the tables on the terminal and the HTML page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table

from topiccrawl.evaluation.results.averages import ALL
from topiccrawl.evaluation.results.judged_tables import noise_text
from topiccrawl.evaluation.results.summary import Row, Summary

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["COLUMNS", "Column", "conditions_text", "figure_text", "print_summary", "test_text"]


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
    Column("share_of_oracle", "share of oracle", "AUC over the AUC of the oracle"),
    Column("normalised", "norm.", "AUC between random order (0) and oracle (1)"),
    Column("auc", "AUC", "mean cumulative harvest rate over the pages counted"),
    Column("harvest", "harvest", "relevant pages over pages fetched, at the end"),
    Column("recall", "recall", "hidden targets found, at the end"),
    Column("pages_to_50", "to 50 %", "pages to 50 % of the targets", "{:,.0f}", -1),
    Column("pages_to_80", "to 80 %", "pages to 80 % of the targets", "{:,.0f}", -1),
    Column("pages_to_90", "to 90 %", "pages to 90 % of the targets", "{:,.0f}", -1),
    Column("mean_similarity", "similarity", "mean of the crawler's own relevance scores", better=0),
    Column("relevant_hosts", "hosts", "hosts with relevant pages", "{:,.1f}", 0),
    Column("bytes", "MB", "bodies fetched", "{:,.1f}", 0, 1e-6),
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
        return "baseline"
    text = f"{row.baseline}: {found.difference:+.3f}"
    if found.low is not None and found.high is not None:
        text += f" [{found.low:+.3f}, {found.high:+.3f}]"
    if found.p is not None:
        text += f", p {_p(found.p)}"
    if row.p_holm is not None:
        text += f", Holm {_p(row.p_holm)}"
    return f"{text} ({found.pairs} pairs)"


def _p(value: float) -> str:
    return "< 0.0001" if value < 1e-4 else f"{value:.4f}"


def conditions_text(conditions: Mapping[str, Any]) -> str:
    """Return everything that the figures depend on, in one line."""
    cap = conditions.get("per_host_cap")
    growth = conditions.get("per_host_growth")
    host = f"{cap:,} pages + {growth} per relevant page" if cap else "none"
    parts = [
        f"web {conditions.get('web')} ({conditions.get('web_pages'):,} pages)",
        f"budget {conditions.get('max_pages'):,} pages",
        f"mode {conditions.get('mode')}",
        f"topic defined by: {conditions.get('define')}",
        f"judge: {conditions.get('judge')}",
        f"per-host cap: {host}",
        f"politeness: {conditions.get('politeness')}",
        f"concurrency {conditions.get('concurrency')}",
    ]
    settings = conditions.get("settings") or {}
    parts += [f"{name}={value}" for name, value in settings.items()]
    return " · ".join(parts)


def print_summary(summary: Summary, conditions: Mapping[str, Any], console: Console) -> None:
    """Print one table per seed set and one over all of them."""
    for group in summary.groups:
        title = "all seed sets" if group == ALL else f"seeds: {group}"
        table = Table(
            title=title, caption=conditions_text(conditions), box=box.SIMPLE, title_justify="left",
            caption_justify="left",
        )  # fmt: skip
        table.add_column("strategy", no_wrap=True)
        for column in COLUMNS:
            table.add_column(column.title, justify="right")
        rows = summary.group(group)
        tested = any(row.comparison is not None for row in rows)
        for row in rows:
            table.add_row(row.strategy, *(figure_text(row, column) for column in COLUMNS))
        console.print(table)
        if tested:
            for row in rows:
                console.print(f"  {row.strategy}: against {test_text(row)}", markup=False)
