"""Records of extracted pages with their structure."""

from __future__ import annotations

from topiccrawl.analysis.extraction import PageExtractor
from topiccrawl.analysis.formats import FIELDS, STRUCTURE_FIELDS

TEXT = "江门侨批档案馆昨日正式开放，首批展出侨批三千余封，不少归侨带着孙辈前来参观，在展柜前辨认祖辈的笔迹。"
PAGE = (
    f"<html><body><h1>侨批档案馆开放</h1><div class=content>{f'<p>{TEXT}</p>' * 3}<p><img src=/pic/1.jpg></p>"
    f"<p>{TEXT}</p></div><div class=comments><div><b>方敏</b><span>2023-04-01 10:05</span><p>写得真好，谢谢！</p>"
    "</div></div></body></html>"
).encode()


def test_a_record_has_the_structure_only_when_it_is_wanted() -> None:
    plain = PageExtractor().extract(PAGE, "a", "http://news.example/1.html")
    assert tuple(plain) == FIELDS
    record = PageExtractor(structure=True).extract(PAGE, "a", "http://news.example/1.html")
    assert tuple(record) == FIELDS + STRUCTURE_FIELDS
    assert record["main_image"] == "http://news.example/pic/1.jpg"
    assert record["images"] == ["http://news.example/pic/1.jpg"]
    assert record["comments"] == [
        {"author": "方敏", "time": "2023-04-01T10:05:00", "text": "写得真好，谢谢！"}
    ]
    assert "![](http://news.example/pic/1.jpg)" in str(record["markdown"])
