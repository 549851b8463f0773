"""What a page states of its origin: the source line, links and phrases of its text.

| form | examples |
|---|---|
| source line (already read by :mod:`topiccrawl.page.byline`) | 来源：人民网-人民日报 |
| credit in the text's first or last lines | （来源：…）, 转自：…, 转载自《…》, 稿源, 摘自, 原载于, 首发于 |
| dateline, reporter's medium | 新华社北京11月2日电, 中新网11月2日电, 桂林日报讯, 新华社记者 |
| report that it repeats | 据《…》11月2日报道, 据新华社消息 |
| own work | 本网讯, 本报记者, 来源：本站, 原创 |
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from topiccrawl.page.byline.credits import credited
from topiccrawl.page.byline.names import is_medium
from topiccrawl.text.normalize import normalize
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from topiccrawl.stories.members import StoryPage

#: How a page names an outlet, most certain first.
Evidence = Literal["link", "source-line", "credit", "dateline", "report"]

#: Characters at the beginning and at the end of a text that are searched for credits, and at its
#: beginning for datelines (guesses: a by-line and a first sentence; two lines of credits).
_HEAD: Final = 400
_TAIL: Final = 300
_DATELINE: Final = 120
#: Characters at its end in which a reporter's signature is searched (a guess).
_SIGNATURE: Final = 60
#: Names that stand for the page's own site.
_OWN: Final = re.compile(
    r"^(?:本[站网報报刊社台局院校会馆]|原创|原创稿件?|自采|自编|我[站网]|本(?:网站|单位|公众号)"
    r"|本[网报站]?(?:原创|讯|综合))(?:\W.*|记者.*|通讯员.*|讯)?$"
)
#: Words that name no outlet.
_NOBODY: Final = re.compile(
    r"^(?:网络|互联网|综合|综合整理|转载|未知|不详|其他|其它|佚名|网友|媒体|各大媒体|外媒|港媒|台媒|当地媒体|官方媒体|多家媒体"
    r"|有关媒体|报道|报纸|有关|相关|消息|媒体报道|网上|网络综合|综合报道|作者|编辑|官方|权威|平台)$"
)
#: Characters of a name; the text is normalized, so that its commas are ASCII.
_PLAIN: Final = r"[^\s,，。；：:;、！？!?（）()《》【】\[\]“”\"<>|]"
_TITLE: Final = r"[《「『“](?P<{0}>[^》」』”\n]{{2,24}})[》」』”]"


def _named(group: str) -> str:
    """Return a pattern for a name, quoted or plain."""
    return rf"(?:[^\s，。；：:《》]{{0,6}}{_TITLE.format(group + '_q')}|(?P<{group}>{_PLAIN}{{2,20}}?))"


_WHEN: Final = (
    r"(?:\([^()\n]{1,12}\)|(?:\d{4}年)?(?:\d{1,2}月)?\d{1,2}日|凌晨|早|晚|上午|下午|[昨今前][日天]|近日|日前"
    r"|援引|最新|记者|的|电){0,5}"
)
_REPORT: Final = re.compile(
    rf"(?:据|根据|综合|引述|援引){_named('b')}(?:网站|客户端|微信公众号|官方微博)?{_WHEN}"
    # Not the 电 of 电视台, nor the 讯 of 资讯网.
    r"(?:报道|报导|消息|[电讯](?=\W|$|记者)|披露|刊文|发文|援引|称|刊载|介绍)"
)
_PLACE: Final = r"(?:[\u4e00-\u9fff·]{2,8}?)?"
_WIRE: Final = re.compile(
    rf"(?:^|[\n（(\s【])(?!据|综合)(?P<c>[\u4e00-\u9fffA-Za-z·]{{2,12}}?(?:社|网|报|台|财经|新闻|在线|客户端))"
    rf"(?:客户端)?\s*{_PLACE}\s*(?:\d{{4}}年)?(?:\d{{1,2}}月)?\d{{1,2}}日\s*(?:电|讯|消息|\(记者|（记者)"
)
_HOUSE: Final = re.compile(
    r"(?:^|[\n（(\s【])(?!据|综合)(?P<d>[\u4e00-\u9fff·]{2,12}?(?:社|网|报|台|财经|新闻|在线|客户端))"
    r"(?:讯|消息)\s*[（(\s【】)）:：,，]?"
)
_REPORTER: Final = re.compile(
    r"(?:^|[\n（(\s【])(?!据|综合)(?P<e>[\u4e00-\u9fff·]{2,12}?(?:社|网|报|台|财经|新闻|在线|客户端))"
    r"(?:首席|特约|驻[\u4e00-\u9fff]{2,5})?(?:记者|特派记者|通讯员)"
)
_SEPARATOR: Final = re.compile(r"\s*(?:[-—–/|｜·&、]|\s)\s*")
_DECORATION: Final = re.compile(
    r"(?:的)?(?:微信公众号|公众号|官方微信|官方微博|微博|微信|官网|官方网站|客户端|app|网站|电子版|网络版|数字报)$"
)
_EDGES: Final = re.compile(r"^[\W_]+|[\W_]+$")
_PREFIX: Final = re.compile(r"^(?:微信公众号|公众号|作者|记者|据|综合)[\W_]*")
_DOMAIN: Final = re.compile(r"(?:https?://)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?:[/:?#].*)?$")


@dataclass(frozen=True, slots=True)
class Claim:
    """An outlet that a page names as its origin."""

    outlet: str
    """Key of the outlet: see :func:`outlet_key`; a host name for a link."""
    name: str
    """The name as the page writes it."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Claims:
    """All that a page states of its origin."""

    named: tuple[Claim, ...] = ()
    """Most certain first, one for each outlet."""
    own: bool = False
    """Whether the page says that the text is its site's own."""


def outlet_key(name: str) -> str:
    """Return the normalized name of an outlet, for comparison; ``""`` if it is none.

    >>> outlet_key("《人民日報》"), outlet_key("“桂林发布”微信公众号"), outlet_key("网络")
    ('人民日报', '桂林发布', '')
    """
    key = _PREFIX.sub("", _EDGES.sub("", normalize(name)))
    domain = _DOMAIN.fullmatch(key)
    if domain is not None:
        return domain.group(1).removeprefix("www.")
    key = _EDGES.sub("", re.sub(r"\s+", "", key))
    shorter = _EDGES.sub("", _DECORATION.sub("", key))
    key = shorter if len(shorter) >= 2 else key
    return "" if len(key) < 2 or _NOBODY.fullmatch(key) else key


def split_names(text: str) -> list[str]:
    """Return the names in a source line, the site first: 人民网-人民日报 has two.

    >>> split_names("人民网－人民日报"), split_names("China Daily")
    (['人民网', '人民日报'], ['China Daily'])
    """
    text = text.replace("－", "-")
    if text.isascii():
        return [text]
    return [part for part in _SEPARATOR.split(text) if len(part) > 1] or [text]


def find_claims(page: StoryPage, known: Container[str] = frozenset()) -> Claims:
    """Return what *page* states of its origin.

    *known* contains keys of outlets: in a report (据…报道) one of them counts, and whatever looks like a
    medium.
    """
    own = False
    found: dict[str, Claim] = {}
    for name, evidence in _statements(page, known):
        for part in split_names(name):
            if _OWN.match(normalize(part)):
                # A dateline (本报讯) is copied with the text.
                own = own or evidence == "source-line"
                continue
            key = outlet_key(part)
            if key and key not in found:
                found[key] = Claim(key, _EDGES.sub("", part), evidence)
    return Claims(tuple(found.values()), own)


def _statements(page: StoryPage, known: Container[str]) -> Iterator[tuple[str, Evidence]]:
    if page.source_url and page.source_url != page.url:
        yield host_of(page.source_url), "link"
    if page.source:
        yield page.source, "source-line"
    head, tail = normalize(page.body[:_HEAD]), normalize(page.body[_HEAD:][-_TAIL:])
    for text in (tail, head):
        for name in credited(text):
            yield name, "credit"
    start = head[:_DATELINE]
    for pattern in (_WIRE, _HOUSE, _REPORTER):
        for match in pattern.finditer(start):
            yield _group(match), "dateline"
    for match in _REPORTER.finditer(tail[-_SIGNATURE:]):
        yield _group(match), "dateline"
    for match in _REPORT.finditer(head):
        name = _group(match)
        if match.group("b_q") or is_medium(name) or outlet_key(name) in known:
            yield name, "report"


def _group(match: re.Match[str]) -> str:
    return next(value for value in match.groups() if value)
