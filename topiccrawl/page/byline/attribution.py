"""Who wrote a page, where it was taken from, and who edited it: 作者, 来源, 责任编辑.

Looked for in the visible lines from shortly before the title to the first comment or list of other
pages, by their labels; then in JSON-LD and meta tags. In order of trust:

* author: a labelled name (作者：, 文/, 撰文：), JSON-LD, meta ``author`` if a short visible line says the
  name too (else it is the site's or the software's), a reporter (本报记者 某某, （记者 某某）, never a
  photographer);
* source: a label (来源：, 稿源：, 本文来源于), meta ``source``, an author that is named like a medium, a
  medium's name right behind the date;
* editor: a label (责任编辑：, 责编：, 编辑：), meta ``editor``.

What is not plainly a name becomes None: no answer is better than a wrong one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.page.byline.names import (
    clean_author,
    clean_source,
    is_medium,
    people,
)
from topiccrawl.page.dates.visible_lines import line_of_title, starts_other_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from topiccrawl.page.outline import Outline

_AUTHOR, _SOURCE, _EDITOR, _OTHER = "author", "source", "editor", "other"
_LABELS: tuple[tuple[str, str], ...] = (
    (_EDITOR, r"责任编辑|責任編輯|本文责编|责编|責編|执行编辑|編輯|编辑|选稿|選稿|编审|[Ee]ditor"),
    (
        _SOURCE,
        r"(?:信息|文章|新闻|稿件|本文|内容|资料)?(?:来源|來源)|稿源|出处|出處"
        r"|出自|转载自|轉載自|转自|轉自|[Ss]ource",
    ),
    (
        _AUTHOR,
        r"(?:本文|原文|文章)?作者|撰文|撰稿人?|執筆|执笔|原创|[Aa]uthor"
        r"|(?<![\u4e00-\u9fff])文(?=\s?[/／:：|｜])",
    ),
    (
        _OTHER,
        r"(?:发布|发表|更新|修改|录入|上传|成文)?(?:时间|时候|日期|時間)|发布[于人者]|发表[于者]|(?:浏览|阅读|点击|访问|评论|回复|收藏|人气)(?:次数|统计|量|数|人数)?"
        r"|字号|字體|字体|大小|分享到?|打印|标签|关键[词字]|分类|栏目|摄影|摄像|排版|校对|审核|审阅|监制|统筹|设计|供图|出版社?(?=\s?[:：])|"
        r"图片来源|图像来源|素材来源|数据来源|视频来源|图源|题图|翻译|译者|编译|通讯员",
    ),
)  # fmt: skip
_KINDS = dict(enumerate(kind for kind, _ in _LABELS))
_LABEL = re.compile(
    # 图片来源 before 来源: the longer label is the other one.
    "|".join(f"(?P<{kind}>{words})" for kind, words in (_LABELS[3], *_LABELS[:3]))
)
# What every label of ours has: most lines are done with after this one search.
_HINT = re.compile(
    r"作者|[来來]源|[责編编][辑輯编編任]|稿[源：:]|选稿|選稿|撰|[执執][笔筆]|出[处處自]|[转轉][自载載]|原创"
    r"|编审|文\s?[/／:：|｜]|[Aa]uthor|[Ss]ource|[Ee]ditor"
)
_COLON = re.compile(r"\s{0,2}(?:[:：|｜／/]|于(?=[^\d])|\[|\]|】)\s{0,3}")
_DATE = re.compile(r"\d{4}\s?[年\-/.]\s?\d{1,2}|\d{1,2}:\d\d|\d{1,2}月\d{1,2}日")
_STOP = re.compile(
    r"[|｜【】\[\]{}<>]|[（(）)]|\s[-—]\s|：|:|;|；|。|参与互动|返回|查看|我要|分享|\d{1,2}:\d\d|\d{4}\s?[年\-/.]"
)
_REPORTER = re.compile(
    r"(?:^|[\s（(□■])(?:[\u4e00-\u9fff·\-－—、]{2,14})?(?:记者|記者|通讯员|實習記者|实习生)\s?(?P<names>[\u4e00-\u9fff·、\s]{2,40})"
)
_POSTED_BY = re.compile(r"本[贴帖文]由\s?([^\s，。]{1,20}?)\s?[于在]\s?\d")
_PHOTO = re.compile(r"摄|攝|图片|供图|翻拍|视频")
_REPORTED = ("报道", "報道", "报导", "電", "电", "讯", "訊")
_NOT_ITS_NAME = re.compile(r"技术支持|制作|版权|©|copyright|主办|承办", re.IGNORECASE)
_AUTHOR_META = ("author", "article:author", "dc.creator", "citation_author", "citation_authors",
                "bytedance:author", "weibo:article:author", "og:article:author")  # fmt: skip
_SOURCE_META = ("source", "contentsource", "mediaid", "article:source", "og:article:source")
_EDITOR_META = ("editor", "article:editor")
_JSON_AUTHOR = re.compile(
    r'"author"\s*:\s*(?:\[\s*)?(?:\{[^{}]{0,400}?"name"\s*:\s*"([^"]{1,60})"|"([^"]{1,60})")'
)
_LINES_BEFORE = 4
_MAX_LINES = 600
_SHORT_LINE = 120  # characters of a line that may be a by-line (a guess)
_TAIL = 60  # characters of a longer line in which （责编：…） may stand
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


@dataclass(frozen=True, slots=True)
class Byline:
    """Author (names joined by a space), source and editor; None where nothing sure is found."""

    author: str | None = None
    source: str | None = None
    editor: str | None = None


def byline_of(outline: Outline, lines: Sequence[str], title: str = "") -> Byline:
    """The by-line of a walked page with its visible lines."""
    return find_byline(lines, title, outline.meta, outline.json_ld)


def find_byline(
    lines: Sequence[str],
    title: str = "",
    meta: Mapping[str, str] | None = None,
    json_ld: Sequence[str] = (),
) -> Byline:
    """The by-line from visible lines, meta tags (by lower-case name) and JSON-LD texts."""
    meta = meta or {}
    near = list(_near_lines(lines, title))
    found: dict[str, str] = {}
    for line in near:
        for kind, value in labelled(line):
            clean = clean_source(value) if kind == _SOURCE else clean_author(value)
            if clean and kind not in found:
                found[kind] = clean
    source = found.get(_SOURCE) or _first(meta, _SOURCE_META, clean_source)
    author = found.get(_AUTHOR)
    medium: str | None = None
    if author is not None and is_medium(author):
        author, medium = None, author
    for name in _stated_authors(meta, json_ld):
        if not _is_said(name, near):
            continue  # the name of the site, of its software, of an account
        if is_medium(name):
            medium = medium or name
        elif author is None:
            author = name
    author = author or _poster(near) or _reporters(near)
    if author is None and source is not None and people(source):
        author, source = source, None  # templates that have one label for both
    source = source or (clean_source(medium) if medium else None) or _behind_date(near[:16])
    editor = found.get(_EDITOR) or _first(meta, _EDITOR_META, clean_author)
    return Byline(author, source, editor)


def labelled(line: str) -> Iterator[tuple[str, str]]:
    """The labels of a line with the raw text up to the next one; kinds author, source, editor.

    >>> list(labelled("来源：新华网 作者：张三 责任编辑：李四"))
    [('source', '新华网'), ('author', '张三'), ('editor', '李四')]
    """
    if len(line) > _SHORT_LINE:
        line = line[-_TAIL:]
    if _HINT.search(line) is None:
        return
    labels = list(_LABEL.finditer(line))
    for number, match in enumerate(labels):
        kind = match.lastgroup or _OTHER
        if kind == _OTHER:
            continue
        end = labels[number + 1].start() if number + 1 < len(labels) else len(line)
        colon = _COLON.match(line, match.end())
        if colon is not None and colon.end() <= end:
            yield kind, line[colon.end() : end].strip()
        elif len(line) <= _SHORT_LINE and line[match.end() : match.end() + 1].isspace():
            value = line[match.end() : end].strip()
            # Without a colon only names are taken: 作者 须知 is none.
            if kind == _SOURCE and is_medium(value.partition(" ")[0]):
                yield kind, value.partition(" ")[0]
            elif kind != _SOURCE and people(value):
                yield kind, value


def _near_lines(lines: Sequence[str], title: str) -> Iterator[str]:
    at = line_of_title(lines, title)
    first = 0 if at is None else max(0, at - _LINES_BEFORE)
    for number in range(first, min(len(lines), first + _MAX_LINES)):
        line = lines[number]
        if at is not None and number > at and starts_other_pages(line):
            return
        yield line


def _stated_authors(meta: Mapping[str, str], json_ld: Sequence[str]) -> Iterator[str]:
    for block in json_ld[:4]:
        match = _JSON_AUTHOR.search(block)
        if match is not None:
            name = _ESCAPE.sub(lambda code: chr(int(code[1], 16)), match.group(1) or match.group(2))
            clean = clean_author(name)
            if clean:
                yield clean
    for key in _AUTHOR_META:
        if meta.get(key):
            clean = clean_author(meta[key])
            if clean:
                yield clean


def _is_said(name: str, near: Sequence[str]) -> bool:
    bare = name.replace(" ", "")
    return any(
        bare in line.replace(" ", "") and _NOT_ITS_NAME.search(line) is None
        for line in near
        if len(line) <= _SHORT_LINE
    )


def _first(meta: Mapping[str, str], names: Sequence[str], clean: object) -> str | None:
    for name in names:
        value = meta.get(name, "")
        if value and callable(clean):
            # 来源：新华网 stands in some of them with its label.
            value = re.sub(r"^(?:来源|來源)\s*[:：]\s*", "", value)
            found = clean(value)
            if isinstance(found, str) and found:
                return found
    return None


def _reporters(near: Sequence[str]) -> str | None:
    """Names behind 记者 at the beginning of a short line or in brackets; no photographers."""
    for line in near:
        if "记者" not in line and "記者" not in line:
            continue
        head = line if len(line) <= _SHORT_LINE else f"{line[:_TAIL]} {line[-_TAIL:]}"
        for match in _REPORTER.finditer(head):
            rest = head[match.end() :]
            given = match.group("names").strip()
            if _PHOTO.search(given) or _PHOTO.match(rest):
                continue
            bracketed = rest.startswith(("）", ")")) or rest == ""
            names = people(given)
            if names is None and rest.startswith(("）", ")")):
                names = clean_author(given)  # names of other peoples: 格桑边觉
            if names is None and bracketed and given.endswith(_REPORTED):
                names = people(" ".join(given.split()[:-1]))  # 记者 彭某 山东冠县报道
            if names and bracketed:
                return names
    return None


def _poster(near: Sequence[str]) -> str | None:
    """The name in 本贴由大卫于2005年8月12日发表."""
    for line in near:
        match = _POSTED_BY.search(line[:_SHORT_LINE])
        if match is not None:
            return clean_author(match.group(1))
    return None


def _behind_date(near: Sequence[str]) -> str | None:
    """The name of a medium that stands alone behind the date: 2018年12月28日 19:55 新京报."""
    for line in near:
        if len(line) > _TAIL:
            continue
        last = None
        for match in _DATE.finditer(line):
            last = match
        if last is not None:
            rest = re.sub(r"^[\d日:：\s\-./]+", "", line[last.end() :]).strip()
            if 2 <= len(rest) <= 14 and is_medium(rest):
                return clean_source(rest)
    return None
