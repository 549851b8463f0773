"""Ways to write the date of a page: real pages altered, to train and judge the date model.

Most pages state their date in metadata or in a plain by-line under the title.  Each form of a page here
does it in another way: without metadata, with fields of the site's own, in an odd format, far below the
first copy of the title, behind the text, below a box of older pages, with a clock in the page's head,
with dated replies below.  Formats and words are in two halves, of which models judged with one have not
seen the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.page.dates.visible_lines import visible_dates


@dataclass(frozen=True, slots=True)
class Form:
    """What the date of a page is found in."""

    meta: dict[str, str]
    json_ld: list[str]
    times: list[str]
    url: str
    lines: list[str]
    title: str
    day: tuple[int, ...]
    """The true day: year, month, day; empty if the page does not state it."""
    clock: tuple[int, ...] | None
    """The true hour and minute, None if only the day is known."""
    now: datetime

    @property
    def moment(self) -> datetime:
        """The true moment, midnight if only the day is known."""
        return datetime(*self.day, *(self.clock or ()), tzinfo=CHINA_TIME)  # type: ignore[misc,arg-type]


class NotPossibleError(Exception):
    """The page cannot be written in this form: its date is not in a line."""


_HAN = "〇一二三四五六七八九"
_MONTHS = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")


def _ordinal(day: int) -> str:
    tail = "th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{tail}"


def _han(number: int) -> str:
    if number <= 10:
        return "十" if number == 10 else _HAN[number]
    tens, ones = divmod(number, 10)
    return ("" if tens == 1 else _HAN[tens]) + "十" + (_HAN[ones] if ones else "")


def _month(t: datetime) -> str:
    return f"{_MONTHS[t.month - 1]}月"


_Write = Callable[[datetime], str]
#: Formats without and with a clock, in two halves.
_DAYS: tuple[tuple[_Write, ...], ...] = (
    (
        lambda t: f"{_month(t)} {_ordinal(t.day)}, {t.year}",
        lambda t: f"{t:%b} {t.day}, {t.year}",
        lambda t: f"{t:%Y.%m.%d}",
        lambda t: "".join(_HAN[int(c)] for c in str(t.year)) + f"年{_han(t.month)}月{_han(t.day)}日",
        lambda t: f"{t.day} {t:%B} {t.year}",
        lambda t: f"{t:%d-%m-%Y}",
    ),
    (
        lambda t: f"{t.day} {_month(t)}, {t.year}",
        lambda t: f"{_month(t)} {t.day}, {t.year}",
        lambda t: f"{t:%B} {_ordinal(t.day)}, {t.year}",
        lambda t: f"{t.year} 年 {t.month} 月 {t.day} 日",
        lambda t: f"{t:%Y/%m/%d}",
        lambda t: f"{t:%d.%m.%Y}",
    ),
)  # fmt: skip
_CLOCKS: tuple[tuple[_Write, ...], ...] = (
    (
        lambda t: f"{_month(t)} {_ordinal(t.day)}, {t.year} {t:%H:%M}",
        lambda t: f"{t:%a %b %d %H:%M:%S} CST {t.year}",
        lambda t: f"{t:%Y-%m-%d} {t:%H:%M:%S}",
        lambda t: f"{t.year}年{t.month}月{t.day}日 {t.hour}时{t.minute:02}分",
        lambda t: f"{t.month}/{t.day}/{t.year} {t.hour % 12 or 12}:{t:%M:%S} {'PM' if t.hour > 11 else 'AM'}",
    ),
    (
        lambda t: f"{t.day} {_month(t)}, {t.year} {t:%H:%M}",
        lambda t: f"{t:%B} {t.day}, {t.year} at {t.hour % 12 or 12}:{t:%M} {'pm' if t.hour > 11 else 'am'}",
        lambda t: f"{t:%Y/%m/%d %H:%M}",
        lambda t: f"{t.year}年{t.month:02}月{t.day:02}日{t:%H:%M}",
        lambda t: f"{t:%Y-%m-%d}　{'下午' if t.hour > 11 else '上午'} {t.hour % 12 or 12}:{t:%M}",
    ),
)  # fmt: skip
#: By-lines, ``%s``.
_LINES = (
    ("%s", "%s 作者：小林", "发布时间：%s", "%s 浏览 301 次", "by admin on %s", "海丝网 %s", "%s | 评论(3)"),
    ("%s", "%s 来源：晨报", "日期：%s", "点击：52 %s", "Posted by editor on %s", "%s 由 老周 发表", "%s · 读书"),
)  # fmt: skip
_META_NAMES = (
    ("apub:time", "newsdate", "site:publish_at", "ptime_published", "dc.issued"),
    ("pub_datetime", "cms-publish-time", "article_date_original", "release-time", "vr:published_time"),
)  # fmt: skip
_CLOCK_LINES: tuple[tuple[_Write, ...], ...] = (
    (
        lambda t: f"今天是{t.year}年{t.month}月{t.day}日 星期{'一二三四五六日'[t.weekday()]}",
        lambda t: f"{t.year}年{t.month}月{t.day}日 {t:%H:%M:%S}",
        lambda t: f"{t:%Y-%m-%d} 星期{'一二三四五六日'[t.weekday()]}",
        lambda t: f"{t:%b} {t.day}, {t.year}",
    ),
    (
        lambda t: f"您好，今天是 {t:%Y-%m-%d}",
        lambda t: f"{t.year}年{t.month}月{t.day}日 星期{'一二三四五六日'[t.weekday()]} 首页 | 登录",
        lambda t: f"{t:%Y/%m/%d %H:%M}",
        lambda t: f"{t:%A}, {t:%B} {t.day}, {t.year}",
    ),
)  # fmt: skip
_BOXES = (
    ("相关新闻", "最新文章", "热门推荐", "最新评论", "图片新闻"),
    ("最近更新", "热点排行", "相关阅读", "推荐阅读", "专题"),
)
_WORDS = (
    ("老街新貌", "海边的书店", "一封家书", "学堂旧事", "春耕开始了", "社区食堂开门"),
    ("山里来客", "邮局百年", "夜市灯火", "旧船修好了", "校园合唱节", "渡口的故事"),
)
_MENU = (
    ("首页", "新闻", "社会", "财经", "体育", "图片", "视频", "专题", "博客", "关于", "联系", "搜索", "登录", "注册"),
    ("主页", "要闻", "文化", "生活", "教育", "旅游", "论坛", "手机版", "订阅", "帮助", "English", "繁體", "地图"),
)  # fmt: skip


def _own_lines(form: Form) -> list[int]:
    """Return the numbers of the lines with the true day that may be by-lines, the best first."""
    found = [
        it
        for it in visible_dates(form.lines, form.title, form.now, form.moment + timedelta(days=1))
        if (it.found.moment.year, it.found.moment.month, it.found.moment.day) == form.day
    ]
    found.sort(key=lambda it: -it.score)
    if not found or found[0].score <= 0:
        raise NotPossibleError
    return list(dict.fromkeys(it.line for it in found))


def without_metadata(form: Form) -> Form:
    """Return a page whose date is only in its lines."""
    own = _own_lines(form)
    clock = form.clock
    if clock is not None:
        # The clock must be in the line, too.
        seen = visible_dates([form.lines[i] for i in own], form.title, form.now)
        if not any((it.found.moment.hour, it.found.moment.minute) == clock for it in seen):
            clock = None
    meta = {key: value for key, value in form.meta.items() if not any(c.isdigit() for c in value)}
    return replace(form, meta=meta, json_ld=[], times=[], url="", clock=clock)


def _rewritten(form: Form, text: str) -> Form:
    """Return a page whose by-line is *text*, at its old place; other lines with its day are dropped."""
    own = _own_lines(form)
    lines = [
        text if i == own[0] else it
        for i, it in enumerate(form.lines)
        if i == own[0] or i not in own
    ]
    return replace(form, lines=lines)


def _odd(form: Form, rng: random.Random, half: int) -> Form:
    form = replace(without_metadata(form), clock=form.clock)
    if form.clock is not None and rng.random() < 0.5:
        written = rng.choice(_CLOCKS[half])(form.moment)
    else:
        written = rng.choice(_DAYS[half])(form.moment)
        form = replace(form, clock=None)
    return _rewritten(form, rng.choice(_LINES[half]) % written)


def _own_meta(form: Form, rng: random.Random, half: int) -> Form:
    form = replace(form, json_ld=[], times=[], url="", meta={})
    written = f"{form.moment:%Y-%m-%dT%H:%M:%S}" if form.clock else f"{form.moment:%Y-%m-%d}"
    form.meta[rng.choice(_META_NAMES[half])] = written
    try:
        own = _own_lines(form)
    except NotPossibleError:
        return form
    # Nothing but the field states the date.
    return replace(form, lines=[it for i, it in enumerate(form.lines) if i not in own])


_CHANGED_NAMES = (
    ("dateupdate", "article:modified_time", "date"),
    ("last-modified", "og:updated_time", "dc.date"),
)


def _conflict(form: Form, rng: random.Random, half: int) -> Form:
    """A by-line that is right, and fields of a later change or a wrong time of publication."""
    form = without_metadata(form)
    later = form.moment + timedelta(days=rng.choice((1, 1, 2, 30, 300)), minutes=rng.randrange(600))
    right, wrong = f"{form.moment:%Y-%m-%d}", f"{min(later, form.now):%Y-%m-%d %H:%M:%S}"
    meta = dict(form.meta)
    kind = rng.randrange(3)
    if kind == 0:
        meta[rng.choice(_CHANGED_NAMES[half])] = wrong
        return replace(form, meta=meta)
    meta[rng.choice(_META_NAMES[half])] = wrong if kind == 1 else right
    if kind == 1:  # two against one
        url = f"http://www.example.cn/{form.moment:%Y/%m%d}/c{rng.randrange(9_999)}.html"
        return replace(form, meta=meta, url=url)
    meta[rng.choice(_CHANGED_NAMES[half])] = wrong
    return replace(form, meta=meta)


def _near(form: Form, rng: random.Random) -> datetime:
    """Return the moment of another page: weeks or years from that of this one, before the fetch."""
    days = rng.choice((-700, -90, -20, -3, -1, 1, 4, 30, 200))
    other = form.moment + timedelta(days=days, minutes=rng.randrange(900))
    return min(other, form.now - timedelta(days=1))


def _box(form: Form, rng: random.Random, half: int) -> list[str]:
    """Return the lines of a box of other pages with their dates."""
    shown = rng.choice(("%Y-%m-%d", "%m-%d", "%Y-%m-%d %H:%M", "%Y/%m/%d"))
    lines = [rng.choice(_BOXES[half])]
    for _ in range(rng.randint(1, 7)):
        word, when = rng.choice(_WORDS[half]), f"{_near(form, rng):{shown}}"
        lines += rng.choice(([f"{word} {when}"], [word, when], [when, word], [f"[{when}] {word}"]))
    return lines


def _title_line(form: Form) -> int:
    return next((i for i, it in enumerate(form.lines) if it == form.title), min(_own_lines(form)))


def _clock_above(form: Form, rng: random.Random, half: int) -> Form:
    form = without_metadata(form)
    seen = rng.choice(
        (form.now, form.now, form.moment + timedelta(days=rng.randint(0, 400), minutes=5))
    )
    at = rng.randint(0, min(4, _title_line(form)))
    line = rng.choice(_CLOCK_LINES[half])(min(seen, form.now))
    return replace(form, lines=[*form.lines[:at], line, *form.lines[at:]])


def _far(form: Form, rng: random.Random, half: int) -> Form:
    form = without_metadata(form)
    menu = [rng.choice(_MENU[half]) for _ in range(rng.randint(18, 60))]
    copy = [form.title] if rng.random() < 0.7 else [f"{form.title} - {rng.choice(_WORDS[half])}网"]
    if rng.random() < 0.4:
        # The second copy of the title is missing.
        at = _title_line(form)
        return replace(form, lines=[*copy, *menu, *form.lines[:at], *form.lines[at + 1 :]])
    return replace(form, lines=[*copy, *menu, *form.lines])


def _box_above(form: Form, rng: random.Random, half: int) -> Form:
    form = without_metadata(form)
    at = _title_line(form)
    if rng.random() < 0.5:
        at = min(_own_lines(form))  # between title and by-line
    return replace(form, lines=[*form.lines[:at], *_box(form, rng, half), *form.lines[at:]])


def _box_below(form: Form, rng: random.Random, half: int) -> Form:
    form = without_metadata(form)
    lines = form.lines
    return replace(form, lines=[*lines, *_box(form, rng, half), *_box(form, rng, half)])


def _behind_text(form: Form, rng: random.Random, half: int) -> Form:
    form = without_metadata(form)
    own = _own_lines(form)
    if len(form.lines[own[0]]) > 80:
        raise NotPossibleError
    long = [i for i, it in enumerate(form.lines) if len(it) >= 60]
    if not long or long[-1] < own[0]:
        raise NotPossibleError
    lines = [it for i, it in enumerate(form.lines) if i not in own]
    at = long[-1] - sum(i < long[-1] for i in own) + 1
    return replace(form, lines=[*lines[:at], form.lines[own[0]], *lines[at:]])


def _replies(form: Form, rng: random.Random, half: int) -> Form:
    form = without_metadata(form)
    when, lines = form.moment, list(form.lines)
    write = rng.choice(_CLOCKS[half][2:])
    if rng.random() < 0.6:
        lines.append(("网友评论", "回复")[half])
    for n in range(rng.randint(2, 9)):
        when += timedelta(minutes=rng.randint(5, 4_000))
        shown = write(min(when, form.now - timedelta(minutes=1)))
        lines += [
            rng.choice(
                (f"网友{n} 发表于 {shown}", f"{n + 2}楼 {shown}", shown, f"小周 {shown} 回复")
            ),
            rng.choice(("写得好", "支持一下", "学习了", "不同意楼上的看法")),
        ]
    return replace(form, lines=lines)


def _mixed(form: Form, rng: random.Random, half: int) -> Form:
    """Several of the others."""
    for change in rng.sample((_clock_above, _box_above, _box_below, _replies, _far), 3):
        form = change(form, rng, half)
    return _odd(form, rng, half) if rng.random() < 0.5 else form


def _saved(form: Form, rng: random.Random, half: int) -> Form:
    """A page as it is, fetched soon after its publication."""
    moment = form.moment + timedelta(days=rng.randint(0, 40), minutes=rng.randrange(1, 1_400))
    return replace(form, now=min(form.now, moment))


def _no_year(form: Form, rng: random.Random, half: int) -> Form:
    """A date without a year, or relative to the fetch."""
    form = replace(without_metadata(form), clock=form.clock)
    moment = form.moment
    if form.clock is not None and rng.random() < 0.5:
        hours = rng.randint(1, 20)
        form = replace(form, now=min(form.now, moment + timedelta(hours=hours, minutes=3)))
        ago = int((form.now - moment) / timedelta(hours=1))
        if 1 <= ago <= hours and (form.now - timedelta(hours=ago)).date() == moment.date():
            written = (f"{ago}小时前", f"{ago} 小時前")[half]
            return replace(_rewritten(form, rng.choice(_LINES[half]) % written), clock=None)
    form = replace(form, now=min(form.now, moment + timedelta(days=rng.randint(1, 300))))
    clock = f" {moment:%H:%M}" if form.clock is not None else ""
    written = (f"{moment.month}月{moment.day}日", f"{moment:%m-%d}")[half] + clock
    return _rewritten(form, rng.choice(_LINES[half]) % written)


_ELSE = (
    (
        "版权所有 © %s 海丝网",
        "备案号 粤ICP备0123号 %s",
        "%s，由当地乡亲主办的活动在广州举行。",
        "登录时间：%s",
    ),
    (
        "Copyright %s All Rights Reserved",
        "%s，来自各地的代表参加了会议。",
        "注册于 %s",
        "会议日期：%s",
    ),
)


def _nowhere(form: Form, rng: random.Random, half: int) -> Form:
    """A page that does not state its date, though other dates."""
    form = without_metadata(form)
    own = _own_lines(form)
    lines = [it for i, it in enumerate(form.lines) if i not in own]
    for _ in range(rng.randint(0, 2)):
        at = rng.randint(len(lines) // 2, len(lines))
        lines.insert(at, rng.choice(_ELSE[half]) % f"{_near(form, rng):%Y-%m-%d}")
    if rng.random() < 0.6:
        lines.insert(rng.randint(0, min(3, len(lines))), rng.choice(_CLOCK_LINES[half])(form.now))
    if rng.random() < 0.3:
        lines += _box(form, rng, half)
    return replace(form, lines=lines, day=(), clock=None)


#: Ways to write a date, by name.
FORMS: dict[str, Callable[[Form, random.Random, int], Form]] = {
    "without metadata": lambda form, rng, half: without_metadata(form),
    "fetched soon": _saved,
    "odd format": _odd,
    "no year": _no_year,
    "nowhere": _nowhere,
    "own field": _own_meta,
    "conflict": _conflict,
    "clock above": _clock_above,
    "far below": _far,
    "box above": _box_above,
    "boxes below": _box_below,
    "behind the text": _behind_text,
    "replies below": _replies,
    "mixed": _mixed,
}
