"""Drawn pages about one thing with a short description and with comments: videos, pictures, products, places, poems.

Comments below a short text look like replies to a first post.  What tells them apart is what stands above them: who
uploaded it, how often it was played, its price, its address.  Interviews with a time beside each answer are here, too.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random

from benchmarks.corpus.site import NICKS, Site
from benchmarks.corpus.stories import TOPICS, moment, section, story
from benchmarks.thread_families import Drawn
from benchmarks.thread_styles import Layout, comments_of

#: Layouts that models are trained on.
WORKS = 150

# Sorts of things: titles, lines above the description, headings of the comments; {n}, {m} are numbers, {w} who, {t} when.
_SORTS: tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...] = (
    (("雨后的田埂 第三集", "练习曲 第二首", "河边的一天", "教你修水龙头", "开窑实录"),
     ("{m}次播放 {n}条弹幕 {t}", "播放：{m}", "上传者：{w}", "{w} 上传于 {t}", "时长 {n}:20", "来自频道：日常", "{m} 播放 · {t}", "订阅 {n}", "选集 {n}"),
     ("评论 {n}", "全部评论({n})", "{n}条评论", "热门评论", "", "最新 最热")),
    (("晨雾", "渡口", "老街的猫", "旧站台"),
     ("拍摄于 {t}", "摄影：{w}", "光圈 F4 快门 1/200", "浏览 {m} 喜欢 {n}", "上传时间：{t}", "收藏 {n}", "作者：{w}"),
     ("评论", "共 {n} 条评论", "留言", "", "大家说")),
    (("棉麻围裙 厨房家用 防水", "竹编果篮 大号", "折叠台灯 充电式", "手工豆瓣酱 500克"),
     ("￥{n}.00", "促销价 ¥{n}", "月销 {m}", "库存 {m} 件", "加入购物车 立即购买", "品牌：小满", "运费：包邮", "型号：{n}"),
     ("商品评价", "累计评价 {n}", "买家评论", "用户评价({n})", "评价详情")),
    (("巷口面馆", "望江宾馆", "南屏植物园", "石桥民宿"),
     ("地址：东街 {n} 号", "电话：000-{m}", "营业时间：9:00-21:00", "人均 {n} 元", "{m} 条点评", "门票：{n}元", "评分 4.6", "交通：公交 {n} 路"),
     ("点评", "网友点评({n})", "住客评价", "全部点评", "大家怎么说", "评论")),
    (("便携日历 2.{n}", "窗口整理助手", "古诗背诵", "离线词典"),
     ("大小：{n} MB", "版本：{n}.2", "更新时间：{t}", "语言：中文", "下载次数：{m}", "本地下载", "系统要求：不限", "开发者：{w}", "分类：工具"),
     ("网友评论", "评分及评论", "用户评价", "评论列表", "最新评论")),
    (("龙窑（2011）", "纸短情长", "稻田里的鱼", "煤渣跑道"),
     ("导演：{w}", "主演：{w} / 某某", "作者: {w}", "出版社: 某某出版社", "片长：{n}分钟", "上映日期：{t}", "定价：{n}元", "页数：{m}", "{m}人评价", "类型：剧情"),
     ("短评", "短评 · · · · · · ( 全部 {n} 条 )", "影评", "书评", "读者评论", "看过的人说")),
    (("红烧豆腐", "咸菜炒毛豆", "南瓜饼", "酒酿圆子"),
     ("用料：豆腐 一块", "难度：简单", "烹饪时间：{n} 分钟", "{m} 人收藏", "作者：{w}", "{t} 创建", "小贴士：火不要太大", "步骤 1"),
     ("评论", "{n} 条评论", "大家的作品", "留言 ({n})", "全部留言")),
    (("第{n}期 夜里的灯", "植物学导论", "渔歌"),
     ("主播：{w}", "专辑：慢慢说", "收听 {m}", "授课老师：{w}", "{m} 人学过", "开课时间：{t}", "演唱：{w}", "时长：{n} 分钟", "发布于 {t}"),
     ("精彩评论", "课程评价", "听众留言", "评论（{n}）", "学员评论")),
)  # fmt: skip
_POEMS = (
    "把灯留给后来的人\n水面慢慢合上\n像一本没有读完的书",
    "山走了很远的路\n才走到窗前\n我没有开门",
    "一盏茶凉了\n一个名字也凉了\n檐下的雨还在数",
)
_POEM_HEADS = ("评论", "读者留言", "文友点评", "{n}条评论", "")
_SPEAKERS = ("主持人", "记者", "嘉宾", "陈主任", "李馆长", "方老师", "网友")


def work_page(layout: int, page: int) -> Drawn:
    """Return a page of a layout of things with comments, or of interviews with times."""
    of_layout, draw = Random(f"layout of works {layout}"), Random(f"work {layout}/{page}")
    style = Layout(of_layout, comments=True, english=False)
    kind = of_layout.choice(("thing", "thing", "thing", "thing", "thing", "poem", "spoken"))
    site = Site(layout, "works", layout % 7)
    write: Callable[[Random, Random, Layout], tuple[str, str, str]] = _KINDS[kind]
    title, inner, body = write(of_layout, draw, style)
    side = f"<div>{site.links(draw, 6)}</div>" if of_layout.random() < 0.6 else ""
    return Drawn(
        f"<!DOCTYPE html><html>{site.head(site.tail(title))}<body>{site.nav()}<div{style.name('page')}><h1>{title}</h1>"
        f"{inner}</div>{side}{site.foot()}</body></html>",
        body,
    )


def _commented(of_layout: Random, draw: Random, style: Layout, heads: tuple[str, ...]) -> str:
    count = draw.choice((1, 2, 3, 5, 8, 12))
    tag, head = of_layout.choice(("h2", "h3", "h4", "div", "span")), of_layout.choice(heads)
    line = f"<{tag}>{head.format(n=count)}</{tag}>" if head else ""
    return f"{line}{comments_of(style, draw, count)}"


def _thing(of_layout: Random, draw: Random, style: Layout) -> tuple[str, str, str]:
    titles, lines, heads = of_layout.choice(_SORTS)
    chosen = of_layout.sample(lines, of_layout.randint(2, 5))
    described, tag = of_layout.choice((0, 1, 1, 1, 2)), of_layout.choice(("div", "li", "p", "span"))
    values = {"n": draw.randrange(2, 99), "m": draw.randrange(100, 9_000), "w": draw.choice(NICKS), "t": style.time(moment(draw))}  # fmt: skip
    info = "".join(f"<{tag}>{it.format(**values)}</{tag}>" for it in chosen)
    told = story(draw, draw.choice(TOPICS)).paragraphs
    text = tuple(draw.choice(told)[: draw.choice((24, 50, 90))] + "。" for _ in range(described))
    inner = f"<div>{info}</div>{style.text(text) if text else ''}"
    if of_layout.random() < 0.3:
        inner = f"{style.text(text) if text else ''}<div>{info}</div>"
    return (
        draw.choice(titles).format(n=values["n"]),
        f"{inner}{_commented(of_layout, draw, style, heads)}",
        "\n".join(text),
    )


def _poem(of_layout: Random, draw: Random, style: Layout) -> tuple[str, str, str]:
    lines = draw.choice(_POEMS).split("\n") * draw.randint(1, 3)
    by = f"<div>作者：{draw.choice(NICKS)} {style.time(moment(draw))}</div>"
    inner = f"{by}<div>{'<br>'.join(lines)}</div>"
    return lines[0], f"{inner}{_commented(of_layout, draw, style, _POEM_HEADS)}", "\n".join(lines)


def _spoken(of_layout: Random, draw: Random, style: Layout) -> tuple[str, str, str]:
    told = section(draw, "interviews", draw.randrange(50))
    said = [*told.paragraphs, *section(draw, "interviews", draw.randrange(50)).paragraphs]
    names = draw.sample(_SPEAKERS, draw.choice((2, 2, 3)))
    form = of_layout.choice((
        "<p><b>[{w}]</b> {x} <i>[{t}]</i></p>", "<p>{w}：{x}（{t}）</p>", "<tr><td>{w}</td><td>{x}<p>{t}</p></td></tr>",
        "<div><span>{w}</span><span>{t}</span><p>{x}</p></div>", "<li><b>{w}：</b><br>{x}<br>{t}</li>", "<dt>{w} {t}</dt><dd>{x}</dd>",
    ))  # fmt: skip
    when, rows = moment(draw), ""
    for i, x in enumerate(said):
        when += timedelta(minutes=draw.randrange(1, 5))
        rows += form.format(w=names[i % len(names)], x=x, t=style.time(when))
    tag = "table" if form.startswith("<tr") else "dl" if form.startswith("<dt") else "div"
    line = f"<div>时间：{style.time(moment(draw))} 嘉宾：{names[-1]}</div>" if draw.random() < 0.7 else ""  # fmt: skip
    head = of_layout.choice(("文字实录", "访谈内容", "", "", "对话"))
    return told.title, f"{line}<h3>{head}</h3><{tag}>{rows}</{tag}>", "\n".join(said)


_KINDS: dict[str, Callable[[Random, Random, Layout], tuple[str, str, str]]] = {
    "thing": _thing, "poem": _poem, "spoken": _spoken,
}  # fmt: skip
