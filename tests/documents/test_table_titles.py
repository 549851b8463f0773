"""Titles of tables whose first rows are a short title and the heads of columns."""

from __future__ import annotations

import pytest

from topiccrawl.documents.page import DocumentPage
from topiccrawl.documents.text import DocumentText

URL = "http://a.example.cn/upload/bg6.xlsx"
HEAD = "序号\t姓名\t工作单位\t备注"


@pytest.mark.parametrize(
    ("lines", "anchor", "title"),
    [
        (["登记表", HEAD, "1\t陈某\t市侨联\t"], "登记表.xlsx", "登记表"),
        ([HEAD, "1\t陈某\t市侨联\t"], "附件2：归侨侨眷名册.xlsx", "归侨侨眷名册"),
        (["归侨侨眷情况登记表", HEAD], "点击下载", "归侨侨眷情况登记表"),
        ([HEAD, "1\t陈某\t市侨联\t"], "名册", "名册"),
    ],
)
def test_the_heads_of_columns_are_no_title(lines: list[str], anchor: str, title: str) -> None:
    document = DocumentText("xlsx", lines=lines)
    page = DocumentPage(URL, document, name="bg6.xlsx", anchor_hint=anchor)
    assert page.title == title
