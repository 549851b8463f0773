"""Altered copies of real pages, as other templates would write their titles.

The sites of real pages with a known title are few, and their templates fewer.  Each page is therefore
also used with its title written in other ways: the site's name before it or a long one behind it, a
``<title>`` that is the site's name alone or missing, a heading that is the site's name, a headline that
is no heading, words around it on its line, a very short title.  Names and words are in two halves, of
which models judged with one have not seen the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace

from topiccrawl.page.landmarks import find_text_start
from topiccrawl.page.outline import Heading, Outline
from topiccrawl.page.title.places import places_of
from topiccrawl.page.title.site_names import plain

#: Names of sites and boards, made up or generic, in two halves.
NAMES = (
    ("江城晚报网", "文献大全，自由的图书馆", "海边论坛", "读书笔记", "老兵之家", "旅游信息港", "海丝社区",
     "小木屋的博客", "北方大学图书馆", "Nature Notes", "The Daily Planet", "互动科普——大家一起写的百科全书"),
    ("知识百科，开放的百科全书", "多彩博客", "新言丝语", "侨乡在线", "某某政府网", "天边杂谈", "城市档案",
     "乡土读书会", "知识盒子 - 让阅读更简单", "Open Wiki", "Tech Review", "某市人民政府门户网站"),
)  # fmt: skip
CHANNELS = (
    ("新闻", "社会", "技术文章", "Articles"),
    ("要闻", "文化", "杂谈", "Blog"),
)
SHORT_TITLES = (
    ("冬至", "元宵节", "侨批", "算盘", "扬琴", "广州"),
    ("立春", "茶马古道", "华侨", "骑楼", "二胡", "泉州"),
)
#: Lines around a title, ``%s``.
AROUND = (
    ("题目：%s", "%s (第2页)", "%s 18 评论", "Topic: %s", "%s 共3页", "主 题: %s", "%s (1)"),
    ("主题：%s", "%s (页 1)", "%s（12）", "%s [复制链接]", "%s 3条评论", "标题: %s", "%s (2/5)"),
)
#: Share of titles without a heading that are emphasized: 13 of 15 real ones are.
EMPHASIZED = 0.7
_BEHIND = (" - ", "_", "|", " | ", "-", " – ", "——")
_BEFORE = (" » ", " - ", "_", "：", "|", " :: ", "--")


@dataclass(frozen=True, slots=True)
class Form:
    """What the title of a page is found in: the walked page, its visible lines, the accepted titles."""

    outline: Outline
    lines: list[str]
    titles: tuple[str, ...]
    places: list[int]
    """Where the lines are in the text of the outline."""


def _without_meta(form: Form) -> Form:
    for key in ("og:title", "articletitle", "twitter:title"):
        form.outline.meta.pop(key, None)
    form.outline.json_ld = []
    return form


def _without_heading(form: Form, strong: bool = False) -> Form:
    """Take the title from the headings; as many old pages do, ``strong`` ones emphasize its line instead."""
    title, outline = plain(form.titles[0]), form.outline
    if strong:
        ends = {
            it.start: outline.text.find("\n", it.start)
            for it in outline.headings
            if plain(it.text) == title
        }
        outline.emphasized += [span for span in ends.items() if span[0] < span[1]]
    else:
        outline.emphasized = [
            span for span in outline.emphasized if title not in plain(outline.text[slice(*span)])
        ]
    form.outline.headings = [it for it in form.outline.headings if title not in plain(it.text)]
    return form


def _name_behind(form: Form, rng: random.Random, half: int) -> Form:
    name = rng.choice(NAMES[half])
    form.outline.title = f"{form.titles[0]}{rng.choice(_BEHIND)}{name}"
    return _without_meta(form) if rng.random() < 0.5 else form


def _channel_behind(form: Form, rng: random.Random, half: int) -> Form:
    channel, name = rng.choice(CHANNELS[half]), rng.choice(NAMES[half])
    one, two = rng.choice(_BEHIND), rng.choice(_BEHIND)
    form.outline.title = f"{form.titles[0]}{one}{channel}{two}{name}"
    return _without_meta(form) if rng.random() < 0.5 else form


def _name_before(form: Form, rng: random.Random, half: int) -> Form:
    form.outline.title = f"{rng.choice(NAMES[half])}{rng.choice(_BEFORE)}{form.titles[0]}"
    return _without_meta(form) if rng.random() < 0.7 else form


def _name_alone(form: Form, rng: random.Random, half: int) -> Form:
    form.outline.title = rng.choice(NAMES[half])
    return _without_meta(form)


def _names_alone(form: Form, rng: random.Random, half: int) -> Form:
    channel, name = rng.choice(CHANNELS[half]), rng.choice(NAMES[half])
    first, second = rng.sample((channel, name), 2)
    form.outline.title = f"{first}{rng.choice(_BEHIND)}{second}"
    return _without_meta(form)


def _untitled(form: Form, rng: random.Random, half: int) -> Form:
    form.outline.title = ""
    return _without_meta(form)


def _name_as_heading(form: Form, rng: random.Random, half: int) -> Form:
    """The name of the site is the only h1; the title is a lower heading, a line, or only in ``<title>``."""
    name, title = rng.choice(NAMES[half]), plain(form.titles[0])
    form = _without_meta(form)
    outline = form.outline
    behind = f"{form.titles[0]}{rng.choice(_BEHIND)}{rng.choice((name, *NAMES[half]))}"
    outline.title = rng.choice((behind, behind, name, ""))
    where = rng.choice(("lower heading", "line", "title"))
    if where == "lower heading":
        lower = rng.choice((2, 3, 4))
        outline.headings = [
            replace(it, level=lower if plain(it.text) == title else max(2, it.level))
            for it in outline.headings
        ]
    else:
        form = _without_heading(form, _is_strong(rng))
        if where == "title" and outline.title == behind:
            form = _without_lines(form)
    outline.headings = [Heading(1, name, 0), *(it for it in outline.headings if it.level > 1)]
    at = rng.choice((0, 0, 1, 3))
    form.lines.insert(at, name)
    form.places[at:at] = form.places[at : at + 1] or form.places[-1:]
    return form


def _plain_headline(form: Form, rng: random.Random, half: int) -> Form:
    return _without_heading(_without_meta(form), _is_strong(rng))


def _is_strong(rng: random.Random) -> bool:
    return rng.random() < EMPHASIZED


def _without_lines(form: Form) -> Form:
    title, outline = plain(form.titles[0]), form.outline
    outline.emphasized = [
        span for span in outline.emphasized if title not in plain(outline.text[slice(*span)])
    ]
    rest = [
        (line, place)
        for line, place in zip(form.lines, form.places, strict=True)
        if title not in plain(line)
    ]
    return replace(form, lines=[it for it, _ in rest], places=[it for _, it in rest])


def _not_repeated(form: Form, rng: random.Random, half: int) -> Form:
    return _without_lines(_without_heading(_name_behind(form, rng, half)))


def _title_alone(form: Form, rng: random.Random, half: int) -> Form:
    """Only ``<title>`` has the title, and nothing else; in half of the pages there is only running text."""
    form = _without_lines(_without_heading(_without_meta(form)))
    form.outline.title = form.titles[0]
    start = find_text_start(form.lines)
    if start is not None and rng.random() < 0.5:
        shown = slice(start, start + rng.randint(1, 12))
        form = replace(form, lines=form.lines[shown], places=form.places[shown])
        form.outline.headings = []
    return form


def _in_metadata(form: Form, rng: random.Random, half: int) -> Form:
    form = _name_alone(form, rng, half)
    name = form.outline.title
    form.outline.meta["og:title"] = rng.choice((form.titles[0], f"{form.titles[0]} - {name}"))
    return _without_heading(form)


def _nowhere(form: Form, rng: random.Random, half: int) -> Form:
    """Only the text of the link that led to the page can have the title."""
    return _without_lines(_without_heading(_untitled(form, rng, half)))


def _words_around(form: Form, rng: random.Random, half: int) -> Form:
    title = plain(form.titles[0])
    written = rng.choice(AROUND[half]) % form.titles[0]
    outline = form.outline
    outline.title = rng.choice((rng.choice(NAMES[half]), "", outline.title))
    outline.headings = [
        replace(it, text=written) if plain(it.text) == title else it for it in outline.headings
    ]
    lines = [written if plain(it) == title else it for it in form.lines]
    form = replace(form, lines=lines)
    return _without_meta(form) if rng.random() < 0.8 else form


def _short(form: Form, rng: random.Random, half: int) -> Form:
    old, new, outline = form.titles[0], rng.choice(SHORT_TITLES[half]), form.outline
    outline.title = (
        outline.title.replace(old, new)
        if old in outline.title
        else f"{new}{rng.choice(_BEHIND)}{rng.choice(NAMES[half])}"
    )
    for key, value in outline.meta.items():
        outline.meta[key] = value.replace(old, new)
    outline.json_ld = [text.replace(old, new) for text in outline.json_ld]
    same = plain(old)
    outline.headings = [
        replace(it, text=new) if plain(it.text) == same else it for it in outline.headings
    ]
    lines = [new if plain(it) == same else it for it in form.lines]
    first = next((i for i, it in enumerate(lines) if len(it) > 60), None)
    if first is not None:
        lines[first] = f"{new}是{lines[first]}"
    return replace(form, lines=lines, titles=(new,))


#: Ways to write a title, by name.
FORMS: dict[str, Callable[[Form, random.Random, int], Form]] = {
    "name behind": _name_behind,
    "channel and name behind": _channel_behind,
    "name before": _name_before,
    "name alone": _name_alone,
    "name alone, no heading": lambda f, r, h: _without_heading(_name_alone(f, r, h), _is_strong(r)),
    "channel and name alone": _names_alone,
    "name as heading": _name_as_heading,
    "untitled": _untitled,
    "untitled, no heading": lambda f, r, h: _without_heading(_untitled(f, r, h), _is_strong(r)),
    "no heading": _plain_headline,
    "not repeated": _not_repeated,
    "title alone": _title_alone,
    "in metadata": _in_metadata,
    "nowhere": _nowhere,
    "words around": _words_around,
    "short": _short,
}


def altered(
    name: str,
    outline: Outline,
    lines: Sequence[str],
    titles: Sequence[str],
    rng: random.Random,
    half: int,
) -> Form:
    """Return a copy of a page with its title written in the way *name*, one of :data:`FORMS`."""
    places = places_of(outline, lines)
    return FORMS[name](Form(deepcopy(outline), list(lines), tuple(titles), places), rng, half)
