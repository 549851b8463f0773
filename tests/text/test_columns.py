"""Lines in columns: Chinese characters take two, and punctuation keeps to its word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.text.columns import columns, wrapped


@given(st.text("侨情ab，。（）- ", max_size=60), st.integers(12, 40))
def test_lines_fit_and_lose_nothing(text: str, width: int) -> None:
    lines = list(wrapped(text, width))
    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        # A word, or signs that stay with their neighbor, may be longer.
        assert columns(line) <= width or " " not in line


def test_no_line_begins_with_a_closing_sign_or_ends_with_an_opening_one() -> None:
    text = "数据库（SQLite 文件），默认为设置。" * 4
    for width in range(12, 60):
        lines = list(wrapped(text, width))
        assert not any(line.startswith(("，", "。", "）")) or line.endswith("（") for line in lines)
