"""Names of the parts of a link score and of a judgment, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from topiccrawl.language import choose
from topiccrawl.reporting.scale import short

#: Name of each part by the one that :mod:`topiccrawl.scoring` gives it (docs/scoring.md, docs/adaptive.md).
PARTS: dict[str, tuple[str, str]] = {
    "sitemap": ("网站地图中的标题、网址与日期", "words and date of its entry in a sitemap"),
    "feed": ("订阅源中的标题、网址与日期", "words and date of its entry in a feed"),
    "pager": ("列表后续页网址中的主题词", "topic words in the URL of a further page of a list"),
    "archive": ("按日期推得的网址中的主题词", "topic words in the URL of another day's issue"),
    "uh": ("网址中的主题词", "topic words in the URL"),
    "teh": ("链接文字中的主题词", "topic words in the link text"),
    "tih": ("链接提示（title）中的主题词", "topic words in the link's title"),
    "rw": (
        "链接自身的相关度，低于阈值记 0",
        "relevance of the link by its own words, 0 below the threshold",
    ),
    "relevance": ("链接自身的相关度", "relevance of the link by its own words"),
    "background": ("所在页面正文的相关度", "relevance of the text of the page with the link"),
    "rwb": (
        "链接自身的相关度；不足时看所在页面，再不足凭随机",
        "relevance of the link by its own words, else that of its page, else a small chance",
    ),
    "pagerank": ("PageRank 值", "PageRank"),
    "ipagerank": ("按相关度传递的 PageRank", "PageRank, handed on in proportion to relevance"),
    "metadata": (
        "链接自身的相关度，取最高的来源页面",
        "relevance of the link by its own words, on the page where it is highest",
    ),
    "parents": (
        "有此链接的各页面的平均相关度，与最好的页面之比",
        "mean relevance of the pages with the link, compared with the best pages",
    ),
    "graph": (
        "在链接图中的名次，1 为最高",
        "place in the link graph among the waiting links, 1 at the top",
    ),
    "prior": ("起点，每条链接都相同", "where every link starts"),
    "sources": ("有此链接的各页面的价值", "worth of the pages with the link"),
    "rank": ("在链接图中的名次", "place in the link graph"),
    "words": ("链接文字和网址中的主题词", "topic words in the link and its URL"),
    "channel": (
        "所在频道：是否以关键词命名",
        "its channel: named by a keyword, or another one of a site that has one",
    ),
    "text": (
        "链接文字及其上下文与主题相近的程度",
        "nearness of the link text, and of the text around it, to the topic",
    ),
    "learned": (
        "学到的特征：用词、网址、在页面中的位置",
        "what was learned of words, addresses and places on a page",
    ),
    "credit": (
        "站点的信用：列表页过多而少有正文时下降",
        "credit of the site: falls with many lists and few pages with a text",
    ),
    "meaning": (
        "链接文字与已找到的页面含义相近的程度",
        "nearness in meaning of the link text to the pages found",
    ),
    "exploration": (
        "探索：久无所获时，先看没去过的主机",
        "exploration: hosts not seen yet come first while nothing is found",
    ),
    "seed": ("种子网址", "a seed of the topic"),
    "parent": ("来源页面的相关度", "relevance of the page with the link"),
    "inherited": ("从来源页面继承的得分", "inherited from the page with the link"),
    "anchor": ("链接文字中离主题最近的词", "words of the link text nearest to the topic"),
    "address": ("网址中离主题最近的词", "words of the URL nearest to the topic"),
    "page": ("来源页面与主题含义相近的程度", "nearness in meaning of the page with the link"),
    "authority": (
        "相关页面的链接给它的权威值（HITS）",
        "authority by the links of relevant pages (HITS)",
    ),
    "estimate": (
        "智能体对链接的估计，-1 到 1",
        "what the agent that owns the link expects of it, -1 to 1",
    ),
    "energy": ("该智能体的能量，0 以下为死亡", "energy of that agent; it is dead below 0"),
    "neighbourhood": ("链接文字及其上下文的得分", "link text and the text around it"),
}

#: The same for the page classifier's judgment, in the order in which they are shown
#: (docs/laboratory/judge.md).
JUDGMENT_PARTS: dict[str, tuple[str, str]] = {
    "words": (
        "仅凭主题词的概率，主题的频道也计入",
        "probability by the topic's words alone, also by its channels",
    ),
    "channel": (
        "所在频道属于主题，为主题词加分",
        "its channel is the topic's, which adds to the words",
    ),
    "text": ("正文用词", "words of its text"),
    "links": ("与它相互链接的页面", "pages it links to or that link to it"),
    "place": ("所在的网站、目录和频道", "its site, folders and channels"),
    "constant": ("起点，每个页面都相同", "where every page starts"),
    "meaning": (
        "与主题词含义相近的程度，只用于挑选学习的样本",
        "nearness in meaning to the topic's words; only chooses what learning starts from",
    ),
}


class WordedPart(NamedTuple):
    """One part in the user's language."""

    word: str
    value: float
    name: str
    """What the code, exports and the documents call it."""
    is_signed: bool = False
    """Whether it is log-odds, whose sign matters."""

    @property
    def shown(self) -> str:
        """The value as users see it."""
        return f"{self.value:+.2f}" if self.is_signed else short(self.value)


def part_word(name: str, words: Mapping[str, tuple[str, str]] = PARTS) -> str:
    """Return the name of a part in the user's language; *name* itself for one of a strategy elsewhere."""
    known = words.get(name.lower())
    return name if known is None else choose(*known)


def worded_parts(
    parts: Mapping[str, float], words: Mapping[str, tuple[str, str]]
) -> list[WordedPart]:
    """Return *parts* in the order of *words*, and then the others."""
    ordered = [*(it for it in words if it in parts), *sorted(parts.keys() - words.keys())]
    # Of a judgment, all but the probability from words alone; of scores, those of ``adaptive``.
    has_signs = words is JUDGMENT_PARTS or "prior" in parts
    return [
        WordedPart(
            part_word(name, words),
            parts[name],
            name,
            has_signs and not (words is JUDGMENT_PARTS and name == "words"),
        )
        for name in ordered
    ]
