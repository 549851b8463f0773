"""Attribute a page: its author, source and editor.

They are searched in the visible lines from shortly before the title to the first comment or list of
other pages, by their labels; then in JSON-LD and meta tags. In order of trust:

* author: a labeled name (作者：, 文/, 撰文：); JSON-LD or meta ``author`` if a short visible line
  contains the name too (else it is that of the site or its software); a reporter (本报记者 某某,
  （记者 某某）), but not a photographer; who posted the page;
* source: a label (来源：, 稿源：, 本文来源于); meta ``source``; an author named like a medium; the name
  of a medium right after the date; a credit (本文转载自《…》); the agency with which the text opens;
* editor: a label (责任编辑：, 责编：, 编辑：); meta ``editor``.

Anything that is not clearly a name becomes None: no answer is better than a wrong one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import TYPE_CHECKING

from topiccrawl.page.byline.credits import credited
from topiccrawl.page.byline.labels import (
    AUTHOR,
    EDITOR,
    SHORT_LINE,
    SOURCE,
    TAIL,
    labeled_values,
)
from topiccrawl.page.byline.names import (
    COMPOUND_SURNAMES,
    clean_author,
    clean_source,
    is_medium,
    is_news_medium,
    people,
)
from topiccrawl.page.byline.unlabeled import unlabeled_author
from topiccrawl.page.escapes import unescaped
from topiccrawl.page.landmarks import (
    MAIL_HEAD,
    find_text_start,
    find_title_line,
    heads_answers,
    starts_other_pages,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_DATE = re.compile(
    r"\d{4}\s?[年\-/.]\s?\d{1,2}(?:\s?[月\-/.]\s?\d{1,2})?|\d{1,2}:\d\d|\d{1,2}月\d{1,2}日"
)
_REPORTER = re.compile(
    r"(?:^|[\s（(〔【\[□■◎●○◇◆▲△★☆])(?:[\u4e00-\u9fff·\-－—、]{2,14})?(?:记者|記者|通讯员|實習記者|实习生)\s?(?P<names>[\u4e00-\u9fff·、\s]{2,40})"
)
_POSTED_BY = re.compile(r"本[贴帖文]由\s?([^\s，。]{1,20}?)\s?[于在]\s?\d")
_PHOTO = re.compile(r"摄|攝|图片|供图|翻拍|视频")
# 记者 张三 通讯员 李四: those who helped the reporter. 記者林佩蓉／台中報導.
_ROLE = re.compile(r"\s*(?:[见實实]习(?:记者|生)|實習(?:記者|生)|通讯员|通訊員|摄影|攝影)")
# 侨报记者高睿10月27日洛杉矶报道.
_FILED = re.compile(
    r"\s?(?:[／/╱]\s?|(?:\d{1,2}月)?\d{1,2}日\s?)[\u4e00-\u9fff]{2,10}?(?:報導|报导|报道|報道|電|电)(?:$|[）)】\]〕\s\d])"
)
# （记者张三综合报道）, but not 记者 张三 江西报道, where a place is behind the name.
_REPORTS = re.compile(r"(?:摄影|攝影|[综綜]合|特[约約])?(?:报道|報道|报导|報導)$")
# （中央社記者王小明台北5日電）, 【記者王小明台北報導】: agencies and papers of Taiwan and overseas write the place
# behind the name without a mark. The counties of Taiwan, and the cities with most correspondents.
_PLACES = (
    r"(?:[台臺][北中南東东]|新[北竹]|桃[園园]|高雄|基隆|苗栗|彰化|南投|[雲云]林|嘉[義义]|屏[東东]|宜[蘭兰]|花[蓮莲]|澎湖|金[門门]|[馬马]祖"
    r"|香港|澳[門门]|北京|上海|[廣广]州|福州|[東东]京|大阪|首[爾尔]|曼谷|河[內内]|金[邊边]|仰光|[馬马]尼拉|雅加[達达]|吉隆坡|新加坡"
    r"|新德里|[華华]盛[頓顿]|[紐纽][約约]|洛杉[磯矶]|[舊旧]金山|芝加哥|休[士斯][頓敦]|波士[頓顿]|西雅[圖图]|多[倫伦]多|[溫温]哥[華华]"
    r"|渥太[華华]|[倫伦]敦|巴黎|柏林|[羅罗][馬马]|米[蘭兰]|[馬马]德里|布[魯鲁]塞[爾尔]|日[內内]瓦|[維维]也[納纳]|莫斯科|雪梨|悉尼"
    r"|墨[爾尔]本|[奧奥]克[蘭兰]|[聖圣]保[羅罗]|[綜综]合)"
)
_FILING = r"[\u4e00-\u9fff]{0,6}?(?:報導|报导|报道|報道|電|电)(?:[）)】\]〕\s]|$)"
_FROM_PLACE = re.compile(
    rf"(?P<names>[\u4e00-\u9fff·、\s]{{2,20}}?)\s?{_PLACES}[市縣县]?(?:\d{{1,2}}日)?{_FILING}"
)
# Before a day stands a place: 記者呂欣憓曼谷2日專電. Names have three characters as a rule, four with a double surname,
# places two to five.
_FROM_ANY_PLACE = re.compile(
    rf"(?P<names>(?:[\u4e00-\u9fff]{{2,3}}、){{0,3}}(?:(?:{'|'.join(COMPOUND_SURNAMES)})[\u4e00-\u9fff]{{2}}"
    rf"|[\u4e00-\u9fff]{{3}}))[\u4e00-\u9fff]{{2,5}}\d{{1,2}}日{_FILING}"
)
# The places before the day may be behind reporters: （中央社記者王小明台北1日電）, （中央社日內瓦8日綜合外電報導）.
_AGENCY = re.compile(
    r"[\s（(【\[〔]{0,3}(?P<name>(?![据據])[\u4e00-\u9fff]{2,3}社)[\u4e00-\u9fff、·\s]{2,24}(?:(?:20\d\d年)?\d{1,2}月)?\d{1,2}日"
    r"(?:[綜综]合)?[專专外]?[電电](?=$|[^\u4e00-\u9fff]|報導|报导|报道|報道|[題题])"
)
_ISSUE = re.compile(
    r"[\W_]{0,2}《(?P<name>[^《》]{2,20})》[\s,，]{0,3}(?:19|20)\d\d\s?年[\s,，]{0,3}第?\s?\d{1,3}\s?[期號号]"
)
_REPORTED = ("报道", "報道", "报导", "電", "电", "讯", "訊")
_NOT_A_BYLINE = re.compile(r"技术支持|制作|版权|©|copyright|主办|承办", re.IGNORECASE)
_AUTHOR_META = ("author", "article:author", "dc.creator", "citation_author", "citation_authors",
                "bytedance:author", "weibo:article:author", "og:article:author")  # fmt: skip
_SOURCE_META = ("source", "contentsource", "mediaid", "article:source", "og:article:source")
_EDITOR_META = ("editor", "article:editor")
_JSON_AUTHOR = re.compile(
    r'"author"\s*:\s*(?:\[\s*)?(?:\{[^{}]{0,400}?"name"\s*:\s*"([^"]{1,60})"|"([^"]{1,60})")'
)
# Lines before the title from which the search begins, and lines searched from there (guesses).
_LINES_BEFORE = 4
_MAX_LINES = 600
# Lines at the beginning and at the end of an article that may be credits: those between may be captions
# (guesses).
_FIRST_LINES = 12
_LAST_LINES = 8
# The head of a document: labels, and lines from the title among which it is (a guess: five rows of four cells).
_ISSUER = re.compile(
    r"(?:[发發]\s*文|[发發]\s*[布佈]|制\s*发|公\s*[开開])\s*(?:机\s*[关构]|機\s*[關構]|[单單]\s*位)\s*[:：]?\s*"
    r"(?P<name>[^:：]{0,30}?)(?:$|\s[^\s:：]{2,10}[:：])"
)
_HEAD_LINES = 24
# A label in a cell, and the value in the next one (guesses: a name with an address).
_LONGEST_LABEL, _LONGEST_VALUE = 8, 40
_COLON = re.compile("[:：]")
# By Jane Doe in Fuzhou | China Daily | Updated: 2023-03-05 09:20; the longest such line (a guess: two authors).
_BARS = re.compile(r"\s?[|｜/／·丨]\s?")
_MAX_DATED = 100
_CLOCK_OR_WEEKDAY = re.compile(
    r"^[\d日:：\s\-./]+(?:[(（]?(?:星期|周|週)[一二三四五六日天][)）]?[\d:：\s]*)?"
)
_BEFORE_DATE = re.compile(r"^([\u4e00-\u9fff]{3,12})\s{1,3}(?=(?:19|20)\d\d\D)")
_BRACKETS = ("[", "【", "［", "〔")
_SOURCE_LABEL = re.compile(r"^(?:来源|來源)\s*[:：]\s*")
# Part of every credit: most lines need only this search.
_CREDITED = re.compile(
    r"[来來]源|稿源|出[处處]|自|[载載刊发發登表][于於在]|原[文载載发發刊]|首[发發]"
)


@dataclass(frozen=True, slots=True)
class Byline:
    """Author, source and editor of a page; None where no name is certain."""

    author: str | None = None
    """Names of persons, joined by spaces."""
    source: str | None = None
    """Name of a medium, an office or a site."""
    editor: str | None = None


def find_byline(
    lines: Sequence[str],
    title: str = "",
    meta: Mapping[str, str] | None = None,
    json_ld: Sequence[str] = (),
) -> Byline:
    """Find author, source and editor of a page.

    Parameters
    ----------
    lines : sequence of str
        Visible lines of the page.
    title : str
        Title of the page, near which the by-line is expected.
    meta : mapping of str to str, optional
        Meta tags by name or property in lower case.
    json_ld : sequence of str
        Texts of the page's JSON-LD scripts.
    """
    meta = meta or {}
    at = find_title_line(lines, title)
    near = list(_near_lines(lines, at, title))
    found: dict[str, str] = {}
    mail = (it for it in lines[:_MAX_LINES] if "信" in it and MAIL_HEAD.match(it))
    for line in (*_with_next_cells(near), *islice(mail, 1)):
        if title and line.startswith(_BRACKETS) and line.endswith(title):
            continue  # [原创] 回乡记
        for role, value in labeled_values(line):
            clean = clean_source(value) if role == SOURCE else clean_author(value)
            if clean and role not in found:
                found[role] = clean
    source = found.get(SOURCE) or _first(meta, _SOURCE_META, clean_source)
    author = found.get(AUTHOR)
    medium: str | None = None
    if author is not None and is_medium(author):
        author, medium = None, author
    for name in _stated_authors(meta, json_ld):
        if not _is_visible(name, near):
            continue  # the name of the site, its software or an account
        if is_medium(name):
            medium = medium or name
        elif author is None and name not in (found.get(EDITOR), found.get(SOURCE)):
            # Portals state the editor as author, offices themselves.
            author = name
    author = author or _poster(near) or _reporters(near)
    if author is None:
        number = None if at is None else min(at, _LINES_BEFORE)
        author = unlabeled_author(near, number, title)
        if author is None and (heading := _last_copy(near, title)) not in (None, number):
            author = unlabeled_author(near, heading, title)
        author = None if author in (found.get(EDITOR), source) else author
    if author is None and source is not None and people(source):
        author, source = source, None  # templates with one label for both
    source = (
        source or (clean_source(medium) if medium else None) or _medium_at_date(near[:16], title)
    )
    source = source or _credit(near) or _issuer(lines, at) or _agency(near) or _journal(near)
    editor = found.get(EDITOR) or _first(meta, _EDITOR_META, clean_author)
    return Byline(author, source, editor)


def _last_copy(near: Sequence[str], title: str) -> int | None:
    """Return the number of the last line above the running text that is the title: it may be in a list before."""
    text = find_text_start(near) or 0
    return next((number for number in range(text - 1, -1, -1) if near[number] == title), None)


def _near_lines(lines: Sequence[str], at: int | None, title: str) -> Iterator[str]:
    """Yield the lines from shortly before the title, line ``at``, to the first links to other pages or answers."""
    first = 0 if at is None else max(0, at - _LINES_BEFORE)
    some = lines[first : first + _MAX_LINES]
    for number, line in enumerate(some, first):
        # The first copy may be in a list of titles, with links to other pages before the next copy.
        ends = at is not None and number > at
        if ends and (starts_other_pages(line) or heads_answers(line)):
            heading = _last_copy(some, title)
            if heading is None or number > first + heading:
                return
        yield line


def _stated_authors(meta: Mapping[str, str], json_ld: Sequence[str]) -> Iterator[str]:
    """Yield the authors that JSON-LD and meta tags name."""
    for block in json_ld[:4]:
        match = _JSON_AUTHOR.search(block)
        if match is not None:
            clean = clean_author(unescaped(match.group(1) or match.group(2)))
            if clean:
                yield clean
    for key in _AUTHOR_META:
        if meta.get(key):
            clean = clean_author(meta[key])
            if clean:
                yield clean


def _is_visible(name: str, near: Sequence[str]) -> bool:
    """Whether a short visible line contains a name."""
    bare = name.replace(" ", "")
    return any(
        bare in line.replace(" ", "") and _NOT_A_BYLINE.search(line) is None
        for line in near
        if len(line) <= SHORT_LINE
    )


def _first(
    meta: Mapping[str, str], names: Sequence[str], clean: Callable[[str], str | None]
) -> str | None:
    """Return the first of the named meta tags that contains a name."""
    for name in names:
        value = meta.get(name, "")
        if value:
            # Some include the label: 来源：新华网.
            found = clean(_SOURCE_LABEL.sub("", value))
            if found:
                return found
    return None


def _reporters(near: Sequence[str]) -> str | None:
    """Return the names after 记者 at the start of a short line or in brackets; no photographers."""
    for line in near:
        if "记者" not in line and "記者" not in line:
            continue
        head = line if len(line) <= SHORT_LINE else f"{line[:TAIL]} {line[-TAIL:]}"
        for match in _REPORTER.finditer(head):
            rest = head[match.end() :]
            begin = match.start("names")
            placed = _FROM_PLACE.match(head, begin) or _FROM_ANY_PLACE.match(head, begin)
            if placed is not None and (names := people(placed["names"])):
                return names
            given = _ROLE.split(match.group("names").strip(), maxsplit=1)[0].strip()
            if _PHOTO.search(given) or _PHOTO.match(rest):
                continue
            bracketed = rest.startswith(("）", ")")) or rest == "" or bool(_FILED.match(rest))
            names = people(given)
            if names is None and len(given.split()) == 1:
                names = people(_REPORTS.sub("", given))
            if names is None and rest.startswith(("）", ")")):
                names = clean_author(given)  # not a Han name: 格桑边觉
            if names is None and bracketed and given.endswith(_REPORTED):
                names = people(" ".join(given.split()[:-1]))  # 记者 彭某 山东冠县报道
            if names and bracketed:
                return names
    return None


def _poster(near: Sequence[str]) -> str | None:
    """Return the name in 本贴由大卫于2005年8月12日发表."""
    for line in near:
        match = _POSTED_BY.search(line[:SHORT_LINE])
        if match is not None:
            return clean_author(match.group(1))
    return None


def _credit(near: Sequence[str]) -> str | None:
    """Return the medium of a credit in a short line, or at the end of a long one."""
    for line in (*near[_FIRST_LINES:][: -_LAST_LINES - 1 : -1], *near[:_FIRST_LINES]):
        if _CREDITED.search(line) is None:
            continue
        for name in credited(line if len(line) <= SHORT_LINE else line[-TAIL:]):
            found = clean_source(name)
            if found is not None and is_medium(found):
                return found
    return None


def _agency(near: Sequence[str]) -> str | None:
    """Return the agency with which the text opens: （中央社記者王小明台北1日電）, 新华社北京3月5日电."""
    found = map(_AGENCY.match, near[:_HEAD_LINES])
    return next((it["name"] for it in found if it is not None), None)


def _journal(near: Sequence[str]) -> str | None:
    """Return the journal that a line begins with, and its issue: 《侨乡研究》2018年第3期."""
    found = map(_ISSUE.match, near[:_HEAD_LINES])
    return next((clean_source(it["name"]) for it in found if it is not None), None)


def _with_next_cells(near: Sequence[str]) -> Iterator[str]:
    """Yield the lines, a label alone with the line behind it: both are cells of a table."""
    for line, following in zip_longest(near, near[1:], fillvalue=""):
        is_label = len(line) <= _LONGEST_LABEL and line[-1:] in (":", "：")
        is_value = is_label and len(following) <= _LONGEST_VALUE and not _COLON.search(following)
        yield f"{line} {following}" if is_value else line


def _issuer(lines: Sequence[str], at: int | None) -> str | None:
    """Return the office in the head of a document, 发文机关：国务院办公厅, near line ``at``, the title."""
    first = max(0, (at or 0) - _HEAD_LINES)
    head = lines[first : (at or 0) + _HEAD_LINES]
    for number, line in enumerate(head):
        match = _ISSUER.match(line)
        if match is not None:
            # In a table, the next cell.
            value = match["name"] or (head[number + 1] if number + 1 < len(head) else "")
            if value and value[-1] not in ":：":
                return clean_source(value)
    return None


def _medium_at_date(near: Sequence[str], title: str) -> str | None:
    """Return the medium beside a date without a label, or alone on the line below: 2018年12月28日 19:55 新京报."""
    for number, line in enumerate(near):
        if len(line) > _MAX_DATED or _NOT_A_BYLINE.search(line) is not None:
            continue
        last = None
        for match in _DATE.finditer(line):
            last = match
        if last is None:
            continue
        rest = _CLOCK_OR_WEEKDAY.sub("", line[last.end() :]).strip()
        # Behind a bar may be a channel: 2022年11月3日 | 侨社.
        is_alone = len(line) <= TAIL and 2 <= len(rest) <= 14 and _BARS.match(rest) is None
        if is_alone and is_medium(rest):
            return clean_source(rest)
        parts = [*_BARS.split(line), *_BARS.split(rest)]
        if ":" in line[last.start() : len(line) - len(rest)]:
            # Behind a clock time, more may follow: 2018-12-28 19:55 新京报 1203人浏览.
            parts += rest.split()[:1]
            # Without a clock time, names of channels are like media: 工作简报 2021-03-05.
            parts += _BEFORE_DATE.findall(line)
        named = [part for part in parts if is_news_medium(part)]
        following = near[number + 1] if number + 1 < len(near) else ""
        # 聯合報／ 記者王小明／台北報導.
        first, *others = _BARS.split(following, maxsplit=1)
        is_alone = not others or others[0].startswith(("記者", "记者"))
        if not rest and following != title and is_alone and is_news_medium(first):
            named.append(first)
        if named:
            return named[0]
    return None
