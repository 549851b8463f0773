"""Tables of the crawler's judgments of pages, on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from topiccrawl.evaluation.results.averages import ALL, Figure
from topiccrawl.evaluation.results.judged_summary import (
    CRAWLER,
    WHOLE_WEB,
    JudgedRow,
    KeptFigures,
    Wins,
)
from topiccrawl.language import N_, _, listed
from topiccrawl.text.columns import wrapped

if TYPE_CHECKING:
    from rich.console import Console

#: Columns of a line at most (a choice: longer ones are hard to read).
_WIDTH = 100
#: Columns before those of the naive rules.
_COLUMNS = (
    N_("kept"), N_("precision"), N_("recall"), "F1", "AUC", N_("calibration error"),
    N_("> home-made"), N_("> naive"),
)  # fmt: skip
#: Explanation of the columns.
_CAPTION = N_(
    "kept: relevant pages kept / pages kept, sums over topics and seed sets; pages that the crawler "
    "was given and unsure pages are not counted; > home-made: topics and seed sets with more relevant "
    "pages kept; > naive: with a better F1 than all naive rules; naive rules: the same pages, F1 and "
    "relevant pages kept"
)


def print_judged(rows: Sequence[JudgedRow], console: Console) -> None:
    """Print one table per group of seed sets, with a section for each checkpoint."""
    for group in dict.fromkeys(row.seeds for row in rows):
        own = [row for row in rows if row.seeds == group]
        title = _("kept pages, {seeds}").format(seeds=group_title(group))
        rules = _rules_of(own)
        table = Table(title=title, box=box.SIMPLE, title_justify="left")
        table.add_column(_("after"), no_wrap=True)
        table.add_column(_("strategy"), no_wrap=True)
        for name in (*_COLUMNS, *rules):
            table.add_column(_(name), justify="right")
        for place, row in enumerate(own):
            ends = place + 1 == len(own) or own[place + 1].at != row.at
            first = place == 0 or own[place - 1].at != row.at
            table.add_row(
                after_text(row) if first else "", row.strategy, *_cells(row, rules),
                end_section=ends,
            )  # fmt: skip
        console.print(table)
        print_caption(_(_CAPTION), console)


def group_title(group: str) -> str:
    """Return the heading of the tables of one group of seed sets."""
    return _("all seed sets") if group == ALL else _("seeds: {name}").format(name=group)


def _rules_of(rows: Sequence[JudgedRow]) -> list[str]:
    names = dict.fromkeys(name for row in rows for name in row.judges)
    return [name for name in names if name != CRAWLER]


def after_text(row: JudgedRow) -> str:
    """Return the checkpoint of a row."""
    return _(WHOLE_WEB) if row.at == WHOLE_WEB else _("{count:,} pages").format(count=int(row.at))


def kept_text(figures: KeptFigures) -> str:
    """Return the relevant pages kept and the pages kept."""
    return f"{figures.right:,.0f} / {figures.kept:,.0f}"


def mean_text(figure: Figure) -> str:
    """Return a mean with its interval and the noise of seeds and repeats."""
    if figure.mean is None:
        return "—"
    text = f"{figure.mean:.3f}"
    if figure.low is not None and figure.high is not None:
        text += f" ±{(figure.high - figure.low) / 2:.3f}"
    return text + noise_text(figure)


def plain_text(figure: Figure) -> str:
    """Return the mean alone."""
    return "—" if figure.mean is None else f"{figure.mean:.3f}"


def wins_text(wins: Wins) -> str:
    """Return in how many cells the crawler is better."""
    return _("{n} of {all}").format(n=wins.won, all=wins.cells) if wins.cells else "—"


def noise_text(figure: Figure) -> str:
    """Return the standard deviations between seed sets and between repeats, if there are any."""
    parts = [
        f"{_(name)} {value:.3f}"
        for name, value in ((N_("seeds"), figure.seed_sd), (N_("repeats"), figure.repeat_sd))
        if value is not None
    ]
    return _(" (sd: {parts})").format(parts=listed(parts)) if parts else ""


def _cells(row: JudgedRow, rules: Sequence[str]) -> list[str]:
    own = row.judges[CRAWLER]
    error = row.calibration_error
    cells = [
        kept_text(own),
        plain_text(own.precision),
        plain_text(own.recall),
        mean_text(own.f1),
        plain_text(row.auc),
        "—" if error is None else f"{error:.3f}",
        wins_text(row.above_home_made),
        wins_text(row.above_naive),
    ]
    for rule in rules:
        found = row.judges.get(rule)
        cells.append("—" if found is None else f"{plain_text(found.f1)} ({found.right:,.0f})")
    return cells


def print_caption(text: str, console: Console) -> None:
    """Print *text* in lines that break between Chinese characters, too, and an empty line."""
    lines = wrapped(text, min(console.width, _WIDTH))
    console.print(Text("\n".join(lines), style="dim italic"), end="\n\n")
