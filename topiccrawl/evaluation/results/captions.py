"""Captions below tables on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from topiccrawl.text.columns import wrapped

if TYPE_CHECKING:
    from rich.console import Console

#: Columns of a line at most (a choice: longer ones are hard to read).
_WIDTH: Final = 100


def print_caption(text: str, console: Console) -> None:
    """Print *text* in lines that break between Chinese characters, too, and an empty line."""
    lines = wrapped(text, min(console.width, _WIDTH))
    console.print(Text("\n".join(lines), style="dim italic"), end="\n\n")
