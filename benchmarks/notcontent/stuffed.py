"""Made pages that are stuffed with a topic's words.

The rules of :mod:`topiccrawl.analysis.stuffing` were chosen with ``CHOSEN``; no rule was chosen by ``ASIDE``, and
``LAST`` was written after the rules.  ``FLUENT`` are sentences of other pages, which no measure of a text by itself
tells from text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from random import Random
from typing import Final

from topiccrawl.text.segment import make_segmenter


@dataclass(frozen=True, slots=True)
class Words:
    """What the maker of a page has of a topic."""

    keywords: Sequence[str]
    related: Sequence[str]
    texts: Sequence[str]
    """Texts on the topic."""
    chinese: bool

    @property
    def all(self) -> list[str]:
        """Keywords and related words."""
        return [*self.keywords, *self.related]

    def join(self, words: Sequence[str]) -> str:
        """Join words as their language does."""
        return ("" if self.chinese else " ").join(words)

    def cut(self, text: str) -> list[str]:
        """Return the words of a text, with its punctuation."""
        if not self.chinese:
            return text.split()
        cut = make_segmenter().cut
        runs = re.findall(r"[^\W_]+|[，。！？；、]", text)
        return [word for run in runs for word in cut(run) or [run]]


Maker = Callable[[Random, Words], str]


def _words(text: str) -> list[str]:
    return text.split()


_FILLING: Final = (
    _words("的 了 在 是 和 与 有 对 为 我们 可以 以及 这个 通过 进行"),
    (_words("the of and to in is for on with that this are by from as")),
)
_BEFORE: Final = (
    _words("北京 上海 广州 深圳 杭州 专业 最新 2024年 权威"),
    (_words("best cheap top online free new 2024 buy")),
)
_AFTER: Final = (
    _words("哪家好 多少钱 排名 官网 下载 怎么样 大全 公司 电话"),
    (_words("price online review near me free download list company")),
)
_SPUN: Final = (
    (
        "{a}{b}平台提供{c}、{d}、{e}等{a}服务，{b}{c}首选{a}。",
        "欢迎来到{a}，{a}专注{b}{c}，{d}{e}{a}一站式解决。",
        "{a}{b}{c}最新消息，{a}{d}{e}推荐，{a}大全。",
        "想了解{a}？{b}{a}告诉您{c}{d}，{a}{e}值得信赖。",
    ),
    (
        "{a} {b} offers {c}, {d} and {e} for your {a}.",
        "Welcome to {a}: {a} {b} {c}, the best {d} {e} {a}.",
        "Latest {a} {b} {c} news, {a} {d} {e} recommended.",
        "Looking for {a}? {b} {a} with {c} {d}, trusted {a} {e}.",
    ),
)
_QUESTIONS: Final = (
    (
        "{a}是什么？",
        "{a}和{b}哪个好？",
        "{a}怎么{b}？",
        "为什么{a}{b}？",
        "{a}{b}多少钱？",
    ),
    (
        "What is {a}?",
        "{a} or {b}, which is better?",
        "How to {a} {b}?",
        "Why {a} {b}?",
        "How much is {a} {b}?",
    ),
)


def _bag(rng: Random, words: Words) -> str:
    """Words in random order."""
    some = rng.choices(words.all, k=rng.randint(120, 500))
    return rng.choice([" ", "，", "、", ", ", " | "]).join(some)


def _sentences(rng: Random, words: Words) -> str:
    """Words in random order, with the marks of sentences."""

    def sentence() -> str:
        some = rng.choices(words.all, k=rng.randint(4, 14))
        if not words.chinese:
            return " ".join(some).capitalize() + ". "
        comma = rng.randint(2, 5)
        return f"{''.join(some[:comma])}，{''.join(some[comma:])}。"

    lines = (
        "".join(sentence() for _ in range(rng.randint(3, 7))) for _ in range(rng.randint(4, 8))
    )
    return "\n".join(lines)


def _doorway(rng: Random, words: Words) -> str:
    """Titles for search engines: each keyword with cities, prices and rankings."""
    before, after = _BEFORE[not words.chinese], _AFTER[not words.chinese]

    def line() -> str:
        mark = rng.choice("、,_|") + " "
        titles = [
            words.join([rng.choice(before), rng.choice(words.keywords), rng.choice(after)])
            for _ in range(rng.randint(8, 20))
        ]
        return mark.join(titles)

    return "\n".join(line() for _ in range(rng.randint(6, 14)))


def _shuffled(rng: Random, words: Words) -> str:
    """The words of a text in random order, with keywords among them."""
    some = words.cut(rng.choice(words.texts))
    rng.shuffle(some)
    some = some[:600]
    for _ in range(len(some) // 10):
        some.insert(rng.randrange(len(some)), rng.choice(words.keywords))
    return words.join(some)


def _filled(rng: Random, words: Words) -> str:
    """Words in random order, three of ten function words."""
    filling = _FILLING[not words.chinese]

    def sentence() -> str:
        some = [
            rng.choice(filling if rng.random() < 0.3 else words.all)
            for _ in range(rng.randint(5, 15))
        ]
        return words.join(some) + ("。" if words.chinese else ".")

    return words.join([sentence() for _ in range(rng.randint(20, 50))])


def _tags(rng: Random, words: Words) -> str:
    """A page of tags."""
    head, hot = ("相关标签：", "热门") if words.chinese else ("Tags: ", " hot")
    lines = []
    for _ in range(rng.randint(8, 16)):
        lines.append(
            head + " ".join(f"#{it}" for it in rng.choices(words.all, k=rng.randint(6, 12)))
        )
        lines.append(" ".join(it + hot for it in rng.choices(words.keywords, k=rng.randint(3, 6))))
    return "\n".join(lines)


def _slotted(rng: Random, words: Words, forms: Sequence[str], times: int) -> str:
    return "\n".join(
        rng.choice(forms).format(**dict(zip("abcde", rng.choices(words.all, k=5), strict=True)))
        for _ in range(times)
    )


def _spun(rng: Random, words: Words) -> str:
    """Four advertisements, again and again, with words in their slots."""
    return _slotted(rng, words, _SPUN[not words.chinese], rng.randint(15, 40))


def _questions(rng: Random, words: Words) -> str:
    """Five questions, again and again, with words in their slots."""
    return _slotted(rng, words, _QUESTIONS[not words.chinese], rng.randint(30, 80))


def _numbered(rng: Random, words: Words) -> str:
    """A list of word pairs with made-up numbers and dates."""
    views = "次" if words.chinese else " views"
    return "\n".join(
        f"{number}. {words.join([rng.choice(words.keywords), rng.choice(words.related), rng.choice(words.keywords)])} "
        f"{rng.randint(1, 9999)}{views} 2024-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        for number in range(1, rng.randint(30, 100))
    )


def _snippets(rng: Random, words: Words) -> str:
    """Pieces of texts that are cut off."""
    pieces = []
    for _ in range(rng.randint(10, 25)):
        text = rng.choice(words.texts).replace("\n", " ")
        at = rng.randrange(max(1, len(text) - 60))
        pieces.append(f"{rng.choice(words.keywords)}...{text[at : at + rng.randint(25, 70)]}...")
    return "\n".join(pieces)


def _markov(rng: Random, words: Words) -> str:
    """Words of texts, each followed by one that follows it there."""
    following: defaultdict[str, list[str]] = defaultdict(list)
    for text in rng.sample(words.texts, min(5, len(words.texts))):
        some = words.cut(text[:8000])
        for first, second in pairwise(some):
            following[first].append(second)
    starts = list(following)
    made = [rng.choice(starts)]
    while len(made) < 400:
        made.append(rng.choice(following.get(made[-1]) or starts))
    return words.join(made)


def _glued(rng: Random, words: Words) -> str:
    """Sentences of several texts in random order."""
    sentences = [
        sentence
        for text in rng.sample(words.texts, min(8, len(words.texts)))
        for sentence in re.findall(r"[^。！？.!?\n]+[。！？.!?]", text)
    ]
    rng.shuffle(sentences)
    return "".join(sentences[:40])


def _headings(rng: Random, words: Words) -> str:
    """Titles of one keyword with its derivatives, in dashes and bars."""
    after = _AFTER[not words.chinese]
    return "\n".join(
        rng.choice(["-", " | ", "_"]).join(words.join([word, rng.choice(after)]) for _ in range(6))
        for word in rng.choices(words.keywords, k=rng.randint(10, 30))
    )


def _replaced(rng: Random, words: Words) -> str:
    """A text, half of whose longer words are replaced by words of the topic."""
    some = words.cut(rng.choice(words.texts))[:600]
    least = 2 if words.chinese else 5
    replaced = [
        rng.choice(words.all) if len(it) >= least and rng.random() < 0.5 else it for it in some
    ]
    return words.join(replaced)


def _mixed(rng: Random, words: Words) -> str:
    """A passage of a text, and four times as many keywords."""
    some = words.cut(rng.choice(words.texts))[:60]
    return words.join(some) + "\n" + " ".join(rng.choices(words.all, k=240))


def _between(rng: Random, words: Words) -> str:
    """The sentences of a text, with five keywords behind each."""
    sentences = re.findall(r"[^。！？.!?\n]+[。！？.!?]", rng.choice(words.texts))[:30]
    return "".join(f"{it}{' '.join(rng.choices(words.all, k=5))} " for it in sentences)


CHOSEN: Final[dict[str, Maker]] = {
    "bag": _bag,
    "sentences": _sentences,
    "doorway": _doorway,
    "shuffled": _shuffled,
    "filled": _filled,
}
ASIDE: Final[dict[str, Maker]] = {
    "tags": _tags,
    "spun": _spun,
    "numbered": _numbered,
    "questions": _questions,
}
#: Written when the rules were complete, and looked at once.
LAST: Final[dict[str, Maker]] = {
    "headings": _headings,
    "replaced": _replaced,
    "mixed": _mixed,
    "between": _between,
}
FLUENT: Final[dict[str, Maker]] = {"snippets": _snippets, "markov": _markov, "glued": _glued}


def stuffed_page(rng: Random, words: Words, make: Maker) -> bytes:
    """Return a page with a title of keywords, and the text that *make* makes."""
    mark = "_" if words.chinese else " | "
    title = escape(mark.join(rng.sample(list(words.keywords), min(4, len(words.keywords)))))
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in make(rng, words).split("\n"))
    return (
        f"<!DOCTYPE html><html><head><meta charset=utf-8><title>{title}</title></head>"
        f"<body><h1>{title}</h1><div class=content>{paragraphs}</div><ul></ul></body></html>"
    ).encode()
