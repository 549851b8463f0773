"""Layouts of drawn threads, questions and guestbooks.

Where :mod:`benchmarks.thread_families` varies what is written around a post, a layout varies the structure
(:mod:`benchmarks.thread_styles`), and pages whose ``<title>`` names the site alone; in Chinese and in English.
"""

from __future__ import annotations

from random import Random

from benchmarks.corpus.site import Site
from benchmarks.corpus.stories import TOPICS, section, story
from benchmarks.thread_families import Drawn, Entry
from benchmarks.thread_styles import SIDES, TITLES, Layout, draw_entries, draw_texts
from benchmarks.thread_templates import ENGLISH_POSTS

#: Layouts that models are trained on.
THREAD_LAYOUTS = 300

_ENGLISH_TITLES = (
    "How do I stop the kitchen door from squeaking", "Best route for a first long ride", "Old radio hums after ten minutes", "Is it safe to eat last year's jam?",
    "Anyone else lost the signal on the north side", "Looking for a used lens, any advice?", "Boiler makes a knocking noise at night", "What to do with a cracked tile",
)  # fmt: skip
# First posts: half of them ask nothing.
_OPENERS = (
    "上周刚搬进来，封窗的师傅说用的是三元乙丙胶条，可是晚上坐在沙发上还是觉得有一股凉风从下面钻进来。", "拍了几张照片，大家看看是不是缝太大了，要不要叫他们返工。", "昨天去办手续，窗口的人说系统里查不到我前面八年的缴费记录，让我回原单位开证明，原单位早就没了。",
    "先说结论：能买，但是不要指望它有多快。我骑了两个月，一共八百公里，换过一次内胎。", "今天早上七点多，在东门的台阶上捡到一只黑色的皮手套，左手的，里面有绒，放在保安室了，丢的人自己去拿。", "报修了四次，每次都说已经登记，就是没有人来，晚上下班回来一路摸黑，前天隔壁的阿姨还摔了一跤。",
    "如题，求推荐，预算一千左右，主要是上下班骑，路上有一个长坡。", "坐标北方，一楼，没有地暖，有没有便宜又管用的办法？", "合同上写的是押一付三，住满一年没有拖欠过房租，退房的时候他说墙上有钉眼，要扣两千块，这合理吗？", "不懂就问，这种情况要去哪个部门反映？",
    "发一个帖子记录一下全过程，顺便给后来的人做个参考，有说错的地方请指正。", "第一次发帖，不知道发在这里对不对。事情是这样的，去年六月我在他们店里交了三千块定金，到现在还没有送货。", "家里的这台是八几年的，外壳是木头的，背后的电容鼓了两个，换了以后声音还是有嗡嗡声。", "每年到这个时候就想吃，可是外面卖的都不对味，我妈当年放的是炒米，不是糯米粉。",
    "宝宝一岁七个月，以前九点就睡，最近非要玩到十一点，关了灯就哭。", "医生您好，我父亲今年六十八岁，上个月体检查出来有一个小结节，需要马上做手术吗？", "女，三十二岁，最近两个月一到下午就头疼，休息一会儿会好一点。", "电脑重启以后就再也连不上了，灯是绿的，别的设备都正常，重装了驱动也没有用。",
    "去年春天种下去的，今年结了七八个，皮很厚，酸得牙都软了，隔壁那棵就很甜。", "RT", "在线等，挺急的。", "想了很久还是决定说出来，憋在心里太难受了。", "版本是最新的，日志里面没有报错，点保存就卡住不动。", "有人知道什么时候开门吗，白跑了两趟。",
)  # fmt: skip
_ENGLISH_OPENERS = (
    "It started about a month ago and oil only helps for a day or two.", "I have forty pounds to spend, so nothing fancy. Which one would you pick?", "Found the attached photo in a drawer and now I am curious who took it.", "The logs show nothing and the light stays green, but it drops out twice an hour.",
    "Just sharing what worked for me, since nobody else seems to have written it down.", "Does anybody know when they open again?", "They told me it would take a week. That was in March.", "As the title says. Any pointers are welcome, thanks.",
)  # fmt: skip
_COUNTS = ("{n} 条回复", "{n} 回复", "共收到 {n} 条回复", "回复 ({n})", "所有回答 {n}", "{n}人回复", "全部回复", "{n} 个回答", "共{n}条回复", "回答 {n}", "跟帖", "大家的回答",
           "", "", "", "评论：", "{n} 条评论", "热门回答 最新回答", "网友回复", "回应")  # fmt: skip
_ENGLISH_COUNTS = (
    "{n} replies",
    "Replies ({n})",
    "{n} answers",
    "",
    "",
    "{n} posts",
    "Answers",
    "{n} comments",
    "Responses",
)
_ENDS = ("", "", "请先<a href='/login'>登录</a>，然后再发表回复", "回复内容<textarea></textarea><button>提交</button>", "登录后方可回复", "我来回答", "<textarea></textarea><button>回帖</button>",
         "发表回复", "发表评论", "写下你的回答")  # fmt: skip
_ENGLISH_ENDS = ("", "Post a reply", "Log in to reply", "You must be logged in to post")
_GENERIC = (
    "话题",
    "问题详情",
    "帖子详情",
    "主题",
    "校园论坛",
    "问答",
    "{s}",
    "{s}",
    "详情",
    "{n}的提问",
    "讨论区",
)
_ENGLISH_GENERIC = ("Topic", "Forum", "View thread", "{s}")


def _question(draw: Random, english: bool) -> tuple[str, tuple[str, ...]]:
    """Return the title of a thread and its first post."""
    if english:
        text = draw.sample((*ENGLISH_POSTS, *_ENGLISH_OPENERS), draw.choice((1, 1, 2)))
        return draw.choice(_ENGLISH_TITLES), tuple(text)
    told = section(draw, draw.choice(("threads", "questions")), draw.randrange(50))
    lines: tuple[str, ...] = told.paragraphs[:1]
    if draw.random() < 0.8:
        lines = tuple(draw.sample(_OPENERS, draw.choice((1, 1, 1, 2))))
    if draw.random() < 0.25:
        lines = (*lines, *story(draw, draw.choice(TOPICS)).paragraphs[: draw.randint(1, 4)])
    return (told.title if draw.random() < 0.2 else draw.choice(TITLES)), lines


def thread_layout(layout: int, page: int) -> Drawn:
    """Return a page of a layout of threads."""
    of_layout, draw = Random(f"layout of threads {layout}"), Random(f"layout {layout}/{page}")
    english = of_layout.random() < 0.25
    style = Layout(of_layout, comments=False, english=english)
    guestbook = of_layout.random() < 0.08
    opening = of_layout.choice(("alike", "own", "own", "own", "titled"))
    described = of_layout.random() < 0.85
    title_tag = of_layout.choice(("h1", "h1", "h2", "h3", "h4", "div", "span", "b"))
    asker = of_layout.choice(("above", "above", "below", "line", "none"))
    asked = of_layout.choice(("", "", "作者 {n}", "提问者：{n}", "{n} 发表了", "由 {n} 添加", "发布于 {t}", "创建时间：{t} 来自: {n}", "{t} by {n}", "来自 生活 {m} 次浏览", "321 阅读 {m} 回答",
                              "最后由 {n} 回复于 {t}"))  # fmt: skip
    head = of_layout.choice(_ENGLISH_COUNTS if english else _COUNTS)
    end = of_layout.choice(_ENGLISH_ENDS if english else _ENDS)
    named = of_layout.random() < 0.65
    generic = of_layout.choice(_ENGLISH_GENERIC if english else _GENERIC)
    card = of_layout.choice(("", "", "", "<div><span>作者</span><a href='/u/9'>{n}</a><span>积分: {m}</span></div>", "<div>作者：{n}</div>"))  # fmt: skip
    side = of_layout.choice(SIDES)
    site = Site(layout, "boards", layout % 7, "en" if english else "cn")
    title, lines = _question(draw, english)
    count = draw.choice((1, 1, 1, 2, 2, 3, 5, 9, 14))
    if guestbook:
        count = max(2, count)
    entries = draw_entries(draw, [lines, *draw_texts(draw, count, english)], english)
    first, *rest = entries
    values = {
        "n": first.name,
        "t": style.time(first.when),
        "m": draw.randrange(900),
        "s": site.name,
    }
    heading = f"<{title_tag}{style.name('title')}>{title}</{title_tag}>"
    body = [title, *(first.lines if described else ()), *(x for it in rest for x in it.lines)]
    count_line = f"<div{style.name('count')}>{head.format(n=count, t=title)}</div>" if head else ""
    if guestbook:
        heading, title = "", "留言板"
        inner = f"<h1>{title}</h1>{style.posts(rest, 0, draw)}"
        body = [x for it in rest for x in it.lines]
    elif opening == "alike":
        inner = f"{heading}{count_line}{style.posts(entries, 0, draw)}"
        body = [title, *(x for it in entries for x in it.lines)]
    elif opening == "titled":
        # The title is a part of the first post.
        inner = style.posts([Entry(first.name, first.when, (f"{title}。", *first.lines))], 0, draw)
        inner += count_line + style.posts(rest, 1, draw)
        body = [f"{title}。", *first.lines, *(x for it in rest for x in it.lines)]
    else:
        line = f"<div{style.name('info')}>{asked.format(**values)}</div>" if asked else ""
        if asker == "above":
            line = (
                f"<div>{style.parts(0, first, draw)[0]} {style.parts(0, first, draw)[1]}</div>"
                + line
            )
        text = style.text(first.lines) if described else ""
        below = line if asker in ("below", "line") else ""
        inner = f"<div{style.name('opening')}>{heading}{'' if below else line}<div{style.name('asked')}>{text}</div>{below}</div>"
        inner += count_line + style.posts(rest, 0, draw)
    whole = f"{title}{of_layout.choice((' - ', '_', ' | '))}{site.name}"
    return Drawn(
        f"<!DOCTYPE html><html>{site.head(whole if named else generic.format(**values))}<body>{site.nav()}"
        f"{card.format(**values)}<div{style.name('page')}>{inner}<div>{end}</div></div>"
        f"{side.format(r=site.links(draw, 6))}{site.foot()}</body></html>",
        "\n".join(body),
    )
