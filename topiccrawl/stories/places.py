"""Places in tagged words: a gazetteer of regions and their places, and the tagger for those it lacks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from topiccrawl.stories.gazetteer import SUFFIX, gazetteer, place_key, region_of
from topiccrawl.stories.names import organization_end

_ONLY_SUFFIX: Final = re.compile(rf"^{SUFFIX}$")
#: Words with the tag of a place that do not locate an event: nearly every Chinese report has them.
_NO_PLACE: Final = frozenset((
    "中国", "中方", "我国", "本地", "海外", "当地", "境外", "全国", "全球", "世界", "国内", "国外",
    "中华人民共和国", "内地", "大陆",
    "祖国", "唐人街", "外国", "中华", "亚洲", "欧洲", "非洲", "美洲", "北美", "东南亚",
))  # fmt: skip
#: Names of the gazetteer that are words, too: they count with a suffix or as a word with the tag of a place.
_WORDS: Final = frozenset((
    "海北", "海东", "方正", "定日", "永定", "长乐", "和平", "东方", "白山", "伊春", "安康", "大田",
    "老街", "贝拉", "尼斯", "科隆", "卡诺", "里加", "中非", "多哥", "黑角", "南投", "云林",
))  # fmt: skip
#: Tags of words that may be places which the gazetteer lacks.
_PLACE_TAGS: Final = frozenset(("ns", "nr", "nz", "nrt"))
#: Longest name in the gazetteer.
_LONGEST: Final = 10
#: What stands before a place whose name is in no list, and such names: with the suffix of a county, city or town;
#: spelled with characters that transcribe foreign names (a list of frequent ones, from general knowledge).
_REGIONS: Final = "|".join(
    re.escape(it) for it in sorted(set(gazetteer().values()), key=len, reverse=True)
)
_CUE: Final = rf"(^|[,。;\n]|在|于|抵达|位于|来自|据|驻|前往|赴|访问|省|自治区|{_REGIONS})"
_FOREIGN_CUE: Final = rf"(在|于|抵达|位于|驻|前往|赴|访问|{_REGIONS})"
_SPELLED: Final = re.compile(
    _CUE + r"([\u4e00-\u9fff]{1,3}(?:自治县|县|市|镇|岛))(?!委|长|级|政|场|民|值|面|区|容|花|直|外)"
)
_FOREIGN: Final = re.compile(
    _FOREIGN_CUE + "(["
    "阿埃艾爱安奥巴拜班邦保贝本比彼宾波伯勃博布查茨达大戴丹道德登的迪蒂丁东杜多顿恩尔法凡菲费芬佛夫弗福盖甘冈戈哥格根古圭"
    "哈海汉赫亨洪胡华霍基吉加伽贾杰金喀卡凯坎康考科克肯库昆拉莱兰朗劳勒雷里利林琳卢鲁路伦罗洛马玛迈曼梅门蒙米密明莫姆木穆那纳"
    "内尼宁纽努诺欧帕潘培佩皮普奇乔切钦琼丘热仁瑞若萨塞桑瑟森沙山圣什施史士斯苏索塔泰坦特提廷图托瓦万威维韦温文沃乌西希锡夏香肖谢辛休"
    "雅亚延扬耶叶伊因英尤约泽詹芝扎兹佐]{3,9})(?!·)"
)
#: First characters of words that are not names: 该市, 全县, 城市.
_NOT_FIRST: Final = frozenset("该本全各此两多邻其我同一所小老城超夜省外个每几某原近副在到对由")
#: Words after a region in which places are looked for: 广西壮族自治区防城港市 has at most so many.
_CHAIN_WORDS: Final = 5
#: A county after its city: 许昌禹州市.
_COUNTY: Final = re.compile(
    r"[\u4e00-\u9fff]{1,3}?(?:自治县|县|区|市)(?!委|长|级|政|场|域|别|分|民)"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its tag and position."""

    text: str
    tag: str
    start: int

    @property
    def end(self) -> int:
        """Position after the word."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class PlaceMention:
    """A place in a text: 福建泉州 has the name 泉州 in the region 福建."""

    name: str
    region: str
    start: int
    end: int
    inside: bool = False
    """Whether it is a part of an organization's name."""

    @property
    def key(self) -> str:
        """The name without 市 and the like, under which mentions are counted together."""
        return place_key(self.name)


def find_places(words: Sequence[Word], text: str) -> list[PlaceMention]:
    """Return the places in the *words* of *text*, neighbors as one: 福建省泉州市."""
    inside = _organizations(words)
    mentions: list[PlaceMention] = []
    for name, start, end, within in _names(words, inside):
        last = mentions[-1] if mentions else None
        if (
            last is not None
            and last.end == start
            and last.inside == within
            and _is_above(last, name)
        ):
            mentions[-1] = PlaceMention(name, last.region or last.name, last.start, end, within)
            continue
        mentions.append(PlaceMention(name, region_of(name), start, end, within))
    return _with_spelled(mentions, text, {word.end for word in words})


def _with_spelled(mentions: list[PlaceMention], text: str, ends: set[int]) -> list[PlaceMention]:
    """Add places that are only recognized by their characters and what stands before them."""
    known = gazetteer()
    for pattern in (_SPELLED, _FOREIGN):
        for match in pattern.finditer(text):
            start, end = match.span(2)
            if pattern is _FOREIGN:
                end = max((it for it in ends if start + 3 <= it <= end), default=end)
            name = text[start:end]
            if name[0] in _NOT_FIRST or place_key(name) in known or name in _NO_PLACE:
                continue
            inside = [it for it in mentions if start < it.end and it.start < end]
            # The tagger may have joined the region with the first characters of the name.
            regions = [text[it.start : start] for it in inside if it.start < start]
            if any(it.end > end or it.key in known for it in inside) or set(regions) - set(known):
                continue
            before = next((it for it in mentions if it.end == start and it.key in known), None)
            region = regions[0] if regions else before.key if before else ""
            start -= len(regions[0]) if regions else before.end - before.start if before else 0
            mentions = [it for it in mentions if it not in inside and it is not before]
            mentions.append(PlaceMention(name, region, start, end))
    return sorted(mentions, key=lambda it: it.start)


def _is_above(place: PlaceMention, name: str) -> bool:
    """Whether a place can contain the one named right after it."""
    known = gazetteer()
    here, other = known.get(place.key), known.get(place_key(name))
    if here is None or other is None:
        return True
    return here == other and place.key != place_key(name)


def _organizations(words: Sequence[Word]) -> set[int]:
    """Return the numbers of the words inside the name of an organization."""
    tagged = [(word.text, word.tag) for word in words]
    found: set[int] = set()
    at = 0
    while at < len(words):
        end = organization_end(tagged, at)
        if end:
            found.update(range(at, end))
        at = max(end, at + 1)
    return found


def _names(words: Sequence[Word], inside: set[int]) -> Iterator[tuple[str, int, int, bool]]:
    """Yield the places with their ends, and whether each is inside an organization."""
    at = 0
    while at < len(words):
        word = words[at]
        within = at in inside
        head = word.text[:2] if len(word.text) > 1 else word.text + _first(words, at + 1)
        is_head = head in _heads()
        if not is_head and word.tag not in _PLACE_TAGS:
            at += 1
            continue
        begins = "".join(it.text for it in words[at : at + _CHAIN_WORDS]) if is_head else ""
        chain = _chain(begins)
        if chain:
            start = word.start
            for part in chain:
                yield part, start, start + len(part), within
                start += len(part)
            while at < len(words) and words[at].start < start:
                at += 1
            continue
        # Names that the tagger cuts in pieces: up to three words.
        for count in (3, 2, 1):
            some = words[at : at + count]
            text = "".join(it.text for it in some)
            if len(some) == count and len(text) <= _LONGEST + 4:
                parts = _split(text, word.tag if count == 1 else "")
                if parts:
                    break
        else:
            parts, count = [], 1
        start = word.start
        for number, part in enumerate(parts):
            end = start + len(part)
            following = words[at + count] if at + count < len(words) else None
            if number == len(parts) - 1 and following and _ONLY_SUFFIX.match(following.text):
                part, end, count = part + following.text, following.end, count + 1
            if part not in _NO_PLACE:
                yield part, start, end, within
            start = end
        at += count


def _first(words: Sequence[Word], at: int) -> str:
    """Return the first character of a word, nothing after the last one."""
    return words[at].text[:1] if at < len(words) else ""


@cache
def _heads() -> frozenset[str]:
    """Return the first two characters of the names in the gazetteer."""
    return frozenset(name[:2] for name in gazetteer())


def _chain(text: str) -> list[str]:
    """Return a region and the places in it that *text* begins with: 山东聊城市, however the tagger cut it."""
    known = gazetteer()
    found: list[str] = []

    def continues(part: str) -> bool:
        region = known.get(part) or known.get(place_key(part))
        if not region or not found:
            return bool(region)
        return region == known.get(place_key(found[0])) and part not in found

    at = 0
    while part := _longest_at(text, at, continues):
        found.append(part)
        at += len(part)
    if len(found) < 2 or place_key(found[0]) != known.get(place_key(found[0])):
        return []
    county = _COUNTY.match(text, at)
    if county and not text.startswith(found[-1] + "市", at - len(found[-1])):
        found.append(county.group())
    return found


def _longest_at(text: str, at: int, is_name: Callable[[str], bool]) -> str:
    """Return the longest name of two characters or more that begins at a position, empty without one."""
    lengths = range(min(_LONGEST, len(text) - at), 1, -1)
    return next((part for n in lengths if is_name(part := text[at : at + n])), "")


def _split(text: str, tag: str) -> list[str]:
    """Return the places that make up *text* completely, nothing if it is not a place."""
    known = gazetteer()
    names: list[str] = []
    at = 0
    while part := _longest_at(text, at, lambda it: it in known or place_key(it) in known):
        names.append(part)
        at += len(part)
    if at < len(text):
        names = []
    if len(names) == 1 and names[0] in _WORDS and tag != "ns":
        return []
    if names or not tag:
        return names
    # Not in the gazetteer: what the tagger labels as a place, and words with the suffix of one.
    if tag == "ns" and len(text) >= 2:
        return [text]
    if (
        tag in {"nr", "nz", "nrt"}
        and len(text) >= 3
        and re.search(r"[^城超闹都]市$|[^知悬]县$|自治州$", text)
    ):
        return [text]
    return []
