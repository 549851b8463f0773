"""Edits of pages: what a page looks like when another site publishes it again."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import opencc

from benchmarks.copies.pages import Pair, SourcePage
from topiccrawl.dedup.compared import RelationKind

#: An edit: the page, other pages, random numbers; the edited page.
Edit: TypeAlias = Callable[[SourcePage, Sequence[SourcePage], random.Random], SourcePage]

_ADS: Final = (
    "扫描二维码，关注本站微信公众号，获取更多精彩内容。\n",
    "【广告】双十一全场五折起，点击这里立即抢购，先到先得！\n",
    "下载客户端，随时随地看新闻，注册即送三十元红包。\n",
    "热门推荐：十大理财产品排行榜，年化收益最高百分之八，限时开放认购。\n",
    "更多资讯请点击进入专题页面，欢迎订阅我们的电子周刊。\n",
)
_NOTES: Final = (
    "编者按：本文引起了广泛的关注，现转载如下，以飨读者，文章不代表本站立场。\n",
    "本文转载自网络，版权归原作者所有，如有侵权请联系我们删除。\n",
    "【导读】以下是全文，内容略有删节，标题为编者所加。\n",
)


def _body(page: SourcePage, sentences: Sequence[str]) -> SourcePage:
    return replace(page, body="".join(s if s[-1] in "。！？!?\n" else s + "\n" for s in sentences))


def unchanged(page: SourcePage, others: Sequence[SourcePage], rng: random.Random) -> SourcePage:
    """Other white space and punctuation marks."""
    return replace(page, body=page.body.replace("，", ", ").replace("\n", "\n\n"))


def title_changed(page: SourcePage, others: Sequence[SourcePage], rng: random.Random) -> SourcePage:
    """A title made of a sentence of the text, or of the title with other words around it."""
    sentences = [s.strip() for s in page.sentences()[:6] if len(s.strip()) > 10]
    if sentences and rng.random() < 0.6:
        return replace(page, title=rng.choice(sentences)[: rng.randint(12, 28)])
    words = ("快讯：", "最新消息！", "【关注】", "重磅｜", "这件事你知道吗？")
    return replace(page, title=rng.choice(words) + page.title[: max(6, len(page.title) * 2 // 3)])


def cut(page: SourcePage, others: Sequence[SourcePage], rng: random.Random) -> SourcePage:
    """Without 10 to 40 % of the sentences."""
    share = rng.uniform(0.1, 0.4)
    sentences = page.sentences()
    gone = set(rng.sample(range(len(sentences)), int(share * len(sentences))))
    return _body(page, [s for i, s in enumerate(sentences) if i not in gone])


def added(page: SourcePage, others: Sequence[SourcePage], rng: random.Random) -> SourcePage:
    """With sentences of another page at random places, 10 to 40 % of the length."""
    sentences = page.sentences()
    new = rng.choice(others).sentences()
    for _ in range(max(1, int(rng.uniform(0.1, 0.4) * len(sentences)))):
        sentences.insert(rng.randrange(len(sentences) + 1), rng.choice(new))
    return _body(page, sentences)


def moved(page: SourcePage, others: Sequence[SourcePage], rng: random.Random) -> SourcePage:
    """With its paragraphs in another order."""
    sentences = page.sentences()
    at = sorted(rng.sample(range(1, len(sentences)), min(3, len(sentences) - 1)))
    parts = [sentences[i:j] for i, j in zip([0, *at], [*at, len(sentences)], strict=True)]
    rng.shuffle(parts)
    return _body(page, [s for part in parts for s in part])


def number_changed(
    page: SourcePage, others: Sequence[SourcePage], rng: random.Random
) -> SourcePage:
    """With one or two corrected numbers in the text."""
    numbers = list(re.finditer(r"\d+", page.body))
    for found in sorted(rng.sample(numbers, min(2, len(numbers))), key=lambda m: -m.start()):
        value = str(int(found[0][:9]) + rng.randint(1, 9))
        page = replace(page, body=page.body[: found.start()] + value + page.body[found.end() :])
    return page


def traditional(page: SourcePage, others: Sequence[SourcePage], rng: random.Random) -> SourcePage:
    """In traditional characters, or in simplified ones."""
    convert = opencc.OpenCC("s2t").convert
    other = replace(page, title=convert(page.title), body=convert(page.body))
    if other.body != page.body:
        return other
    convert = opencc.OpenCC("t2s").convert
    return replace(page, title=convert(page.title), body=convert(page.body))


def advertised(page: SourcePage, others: Sequence[SourcePage], rng: random.Random) -> SourcePage:
    """With one to three advertisements in the text."""
    sentences = page.sentences()
    for ad in rng.sample(_ADS, rng.randint(1, 3)):
        sentences.insert(rng.randrange(len(sentences) + 1), ad)
    return _body(page, sentences)


def noted(page: SourcePage, others: Sequence[SourcePage], rng: random.Random) -> SourcePage:
    """With an editor's note before or after it."""
    note = rng.choice(_NOTES)
    return replace(page, body=note + page.body if rng.random() < 0.6 else f"{page.body}\n{note}")


def excerpt(page: SourcePage, others: Sequence[SourcePage], rng: random.Random) -> SourcePage:
    """15 to 40 % of the text in one piece, under the old title or a new one."""
    size = max(120, int(len(page.body) * rng.uniform(0.15, 0.4)))
    at = rng.randrange(max(1, len(page.body) - size))
    part = replace(page, body=page.body[at : at + size])
    return title_changed(part, others, rng) if rng.random() < 0.5 else part


def joined(page: SourcePage, others: Sequence[SourcePage], rng: random.Random) -> SourcePage:
    """Before or after other articles, at least as long as itself, under a title of their own."""
    more = ""
    while len(more) < len(page.body) * 1.3:
        more += f"\n{rng.choice(others).body}"
    body = f"{page.body}{more}" if rng.random() < 0.5 else f"{more}\n{page.body}"
    return replace(page, title=f"今日要闻：{page.title[:8]}等", body=body)


def mixed(page: SourcePage, others: Sequence[SourcePage], rng: random.Random) -> SourcePage:
    """Two to four edits."""
    edits = (title_changed, cut, added, moved, number_changed, traditional, advertised, noted)
    for edit in rng.sample(edits, rng.randint(2, 4)):
        page = edit(page, others, rng)
    return page


_CHANGED: Final[frozenset[RelationKind]] = frozenset({"edited", "copy", "same-page"})
#: The edits, with the right answers for what the edited page is to the original.
EDITS: Final[dict[str, tuple[Edit, frozenset[RelationKind]]]] = {
    "unchanged": (unchanged, frozenset({"copy", "same-page"})),
    "title changed": (title_changed, frozenset({"copy"})),
    "simplified/traditional": (traditional, frozenset({"copy", "same-page"})),
    "number changed": (number_changed, _CHANGED),
    "paragraphs cut": (cut, _CHANGED),
    "paragraphs added": (added, _CHANGED),
    "paragraphs moved": (moved, _CHANGED),
    "advertisement": (advertised, _CHANGED),
    "editor's note": (noted, _CHANGED),
    "mixed": (mixed, _CHANGED),
    "excerpt": (excerpt, frozenset({"excerpt"})),
    "joined": (joined, frozenset({"gathers"})),
}


def edited_pairs(pages: Sequence[SourcePage], seed: int) -> Iterator[Pair]:
    """Yield a pair for each page and edit: the edited page and the page.

    A page that gathers others is no copy of each of them, but the other way round: it comes second.
    """
    rng = random.Random(seed)
    for page in pages:
        others = [other for other in rng.sample(pages, min(12, len(pages))) if other != page]
        for sort, (edit, kinds) in EDITS.items():
            new = edit(page, others, rng)
            if sort == "joined":
                part: frozenset[RelationKind] = frozenset({"excerpt"})
                yield Pair(page.source, f"edit: {sort}", page, new, part, True)
            elif new != page:
                yield Pair(page.source, f"edit: {sort}", new, page, kinds, True)
