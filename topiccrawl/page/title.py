"""The title of a page by the three steps of the thesis, joined with what pages state today.

1. ``<title>``, without the names of site and channel at its end. 2. A heading in the page that
agrees with it: the part both have is the title without additions. 3. If there is none of use: the
heading alone, ``og:title``, the anchor text that led here, the first line of the body.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from topiccrawl.page.outline import Heading

MAX_TITLE_CHARACTERS = 200
"""Longer titles are cut (a guess: the longest headlines have about 60 characters)."""

_MIN_TITLE_CHARACTERS = 4  # of a heading that may stand for the title (a guess)
_AGREEMENT = 0.6  # least share of a heading that must be found in <title>, in one piece (a guess)
_FUZZY_HEADINGS = 6  # headings compared by their longest common substring, which is costly
_MAX_FIELD = 14  # characters of a field that may be a site's or channel's name (a guess)
_MAX_FIELD_AFTER_HYPHEN = 8  # and the head must have as many (a guess)
_MAX_RAW_CHARACTERS = 1_000  # of a title that are looked at
_AROUND = " -_|｜—–·\u3000"

_SPACE = r"[\s\u3000]"
# Between two letters or digits of Latin script a hyphen, dot or colon belongs to the word.
_SEPARATOR = re.compile(
    rf"{_SPACE}*[_|｜]+{_SPACE}*"
    rf"|{_SPACE}+[\-–—·:：«»<>/]{{1,2}}{_SPACE}+"
    rf"|{_SPACE}*[—–]{{1,2}}{_SPACE}*"
    rf"|(?<![A-Za-z0-9])[\-·:：]{{1,2}}|[\-·:：]{{1,2}}(?![A-Za-z0-9])"
)
_NAME_END = re.compile(
    r"(?:网|網|网站|網站|频道|頻道|新闻|新聞|在线|在線|线上|日报|日報|晚报|晚報|时报|時報|早报|周刊|週刊|周报"
    r"|报|報|报社|通讯社|门户|论坛|論壇|博客|部落格|社区|社區|贴吧|官网|官網|首页|首頁|主页|中心|资讯|資訊|专题"
    r"|栏目|平台|客户端|客戶端|知乎|百科|文库|图书馆|政府|大学|电视台|电台|广播|杂志|出版社|协会|委员会|办公室"
    r"|联合会|聯合會|商会|商會|学会|學會|研究会|研究會|基金会|基金會|侨联|僑聯|侨办|僑辦"
    r"|正文|全文|详情|要闻|\.(?:com|cn|net|org|tw|hk)|News|Online|Daily|Times|Blog|Wiki)$",
    re.IGNORECASE,
)
_STRONG = re.compile(r"[_|｜]")
_FORUM = re.compile(rf"{_SPACE}*-{_SPACE}*Powered by .*$", re.IGNORECASE)
_NOISE = re.compile(r"[\W_]+")


def plain(text: str) -> str:
    """Letters and digits of a text in lower case, for comparison."""
    return _NOISE.sub("", text).lower()


def strip_site_tail(title: str, site_names: Sequence[str] = ()) -> str:
    """A title without the names of site and channel after ``- _ | — – · :`` at its end.

    A field is cut if it is in ``site_names``, ends as names of sites do (网, 日报, 频道, .com), or is
    short and stands behind ``_``, ``|``, a spaced separator or a hyphen. Dashes and colons also stand
    within headlines, so behind them the name must be plain. Something is always left.

    >>> strip_site_tail("第十届华商大会开幕_侨界要闻_中国侨网")
    '第十届华商大会开幕'
    >>> strip_site_tail("Covid-19：最新研究")
    'Covid-19：最新研究'
    """
    title = _FORUM.sub("", " ".join(title.split()))[:_MAX_RAW_CHARACTERS]
    known = {plain(name) for name in site_names if name}
    while True:
        title = title.strip(_AROUND) or title
        last = None
        for match in _SEPARATOR.finditer(title):
            last = match
        if last is None:
            return title
        head, field = title[: last.start()].strip(), title[last.end() :].strip()
        if len(plain(head)) < 2 or not _is_name(field, last.group(), head, known):
            return title
        title = head


def _is_name(field: str, separator: str, head: str, known: set[str]) -> bool:
    bare = plain(field)
    if not bare or bare in known:
        return True
    if separator.strip() in {":", "："} or (
        len(bare) > len(plain(head)) and len(bare) > _MAX_FIELD
    ):
        return False
    if _NAME_END.search(field.rstrip(" .。!！")) and len(bare) <= 2 * _MAX_FIELD:
        return True
    strong = _STRONG.search(separator) is not None
    spaced = separator[0].isspace() and separator[-1].isspace()
    if strong or spaced:
        return len(bare) <= _MAX_FIELD and len(bare) < len(plain(head))
    return "-" in separator and len(bare) <= _MAX_FIELD_AFTER_HYPHEN <= len(plain(head))


def find_title(
    title: str,
    headings: Sequence[Heading] = (),
    meta: Mapping[str, str] | None = None,
    anchor_hint: str = "",
    first_line: str = "",
    site_names: Sequence[str] = (),
) -> str:
    """The page's title; empty if nothing at all speaks for one.

    ``title`` is the content of ``<title>``; ``anchor_hint`` the anchor text of the link that led to
    the page; ``first_line`` the first line of the body.
    """
    meta = meta or {}
    names = [*site_names, meta.get("og:site_name", ""), meta.get("application-name", "")]
    title = " ".join(title.split())
    stripped = strip_site_tail(title, names)
    stated = " ".join((meta.get("og:title") or meta.get("articletitle") or "").split())
    agreed = _agreeing(title, stripped, headings)
    if agreed:
        return agreed[:MAX_TITLE_CHARACTERS]
    if stated and plain(stated) and plain(strip_site_tail(stated, names)) in plain(title):
        return strip_site_tail(stated, names)[:MAX_TITLE_CHARACTERS]
    if len(plain(stripped)) >= _MIN_TITLE_CHARACTERS:
        return stripped[:MAX_TITLE_CHARACTERS]
    top = [h.text for h in headings if h.level == 1 and len(plain(h.text)) >= _MIN_TITLE_CHARACTERS]
    hint = " ".join(anchor_hint.split())
    for candidate in (stated, top[0] if len(top) == 1 else "", hint, stripped, first_line):
        if plain(candidate):
            return candidate[:MAX_TITLE_CHARACTERS]
    return ""


def _agreeing(title: str, stripped: str, headings: Sequence[Heading]) -> str:
    """The heading that agrees best with ``<title>``, or the empty string.

    It must cover most of the title without tail: a logo's heading agrees with the tail only.
    """
    target, wanted = plain(title), len(plain(stripped))
    if not target:
        return ""
    best, best_score = "", 0.0
    fuzzy = 0
    for heading in headings:
        bare = plain(heading.text)
        if len(bare) < _MIN_TITLE_CHARACTERS:
            continue
        if bare in target:
            common = len(bare)
        elif heading.level <= 2 and fuzzy < _FUZZY_HEADINGS:
            fuzzy += 1
            matcher = SequenceMatcher(None, bare, target, autojunk=False)
            common = matcher.find_longest_match().size
            if common < _AGREEMENT * len(bare):
                continue
        else:
            continue
        if common < _AGREEMENT * min(wanted, 30):
            continue
        score = common / len(bare) + common / max(wanted, common) - 0.05 * heading.level
        if score > best_score:
            best, best_score = heading.text, score
    return best
