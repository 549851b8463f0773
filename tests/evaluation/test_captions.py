"""Captions of the laboratory's tables on the terminal."""

from __future__ import annotations

import io

from rich.console import Console

from topiccrawl.evaluation.results.judged_tables import print_caption
from topiccrawl.text.columns import columns


def test_a_chinese_caption_fills_its_lines() -> None:
    out = io.StringIO()
    text = "入库：切题页面 / " + "入库页面，为各主题和种子组之和；" * 12
    print_caption(text, Console(file=out, width=80, force_terminal=False))
    *lines, last, empty = out.getvalue().splitlines()
    assert "".join(it.rstrip() for it in [*lines, last]).replace(" ", "") == text.replace(" ", "")
    assert all(72 <= columns(line.rstrip()) <= 80 for line in lines)
    assert empty == ""
