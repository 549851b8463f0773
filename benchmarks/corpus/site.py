"""A site: its name, class names, date format, and everything around the text."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from html import escape
from random import Random

from benchmarks.corpus.classes import STYLES, Classes
from benchmarks.corpus.stories import ENGLISH, TOPICS, TRADITIONAL, headline, read_lines

_BRANDS = ("望江", "云岭", "石桥", "南屏", "鹿鸣", "松风", "白沙", "双塔", "晚晴", "小满")
_CHANNELS = (
    "首页", "要闻", "国内", "社会", "财经", "教育", "健康", "文化", "体育", "旅游", "图片", "视频",
    "专题", "评论", "论坛", "博客", "房产", "汽车", "美食", "公益", "民生", "科技",
)  # fmt: skip
_TRADITIONAL_CHANNELS = ("首頁", "生活", "旅行", "閱讀", "飲食", "關於我", "聯絡", "歷史文章")
_ENGLISH_CHANNELS = ("Home", "News", "Weather", "Sport", "What's On", "Jobs", "Contact", "About")
PEN_NAMES = ("方敏", "林远", "陈小舟", "赵一禾", "周晚", "何青", "苏木", "江北")
TRADITIONAL_NAMES = ("慢慢", "阿澤", "小樹", "陳默言")
NICKS = (
    "山那边", "小满的风", "老王不老", "木头人", "阿七", "青瓦", "晚来雪", "north_wind", "蓝边碗",
    "夏天2009", "半亩田", "lulu88", "路人乙", "石头记", "橘子皮",
)  # fmt: skip
_SPONSORED = (
    "秋季家电节 满三百减五十 点击查看", "零基础学英语 每天十五分钟 名额有限", "新房开盘 湖景三居 首付两成",
    "手机内存不够用？一招清理", "今日特价茶叶 顺丰包邮",
)  # fmt: skip


_HELP = ("网站简介", "联系我们", "投稿", "隐私政策", "侵权投诉", "手机版")
_RULES = (
    "margin:0 auto;width:980px",
    "float:left;color:#333",
    "background:url(/i/b.png) no-repeat 0 0",
)


def _inline(draw: Random) -> str:
    """Return inline styles and a configuration, as templates repeat them on every page."""
    rules = "".join(
        f".m{draw.randrange(999)} .t{i}{{{draw.choice(_RULES)}}}\n"
        for i in range(draw.randint(20, 160))
    )
    texts = ",".join(f'"k{i}":"{draw.choice(_SPONSORED)}"' for i in range(draw.randint(2, 40)))
    return f"<style>{rules}</style><script>var conf={{{texts}}};</script>"


def words_of(kind: str) -> tuple[str, ...]:
    """Return names of channels in the script of the site."""
    if kind == "en":
        return _ENGLISH_CHANNELS
    return _TRADITIONAL_CHANNELS if kind == "tw" else _CHANNELS


class Site:
    """One site of a family, determined by seed, family and number."""

    def __init__(self, seed: int, family: str, number: int, script: str = "cn") -> None:
        draw = Random(f"{seed}/{family}/{number}")
        self.family = family
        self.script = script
        self.seed = f"{seed}/{family}/{number}"
        self.host = f"www.{family.replace('_', '')}{seed}{number}.example"
        brand = draw.choice(_BRANDS)
        self.name = {
            "en": f"{draw.choice(('Harbour', 'Valley', 'Coast'))} Herald",
            "tw": f"{draw.choice(('小鎮', '慢走', '午後'))}筆記",
        }.get(script, brand + draw.choice(("网", "在线", "新闻网", "热线", "资讯")))
        self.paper = {"en": self.name, "tw": self.name}.get(
            script, brand + draw.choice(("日报", "晚报", "周刊"))
        )
        self.css = Classes(draw.choice(STYLES), draw)
        self.style = draw.randrange(1_000)
        self.topics = {"en": ENGLISH, "tw": TRADITIONAL}.get(script, TOPICS)
        channels = list(words_of(script))
        self.channels = channels[:1] + draw.sample(
            channels[1:], min(len(channels) - 1, draw.randint(5, 14))
        )
        self._noise = draw.randrange(2**32)
        self._inline = _inline(draw)
        self.year = draw.randint(2012, 2024)

    def pick(self, *choices: str) -> str:
        """Return one of the choices, the same on all pages of the site."""
        return Random(f"{self.seed}/{choices}").choice(choices)

    def head(self, title: str, *, more: str = "", charset: str | None = "utf-8") -> str:
        """Return the ``head`` element, with the scripts and styles of every page."""
        meta = f'<meta charset="{charset}">' if charset else ""
        if charset and self.style % 3 == 0:
            meta = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}" />'
        return (
            f"<head>{meta}<title>{escape(title)}</title>{more}"
            '<link rel="stylesheet" href="/static/base.css?v=3">'
            "<style>.hide{display:none} body{margin:0;font:14px/1.8 simsun}</style>"
            f"<script>var _site={{id:{self._noise},page:'detail',tips:'请使用微信扫一扫分享本文'}};"
            "(function(){var s=document.createElement('script');s.src='//stat.example/h.js';"
            f"document.head.appendChild(s)}})();</script>{self._inline}</head>"
        )

    def nav(self) -> str:
        """Return the navigation bar."""
        links = [f'<a href="/{i}/">{name}</a>' for i, name in enumerate(self.channels)]
        if self.style % 2:
            return f"<div{self.css('nav')}>{' | '.join(links)}</div>"
        return f"<div{self.css('nav')}><ul>{''.join(f'<li>{a}</li>' for a in links)}</ul></div>"

    def crumb(self, channel: str = "") -> str:
        """Return the breadcrumb."""
        where = channel or self.channels[-1]
        label = self.pick("当前位置：", "您的位置：", "", "所在位置 &gt; ")
        end = self.pick(" &gt; 正文", "", " &gt;&gt; 详细内容")
        return (
            f'<div{self.css("crumb")}>{label}<a href="/">{self.name}</a> &gt; '
            f'<a href="/c/">{where}</a>{end}</div>'
        )

    def titles(self, draw: Random, count: int) -> list[str]:
        """Return headlines of other pages of the site."""
        return [headline(draw, self.topics) for _ in range(count)]

    def links(self, draw: Random, count: int, *, dates: bool = False) -> str:
        """Return a list of links to other pages."""
        items = "".join(
            f'<li><a href="/{self.style}/{draw.randrange(10**6)}.html">{escape(title)}</a>'
            + (f"<span>{self.day(draw)}</span>" if dates else "")
            + "</li>"
            for title in self.titles(draw, count)
        )
        return f"<ul{self.css('list')}>{items}</ul>"

    def day(self, draw: Random) -> str:
        """Return the date of another page."""
        return f"{draw.randint(2012, 2024)}-{draw.randint(1, 12):02d}-{draw.randint(1, 28):02d}"

    def related(self, draw: Random) -> str:
        """Return the links below the text, on some sites with teasers."""
        label = self.pick("相关阅读", "相关新闻", "推荐阅读", "猜你喜欢", "延伸阅读：")
        if self.style % 4 != 1:
            return f"<div{self.css('related')}><h3>{label}</h3>{self.links(draw, 6)}</div>"
        cards = "".join(
            f'<div{self.css("item")}><a href="/{i}.html"><img src="/t/{i}.jpg"><h4>{title}</h4></a>'
            f"<p>{self.teaser(draw)}</p><span>{self.day(draw)}</span></div>"
            for i, title in enumerate(self.titles(draw, 5))
        )
        return f"<div{self.css('related')}><strong>{label}</strong>{cards}</div>"

    def teaser(self, draw: Random) -> str:
        """Return the first words of some other text."""
        lines = [x for x in read_lines(draw.choice(self.topics)) if not x.startswith("# ")]
        text = draw.choice(lines).replace("{数}", "20").replace("{年}", "2020").replace("{日}", "9")
        return text.replace("{地}", "本地")[: draw.randint(40, 62)] + "..."

    def share(self) -> str:
        """Return the share buttons."""
        names = "".join(f'<a href="javascript:;">{x}</a>' for x in ("微信", "微博", "QQ空间"))
        tail = self.pick("分享到：", "分享让更多人看到", "【字号：大 中 小】【打印】【关闭】", "")
        return f"<div{self.css('share')}>{tail}{names}</div>"

    def side(self, draw: Random) -> str:
        """Return the side column: rankings, an advertisement."""
        ranks = "".join(
            f'<li><em>{i + 1}</em><a href="/{i}.html" title="{escape(t)}">{escape(t)}</a></li>'
            for i, t in enumerate(self.titles(draw, 8))
        )
        return (
            f"<div{self.css('side')}><div{self.css('ad')}>{draw.choice(_SPONSORED)}</div>"
            f"<h3>{self.pick('热点排行', '点击榜', '最新消息', '48小时热文')}</h3><ol>{ranks}</ol>"
            f"<p>{self.pick('关注我们的公众号，第一时间获得更多内容。', '投稿邮箱见联系我们页面。', '')}</p></div>"
        )

    def ad(self, draw: Random) -> str:
        """Return a sponsored line, which some sites put between the paragraphs."""
        return f'<div{self.css("ad")}><a href="//ads.example/{draw.randrange(99)}">{draw.choice(_SPONSORED)}</a></div>'

    def comments(self, draw: Random, count: int) -> str:
        """Return readers' comments."""
        rows = "".join(
            f"<div{self.css('item')}><b>{draw.choice(NICKS)}</b> <span>{self.day(draw)} "
            f"{draw.randrange(24):02d}:{draw.randrange(60):02d}</span><p>{text}</p>"
            f'<a href="javascript:">回复</a> <a href="javascript:">赞({draw.randrange(50)})</a></div>'
            for text in draw.sample(read_lines("comments"), count)
        )
        return (
            f"<div{self.css('comment')}><h3>{self.pick('网友评论', '最新评论', '跟帖')}({count})</h3>{rows}"
            "<textarea>文明上网，理性发言</textarea><button>发表评论</button></div>"
        )

    def foot(self) -> str:
        """Return the footer: imprint, licenses and copyright notice."""
        notice = (
            f"<p>{self.name}声明：凡本网注明来源的作品，版权均属于{self.name}，未经授权不得转载、摘编。"
            "已经授权使用的，应在授权范围内使用，并注明来源。网站内容仅供参考，不构成任何建议。</p>"
            if self.style % 3
            else ""
        )
        if self.script == "en":
            return f"<div{self.css('foot')}>Copyright {self.year} {self.name}. All rights reserved. Privacy Terms</div>"
        if self.script == "tw":
            return (
                f"<div{self.css('foot')}>© {self.year} {self.name} 版權所有 本站文章未經同意請勿轉載 "
                "使用佈景主題 隱私權政策 訂閱 RSS</div>"
            )
        if self.style % 5 == 0:
            return (
                f"<div{self.css('foot')}>© {self.year} {self.name}<br>某ICP备00000000号<br>"
                "<img src=/gs.gif> 客服电话：000-0000000</div>"
            )
        if self.style % 5 in {1, 2}:
            links = "".join(f"<li><a href=/{i}>{x}</a></li>" for i, x in enumerate(_HELP))
            return (
                f"<div{self.css('foot')}><ul>{links}</ul><span>某ICP证000000号 网络文化经营许可证 "
                f"某网文[0000]0000-000号</span><span>{self.name}版权所有 ©2003-{self.year}</span></div>"
            )
        return (
            f"<div{self.css('foot')}><p><a href='/about'>关于我们</a> | <a href='/ad'>广告服务</a> | "
            f"<a href='/job'>招聘信息</a> | <a href='/map'>网站地图</a></p>{notice}<p>Copyright &copy; "
            f"2008-{self.year} {self.host} All Rights Reserved {self.name} 版权所有</p>"
            "<p>某ICP备00000000号-1 某公网安备 00000000000000号 违法和不良信息举报电话：000-00000000</p></div>"
        )

    def tail(self, title: str) -> str:
        """Return the content of ``<title>``."""
        form = self.pick("{t}_{n}", "{t}-{c}-{n}", "{t} - {n}", "{t}|{c}|{n}", "{t}", "{n}：{t}")
        return form.format(t=title, n=self.name, c=self.channels[-1])

    def date(self, when: datetime) -> tuple[str, str]:
        """Return a time as the site writes it, and the expected result."""
        form = self.pick(
            "%Y-%m-%d %H:%M", "%Y年%m月%d日 %H:%M", "%Y年%m月%d日%H:%M", "%Y/%m/%d %H:%M:%S",
            "%Y-%m-%d", "%Y年%m月%d日",
        )  # fmt: skip
        precise = "%H" in form
        return when.strftime(form), f"{when:%Y-%m-%dT%H:%M}" if precise else f"{when:%Y-%m-%d}"

    def fetched(self, when: datetime) -> datetime:
        """Return the time of the fetch: two days after publication."""
        return when + timedelta(days=2, hours=3)


def paragraphs(texts: Iterable[str], form: str) -> str:
    """Return paragraphs in one of the markup styles of editors."""
    if form == "br":
        return "<br>\n<br>\n".join(f"　　{escape(x, quote=False)}" for x in texts)
    if form == "br1":
        return "<br/>".join(f"&nbsp;&nbsp;&nbsp;&nbsp;{escape(x, quote=False)}" for x in texts)
    if form == "div":
        return "".join(f"<div><span>{escape(x, quote=False)}</span></div>" for x in texts)
    if form == "section":
        return "".join(
            f'<section style="margin:0 8px"><span style="font-size:15px">{escape(x, quote=False)}</span></section>'
            for x in texts
        )
    if form == "word":
        return "".join(
            f'<p class="MsoNormal" style="text-indent:21pt"><font face="宋体"><span lang="EN-US">'
            f"</span>{escape(x, quote=False)}<o:p></o:p></font></p>\n"
            for x in texts
        )
    return "".join(f"<p>{indent_of(form)}{escape(x, quote=False)}</p>\n" for x in texts)


def indent_of(form: str) -> str:
    """Return the two full-width spaces that many editors type before a paragraph."""
    return "　　" if form == "p2" else ""
