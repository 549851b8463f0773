"""A document as a page of the crawl: the same properties, from its text."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cached_property
from typing import Final

from topiccrawl.documents.formats import FORMATS
from topiccrawl.documents.names import stem
from topiccrawl.documents.text import DocumentText
from topiccrawl.page.body.contract import Extraction, Kind
from topiccrawl.page.byline import Byline, find_byline
from topiccrawl.page.dates import CHINA_TIME, find_published
from topiccrawl.page.decoding import Decoded
from topiccrawl.page.outline import Outline
from topiccrawl.page.page import Page
from topiccrawl.page.title.selection import MAX_TITLE_CHARACTERS, Title

#: Most characters that are analyzed and stored (a guess: a book of 300 pages; its analysis takes half a
#: second).
MAX_BODY_CHARACTERS: Final = 300_000
#: Lines at the beginning and at the end that may state author and date.
_FIRST, _LAST = 30, 15
#: Names of templates and programs that metadata have instead of a title, and anchors without meaning.
_NO_TITLE: Final = re.compile(
    r"(?:microsoft word|microsoft powerpoint|powerpoint|untitled|未命名|文档|无标题|新建|document|幻灯片|slide|"
    r"book|工作簿|sheet|wps|模板|template|print|slide)[\s\-_\d.]*|[\W\d_a-z]{0,40}|"
    r"(?:点击|请|在线)?(?:下载|查看|打开|预览|附件|详见|文件|全文|原文|此处|这里)+[\d一二三四五六七八九十]*",
    re.IGNORECASE,
)
_PROGRAM: Final = re.compile(
    r"^\s*(?:microsoft (?:word|powerpoint|excel)|wps \w+)\s*[-–:]\s*", re.I
)
_NAME: Final = re.compile(r"[\u4e00-\u9fff]{2,4}")
_NO_NAME: Final = frozenset(
    {"微软用户", "管理员", "用户", "系统管理员", "番茄花园", "雨林木风", "未知", "作者"}
)
#: A line that is a date: below the name of the office at the end of a letter.
_DATE: Final = re.compile(r"\s*(?:19|20)\d\d\s*年\s*\d{1,2}\s*月\s*\d{1,2}\s*日\s*")
#: The mark of a heading of Markdown.
_HEADING = re.compile(r"^#{1,6} (?=\S)")
#: First line that may be the title of a document that shows none.
_LONGEST_FIRST: Final = 60


class DocumentPage(Page):
    """A document: its paragraphs are the body.

    Parameters
    ----------
    url
        URL of the document.
    document
        What was read from it.
    raw
        The file, empty if it is not to be stored.
    name
        Its file name, empty if unknown.
    anchor_hint
        Text of the link that led to it.
    now
        Time of the fetch.
    """

    def __init__(
        self,
        url: str,
        document: DocumentText,
        raw: bytes = b"",
        *,
        name: str = "",
        anchor_hint: str = "",
        now: datetime | None = None,
    ) -> None:
        super().__init__(
            url,
            raw,
            content_type=FORMATS[document.kind].media_type if document.kind in FORMATS else "",
            now=now,
            anchor_hint=anchor_hint,
        )
        self.document = document
        self.name = name

    @property
    def media_type(self) -> str:
        """Media type of the document by its content."""
        return self.content_type

    @cached_property
    def looks_like_html(self) -> bool:
        """Whether the document has text."""
        return bool(self.document.lines)

    @cached_property
    def decoded(self) -> Decoded:
        """Nothing: there is no HTML."""
        return Decoded("", "utf-8", "default")

    @cached_property
    def outline(self) -> Outline:
        """The text, without links and boxes."""
        return Outline(text=self.document.text[:MAX_BODY_CHARACTERS], title=self.title)

    @cached_property
    def whole_extraction(self) -> Extraction:
        """The whole text."""
        return Extraction(body=self.document.text[:MAX_BODY_CHARACTERS], kind=self.kind)

    @cached_property
    def kind(self) -> Kind:
        """An article, or without text something else."""
        return "article" if self.document.lines else "other"

    @cached_property
    def _title(self) -> Title:
        document = self.document
        shown = document.title
        stated = _PROGRAM.sub("", document.stated_title).strip()
        head = "".join("".join(document.lines[:10]).split())
        if not shown and _tells(stem(stated)) and "".join(stem(stated).split()) in head:
            shown = stem(stated)
        if shown:
            return Title(" ".join(shown.split())[:MAX_TITLE_CHARACTERS])
        first = next(iter(document.lines), "").replace("\t", " ")
        names = [stem(self.anchor_hint), stem(self.name), stem(stated)]
        if len(first) <= _LONGEST_FIRST and not first.endswith(("。", "：", "；", "，")):
            # 附件 1 is followed by the title; a row of cells is the head of a table.
            lines = [x for x in document.lines[:4] if "\t" not in x]
            names.insert(1, next((x for x in lines if _tells(stem(x))), ""))
        found = (
            next((name for name in names if _tells(name)), "")
            or stem(self.anchor_hint)
            or stem(self.name)
        )
        title = _HEADING.sub("", " ".join(found.split()))
        return Title(title[:MAX_TITLE_CHARACTERS], used_anchor_hint=True)

    @cached_property
    def byline(self) -> Byline:
        """Author, source and editor that the first lines name; else the author of the metadata."""
        found = find_byline(self.lines[:_FIRST], self.title, {}, [])
        author = "".join(self.document.author.split())
        if not found.author and _NAME.fullmatch(author) and author not in _NO_NAME:
            return Byline(author=author, source=found.source, editor=found.editor)
        return found

    @cached_property
    def published(self) -> datetime | None:
        """Date below the text or above it; else when the file was last changed."""
        document = self.document
        changed = document.modified or document.created
        known = changed.astimezone(CHINA_TIME).replace(tzinfo=None) if changed else None
        now = self.now or datetime.now(CHINA_TIME)
        alone = [line for line in self.lines[-_LAST:] if _DATE.fullmatch(line)]
        signed = {"pubdate": alone[-1]} if alone else {}
        return find_published(
            now=now,
            lines=[*self.lines[:_FIRST], *self.lines[_FIRST:][-_LAST:]],
            title=self.title,
            meta=({"lastmod": known.isoformat(" ")} if known else {}) | signed,
            times=[],
            json_ld=[],
            url=self.url,
        )


def _tells(title: str) -> bool:
    """Whether a title describes its document."""
    return len(title) >= 4 and _NO_TITLE.fullmatch(title) is None
