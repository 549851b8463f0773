"""A generated vocabulary of Chinese words, and sentences of them."""

from __future__ import annotations

from bisect import bisect
from functools import cached_property
from itertools import accumulate
from random import Random
from typing import Final

#: Simplified characters in common use: level 1 of GB 2312.
CHARACTERS: Final = "".join(
    bytes((row, cell)).decode("gb2312")
    for row in range(0xB0, 0xD8)
    for cell in range(0xA1, 0xFF)
    if not (row == 0xD7 and cell > 0xF9)
)

_words = str.split

#: Function words, which stand in every sentence.
_FUNCTION: Final = _words("的 了 在 是 和 与 对 将 为 从 以 及 并 已 被 把 也 这 其 等")
_SURNAMES: Final = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗"
PLACES: Final = _words(
    "北京 上海 广州 深圳 福州 厦门 泉州 温州 青田 汕头 江门 潮州 梅州 海口 昆明 "
    "南宁 武汉 成都 重庆 西安 杭州 南京 天津 青岛 大连 哈尔滨 长沙 郑州 曼谷 "
    "雅加达 吉隆坡 新加坡 马尼拉 仰光 金边 悉尼 墨尔本 温哥华 多伦多 旧金山 纽约 "
    "伦敦 巴黎 罗马 马德里 东京 首尔 约翰内斯堡 圣保罗"
)
BODIES: Final = _words(
    "侨联 侨办 商会 同乡会 华文学校 总领馆 基金会 研究院 博物馆 联谊会 开发区 电视台"
)
_VERBS: Final = _words("召开 举办 发布 启动 签署 通过 举行 公布 成立 开通 推出 完成")
_NOUNS: Final = _words(
    "座谈会 恳亲大会 投资项目 合作协议 创业大赛 文化节 调研报告 工作条例 华文教材 "
    "慈善义演 志愿活动 论坛 展览 航线 产业园 研讨会 夏令营 医疗队 救灾行动 春节晚会"
)
_LATIN: Final = _words("AI 5G COVID-19 GDP APEC RCEP IPO WTO OpenAI Wi-Fi CEO VR")


class Vocabulary:
    """Words of one to four characters whose frequencies follow Zipf's law."""

    def __init__(self, seed: int, size: int = 6_000) -> None:
        random = Random(f"words {seed}")
        lengths = random.choices((1, 2, 3, 4), (6, 70, 14, 10), k=size)
        self.words = list(
            dict.fromkeys("".join(random.choices(CHARACTERS, k=length)) for length in lengths)
        )
        self.people = [
            random.choice(_SURNAMES)
            + "".join(random.choices(CHARACTERS[:1200], k=random.choice((1, 2))))
            for _ in range(400)
        ]

    @cached_property
    def _sums(self) -> list[float]:
        return list(accumulate(1 / (rank + 20) for rank in range(len(self.words))))

    def word(self, random: Random) -> str:
        """Return a word by its frequency."""
        return self.words[bisect(self._sums, random.random() * self._sums[-1])]

    def sentence(self, random: Random, own: list[str]) -> str:
        """Return a sentence, with some of the words that are the text's *own*."""
        parts = []
        for _ in range(random.randint(2, 4)):
            words = []
            for _ in range(random.randint(3, 7)):
                kind = random.random()
                if kind < 0.22:
                    words.append(random.choice(_FUNCTION))
                elif kind < 0.32 and own:
                    words.append(random.choice(own))
                elif kind < 0.33:
                    words.append(random.choice(_LATIN))
                elif kind < 0.35:
                    words.append(str(random.randint(2, 9_999)))
                else:
                    words.append(self.word(random))
            parts.append("".join(words))
        return "，".join(parts) + random.choice("。。。。。！？；")

    def text(self, random: Random, own: list[str], sentences: int) -> list[str]:
        """Return the sentences of a text."""
        return [self.sentence(random, own) for _ in range(sentences)]


def event_title(random: Random) -> tuple[str, str, str]:
    """Return the title of an event, its place and the body that holds it."""
    place, body = random.choice(PLACES), random.choice(BODIES)
    return f"{place}{body}{random.choice(_VERBS)}{random.choice(_NOUNS)}", place, body
