"""Extractors by name and by dotted path: body, comments and kind are replaced together."""

from __future__ import annotations

import re

import pytest
from scrapy.settings import Settings

from topiccrawl.analysis.extraction import PageExtractor
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.page.body import Extraction
from topiccrawl.page.body import classify as classify_module
from topiccrawl.page.body.contract import ReadablePage
from topiccrawl.page.body.extractors import check_extractor, extractor_names
from topiccrawl.page.page import Page

URL = "http://news.example/2026/0504/1234.html"
PARAGRAPHS = [
    "昨日上午，滨河区图书馆举办了新一期读书沙龙，三十多位读者围绕城市记忆展开了讨论。",
    "主持人介绍说，沙龙每月一次，由读者自己报名主讲，馆里只提供场地和资料。",
    "家住附近的一位退休教师带来了自己收藏的旧地图，讲述了河道几十年来的变化。",
]
TEXT = "\n".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
ARTICLE = f"<html><head><title>读书沙龙聊城市记忆</title></head><body>\n{TEXT}\n</body></html>"
LINKS = "\n".join(
    f"<li><a href=/2026/{i}.html target=_blank class=item>滨河区第{i}次读书活动在图书馆举行</a></li>"
    for i in range(1, 40)
)


class FirstParagraph:
    """An extractor of another project."""

    def extract(self, page: ReadablePage) -> Extraction:
        paragraph = page.outline.text.strip().partition("\n")[0]
        return Extraction(paragraph, f"comment on {page.stated_title}", "thread")


class BodyOnly:
    """An extractor that does not decide on the kind."""

    def extract(self, page: ReadablePage) -> Extraction:
        return Extraction(page.outline.text.strip())


class NeedsArguments(FirstParagraph):
    def __init__(self, model: str) -> None:
        self.model = model


class WithoutMethod:
    pass


NOT_A_CLASS = FirstParagraph()


def page(html: str, extractor: str, url: str = URL) -> Page:
    return Page(url, html.encode(), "utf-8", extractor=extractor)


def test_an_extractor_of_another_module_is_used_by_its_dotted_path() -> None:
    found = page(ARTICLE, f"{__name__}.FirstParagraph")
    assert found.body == PARAGRAPHS[0]
    assert found.comments == "comment on 读书沙龙聊城市记忆"
    assert found.kind == "thread"


def test_the_kind_follows_from_rules_if_the_extractor_does_not_decide() -> None:
    assert page(ARTICLE, f"{__name__}.BodyOnly").kind == "article"
    assert page(f"<ul>{LINKS}</ul>", f"{__name__}.BodyOnly", "http://a.cn/news/").kind == "list"


def test_a_dotted_path_works_in_the_setting_and_in_extract() -> None:
    path = f"{__name__}.FirstParagraph"
    settings = Settings({"TOPICCRAWL_BODY_EXTRACTOR": path, "TOPICCRAWL_STORE_URI": "sqlite:x.db"})
    assert CrawlSettings.from_settings(settings).body_extractor == path
    record = PageExtractor(path).extract(ARTICLE.encode(), "a", URL)
    assert (record["body"], record["kind"]) == (PARAGRAPHS[0], "thread")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("magic", "must be one of blocks, text-density, got 'magic'"),
        ("", "must be one of blocks, text-density, got ''"),
        ("nowhere.at.all.Magic", "cannot import 'nowhere.at.all': No module named 'nowhere'"),
        (".Magic", "must be one of blocks, text-density, got '.Magic'"),
        ("..Magic", "cannot import '.'"),
        (f"{__name__}.Missing", "has no class 'Missing' with a method extract(page)"),
        (f"{__name__}.WithoutMethod", "has no class 'WithoutMethod' with a method extract(page)"),
        (f"{__name__}.NOT_A_CLASS", "has no class 'NOT_A_CLASS' with a method extract(page)"),
        (f"{__name__}.NeedsArguments", "'NeedsArguments' cannot be built without arguments"),
    ],
)
def test_a_wrong_extractor_is_refused_with_the_reason(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        check_extractor(name)
    settings = Settings({"TOPICCRAWL_BODY_EXTRACTOR": name})
    with pytest.raises(ConfigurationError, match=r"TOPICCRAWL_BODY_EXTRACTOR: .*body extractor"):
        CrawlSettings.from_settings(settings)


def test_the_extractors_of_the_project_are_known_by_name() -> None:
    assert extractor_names() == ["blocks", "text-density"]
    assert [check_extractor(name) for name in extractor_names()] == extractor_names()


@pytest.mark.parametrize(
    ("html", "url", "kind"),
    [
        (ARTICLE, URL, "article"),
        (ARTICLE, "", "article"),
        (f"<ul>\n{LINKS}\n</ul>", "http://news.example/culture/", "list"),
        (ARTICLE, "http://bbs.example/thread-1024-1-1.html", "thread"),
        ("<p>一句话。</p>", URL, "other"),
        ("", URL, "other"),
        ("<meta property=og:type content=article>\n<p>一句话。</p>", URL, "article"),
    ],
)
def test_text_density_finds_the_kind_without_the_learned_model(
    html: str, url: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise AssertionError("the learned model ran")

    monkeypatch.setattr(classify_module, "body_model", refuse)
    found = page(html, "text-density", url)
    assert found.kind == kind
    assert found.comments == ""
    assert found.body or not html or kind == "list"
