"""Places, persons and organizations of a text, by tags of words and a few rules.

The tagger of jieba marks persons ``nr``, places ``ns`` and organizations ``nt``.  Its errors are systematic:
places of two characters whose first is a surname become persons (桂林), organizations fall apart (国务院 +
侨务办公室).  The rules: a person has a surname, and three characters or a title beside it; words before
协会, 大学, 办公室 and the like belong to the organization.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from topiccrawl.page.byline.names import people
from topiccrawl.stories.gazetteer import is_known
from topiccrawl.stories.media import MEDIA
from topiccrawl.text.normalize import normalize

#: Characters of a text in which names are searched: the lead has them (a guess).
LEAD: Final = 500
#: Names of each kind that are kept at most (a choice).
MOST: Final = 8
_TITLE: Final = re.compile(
    r"(?:主席|总理|副总理|部长|主任|书记|省长|市长|县长|局长|厅长|会长|院长|校长|总统|首相|大臣|议员|发言人|大使|总领事|领事"
    r"|代表|委员|教授|博士|记者|先生|女士|经理|总裁|董事长|秘书长|教练|队长|导演|演员|院士|常委|司长|处长|州长|参赞)$"
)
_ORGANIZATION: Final = re.compile(
    r"(?:委员会|办公室|协会|商会|同乡会|联合会|总会|学会|研究会|基金会|侨联|侨办|侨务办|大学|学院|中学|小学|公司|集团|银行"
    r"|研究院|研究所|医院|法院|检察院|公安局|大使馆|领事馆|总领馆|使馆|外交部|部门|出版社|博物馆|俱乐部|工会|组织|联盟|中心"
    r"|委|部|局|厅|署|社|党)$"
)
#: Fields, qualities and things that the tagger labels as organizations: 中医药, 民族学, 国际化, 航空展, 公共场所
#: (endings of the words with that tag in jieba's dictionary that hardly an organization has).
_NO_ORGANIZATION: Final = re.compile(r"(?:(?<![大中小公])学|化|[中医西草]药|展|物|关系|场所)$")
#: 外交部长 and 大学校长 are one word each to the tagger.
_WITH_TITLE: Final = re.compile(
    r"(.{2,}(?:部|局|厅|署|委|院)(?=长)|.*(?:大学|学院|中学|小学|公司|集团))(长|校长|院长|董事长|总经理|经理|总裁)"
)
_PLACE_END: Final = re.compile(r"^(?:省|市|县|区|州|镇|乡|村|自治区|特区|半岛|群岛|海峡)$")
_BEFORE_A_PLACE: Final = frozenset(
    ("在", "于", "赴", "抵", "抵达", "驻", "访问", "前往", "位于", "来自")
)
_AFTER_A_PERSON: Final = re.compile(r"^(?:带领|领导|陪同|主持|率领|率|看来|手中|家)")
_PARTS: Final = frozenset(
    ("n", "nz", "ns", "nt", "nr", "j", "vn", "b", "l", "i", "a", "an", "eng", "nrt")
)
#: Words with the tag of a place that do not locate an event.
_NO_PLACE: Final = frozenset(
    ("中方", "我国", "本地", "海外", "当地", "境外", "全国", "全球", "世界", "国内")
)
_MOST_PARTS: Final = 5
#: Words that the tagger labels as nouns, and that end or precede a name.
_VERBS: Final = frozenset(
    ("会见", "会同", "访问", "会谈", "会晤", "主办", "承办", "合作", "记者", "代表团")
)
#: Before the name of somebody who wrote the report, and not part of what it reports.
_WRITERS: Final = frozenset(
    ("记者", "通讯员", "编辑", "责编", "摄影", "作者", "特派员", "实习生", "撰文", "文", "摄")
)
#: Characters after a name that the tagger includes in it: 赵芳任会长.
_AFTER_A_NAME: Final = "任于在率称说向将与和等及获为"
#: Last characters of institutions, buildings, media and events that begin with a surname, which the tagger
#: takes for persons (宗亲会, 唐人街, 夏令营), and of hardly any given name (a choice, without 科, 路, 房 and others
#: that given names have).
_NO_GIVEN_NAME: Final = "会街区馆站社队网部局店厂寺塔庙墙县院团组室厅所库报刊奖费校课营"
#: A part of a foreign name between middle dots, and a word of an organization's name.
_HAN: Final = re.compile(r"[\u4e00-\u9fff]{1,6}")
_WORD: Final = re.compile(r"[\u4e00-\u9fff·a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Names:
    """Names in the order of their weight, most frequent first, then first mentioned."""

    places: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """All names, each once, in a fixed order: sums over a set would depend on hashing."""
        return tuple(dict.fromkeys((*self.places, *self.persons, *self.organizations)))


def find_names(title: str, body: str) -> Names:
    """Return the names in the title and the lead of a text, at most :data:`MOST` of each kind."""
    text = normalize(f"{title}。\n{body[:LEAD]}")
    return _collect(tagged_words(text))


def merged(names: Iterable[Names]) -> Names:
    """Return the names of several texts, those of most texts first."""
    counts: tuple[Counter[str], Counter[str], Counter[str]] = (Counter(), Counter(), Counter())
    for one in names:
        for count, found in zip(counts, (one.places, one.persons, one.organizations), strict=True):
            count.update(found)
    ranked = (
        tuple(sorted(count, key=lambda name: (-count[name], name))[:MOST]) for count in counts
    )
    return Names(*ranked)


def tagged_words(text: str) -> Sequence[tuple[str, str]]:
    """Return the words of a text with their tags; a word of organization and title is split."""
    found: list[tuple[str, str]] = []
    for word, tag in _tagger()(text):
        match = _WITH_TITLE.fullmatch(word)
        if match is None:
            found.append((word, tag))
        else:
            found += [(match.group(1), "nt"), (match.group(2), "n")]
    return found


@lru_cache(maxsize=1)
def _tagger() -> Callable[[str], Sequence[tuple[str, str]]]:
    """Return the tagger of rjieba, or else that of jieba."""
    try:
        import rjieba  # optional: there is no wheel for some platforms
    except ImportError:
        import jieba.posseg  # heavy, and only needed where rjieba is missing

        return lambda text: [(it.word, it.flag) for it in jieba.posseg.cut(text)]
    engine = rjieba.Jieba()
    return lambda text: list(engine.tag(text))


def _collect(tagged: Sequence[tuple[str, str]]) -> Names:
    places: Counter[str] = Counter()
    persons: Counter[str] = Counter()
    organizations: Counter[str] = Counter()
    at = 0
    by_line = False
    while at < len(tagged):
        # Names right after 记者, up to other words: 记者 张三 李四, 记者张三、李四.
        by_line = tagged[at][0] in _WRITERS or (
            by_line and (tagged[at][1].startswith("nr") or tagged[at][0].strip() in {"", "、"})
        )
        end = organization_end(tagged, at)
        if end:
            name = "".join(word for word, _ in tagged[at:end])
            if name not in _media() and not name.endswith("讯"):
                organizations[name] += 1
            at = end
            continue
        word, tag = tagged[at]
        before = tagged[at - 1][0] if at else ""
        after = tagged[at + 1][0] if at + 1 < len(tagged) else ""
        if _is_place(word, tag, before, after):
            places[word + (after if _PLACE_END.match(after) else "")] += 1
        elif (end := _foreign(tagged, at)) > at:
            persons["".join(it for it, _ in tagged[at:end])] += not by_line
            at = end
            continue
        elif _is_person(word, tag, before, after):
            name = word[:-1] if len(word) == 3 and word[-1] in _AFTER_A_NAME else word
            persons[name] += not by_line
        at += 1
    persons = +persons
    return Names(
        *(
            tuple(it for it, _ in count.most_common(MOST))
            for count in (places, persons, organizations)
        )
    )


def _foreign(tagged: Sequence[tuple[str, str]], at: int) -> int:
    """Return the end of a name with middle dots that begins at a word, *at* itself if none does."""
    end = at
    while (
        end + 2 < len(tagged)
        and tagged[end + 1][0] in {"·", "•"}
        and _HAN.fullmatch(tagged[end][0])
        and _HAN.fullmatch(tagged[end + 2][0])
    ):
        end += 2
    return end + 1 if end > at else at


@lru_cache(maxsize=1)
def _media() -> frozenset[str]:
    """Return the names of media, which every text of theirs contains."""
    names = (normalize(name) for names in MEDIA.values() for name in names)
    return frozenset(name for name in names if name.endswith(("社", "网", "报", "台", "新闻")))


def organization_end(tagged: Sequence[tuple[str, str]], at: int) -> int:
    """Return the end of the longest organization that begins at a word, 0 if none does."""
    word, tag = tagged[at]
    if tag not in _PARTS and not tag.startswith("n"):
        return 0
    if tag == "nr" and len(word) >= 3 and people(word):
        # 陈嘉庚基金会, but not 刘勇伟会见…代表团.
        following = tagged[at + 1][0] if at + 1 < len(tagged) else ""
        if not _ORGANIZATION.search(following):
            return 0
    if word in _VERBS:
        return 0
    found = 0
    length = 0
    for end in range(at, min(len(tagged), at + _MOST_PARTS)):
        word, tag = tagged[end]
        if (tag not in _PARTS and not tag.startswith("n")) or not _WORD.fullmatch(word):
            break
        if word in _VERBS:
            break
        if tag == "nr" and end > at and len(word) >= 3 and people(word):
            break
        length += len(word)
        named = tag == "nt" and length >= 3 and not _NO_ORGANIZATION.search(word)
        if named or (_ORGANIZATION.search(word) and length >= 4):
            found = end + 1
    return found


def _is_place(word: str, tag: str, before: str, after: str) -> bool:
    if len(word) < 2 or word in _NO_PLACE:
        return False
    if tag in {"nr", "nrt"} and len(word) >= 3 and is_known(word):
        return True
    if tag == "ns":
        # 俄罗斯总统普京: a name after a title is that of a person.
        return not (len(word) == 2 and _TITLE.search(before) and not _PLACE_END.match(after))
    return tag in {"nr", "nz"} and (
        bool(_PLACE_END.match(after))
        or (before in _BEFORE_A_PLACE and len(word) <= 3 and not _AFTER_A_PERSON.match(after))
    )


def _is_person(word: str, tag: str, before: str, after: str) -> bool:
    if is_known(word):
        return False
    if not tag.startswith("nr"):
        return tag == "ns" and len(word) == 2 and _TITLE.search(before) is not None
    titled = bool(_TITLE.search(before) or _TITLE.search(after))
    if tag == "nrfg" or "·" in word:
        return 2 <= len(word) <= 12
    if tag == "nrt" or people(word) is None:
        # Foreign names and words that look like them: 普京, but 亚马逊.
        return tag == "nrt" and titled
    return titled or (len(word) >= 3 and word[-1] not in _NO_GIVEN_NAME)
