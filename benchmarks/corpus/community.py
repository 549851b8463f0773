"""Forums, questions and answers, post bars: the body is all posts in order."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from benchmarks.corpus.records import Truth
from benchmarks.corpus.site import NICKS, Site
from benchmarks.corpus.stories import Story, moment, section
from benchmarks.corpus.template import DrawnPage

_SIGNS = ("不积跬步，无以至千里。", "签名还没有想好", "出售闲置，看我的主页", "岁月静好", "")
_LEVELS = ("新手上路", "注册会员", "中级会员", "论坛元老", "金牌会员")


def _thread(
    site: Site, draw: Random, number: int
) -> tuple[Story, list[str], list[datetime], datetime]:
    """Return the texts of a thread, their authors and their times."""
    text = section(draw, "threads", site.style + number)
    start = moment(draw)
    names = draw.sample(NICKS, len(text.paragraphs))
    times = [start]
    for _ in text.paragraphs[1:]:
        times.append(times[-1] + timedelta(minutes=draw.randrange(7, 900)))
    return text, names, times, start


def discuz(site: Site, draw: Random, number: int) -> DrawnPage:
    """Posts beside a column of authors, with quotations, signatures and floor numbers."""
    text, names, times, start = _thread(site, draw, number)
    css = site.css
    rows, truth, quotes = [], [], []
    for i, post in enumerate(text.paragraphs):
        quote = ""
        if i > 1 and draw.random() < 0.4:
            said = f"{names[0]} 发表于 {start:%Y-%m-%d %H:%M} {text.paragraphs[0][:22]} ..."
            quote = f"<div{css('quote')}><blockquote>{said}</blockquote></div>"
            if said not in quotes:
                quotes.append(said)
                truth.append(said)
            else:
                quote = ""
        truth.append(post)
        floor = site.pick("楼主", "1#") if i == 0 else f"{i + 1}{site.pick('楼', '#')}"
        rows.append(
            f'<table id="pid{i}"><tr><td{css("user")} rowspan=2>'
            f'<a href="/u{i}">{names[i]}</a><p>{draw.choice(_LEVELS)}</p>'
            f"<dl><dt>积分</dt><dd>{draw.randrange(9_000)}</dd><dt>帖子</dt><dd>{draw.randrange(900)}</dd></dl>"
            f"<a href='/pm'>发消息</a></td><td><div{css('floor')}><strong><a>{floor}</a></strong> <em>发表于 "
            f"{times[i]:%Y-%m-%d %H:%M}</em> | <a>只看该作者</a> <a>倒序浏览</a></div><div{css('post')}>"
            f'<table><tr><td id="m_{i}">{quote}{post}<br></td></tr></table></div></td></tr><tr><td>'
            f"<div{css('sign')}>{draw.choice(_SIGNS)}</div><a>回复</a> <a>"
            f"支持</a> <a>反对</a> <a>举报</a></td></tr></table>"
        )
    html = (
        f"<html>{site.head(f'{text.title} - 生活版 - {site.name} - Powered by Forum!', charset='gbk')}"
        f"<body>{site.nav()}"
        f"<div>{site.name} › 论坛 › 生活版 › 查看内容</div><div>查看: {draw.randrange(9_999)} | 回复: {len(names) - 1}"
        f"</div><h1><a>[求助]</a> <span>{text.title}</span></h1>{''.join(rows)}<form>您需要登录后才可以回帖 登录 | 注册"
        f"<textarea></textarea>本版积分规则</form><div>GMT+8, 处理时间 0.04 秒</div>{site.foot()}</body></html>"
    )
    truth_record = Truth(
        text.title, tuple(truth), "thread", f"{start:%Y-%m-%dT%H:%M}", names[0], None,
        frozenset(quotes),
    )  # fmt: skip
    return DrawnPage(html, truth_record, start, path="/thread-")


def board(site: Site, draw: Random, number: int) -> DrawnPage:
    """An older board: one table, each reply a row with its first line in the same cell."""
    text, names, times, start = _thread(site, draw, number)
    rows = "".join(
        f"<tr bgcolor={'#f7f7f7' if i % 2 else '#ffffff'}><td><font color=gray>作者：<a href=u{i}>{names[i]}</a> "
        f"回复日期：{times[i]:%Y-%m-%d %H:%M:%S}</font><br>　　{post}<br></td></tr>"
        for i, post in enumerate(text.paragraphs)
    )
    html = (
        f"<html>{site.head(f'{text.title}_{site.name}论坛', charset='gb2312')}"
        f"<body><table><tr><td>{site.nav()}</td></tr>"
        f"</table><h2>{text.title}</h2><p>"
        f"点击：{draw.randrange(9_999)}　回复：{len(names) - 1}</p><table width=100%>{rows}"
        f"</table><p>[返回列表] [上一页] 1 [下一页]</p>{site.links(draw, 8)}{site.foot()}</body></html>"
    )
    truth = Truth(text.title, text.paragraphs, "thread", f"{start:%Y-%m-%dT%H:%M}", names[0], None)
    return DrawnPage(html, truth, start, path="/bbs/")


def bar(site: Site, draw: Random, number: int) -> DrawnPage:
    """A post bar: floors in div, author cards on the left."""
    text, names, times, start = _thread(site, draw, number)
    css = site.css
    rows = "".join(
        f"<div{css('post')}><div{css('user')}><img src=h.png><a>"
        f"{names[i]}</a><span>{draw.randint(1, 14)} 级</span></div>"
        f"<div><div{css('body')}>{post}</div><div{css('floor')}><span>来自手机客户端</span><span>{i + 1}楼</span>"
        f"<span>{times[i]:%Y-%m-%d %H:%M}</span><a>回复</a><a>收起回复</a></div></div></div>"
        for i, post in enumerate(text.paragraphs)
    )
    html = (
        f"<!DOCTYPE html><html>{site.head(f'{text.title}【{site.name[:2]}吧】')}"
        f"<body>{site.nav()}<div>{site.name[:2]}吧 "
        f"关注：{draw.randrange(90_000)} 贴子：{draw.randrange(900_000)}</div>"
        f"<h3 title='{text.title}'>{text.title}</h3>"
        f"<div>只看楼主 收藏 回复</div>{rows}<div>发表回复 发贴请遵守协议</div>"
        f"{site.side(draw)}{site.foot()}</body></html>"
    )
    truth = Truth(text.title, text.paragraphs, "thread", f"{start:%Y-%m-%dT%H:%M}", names[0], None)
    return DrawnPage(html, truth, start, path="/p/")


def answers(site: Site, draw: Random, number: int) -> DrawnPage:
    """A question, the accepted answer and the others."""
    text = section(draw, "questions", site.style + number)
    start = moment(draw)
    css = site.css
    question, *given = text.paragraphs
    rows = "".join(
        f"<div{css('post')}><div{css('user')}><a>{draw.choice(NICKS)}</a> <span>{draw.choice(_LEVELS)}</span></div>"
        f"<div{css('body')}><p>{answer}</p></div><div{css('floor')}>{'已采纳 ' if i == 0 else ''}"
        f"赞同 {draw.randrange(90)}　评论　{(start + timedelta(hours=3 * i + 2)):%Y-%m-%d}</div></div>"
        for i, answer in enumerate(given)
    )
    asker = draw.choice(NICKS)
    html = (
        f"<!DOCTYPE html><html>{site.head(f'{text.title}_{site.name}问答')}<body>{site.nav()}<div{css('main')}>"
        f"<h1>{text.title}</h1><div>{asker} 提问于 {start:%Y-%m-%d %H:%M}　浏览 {draw.randrange(9_000)} 次</div>"
        f"<div{css('quote')}>{question}</div><h2>{len(given)} 个回答</h2><div>默认排序 时间排序</div>{rows}"
        f"<div>我来回答</div></div>{site.side(draw)}{site.related(draw)}{site.foot()}</body></html>"
    )
    truth = Truth(text.title, text.paragraphs, "thread", f"{start:%Y-%m-%dT%H:%M}", asker, None)
    return DrawnPage(html, truth, start, path="/question/")
