"""Pairs of pages that look like copies and are none."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from benchmarks.copies.pages import Pair, SourcePage
from topiccrawl.dedup.compared import RelationKind

#: A trap: a page, other pages, random numbers; the two pages.
Trap: TypeAlias = Callable[
    [SourcePage, Sequence[SourcePage], random.Random], tuple[SourcePage, SourcePage]
]

_PLACES: Final = ("北京市", "上海市", "广州市", "成都市", "武汉市", "西安市", "南京市", "福州市")
_SKIES: Final = ("晴", "多云", "阴有小雨", "小雨转阴", "雷阵雨", "晴转多云", "中雨", "小雪")
_WINDS: Final = ("北风二到三级", "南风三到四级", "微风", "东南风四级", "西北风五到六级")
_SURNAMES: Final = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨"
_NAMES: Final = "伟芳娜敏静强磊军洋勇艳杰涛明超霞平刚桂英"


def _name(rng: random.Random) -> str:
    return rng.choice(_SURNAMES) + "".join(rng.sample(_NAMES, rng.randint(1, 2)))


def _two(page: SourcePage, make: Callable[[], tuple[str, str]]) -> tuple[SourcePage, SourcePage]:
    first, second = (replace(page, title=title, body=body) for title, body in (make(), make()))
    return first, second


def weather(
    page: SourcePage, others: Sequence[SourcePage], rng: random.Random
) -> tuple[SourcePage, SourcePage]:
    """The forecasts of two days."""
    place, day = rng.choice(_PLACES), rng.randint(1, 14)
    days = iter((day, day + rng.randint(1, 14)))

    def make() -> tuple[str, str]:
        day = next(days)
        lines = [
            f"{place}气象台{day}日6时发布天气预报：今天白天{rng.choice(_SKIES)}，"
            f"最高气温{rng.randint(-5, 35)}度，{rng.choice(_WINDS)}。"
        ]
        lines += [
            f"预计{period}{rng.choice(_SKIES)}，气温{rng.randint(-9, 35)}度，相对湿度"
            f"百分之{rng.randint(20, 95)}，{rng.choice(_WINDS)}，空气质量指数{rng.randint(20, 200)}。"
            for period in ("今天夜间", "明天白天", "明天夜间", "后天")
        ]
        lines.append("气象台提醒市民注意天气变化，及时增减衣物，出行请注意交通安全。")
        lines.append("以上预报由气象台每日三次发布，请以最新预报为准，转载请注明出处。")
        return f"{place}{day}日天气预报", "\n".join(lines)

    return _two(page, make)


def market(
    page: SourcePage, others: Sequence[SourcePage], rng: random.Random
) -> tuple[SourcePage, SourcePage]:
    """The closing reports of two days at a stock exchange, without dates in the titles."""
    weekdays = iter(rng.sample("一二三四五", 2))

    def make() -> tuple[str, str]:
        day = next(weekdays)
        sign = rng.choice(("涨", "跌"))
        body = f"星期{day}沪深两市收盘，"
        for index in ("上证指数", "深证成指", "创业板指", "沪深300指数", "科创50指数", "恒生指数"):
            body += (
                f"{index}收报{rng.randint(900, 14000)}.{rng.randint(10, 99)}点，"
                f"{rng.choice(('涨', '跌'))}幅为{rng.randint(0, 4)}.{rng.randint(10, 99)}%，"
                f"成交额{rng.randint(1000, 9000)}亿元。\n"
            )
        body += "投资者应当注意风险，谨慎投资。以上数据由交易所提供，仅供参考，不构成投资建议。\n"
        return f"收盘：沪指{sign}{rng.randint(0, 4)}.{rng.randint(10, 99)}%", body

    return _two(page, make)


def epidemic(
    page: SourcePage, others: Sequence[SourcePage], rng: random.Random
) -> tuple[SourcePage, SourcePage]:
    """The reports of a health commission on two days."""
    place, month, day = rng.choice(_PLACES), rng.randint(1, 12), rng.randint(1, 20)
    days = iter((day, day + rng.randint(1, 8)))

    def make() -> tuple[str, str]:
        day, new = next(days), rng.randint(1, 300)
        body = (
            f"{month}月{day}日0—24时，{place}新增本土确诊病例{new}例，其中{rng.randint(0, new)}例"
            f"在隔离管控中发现。\n当日新增治愈出院病例{rng.randint(1, 90)}例，解除医学观察的密切接触者"
            f"{rng.randint(100, 4000)}人，重症病例较前一日减少{rng.randint(1, 9)}例。\n截至{month}月{day}日24时，"
            f"现有确诊病例{rng.randint(300, 9000)}例，累计治愈出院病例{rng.randint(9000, 90000)}例，"
            f"累计报告确诊病例{rng.randint(9000, 99000)}例，现有疑似病例{rng.randint(1, 9)}例。\n"
            "请广大市民继续做好个人防护，科学佩戴口罩，保持安全社交距离，少聚集，勤洗手，勤通风。\n"
        )
        return f"{place}新增本土确诊病例{new}例", body

    return _two(page, make)


def appointment(
    page: SourcePage, others: Sequence[SourcePage], rng: random.Random
) -> tuple[SourcePage, SourcePage]:
    """One form of a notice about two persons."""
    place = rng.choice(_PLACES)

    def make() -> tuple[str, str]:
        name = _name(rng)
        body = (
            f"{place}人民政府关于{name}同志任职的通知。各区人民政府，市政府各部门、各直属机构：\n"
            f"经研究决定，任命{name}同志为{place}{rng.choice(('教育', '民政', '财政', '卫生健康'))}局副局长，"
            f"试用期一年。{name}同志原任职务自然免除，任职时间从通知之日起计算。\n"
            "请有关部门按照干部管理权限和规定的程序办理任免手续，并做好工作交接。特此通知。\n"
            "抄送：市委各部门，市人大常委会办公厅，市政协办公厅，市法院，市检察院，各民主党派。\n"
        )
        return f"关于{name}同志任职的通知", body

    return _two(page, make)


def issues(
    page: SourcePage, others: Sequence[SourcePage], rng: random.Random
) -> tuple[SourcePage, SourcePage]:
    """Two issues of a journal: other contents between the same lines."""
    year = rng.randint(1999, 2024)
    numbers = iter(rng.sample(range(1, 13), 2))
    frame = page.sentences()[:4]
    name = page.title[:6]

    def make() -> tuple[str, str]:
        number = next(numbers)
        titles = [rng.choice(rng.choice(others).sentences())[:30].strip() for _ in range(6)]
        body = f"《{name}》{year}年第{number}期目录\n" + "".join(frame) + "\n".join(titles)
        return f"《{name}》{year}年第{number}期", body + "\n本刊由编辑部出版，欢迎投稿和订阅。"

    return _two(page, make)


def releases(
    page: SourcePage, others: Sequence[SourcePage], rng: random.Random
) -> tuple[SourcePage, SourcePage]:
    """The notes of two releases with the same mended fault: nearly all of the text is equal."""
    major, minor = rng.randint(1, 5), rng.randint(0, 9)
    patches = iter(rng.sample(range(20), 2))
    text = "".join(page.sentences()[:12])
    name = page.title[:8]

    def make() -> tuple[str, str]:
        version = f"{major}.{minor}.{next(patches)}"
        return f"{name} {version} 发布说明", f"{name} {version} 修复了以下问题。\n{text}"

    return _two(page, make)


def same_template(
    page: SourcePage, others: Sequence[SourcePage], rng: random.Random
) -> tuple[SourcePage, SourcePage]:
    """Two articles between the same menus of one site."""
    menu = [s.strip()[:12] for s in rng.choice(others).sentences()[:40]]
    before, after = "\n".join(menu[:20]), "\n".join(menu[20:])
    first, second = (
        replace(p, source=page.source, body=f"{before}\n{p.body[:600]}\n{after}")
        for p in (page, rng.choice(others))
    )
    return first, second


def chapters(
    page: SourcePage, others: Sequence[SourcePage], rng: random.Random
) -> tuple[SourcePage, SourcePage]:
    """Two chapters of one book, each with the last sentences of the other's introduction."""
    sentences = page.sentences()
    half = len(sentences) // 2
    head = "".join(sentences[:2])
    at = rng.randint(1, 9)
    first = replace(page, title=f"{page.title} 第{at}章", body="".join(sentences[:half]))
    second = replace(
        page, title=f"{page.title} 第{at + 1}章", body=head + "".join(sentences[half:])
    )
    return first, second


def other_page(
    page: SourcePage, others: Sequence[SourcePage], rng: random.Random
) -> tuple[SourcePage, SourcePage]:
    """Another page under the same title."""
    return page, replace(rng.choice(others), source=page.source, title=page.title)


def notices(
    page: SourcePage, others: Sequence[SourcePage], rng: random.Random
) -> tuple[SourcePage, SourcePage]:
    """Two cases of a court under the same title."""
    causes = ("民间借贷纠纷", "买卖合同纠纷", "离婚纠纷", "房屋租赁合同纠纷", "劳动争议")

    def make() -> tuple[str, str]:
        name, number = _name(rng), rng.randint(100, 9999)
        body = (
            f"{name}：\n本院受理原告{_name(rng)}与被告{name}{rng.choice(causes)}一案，已审理终结。因你下落不明，"
            f"现依法向你公告送达本院（2024）民初{number}号民事判决书。自本公告发布之日起经过三十日，即视为送达。\n"
            "请你在公告期满后三日内到本院领取判决书，逾期不领取即视为送达。如不服本判决，可在判决书送达之日起十五日内"
            f"向本院递交上诉状，并按对方当事人的人数提出副本，上诉于{rng.choice(_PLACES)}中级人民法院。"
            "逾期未上诉的，本判决即发生法律效力。特此公告。\n"
        )
        return "送达公告", body

    return _two(page, make)


_OTHER: Final[frozenset[RelationKind]] = frozenset({"template", "different"})
TRAPS: Final[dict[str, Trap]] = {
    "weather": weather,
    "market": market,
    "epidemic": epidemic,
    "appointment": appointment,
    "notices": notices,
    "issues": issues,
    "releases": releases,
    "same template": same_template,
    "next chapter": chapters,
    "same title": other_page,
}


def trap_pairs(pages: Sequence[SourcePage], seed: int) -> Iterator[Pair]:
    """Yield a pair for each page and trap."""
    rng = random.Random(seed)
    for page in pages:
        others = [o for o in rng.sample(pages, min(12, len(pages))) if o.body != page.body]
        for sort, trap in TRAPS.items():
            first, second = trap(page, others, rng)
            yield Pair(page.source, f"trap: {sort}", first, second, _OTHER, False)
