"""Briefings as Word, HTML and Markdown, also of an attacker's pages."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from urllib.parse import urlsplit

import docx
import pytest
from docx.oxml.ns import qn
from markdown_it import MarkdownIt

from tests.support.briefings import ATTACKS, briefing, candidate, hostile_pages
from tests.support.chromium import needs_chromium
from tests.support.console_walk import chromium
from tests.support.html_trees import html_tree
from topiccrawl.briefing.files import choose_format, content
from topiccrawl.briefing.links import href
from topiccrawl.briefing.reading import Period, candidates_of
from topiccrawl.errors import ConfigurationError

PLAIN = briefing([candidate(1), candidate(2, sites=4)])


def hostile() -> object:
    found = candidates_of(hostile_pages(), Period())
    found = [replace(it, summary=f"{it.title}。{it.title}！") for it in found]
    made = briefing(found, title="{{x}}<script>", topic=ATTACKS[0], organization=ATTACKS[7])
    assert len(list(made.entries())) >= 16
    return made


def word_links(data: bytes) -> list[tuple[str, str]]:
    """Text and target of each link."""
    document = docx.Document(io.BytesIO(data))
    relations = document.part.rels
    return [
        (
            "".join(t.text or "" for t in link.iter(qn("w:t"))),
            relations[link.get(qn("r:id"))].target_ref,
        )
        for link in document.element.body.iter(qn("w:hyperlink"))
    ]


@pytest.mark.parametrize("format_", ["docx", "html", "md"])
def test_every_sentence_links_to_its_page(format_: str) -> None:
    data = content(PLAIN, format_, "zh")
    if format_ == "docx":
        links = word_links(data)
    elif format_ == "html":
        links = [(a.text_content(), a.get("href")) for a in html_tree(data.decode()).iter("a")]
    else:
        rendered = MarkdownIt().render(data.decode())
        links = [(a.text_content(), a.get("href")) for a in html_tree(rendered).iter("a")]
    for number in (1, 2):
        url = f"http://www.example.cn/{number}.html"
        assert ("侨胞返乡投资建厂。", url) in links
        assert ("当地政府表示欢迎！", url) in links


def test_every_style_of_the_word_file_names_an_east_asian_font() -> None:
    document = docx.Document(io.BytesIO(content(PLAIN, "docx", "zh")))
    used = {paragraph.style.name: paragraph.style for paragraph in document.paragraphs}
    assert len(used) >= 5
    for style in used.values():
        fonts = style.element.rPr.rFonts
        assert fonts.get(qn("w:eastAsia")) in ("宋体", "黑体")
        assert not any("heme" in name for name in fonts.attrib)
    assert document.core_properties.author == ""
    assert document.core_properties.title == "侨情周报"


def test_the_word_file_is_in_the_language_that_is_asked_for() -> None:
    texts = {it.text for it in docx.Document(io.BytesIO(content(PLAIN, "docx", "en"))).paragraphs}
    assert "Most important" in texts
    texts = {it.text for it in docx.Document(io.BytesIO(content(PLAIN, "docx", "zh"))).paragraphs}
    assert "要闻" in texts


def test_an_attacker_s_pages_leave_a_word_file_without_active_content() -> None:
    data = content(hostile(), "docx", "zh")
    links = word_links(data)
    assert links
    for _text, target in links:
        assert urlsplit(target).scheme in ("http", "https")
        assert target.isascii()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            assert not re.search(r"vba|embed|activeX|\.bin$|oleObject", name), name
            if name.endswith((".xml", ".rels")):
                text = archive.read(name).decode("utf-8")
                assert "<!ENTITY" not in text
                assert "w:instrText" not in text
                assert "w:fldSimple" not in text
            if name.endswith(".rels"):
                for relation in re.findall(r"<Relationship [^>]*>", archive.read(name).decode()):
                    assert "External" not in relation or 'hyperlink"' in relation
    texts = "\n".join(it.text for it in docx.Document(io.BytesIO(data)).paragraphs)
    assert "<script>alert(1)</script>" in texts
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", texts)


def test_an_attacker_s_pages_are_text_in_the_html_file() -> None:
    text = content(hostile(), "html", "en").decode()
    tree = html_tree(text)
    assert {it.tag for it in tree.iter() if isinstance(it.tag, str)} <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "bdi", "p", "main", "section",
        "article", "a", "span", "ul", "li", "footer",
    }  # fmt: skip
    for link in tree.iter("a"):
        assert urlsplit(link.get("href")).scheme in ("http", "https")
        assert link.get("rel") == "noopener noreferrer nofollow"
    assert not [name for it in tree.iter() for name in it.attrib if name.startswith("on")]
    policy = tree.find(".//meta[@http-equiv]").get("content")
    assert "default-src 'none'" in policy
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_an_attacker_s_pages_are_text_in_markdown() -> None:
    text = content(hostile(), "md", "en").decode()
    rendered = (
        MarkdownIt("commonmark", {"html": True, "linkify": False}).enable("table").render(text)
    )
    tree = html_tree(f"<div>{rendered}</div>")
    assert {it.tag for it in tree.iter() if isinstance(it.tag, str)} <= {
        "div", "h1", "h2", "h3", "p", "em", "a", "ul", "li", "hr",
    }  # fmt: skip
    for link in tree.iter("a"):
        assert urlsplit(link.get("href")).scheme in ("http", "https")
    assert "\x1b" not in text


def test_only_web_addresses_become_links() -> None:
    assert href("http://user:secret@a.cn/x") == "http://a.cn/x"
    assert href("http://a.cn/(x)<y>") == "http://a.cn/%28x%29%3Cy%3E"
    for url in (
        "javascript:alert(1)",
        "file:///etc/passwd",
        "http://",
        "http://a b/",
        "",
        "http://a.cn:x/",
    ):
        assert href(url) is None


@pytest.mark.parametrize(("out", "expected"), [("a.docx", "docx"), ("a.HTM", "html"), ("-", "md")])
def test_the_extension_names_the_format(out: str, expected: str) -> None:
    assert choose_format(out) == expected


@pytest.mark.parametrize("out", ["a.doc", "a", "a.pdf"])
def test_other_extensions_are_refused_with_the_choices(out: str) -> None:
    with pytest.raises(ConfigurationError, match="docx, html, md"):
        choose_format(out)


@needs_chromium
def test_printed_pages_are_filled() -> None:
    with chromium() as browser:
        page = browser.new_page()
        page.set_content(content(briefing([candidate(n) for n in range(6)]), "html", "zh").decode())
        # Each entry has more than half a page.
        page.evaluate(
            "document.querySelectorAll('article').forEach(it => it.insertAdjacentHTML("
            "'beforeend', '<p>line</p>'.repeat(14)))"
        )
        printed = page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= 5
