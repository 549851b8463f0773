"""Authors that no label names: ``By Jane Doe``, 张三 发表于 2020-01-02, 2020-01-02 张三, （张三）."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from topiccrawl.page.byline.labels import SHORT_LINE, TAIL
from topiccrawl.page.byline.names import is_medium, is_no_name, people, without_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: Lines after the title among which a by-line without a label is, and among which a name alone is one (guesses).
_BYLINE_WITHIN, _ALONE_WITHIN = 8, 3
#: Lines after the title among which an English by-line, or the line of who posted, begins (a guess).
_HEAD_WITHIN: Final = 40
#: Lines of authors with notes, one each (a guess).
_MOST_AUTHORS: Final = 12
#: Longest name of a channel; ends of sentences.
_CHANNEL, _SENTENCE_ENDS = 4, ("。", "！", "？", "；")
#: Longest line of a date and a name (a guess: with place, channel and counters).
_MAX_DATED: Final = 70

# A full stop ends initials and short forms (J., Jr., Capt.), not names.
_WORD: Final = r"[A-ZÀ-Þ](?:[\w’'\-]{0,3}\.|(?:[^\W\d_]|[’'\-])*+)"
_PARTICLES: Final = r"(?:(?:de|da|del|der|di|du|la|le|van|von|bin|al|and|&)\s){0,2}"
_NAMES: Final = rf"{_WORD}(?:,?\s{_PARTICLES}{_WORD}){{0,11}}"
# At the beginning of a line, or behind a date, a mark, a word of writing.
_BY: Final = re.compile(
    r"(?:^|[\d日]\s|[AP]M\s(?:[A-Z]{2,4}\s)?|[|·•—–-]\s"
    r"|^(?:written|posted|published|analysis|story|words|photos and text)\s)"
    rf"by\s?:?\s(?-i:(?P<names>{_NAMES}))",
    re.IGNORECASE,
)
_RANKS: Final = (
    r"(?:Special to|Staff|Senior|Contribut|Writer|Columnist|Correspondent|Editor|Reporter"
    r"|Associated Press|Follow|View More)"
)
# What ends a name on its line: a rank, a paper, a date, an account, and what stands behind it without a space.
_END: Final = re.compile(
    rf"\s*{_RANKS}|\s(?:Updated|Published|Posted|On|AP|Ap)\b"
    r"|\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?\s\d|\s(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"
    r"|(?<=[a-z])(?=Business|[A-Z]{3}|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?\s\d)"
)
# A name and what only by-lines have behind it.
_NAMED: Final = re.compile(
    rf"^(?P<names>{_WORD}(?:\s{_PARTICLES}{_WORD}){{1,3}}?)(?:,?\s{_RANKS}|,\s(?:AP|Ap)\s|\s?@\w|\s[-–|•]\s(?=.*\d{{4}}))"
)
_POSTED: Final = re.compile(
    r"^(?:(?:楼主|樓主|作者)\s)?(?!(?:19|20)\d\d[-.年])(?P<name>[\w·\-.]{2,16})\s{0,3}(?:发表|發表|提问|提問|发帖|發帖|分享|写|寫|发布|發佈|發布)[于於在]?[:：]?\s{0,2}(?:\d{4}|\d{1,2}-)"
)
# 半山听雨 已于 2024-05-17 10:24:36 修改, as CSDN writes it.
_DATED_ACT: Final = re.compile(
    r"^(?:(?:原创|转载|翻译)\s)?(?P<name>[\w·\-.]{2,20})\s{1,3}已?于\s?(?:19|20)\d\d-\d{1,2}-\d{1,2}\s\d{1,2}:\d\d(?::\d\d)?\s?(?:发布|修改|发表)"
)
# posted @ 2021-11-08 00:31 阿蓝 阅读(1820), as 博客园 writes it below the text.
_FOOT_MARK: Final = "posted @"
_AT_FOOT: Final = re.compile(
    rf"^{_FOOT_MARK}\s?\d{{4}}-\d\d-\d\d\s\d\d:\d\d\s{{1,3}}(?P<name>[\w·\-.][\w·\-. ]{{0,19}}?)"
    r"\s{1,3}(?:阅读|views)\s?\("
)
# 发布于2021年5月16日由小林, as WordPress writes it in Chinese.
_DATED_BY: Final = re.compile(
    r"(?:发布|发表|發佈|發表)[于於]\s?(?:19|20)\d\d[-/.年]\s?\d{1,2}[-/.月]\s?\d{1,2}日?(?:\s\d{1,2}:\d\d(?::\d\d)?)?\s?由\s?"
    r"(?P<name>[\w·\-.]{2,16}?)\s?(?:$|[|·/,，]|分类|标签|阅读|發[佈表]|发[布表])"
)
# 2022-07-23 08:14 · 陇上食记, as platforms of many authors write it.
_ACCOUNT: Final = re.compile(
    r"^(?:19|20)\d\d[-/.年]\d{1,2}[-/.月]\d{1,2}日?(?:\s\d{1,2}:\d\d(?::\d\d)?)?\s?[·•]\s?(?P<name>[^\s\d·•][^\s·•]{1,19})$"
)
# 何惜薇 报道, as papers of Singapore and Malaysia write it.
_REPORTS: Final = re.compile(
    r"^(?P<names>[\u4e00-\u9fff·、\s]{2,20}?)[\s/／|]{1,2}(?:综合|綜合|特约|特約)?(?:报道|報道|报导|報導|采写|採寫|撰文)$"
)
# 邱俐穎／台北報導, on a line of its own, or in brackets before the text, as papers of Taiwan write it.
_FILED_FROM: Final = re.compile(
    r"^(?P<open>[〔【（(\[])?(?P<names>[\u4e00-\u9fff·、\s]{2,20}?)\s?[/／╱]\s?[\u4e00-\u9fff]{2,6}?(?:報導|報道|报导|报道)"
    r"(?(open)[〕】）)\]]|$)"
)
# 本报讯 记者张三报道：…, as papers of cities begin their texts.
_REPORTER_REPORTS: Final = re.compile(
    r"^\W{0,2}(?:[\u4e00-\u9fff]{1,8}[讯訊]\s?[（(]?)?(?:[\u4e00-\u9fff]{2,6}?)?[记記]者\s?"
    r"(?P<names>[\u4e00-\u9fff·、\s]{2,20}?)\s?[报報][道導导](?=$|[\s:：，】\])）])"
)
_NO_POSTER: Final = re.compile(r"^\d+$|楼|樓|沙发|板凳|最[后後新]|首次|网友|原[帖文]|本[帖文]|^于")
_DATE: Final = re.compile(
    r"(?:19|20)\d\d\s?[年\-/.]\s?\d{1,2}\s?[月\-/.]\s?\d{1,2}\s?日?|\d{1,2}月\d{1,2}日"
    r"|\d{1,2}[:：]\d\d(?:[:：]\d\d)?|星期[一二三四五六日天]|[上下]午"
)
# Surnames with which common words begin (时间, 全文, 管理, 万元): without a label they are none.
_WORDS: Final = frozenset("明时全管商万和向连包成关项强满应权位司景区段封支计闻储从")
# Marks before the names of authors in newspapers.
_MARKS: Final = "□■◎●○◇◆▲△★☆ "
_PLACES: Final = frozenset("镇鎮村县縣市区區乡鄉省州")
# 聯絡人：王小明, 审核：王小明: a label that is none of an author.
_OTHERS_NAME: Final = re.compile(
    r"(?:人|[审審][核校稿]|校[对對])\s?[:：]\s?[\u4e00-\u9fff]{2,4}(?![\u4e00-\u9fff])"
)
_BETWEEN: Final = re.compile(r"[\s\[\]【】()（）|｜/·,，:：]+")
_BRACKETED: Final = re.compile(
    r"[（(]\s{0,2}(?P<names>[\u4e00-\u9fff·、\s]{2,24}?)(?:\s(?:撰稿|撰文|采写|採寫|报道|報道|报导|報導|文))?[)）]\s*$"
)


def english_author(line: str) -> str | None:
    """Return the persons that an English by-line names, without their ranks.

    >>> english_author("By Jane Doe and Ann de Vries, AP Staff Writers")
    'Jane Doe and Ann de Vries'
    >>> english_author("11/19/2019 by Lars Brandle"), english_author("Traffic by Night")
    ('Lars Brandle', None)
    """
    # The pattern is tried at each place of a line.
    is_able = len(line) <= SHORT_LINE and "by" in line.lower()
    match = _BY.search(line) if is_able else None
    if match is None:
        return None
    end = _END.search(line, match.start("names"))
    names = line[match.start("names") : min(match.end("names"), end.start() if end else len(line))]
    parts = names.split(", ")
    # By Jane Doe, Ann Lee; but By Jane Doe, Springfield.
    while len(parts) > 1 and len(parts[-1].split()) < 2:
        parts.pop()
    words = ", ".join(parts).removesuffix(" and").split()
    if len(words) > 2 and words[-1].isupper() and not words[0].isupper():
        words.pop()  # a degree, a paper
    if len(words) % 2 == 0 and words[: len(words) // 2] == words[len(words) // 2 :]:
        words = words[: len(words) // 2]  # written twice
    found = " ".join(words).strip(",-& ")
    if len(found) < 2 or is_no_name(found) or is_no_name(words[0]):
        return None
    # By Regan, but not Traffic | By Night.
    return None if len(words) < 2 and match.start() > 0 else found


def ranked(line: str) -> str | None:
    """Return the person at the beginning of a short line whose rank, account or date follows.

    >>> ranked("Jane Doe, AP Auto Writer"), ranked("Jane Doe@janed"), ranked("Breaking News")
    ('Jane Doe', 'Jane Doe', None)
    """
    match = _NAMED.match(line) if len(line) <= _MAX_DATED else None
    if match is None or is_medium(match["names"]) or _BY.match(line) is not None:
        return None
    return match["names"]


def poster(line: str) -> str | None:
    """Return who posted the page: 阿七 发表于 2022-09-10; 阿七 已于 2022-09-10 10:05 修改; 发布于 2022-09-10 由阿七."""
    if len(line) > SHORT_LINE:
        return None
    match = _POSTED.match(line) or _DATED_ACT.match(line) or _DATED_BY.match(line)
    if match is None or _NO_POSTER.search(match["name"]) or is_no_name(match["name"]):
        return None
    return None if is_medium(match["name"]) else match["name"]


def reporter(line: str) -> str | None:
    """Return the persons of a line that says nothing but that they report, or of brackets at its beginning.

    >>> reporter("何惜薇 报道"), reporter("连续报道"), reporter("高层报道")
    ('何惜薇', None, None)
    >>> reporter("邱俐穎／台北報導"), reporter("【林媛玲╱新北報導】農曆除夕是圍爐團聚的時刻。")
    ('邱俐穎', '林媛玲')
    >>> reporter("本报讯 记者张艳报道：农历除夕是围炉团聚的时刻。"), reporter("记者从侨联获悉，据连续报道，")
    ('张艳', None)
    """
    match = _REPORTS.match(line) or _FILED_FROM.match(line) or _REPORTER_REPORTS.match(line)
    return None if match is None else _sure_people(match["names"])


def at_foot(line: str) -> str | None:
    """Return who posted the page, where its foot states it.

    >>> at_foot("posted @ 2021-11-08 00:31 阿蓝 阅读(1820) 评论(2) 编辑")
    '阿蓝'
    """
    match = _AT_FOOT.match(line)
    return None if match is None or is_no_name(match["name"]) else match["name"]


def account(line: str) -> str | None:
    """Return the account behind the time on a line of nothing else.

    >>> account("2022-07-23 08:14 · 陇上食记"), account("2022-07-23 · 新华网")
    ('陇上食记', None)
    """
    match = _ACCOUNT.match(line)
    if match is None or is_medium(match["name"]) or is_no_name(match["name"]):
        return None
    return match["name"]


def beside_date(line: str) -> str | None:
    """Return the persons on a line of the date and little else.

    >>> beside_date("2004年7月16日08:19 [ 黄宇 ] 来源：[ 国际金融报 ]"), beside_date("2013-09-04 北京")
    ('黄宇', None)
    """
    if len(line) > _MAX_DATED or line.endswith(_SENTENCE_ENDS) or _DATE.search(line) is None:
        return None
    parts = _BETWEEN.split(_OTHERS_NAME.sub("|", _DATE.sub("|", line)))
    named = [part for part in parts if _sure_people(part)]
    return " ".join(named) if len(named) == 1 else None


def bracketed(line: str) -> str | None:
    """Return the persons in brackets at the end of a line, as reporters sign: …。（张三 李四）; （张三 撰稿）."""
    match = _BRACKETED.search(line[-TAIL:])
    return None if match is None else _sure_people(match["names"])


def _sure_people(text: str) -> str | None:
    names = people(text)
    if names is None or any(it[0] in _WORDS or it[-1] in _PLACES for it in names.split()):
        return None
    return names


def unlabeled_author(near: Sequence[str], at: int | None, title: str) -> str | None:
    """Return the author that no label names, None if no name is certain.

    Parameters
    ----------
    near : sequence of str
        Lines from shortly before the title to the first links to other pages.
    at : int or None
        Number of the title among them, None if it is in no line.
    title : str
        Title of the page.
    """
    first = at or 0
    head = near[: first + _HEAD_WITHIN] if at is not None else near
    below = near[first + 1 : first + 1 + _BYLINE_WITHIN]
    found = (
        _first(map(english_author, head))
        or _first(map(ranked, below))
        or _first(map(poster, head))
        or _first(map(account, below))
        or _first(map(reporter, below))
        or _first(map(at_foot, [line for line in near if line.startswith(_FOOT_MARK)]))
        or (None if at is None else _alone(near, at))
        or _first(map(beside_date, [*near[max(0, first - 2) : first + 1], *below]))
        or _before_colon(near[: first + _BYLINE_WITHIN], title)
        or _first(map(bracketed, reversed(near)))
    )
    # A page about a person is not by that person.
    about = found is not None and re.match(rf"{re.escape(found)}(?:$|[（(])", title)
    return None if about else found


def _first(found: Iterable[str | None]) -> str | None:
    return next(filter(None, found), None)


def _alone(near: Sequence[str], at: int) -> str | None:
    """Return the persons on a line of their own between the title, line ``at``, and the text.

    Channels and words of a list have other short lines beside them: 文化 and 曲线 could be names.
    """
    for number in range(at + 1, min(at + 1 + _ALONE_WITHIN, len(near))):
        line = near[number].lstrip(_MARKS)
        if line.endswith(_SENTENCE_ENDS):
            return None
        if names := _with_notes(near[number:]):
            return names
        beside = [near[i] for i in (number - 1, number + 1) if i != at and i < len(near)]
        if (names := _sure_people(line)) and all(len(it) > _CHANNEL for it in beside):
            return names
    return None


def _with_notes(lines: Sequence[str]) -> str | None:
    """Return the persons at the beginning of the lines whose names have marks of notes, in one line or one each."""
    found = []
    for line in lines[:_MOST_AUTHORS]:
        bare = without_notes(line) if len(line) <= SHORT_LINE else line
        names = None if bare == line else people(bare)
        if names is None:
            break
        found.append(names)
    return " ".join(found) or None


def _before_colon(near: Sequence[str], title: str) -> str | None:
    """Return the name before the title, 胡平：…, if it is a line of its own, too."""
    name, colon, _ = title.replace(":", "：").partition("：")
    name = name.strip()
    return name if colon and 2 <= len(name) <= 4 and name in near and not is_medium(name) else None
