"""Lines on pages: what repeats in the margins, and what only looks as if it did."""

from __future__ import annotations

from topiccrawl.documents.layout.lines import Line, PageLines
from topiccrawl.documents.layout.paragraphs import paragraphs

WIDTH, HEIGHT = 595, 842


def piece(text: str, x: float, y: float, size: float = 12.0) -> Line:
    return Line(text, x, x + size / 2 * len(text), y - size / 2, y + size / 2, size)


def table_page(number: int, rows: list[list[str]]) -> PageLines:
    """A page that a table fills up to margins of 2.5 cm, with the number of the page."""
    lines = [
        piece(cell, 80 + 110 * column, 770 - 20 * at)
        for at, row in enumerate(rows)
        for column, cell in enumerate(row)
    ]
    return PageLines(WIDTH, HEIGHT, [*lines, piece(f"第 {number} 页", 280, 40, 10)])


def test_rows_of_numbers_are_no_running_headers() -> None:
    rows = [[f"{n}", f"2026{n:05d}", f"{60 + n % 37}.5", "合格"] for n in range(1, 176)]
    pages = [table_page(at + 1, rows[35 * at : 35 * at + 35]) for at in range(5)]
    assert paragraphs(pages) == ["\t".join(row) for row in rows]


def test_the_head_of_a_table_on_all_pages_is_kept_once() -> None:
    head = ["序号", "编号", "成绩", "结果"]
    rows = [[f"{n}", f"2026{n:05d}", f"{60 + n % 37}.5", "合格"] for n in range(1, 103)]
    pages = [table_page(at + 1, [head, *rows[34 * at : 34 * at + 34]]) for at in range(3)]
    assert paragraphs(pages) == ["\t".join(row) for row in [head, *rows]]


def test_headers_and_numbers_that_count_the_pages_are_left_out() -> None:
    texts = [f"第{n}位归侨讲述了他回国参加建设的经历。" for n in "一二三四五"]
    pages = [
        PageLines(
            WIDTH,
            HEIGHT,
            [
                piece("侨务简报 2026年第3期", 80, 800, 10),
                piece(f"总第{118 + at}页", 450, 800, 10),
                piece(text, 80, 600),
                piece("（待续）", 80, 500),
                piece(f"共 5 页，第 {at + 1} 页", 280, 50, 10),
                piece("内部资料", 280, 35, 10),
            ],
        )
        for at, text in enumerate(texts)
    ]
    assert "".join(paragraphs(pages)) == "（待续）".join(texts) + "（待续）"


def test_a_header_beside_the_name_of_a_chapter_is_left_out() -> None:
    names = ["缘起", "南渡", "归来", "建设", "尾声"]
    body = [piece(f"这是第{n}行正文，讲述了归侨的经历。", 80, 700 - 20 * n) for n in range(20)]
    pages = [
        PageLines(
            WIDTH,
            HEIGHT,
            [piece("归侨口述史", 80, 790, 10), piece(name, 450, 790, 10), *body],
        )
        for name in names
    ]
    assert not any("归侨口述史" in text for text in paragraphs(pages))
