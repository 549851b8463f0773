"""Pages of forum and question software, drawn without telling addresses.

Each template draws a page of another software or kind of site; names of classes, words and formats of
dates differ.  They are in two halves: models are trained on the first and judged on the second.
:mod:`benchmarks.thread_lookalikes` has pages that are no threads, in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from benchmarks.corpus.site import NICKS, Site
from benchmarks.corpus.stories import TOPICS, moment, read_lines, section, story

ENGLISH_POSTS = (
    "I had the same problem last week and updating the driver fixed it, so try that first.",
    "Thanks for the quick answer, that works for me. I will mark this as solved, then.",
    "Could you post the whole error message? It is hard to say without it, to be honest.",
    "Has anybody tried the new version? It feels slower here, and the menu is gone.",
    "I would not do that. Back up your files first, and then reinstall everything.",
    "Same here. Mine is two years old, and the battery lasts about four hours.",
)
_PARAGRAPH = "</p><p>"
ENGLISH_NAMES = ("mike77", "oldsalt", "J. Harper", "kate_b", "rusty", "teapot", "Nils", "quarry")


@dataclass(frozen=True, slots=True)
class Post:
    """A post of a thread."""

    name: str
    when: datetime
    text: str
    """HTML in a paragraph."""

    @property
    def lines(self) -> list[str]:
        """The paragraphs of the text."""
        return self.text.split(_PARAGRAPH)


@dataclass(frozen=True, slots=True)
class Thread:
    """What a template shows."""

    title: str
    posts: tuple[Post, ...]
    site: Site
    draw: Random

    def day(self, post: Post, form: str = "%Y-%m-%d %H:%M") -> str:
        """Return when a post was written."""
        return f"{post.when:{form}}"

    def frame(self, body: str, tail: str = "") -> str:
        """Return the whole page."""
        s = self.site
        return (
            f"<!DOCTYPE html><html>{s.head(f'{self.title}{tail}')}<body>{s.nav()}{body}"
            f"{s.side(self.draw) if self.draw.random() < 0.5 else ''}{s.foot()}</body></html>"
        )


def thread(seed: int, english: bool = False) -> Thread:
    """Return a drawn thread."""
    draw = Random(f"thread {seed}")
    site = Site(seed, "threads", seed % 7, "en" if english else "cn")
    if english:
        title = draw.choice(("Laptop does not boot", "Best tea shops in town", "Old maps wanted"))
        texts = draw.sample(ENGLISH_POSTS, draw.randint(2, 6))
        names = draw.sample(ENGLISH_NAMES, len(texts))
    else:
        kind = draw.choice(("threads", "questions"))
        told = section(draw, kind, draw.randrange(50))
        title, texts = told.title, list(told.paragraphs)
        if draw.random() < 0.5:
            texts = texts[: draw.randint(2, max(2, len(texts)))]
        if draw.random() < 0.4:
            more = story(draw, draw.choice(TOPICS)).paragraphs
            texts[0] = _PARAGRAPH.join((texts[0], *more[: draw.randint(1, 4)]))
        texts += draw.sample(read_lines("comments"), draw.randint(0, 5))
        names = [draw.choice(NICKS) for _ in texts]
    when = moment(draw)
    posts = []
    for name, text in zip(names, texts, strict=True):
        posts.append(Post(name, when, text))
        when += timedelta(minutes=draw.randrange(3, 3_000))
    return Thread(title, tuple(posts), site, draw)


def _discuz(t: Thread) -> str:
    rows = "".join(
        f'<div id="post_{i}"><table class="plhin"><tr><td class="pls"><div class="authi"><a>{p.name}</a></div>'
        f"<p><em>中级会员</em></p><dl><dt>积分</dt><dd>{i * 31}</dd></dl></td><td class=plc><div class=pi><strong><a>"
        f"{('楼主', '沙发', '板凳', '地板')[i] if i < 4 else f'{i + 1}#'}</a></strong><em>发表于 {t.day(p)}</em> | <a>只看该作者</a>"
        f'</div><div class=pct><td class="t_f" id="postmessage_{i}">{p.text}</td></div><div><a>回复</a> <a>举报</a>'
        "</div></td></tr></table></div>"
        for i, p in enumerate(t.posts)
    )
    return t.frame(
        f"<h1><span id=thread_subject>{t.title}</span></h1><div>查看: 301 | 回复: 6</div><div id=postlist>{rows}</div>"
    )


def _phpbb(t: Thread) -> str:
    rows = "".join(
        f'<div id="p{i}" class="post bg{i % 2 + 1}"><div class="inner"><dl class="postprofile"><dt><a>{p.name}</a></dt>'
        f"<dd>Posts: {i * 17}</dd><dd>Joined: Mon May 02, 2011</dd></dl><div class=postbody><h3><a>Re: {t.title}</a></h3>"
        f"<p class=author>by <strong><a>{p.name}</a></strong> » {t.day(p, '%a %b %d, %Y %I:%M %p')}</p>"
        f'<div class="content">{p.text}</div></div><div class=back2top><a>Top</a></div></div></div>'
        for i, p in enumerate(t.posts)
    )
    return t.frame(
        f"<h2 class=topic-title><a>{t.title}</a></h2><div>{len(t.posts)} posts • Page 1 of 1</div>{rows}"
    )


def _discourse(t: Thread) -> str:
    rows = "".join(
        f'<div id="post_{i}" class="topic-body crawler-post"><div class="crawler-post-meta"><span><a>{p.name}</a></span>'
        f"<span><time>{t.day(p, '%Y 年%m 月 %d 日 %H:%M')}</time> <span>{i + 1}</span></span></div>"
        f'<div class="post"><p>{p.text}</p></div><div>{i * 2} 个赞</div></div>'
        for i, p in enumerate(t.posts)
    )
    return t.frame(f"<h1>{t.title}</h1>{rows}")


def _zhihu(t: Thread) -> str:
    rows = "".join(
        f'<div class="List-item"><div class="AuthorInfo"><a>{p.name}</a><div>写过几本小书</div></div>'
        f"<div>{i * 7 + 2} 人赞同了该回答</div><div class=RichContent><p>{p.text}</p></div>"
        f"<div><a>发布于 {t.day(p)}</a></div><div>赞同 {i * 9} 添加评论 分享 收藏 喜欢</div></div>"
        for i, p in enumerate(t.posts[1:])
    )
    return t.frame(
        f"<h1>{t.title}</h1><div>{t.posts[0].text}</div><div>关注问题 写回答 邀请回答</div>"
        f"<h4>{len(t.posts) - 1} 个回答</h4><div>{rows}</div>"
    )


def _tieba(t: Thread) -> str:
    rows = "".join(
        f'<div class="l_post l_post_bright"><div class="d_author"><ul><li><a>{p.name}</a></li><li>{i + 1}</li></ul></div>'
        f'<div class=d_post_content_main><cc><div class="d_post_content">{p.text}</div></cc>'
        f"<div class=core_reply><span>来自Android客户端</span><span>{i + 1}楼</span><span>{t.day(p)}</span><a>回复</a></div></div></div>"
        for i, p in enumerate(t.posts)
    )
    return t.frame(f"<h3>{t.title}</h3>{rows}")


def _v2ex(t: Thread) -> str:
    first, *rest = t.posts
    rows = "".join(
        f'<div id="r_{i}" class="cell"><table><tr><td><img></td><td><div class=fr><span class=no>{i + 1}</span></div>'
        f'<strong><a class=dark>{p.name}</a></strong> <span class=ago>{t.day(p)}</span><div class="reply_content">{p.text}</div>'
        "</td></tr></table></div>"
        for i, p in enumerate(rest)
    )
    return t.frame(
        f"<div class=header><h1>{t.title}</h1><small><a>{first.name}</a> · {t.day(first)} · 1203 次点击</small></div>"
        f"<div class=topic_content>{first.text}</div><div class=box><div class=cell>{len(rest)} 条回复 • {t.day(t.posts[-1])}"
        f"</div>{rows}</div>"
    )


def _old_cells(t: Thread) -> str:
    rows = "".join(
        f"<tr bgcolor=#eee><td width=20%><b>{p.name}</b><br>等级：新手上路<br>文章：{i * 3}<br>注册：2003-4-1</td><td>"
        f"<font color=gray>{'' if i == 0 else f'第 {i + 1} 楼 '}发贴时间：{t.day(p, '%Y-%m-%d %H:%M:%S')}</font><hr>{p.text}</td></tr>"
        for i, p in enumerate(t.posts)
    )
    return t.frame(f"<table><tr><td colspan=2>* 贴子主题：{t.title}</td></tr>{rows}</table>")


def _knows(t: Thread) -> str:
    first, *rest = t.posts
    rows = "".join(
        f'<div class="wgt-answers"><div class="answer"><div class="line"><div class="best-text"><p>{p.text}</p></div></div>'
        f"<div class=meta><a>{p.name}</a> 推荐于 {t.day(p, '%Y-%m-%d')}</div><div>已赞过 评论 收起</div></div></div>"
        for p in rest
    )
    return t.frame(
        f"<article><h1 class=ask-title>{t.title}</h1><div>{first.name} 浏览 {t.day(first, '%Y-%m-%d')}</div>"
        f"<pre class=q-content>{first.text}</pre></article><div>我来答 分享 举报</div>{rows}"
    )


def _guests(t: Thread) -> str:
    rows = "".join(
        f"<p>[{i + 1}] 作者：{p.name} 时间：{t.day(p, '%Y-%m-%d %H:%M:%S')}<br>{p.text}</p>"
        for i, p in enumerate(t.posts)
    )
    return t.frame(f"<p align=center><b>{t.title}</b></p>{rows}<p>返回 回复此贴</p>", "-讨论区")


def _smf(t: Thread) -> str:
    rows = "".join(
        f'<div class="windowbg"><div class="post_wrapper"><div class=poster><h4><a>{p.name}</a></h4><ul><li>Full Member</li>'
        f"<li>Posts: {i * 9}</li></ul></div><div class=postarea><h5><a>{t.title}</a></h5><div>« <strong>{'' if i == 0 else f'Reply #{i} '}"
        f"on:</strong> {t.day(p, '%B %d, %Y, %I:%M:%S %p')} »</div><div class=post><div class=inner>{p.text}</div></div></div></div></div>"
        for i, p in enumerate(t.posts)
    )
    return t.frame(f"<h3>Author Topic: {t.title} (Read 1203 times)</h3>{rows}", " - Forum")


def _quora(t: Thread) -> str:
    first, *rest = t.posts
    rows = "".join(
        f"<div class=answer><div><a>{p.name}</a>, works at a shop</div><div>Answered {t.day(p, '%b %d, %Y')}</div><div><p>{p.text}</p>"
        "</div><div>Upvote Share Comment</div></div>"
        for p in rest
    )
    return t.frame(
        f"<h1>{t.title}?</h1><div>{first.text}</div><div>{len(rest)} answers</div>{rows}"
    )


def _vbulletin(t: Thread) -> str:
    rows = "".join(
        f'<li class="postbitlegacy" id="post_{i}"><div class="posthead"><span class=date>{t.day(p, "%m-%d-%Y, %I:%M %p")}</span>'
        f"<span><a>#{i + 1}</a></span></div><div class=userinfo><a><strong>{p.name}</strong></a><span>Senior Member</span>"
        f"<dl><dt>Join Date</dt><dd>Apr 2009</dd><dt>Posts</dt><dd>{i * 41}</dd></dl></div><div class=postbody><blockquote>{p.text}"
        "</blockquote></div><div class=postfoot><a>Reply With Quote</a></div></li>"
        for i, p in enumerate(t.posts)
    )
    return t.frame(
        f"<h1>Thread: <a>{t.title}</a></h1><div>Results 1 to {len(t.posts)} of {len(t.posts)}</div><ol>{rows}</ol>"
    )


def _nodebb(t: Thread) -> str:
    rows = "".join(
        f'<li component="post"><div><a>{p.name}</a> <small><a>{t.day(p, "%Y年%m月%d日 %H:%M")}</a> <a>#{i + 1}</a></small></div>'
        f"<div component=content><p>{p.text}</p></div><div><a>回复</a> <a>引用</a> <span>{i}</span></div></li>"
        for i, p in enumerate(t.posts)
    )
    return t.frame(
        f"<h1><span>{t.title}</span></h1><div>{len(t.posts)} 帖子 4 发布者 1.2k 浏览</div><ul component=topic>{rows}</ul>"
    )


def _dvbbs(t: Thread) -> str:
    rows = "".join(
        f"<TABLE><TBODY><TR><TD><FONT color=#990000><B>{p.name}</B></FONT><BR>帅哥哟，离线<BR>等级：论坛游民<BR>文章：{i * 12}"
        f"</TD><TD><B>{'楼主' if i == 0 else f'{i + 1} 楼'}</B> 点击这里发送电子邮件 引用回复这个贴子<HR>{p.text}<BR></TD></TR>"
        f"<TR><TD>{t.day(p, '%Y-%m-%d %H:%M:%S')}</TD><TD>举报 回到顶部</TD></TR></TBODY></TABLE>"
        for i, p in enumerate(t.posts)
    )
    return t.frame(f"<TABLE><TR><TD>主题：{t.title}</TD></TR></TABLE>{rows}", " - 动网论坛")


def _phpwind(t: Thread) -> str:
    rows = "".join(
        f'<div class="t5 t2"><table><tr><th><b>{p.name}</b><div>级别: 骑士</div><div>精华: 0</div><div>发帖: {i * 5}</div></th>'
        f"<th><div class=tiptop><a>{'楼主' if i == 0 else f'{i}楼'}</a> 发表于: {t.day(p)} <a>只看该作者</a> 小 中 大</div>"
        f'<div class="tpc_content"><div class=f14 id=read_{i}>{p.text}</div></div><div>顶端 引用 举报</div></th></tr></table></div>'
        for i, p in enumerate(t.posts)
    )
    return t.frame(f"<h1>{t.title}</h1><form>{rows}</form>", " | 生活区 - 社区")


def _overflow(t: Thread) -> str:
    first, *rest = t.posts
    rows = "".join(
        f'<div id="a-{i}"><div>{i * 3}</div><div><div class="s-prose"><p>{p.text}</p></div><div>Share Improve this answer '
        f"Follow</div><div>answered {t.day(p, '%b %d, %Y at %H:%M')}</div><div><a>{p.name}</a> 1,{i}02 3 9</div></div></div>"
        for i, p in enumerate(rest)
    )
    return t.frame(
        f"<h1><a>{t.title}</a></h1><div>Asked {t.day(first, '%b %d, %Y')} Viewed 1k times</div><div><p>{first.text}</p>"
        f"<div>asked {t.day(first, '%b %d, %Y at %H:%M')} <a>{first.name}</a></div></div><h2>{len(rest)} Answers</h2>{rows}"
    )


def _flarum(t: Thread) -> str:
    rows = "".join(
        f"<article><header><h3><a>{p.name}</a></h3><time>{t.day(p, '%Y年%m月%d日')}</time></header><div><p>{p.text}</p></div></article>"
        for p in t.posts
    )
    return t.frame(f"<h1>{t.title}</h1><div>{rows}</div>", " - 社区")


def _group(t: Thread) -> str:
    first, *rest = t.posts
    rows = "".join(
        f'<li id="{i}"><div class=pic><img></div><div><div class=bg-img><h4><a>{p.name}</a> <span>{t.day(p, "%Y-%m-%d %H:%M:%S")}'
        f"</span></h4></div><p>{p.text}</p><div>赞 回应</div></div></li>"
        for i, p in enumerate(rest)
    )
    return t.frame(
        f"<h1>{t.title}</h1><h3><span>来自: <a>{first.name}</a></span> <span>{t.day(first)}</span></h3><div class=rich>"
        f"<p>{first.text}</p></div><ul>{rows}</ul><div>你的回应 加入小组</div>"
    )


def _lines(t: Thread) -> str:
    rows = "<hr>".join(
        f"<b>{p.name}</b> 于 {t.day(p, '%Y-%m-%d %H:%M:%S')} 提到:<br><br>{p.text}<br>"
        for p in t.posts
    )
    return t.frame(f"<center><font size=4>{t.title}</font></center>{rows}<br>[返回上页] [跟贴]")


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of forum software."""

    write: Callable[[Thread], str]
    english: bool = False
    """Whether half of its threads are English."""

    def __call__(self, seed: int) -> str:
        """Return a drawn page."""
        return self.write(self.thread(seed))

    def thread(self, seed: int) -> Thread:
        """Return what is on that page."""
        return thread(seed, self.english and seed % 2 == 0)


#: Pages of each template that models are trained on.
DRAWS = 12
#: Threads by half.
THREADS: tuple[dict[str, Template], ...] = (
    {
        "discuz": Template(_discuz), "phpbb": Template(_phpbb, True), "discourse": Template(_discourse), "zhihu": Template(_zhihu),
        "tieba": Template(_tieba), "v2ex": Template(_v2ex), "old cells": Template(_old_cells), "knows": Template(_knows),
        "guests": Template(_guests), "smf": Template(_smf, True), "quora": Template(_quora, True),
    },
    {
        "vbulletin": Template(_vbulletin, True), "nodebb": Template(_nodebb), "dvbbs": Template(_dvbbs), "phpwind": Template(_phpwind),
        "overflow": Template(_overflow, True), "flarum": Template(_flarum), "group": Template(_group), "lines": Template(_lines),
    },
)  # fmt: skip
