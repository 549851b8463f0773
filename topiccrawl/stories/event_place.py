"""Choose the place of a report's event among the places that it names."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from topiccrawl.stories.gazetteer import place_key, region_of
from topiccrawl.stories.places import PlaceMention, find_places

if TYPE_CHECKING:
    from topiccrawl.stories.leads import Lead

# All weights are guesses, kept because they hold on the first set of ``benchmarks/event_reports``.
_FIRST: Final = 2.0
_LATER: Final = 0.5
_LATEST: Final = 2.0
#: Right before a place where something happens, and where something comes from or goes to.
_AT: Final = re.compile(r"(?:在|于|抵达|抵|位于|登陆|落户|亮相|走进|降落)(?:[^,。;\s]{0,2})$")
_TO: Final = re.compile(r"(?:赴|前往|访问|到|至|飞往|送往|送到)$")
_FROM: Final = re.compile(r"(?:来自|祖籍|籍贯|原籍|从|由|自|离开|经|往返|旅|援助|原|与|和|、|及)$")
#: Before the name of a reporter that looks like a place.
_WRITER: Final = re.compile(r"(?:记者|通讯员)\s?[\u4e00-\u9fff]{0,1}$")
#: Right after a place: what happens there, and what only comes from it.
_HAPPENS: Final = re.compile(
    r"^[^,。;]{0,10}?(?:举行|召开|举办|开幕|闭幕|启动|发生|落幕|开庭|成立|签署|揭牌|逝世|去世|起火|登陆|会见|会晤|一工厂|境内)"
)
_ORIGIN: Final = re.compile(
    r"^(?:人(?!士|民|员|大|口)|籍|裔|[\u4e00-\u9fff]{0,2}(?:队|代表团|侨胞|侨商|侨领|华侨|华人|商人|方面|方向|出生|游客|客商|震感)"
    r"|(?:原|前)?(?:市委|省委)?(?:常务)?副?(?:市长|省长|县长|书记|主席|总统|总理|部长|首相|外长)|等地|等\d)"
)
#: Between places of a list: 美国与日本.
_LISTED: Final = re.compile(r"^(?:与|和|、|及|以及)(?=[\u4e00-\u9fff]{2})")
#: Clauses on other occasions.
_ELSEWHERE: Final = re.compile(
    r"上一?(?:届|次|回)|下一?(?:届|次)|曾|此前|还将|将前往|将赴|随后|结束后|出生|毕业|祖籍|设有|分会|追悼会|以来|历史上|达成意向|说明会|回国|送往"
)
#: Points of the city of a dateline: it counts where nothing else is named.
_LINE_POINTS: Final = 1.4
_DATELINE: Final = re.compile(r"^\s?(?:\d{1,2}月)?\d{1,2}日\s?电|^(?:专?电|报道)")
_LEAST: Final = 1.0


@dataclass(frozen=True, slots=True)
class PlaceFound:
    """A place with its points."""

    mention: PlaceMention
    points: float

    @property
    def name(self) -> str:
        """The place as the report writes it."""
        return self.mention.name


def find_place(lead: Lead, day_at: int | None) -> PlaceFound | None:
    """Return the place of the event, ``None`` if the report states none.

    *day_at* is the position of the time of the event.
    """
    groups: defaultdict[str, list[PlaceFound]] = defaultdict(list)
    for mention in find_places(lead.words, lead.text):
        groups[mention.key].append(PlaceFound(mention, _points(lead, mention, day_at)))
    best: PlaceFound | None = None
    for mentions in groups.values():
        top = max(mentions, key=lambda it: it.points)
        extra = 0.3 * sum(it.points > 0 for it in mentions if it is not top)
        found = PlaceFound(
            max(mentions, key=lambda it: (it.points, it.mention.end)).mention, top.points + extra
        )
        if found.points >= _LEAST and (best is None or found.points > best.points):
            best = found
    if best is None:
        return None
    # A province or country stands for the city in it that is nearly as likely.
    if not region_of(best.name):
        inner = [
            PlaceFound(it.mention, best.points)
            for mentions in groups.values()
            for it in mentions
            if it.points >= max(best.points - 2.0, _LEAST)
            and place_key(it.mention.region) == best.mention.key
        ]
        if inner:
            return max(inner, key=lambda it: -it.mention.start)
    return best


def _points(lead: Lead, mention: PlaceMention, day_at: int | None) -> float:
    before = lead.text[max(0, mention.start - 8) : mention.start]
    after = lead.text[mention.end :][:20]
    if _DATELINE.match(after):
        return _LINE_POINTS
    sentence = lead.sentence(mention.start)
    points = _FIRST - min(_LATER * max(sentence - 1, 0), _LATEST)
    clause = lead.clause_text(mention.start)
    if _AT.search(before):
        points += 2.0
    elif _FROM.search(before):
        points -= 2.0
    elif _TO.search(before):
        points += 0.3
    if _WRITER.search(before):
        return 0.0
    if _HAPPENS.match(after):
        points += 1.0
    if _ORIGIN.match(after):
        points -= 2.0
    if _LISTED.match(after):
        points -= 1.0
    if _ELSEWHERE.search(clause):
        points -= 2.5
    if mention.inside:
        points -= 0.7
    if day_at is not None and sentence > 0 and lead.sentence(day_at) == sentence:
        points += 1.0
    return points
