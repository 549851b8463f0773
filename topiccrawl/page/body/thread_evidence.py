"""Evidence that a page is a thread, from its text and boxes alone.

The posts of a thread are boxes of one sort, one after the other, each with a name, a time or a floor
number and some text.  Comments below an article look the same, but the article stands before them.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.body.items import in_headings
from topiccrawl.page.body.joined_lines import JoinedLines
from topiccrawl.page.body.records import Records, may_be_names, places_of, records_of
from topiccrawl.page.body.windows import prefix_sums
from topiccrawl.page.hrefs import leads_to_member, may_lead_to_members
from topiccrawl.page.landmarks import heads_answers, heads_replies
from topiccrawl.page.patterns import words
from topiccrawl.page.regions import CACHED_NAMES
from topiccrawl.page.tags import HEADING_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from topiccrawl.page.body.blocks import Blocks, Floats
    from topiccrawl.page.body.features import Flags
    from topiccrawl.page.outline import Outline

#: Evidence for a thread, and evidence against it, in the order of the columns of :func:`thread_evidence`.
FOR: Final = (
    "clocked", "members", "owner", "reply_form", "answers", "board_title", "question_title", "asked", "below_answers",
    "answer_boxes", "replied", "replies_head", "question*signs", "by_members", "linked*no_opening", "linked*opening",
    "plain*no_opening", "plain*opening", "undated*no_opening", "undated*opening", "single*opening", "answers_head",
)  # fmt: skip
AGAINST: Final = (
    "article", "sourced", "comment_boxes", "text*comments_head", "rated", "headed",
    "recurring",
)  # fmt: skip
EVIDENCE: Final = FOR + AGAINST
#: Evidence in words for a thread, which another site may write in others, or not at all.
WORDS: Final = frozenset((
    "members", "owner", "reply_form", "answers", "board_title", "question_title", "asked", "below_answers",
    "replied", "replies_head", "question*signs", "answers_head",
))  # fmt: skip

# Most characters of a line around a post (a guess: longer ones are posts).
_SHORT: Final = 60
_TIME: Final = re.compile(
    r"(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}|\d{1,2}-\d{1,2}-(?:19|20)\d\d|\d{1,2}[-月]\d{1,2}日?\s\d{1,2}:\d\d"
    r"|(?:^|[\s·|:：])\d{1,2}月\d{1,2}日$"
    r"|\d\s?(?:秒|分|小时|天|日|周|星期|月|个月|年|小時|週|個月)[钟鐘]?[之以]?前|(?:昨天|今天|前天)"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? (?:\d{1,2},? ?(?:\d{4}|'?\d\d\b|at)|\d{4})"
    r"|\d (?:min(?:ute)?s?|hours?|days?|weeks?|months?|years?) ago"
    r"|(?:^|[\s·|])\d{1,2}[-/]\d{1,2}(?:[-/]\d{2,4})?(?=$|[\s·|,])"
    r"|\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?=$|[\s·|,@])|\d\s?(?:mo|[hdwy])$"
)
_TIME_OF_DAY: Final = re.compile(r"\d{1,2}:\d\d|前|ago")
# Numbers, and names of months.
_VARYING: Final = re.compile(r"\d+|[A-Za-z]+")
# What is beside a time that is no name.
_BESIDE: Final = re.compile(
    rf"[\W\d年月日于於]+|\b(?:{words('at', 'on', 'am', 'pm', 'AM', 'PM', 'UTC', 'GMT', 'Date', 'Posted', 'Created')})\b"
    "|(?:发[表布]|發[表佈]|注册|更新|创建|添加|评论)?(?:时间|時間|日期)|发[表布]|發[表佈]|评论"
)
_FLOOR: Final = re.compile(
    r"\d\s?[楼樓](?!\S*[上下层層])|^第\s?\d+\s?[楼樓]|(?:^|\s)#\d{1,4}\b|\b\d{1,4}#|楼主|樓主|沙发|板凳|地板"
)
_ACTIONS: Final = ("reply", "quote", "report", "like", "share", "permalink")
_ACTION: Final = re.compile(
    r"回复|回覆|引用|举报|檢舉|赞|讚|支持|反对|只看|收起|点评|评论"
    rf"|(?:{words(*_ACTIONS, *map(str.capitalize, _ACTIONS))})\b"
)
_COMMENTS: Final = re.compile(
    r"评论|評論|留言|跟帖|跟贴|网友|讀者|读者|说说|看法|\bcomments?\b|\bresponses?\b|\bdiscussion\b",
    re.IGNORECASE,
)
# Two patterns, of which one begins with a number and one with a letter, so that a search looks for these.
_NUMBER_OF_ANSWERS: Final = (
    r"\d(?:\s?[个個條条]\s?回[答帖]|\s?[人位](?:律师|医生|专家|网友|用户)?\s?[回解]答"
    r"|\s+[Aa]nswers?\b|\s+(?:replies|posts)\b|\s?(?:帖子|篇帖子))"
)
_ANSWERS: Final = (
    re.compile(_NUMBER_OF_ANSWERS),
    re.compile(
        r"回[答帖](?:\s?[(（:：]?\s?\d|数)|全部回答|其他回答|我来答|写回答|最佳答案|已采纳|满意回答"
    ),
)
_REPLIES_HEAD: Final = (
    re.compile(r"\d\s?[条條个個則人]?\s?回[复覆復應应]"),
    re.compile(
        r"(?:全部|所有|网友|大家的)回[复覆答]|回[复应]\s?[(（:：]\s?\d|\bRepl(?:y|ies)\s?[(:]\s?\d"
        r"|^(?:Replies|Answers|Responses)$",
        re.MULTILINE,
    ),
)
_REPLIES_HEAD_HINTS: Final = (
    "回复", "回應", "回应", "回覆", "回復", "回答", "Repl", "Answers", "Responses",
)  # fmt: skip
# Words of a reply beside its time or author, and before the title of its thread.
_REPLIED: Final = re.compile(
    "回复于|回答于|回帖于|跟帖于|回复时间|回复了|回答了|[Rr]eplied|[Aa]nswered|R[Ee]: "
)
_MOST_REPLIED: Final = 3
# Words of who asked, of who answered, and of what is done with an answer.
_ASKED: Final = (
    re.compile(
        "提问(?:者|人|于|时间|日期|内容)|问题(?:描述|补充|详情|标题)|病情描述|我要提问|悬赏|留言(?:者|人|时间|内容)"
    ),
    re.compile(
        "回答(?:者|人|于|数|时间|内容|问题)|(?:医生|律师|专家|网友|老师|用户|医师|所有|写|的)(?:回[答复]|解答)|条答案|个答案|提交回答|我[来要]回答|参与回答"
        "|回[复帖](?:人|者|时间|内容)"
    ),
    re.compile("采纳|最佳(?:答案|回答)|(?:满意|推荐|被选|精彩)(?:答案|回答)|好问题|追问|赞同"),
)
# In each of them, and in every line that names answers: a search for these is fast.
_ASKED_HINTS: Final = (("问", "悬赏", "病情", "留言"), ("答", "回"), ("采纳", "答", "问", "赞同"))
_ANSWERS_HINTS: Final = (
    "答", "回", "帖", "采纳", "问", "赞同", "nswer", "epl", "posts", "Responses",
)  # fmt: skip
_LABEL_HINTS: Final = (*_ANSWERS_HINTS, "悬赏", "病情", "留言")
_REPLIED_HINTS: Final = (
    "复于", "答于", "帖于", "复时间", "复了", "答了", "eplied", "nswered", "e: ", "E: ",
)  # fmt: skip
_REPLY_FORM_HINTS: Final = (
    "帖", "回复", "回覆", "来答", "回答", "返回列表", "后可回", "参与讨论", "加入对话", " reply",
)  # fmt: skip
_QUESTION: Final = re.compile(
    r"[?？]|吗(?=\s|[-_|–—(（]|$)|有人|各位|大家|我家|谁|怎么|怎样|如何|什么|为何|是否|能不能|会不会|要不要|该不该|哪[个些家里种位]|[请想]问|请教|求(?:助|推荐|指点|教|购|问|解)|有没有|多少|还是"
    r"|\b(?:[Hh]ow (?:do|can|should|to)|[Ss]hould I|[Aa]ny(?:one|body)|[Aa]ny advice|[Ll]ooking for|[Hh]elp with"
    r"|[Ii]s it)\b"
)
# Names of boxes of answers, and of readers' comments.
_ANSWER_NAME: Final = re.compile(
    r"(?<!faq.)(?:answer|anwser|jieda|huida|(?<![a-z])(?:da|daan)(?![a-z]))"
)
_ANSWER_NAME_HINT: Final = re.compile("answer|anwser|jieda|huida|da(?:an)?(?![a-z])")
_COMMENT_NAME: Final = re.compile("comment|pinglun|cmt|feedback")
# Most characters of the text of a link to a member (a guess: most user names of forums have up to 8 Han characters).
_NAME: Final = 12
# In every time, and in every floor number.
_TIME_HINT: Final = re.compile(r"[\d前昨今]")
_TIME_SIGN: Final = re.compile(
    r"\d\s?[-/.年月日天分秒小周星个個週]|[昨今前]天|\d\s?[mhdwy]|\d [JFMASOND]|[JFMASOND][a-z]{2,8}\.? \d"
)
_FLOOR_HINT: Final = re.compile("[楼樓#沙板地]")
_BOARD_TITLE: Final = re.compile(
    r"论坛|論壇|社区|社區|贴吧|吧】|吧_|bbs|forum|discuz|phpwind|powered by|讨论|討論|小组|community|board|天涯|猫扑"
    r"|(?:^|[-_|·\s])(?:话题|[帖贴]子|主题|提问|topic|thread)(?:详情|信息|内容)?(?:$|[-_|·:：\s])",
    re.IGNORECASE,
)
_QUESTION_TITLE: Final = re.compile(
    r"问答|知道|知乎|问题|答疑|stack ?overflow|\banswers?\b|q&a|_作业", re.IGNORECASE
)
ARTICLE_TYPE: Final = re.compile(r'"@type"\s*:\s*"(?:\w*Article|BlogPosting|Report)"')
# The last line of a post on boards of universities is no source: ※ 来源:·某某站 bbs.example.edu.cn.
_SOURCED: Final = re.compile(
    r"(?<!※ )来源[:：]|來源[:：]|责任编辑|責任編輯|责编|记者\s|通讯员|编辑[:：]|稿源|转载自"
)
# Buttons of boards, and words of their members. Searches are fast because each alternative
# begins with a letter.
_OWNER: Final = re.compile("楼主|樓主|只看该作者|倒序浏览")
_REPLY_FORM: Final = re.compile(
    r"回帖|发帖|發帖|发新|回复此贴|跟帖(?!\s?[(（:：]?\s?\d)|快速回复|发表回复|發表回覆|我来答|我来回答|写回答|返回列表|回复内容|提交回[复答]|添加回复|写回复"
    "|后方可回[复帖]|登录后?回[复帖]|参与讨论|加入对话|[Pp]ost a reply|[Ll]og in to reply|[Ww]rite a reply"
)
_MEMBERS: Final = re.compile(
    "积分|積分|威望|声望|经验|等级|级别|精华|版主|版块|板块|话题|注册时间|在线时间|会员|會員|元老|金币|主题|帖子|贴子"
    "|Posts|posts|Joined|joined"
)
#: Words of what is rated: a product, a shop, a book.
_RATED: Final = re.compile(r"评价|点评|星级|[￥¥$£€]\s?\d|购物车|人均|口味|\bstars?\b|[Rr]eview")
#: Fewest times, floors, members and words of answers of a page whose records are looked for.
_LEAST: Final = 2
#: Blocks that are searched for the heading of the posts.
_HEAD: Final = 4
#: Running text, in Han characters, of an article that stands before its comments (a guess).
_ARTICLE_SIZE: Final = 400.0
#: Running text over which an opening loses its weight (a guess: a question has some 60 Han characters).
_OPENING_SIZE: Final = 80.0
#: Least running text of a block below which no line counts as one of a question (a guess: feet are shorter).
_LAST_PARAGRAPH: Final = 10.0
#: Size of the longest line at the head of a record (a guess).
_HEAD_SIZE: Final = 20.0
#: Running text of a first post that may be an article, if it is longer than all others together (a guess).
_LONG_POST: Final = 150.0
#: Longest link that may be a name, white space included (a guess).
_NAME_LINK: Final = 24
#: Longest Latin line that needs a comma to be running text (a guess).
_LATIN_SENTENCE: Final = 20
#: Fewest records of which it shows whether few people speak, and most of their names, relative to the records: a
#: transcript has two or three (guesses).
_SPEECHES, _SPEAKERS = 4, 0.6


def thread_evidence(outline: Outline, blocks: Blocks, running: Floats) -> Floats:
    """Return the evidence that a page is a thread, shape (evidence,), about in [0, 1]. Linear.

    Parameters
    ----------
    outline : Outline
        The walked page.
    blocks : Blocks
        Its blocks, at least one.
    running : ndarray of float, shape (blocks,)
        Size of the running text of each block.
    """
    short = [text if len(text) <= _SHORT else "" for text in blocks.texts]
    time, floor = np.zeros(len(short)), np.zeros(len(short))
    joined = JoinedLines(short, "\n")
    for i in np.flatnonzero(joined.matching(_TIME_HINT)).tolist():
        line = short[i]
        time[i] = _TIME_SIGN.search(line) is not None and _TIME.search(line) is not None
    for i in np.flatnonzero(joined.matching(_FLOOR_HINT)).tolist():
        floor[i] = _FLOOR.search(short[i]) is not None
    text = joined.text
    # Links name the channels of the site, such as 评论 and 博客, and other questions.
    unlinked = blocks.link < 0.5
    own = [line if it else "" for line, it in zip(short, unlinked.tolist(), strict=True)]
    own_text = "\n".join(own)
    hinted = _has_any(_ANSWERS_HINTS, text)
    answers = hinted and _contains(_ANSWERS, text)
    labels = _label_lines(own, blocks, running) if _has_any(_LABEL_HINTS, own_text) else []
    above = "\n".join(labels)
    asked = sum(
        _has_any(hints, above) and pattern.search(above) is not None
        for hints, pattern in zip(_ASKED_HINTS, _ASKED, strict=True)
    )
    member = _has_member(outline, blocks)
    replied = sum(1 for _ in _REPLIED.finditer(text)) if _has_any(_REPLIED_HINTS, text) else 0
    in_answers = _share_in_answers(outline, blocks, running)
    marks = time.sum() + floor.sum() + asked + member.sum() + replied
    headed = (answers and _contains(_ANSWERS, own_text)) or (
        hinted and _has_any(_REPLIES_HEAD_HINTS, own_text) and _contains(_REPLIES_HEAD, own_text)
    )
    if marks < _LEAST and not answers and in_answers == 0 and not headed:
        return np.zeros(len(EVIDENCE))
    action = joined.matching(_ACTION)
    values = dict.fromkeys(EVIDENCE, 0.0)
    # Text before the posts weakens it.
    signs = replied > 0 or headed or in_answers > 0 or floor.any() or action.any()
    values["question*signs"] = float(signs)
    lines = _Lines(own, time > 0, floor > 0, action, member > 0)
    if not _add_records(values, outline, blocks, lines):
        return np.zeros(len(EVIDENCE))
    clocks = [_TIME_OF_DAY.search(short[i]) is not None for i in np.flatnonzero(time).tolist()]
    values["clocked"] = sum(clocks) / len(clocks) if len(clocks) >= _LEAST else 0.0
    values["owner"] = float(_OWNER.search(text) is not None)
    values["reply_form"] = float(
        _has_any(_REPLY_FORM_HINTS, text) and _REPLY_FORM.search(text) is not None
    )
    values["members"] = np.log1p(len(set(_MEMBERS.findall(own_text)))) / 2
    values["answers"] = float(answers)
    values["asked"] = asked / len(_ASKED)
    values["below_answers"] = _share_below_answers(labels, running)
    titles = (outline.title, *(it.text for it in outline.headings[:_HEAD]))
    values["question*signs"] *= any(_QUESTION.search(it) is not None for it in titles)
    values["replies_head"] = float(headed)
    values["replied"] = min(replied, _MOST_REPLIED) / _MOST_REPLIED
    values["answer_boxes"] = in_answers
    values["board_title"] = float(_BOARD_TITLE.search(outline.title) is not None)
    values["question_title"] = float(_QUESTION_TITLE.search(outline.title) is not None)
    values["article"] = float(
        outline.meta.get("og:type", "") == "article"
        or any(ARTICLE_TYPE.search(it) is not None for it in outline.json_ld)
    )
    values["sourced"] = float(_SOURCED.search(text) is not None)
    values["rated"] = float(_RATED.search(own_text) is not None)
    return np.asarray([values[name] for name in EVIDENCE])


def _has_any(hints: Iterable[str], text: str) -> bool:
    for hint in hints:  # noqa: SIM110 - twice as fast as ``any``
        if hint in text:
            return True
    return False


def _label_lines(own: list[str], blocks: Blocks, running: Floats) -> list[str]:
    """Return the lines above the last paragraph, those that are sentences empty: below it a site invites to ask."""
    paragraphs = np.flatnonzero(running >= _LAST_PARAGRAPH).tolist()
    last = paragraphs[-1] if paragraphs else 0
    sentences = blocks.sentences[:last].tolist()
    return [
        "" if ends or "，" in line else line
        for line, ends in zip(own[:last], sentences, strict=True)
    ]


def _share_below_answers(lines: Sequence[str], running: Floats) -> float:
    """Return the share of the running text below the first line that names answers, 0 without one."""
    patterns = (*_ANSWERS, *_REPLIES_HEAD, *_ASKED[1:])
    hinted = sorted(JoinedLines(lines, "\n").containing_any(_ANSWERS_HINTS))
    first = next((i for i in hinted if _contains(patterns, lines[i])), None)
    if first is None:
        return 0.0
    return float(running[first:].sum()) / max(1.0, float(running.sum()))


def _has_member(outline: Outline, blocks: Blocks) -> Floats:
    """Return which blocks have a link with text to a member of the site."""
    member = np.zeros(len(blocks))
    brief = [it for it in outline.links if 0 < it.end - it.start <= _NAME]
    found = (
        [it for it in brief if leads_to_member(it.href)]
        if may_lead_to_members([it.href for it in brief])
        else []
    )
    if found:
        # A page does not state its own host; members of another are authors of news.
        hosts = Counter(host for it in outline.links if (host := _host_of(it.href)))
        own = ("", max(hosts, key=hosts.__getitem__, default=""))
        starts = [it.start for it in found if _host_of(it.href) in own]
        member[np.searchsorted(blocks.starts, starts, side="right") - 1] = 1.0
    return member


def _host_of(href: str) -> str:
    return href.split("/", 3)[2] if href.startswith(("http://", "https://", "//")) else ""


def _share_in_answers(outline: Outline, blocks: Blocks, running: Floats) -> float:
    """Return the share of the running text in boxes that are named as answers."""
    names = outline.boxes.names
    distinct = set(names)
    if _ANSWER_NAME_HINT.search(" ".join(distinct).lower()) is None:
        return 0.0
    telling = {name for name in distinct if name and _names_answers(name)}
    inside = np.zeros(len(running), bool)
    for box, name in enumerate(names):
        if name in telling:
            inside[blocks.first[box] : blocks.last[box]] = True
    return float(running[inside].sum()) / max(1.0, float(running.sum()))


@lru_cache(maxsize=CACHED_NAMES)
def _names_answers(name: str) -> bool:
    return _ANSWER_NAME.search(name.lower()) is not None


@dataclass(frozen=True, slots=True)
class _Lines:
    """What the short lines of a page are; arrays of shape (blocks,)."""

    own: list[str]
    """The short lines outside of links, others empty."""
    time: Flags
    floor: Flags
    action: Flags
    member: Flags
    """Lines with a link to a member of the site."""


def _add_records(values: dict[str, float], outline: Outline, blocks: Blocks, lines: _Lines) -> bool:
    """Add the evidence of the records of a page; return False if they are articles one below the other."""
    texts = blocks.texts
    places = places_of(outline.boxes, blocks)
    content = _content(blocks, places, lines)
    title = _title_at(outline, texts)
    content[: title + 1] = 0.0
    sums = prefix_sums(content)
    head = (
        (blocks.size <= _HEAD_SIZE)
        & ((blocks.sentences == 0) | lines.time)
        & ((blocks.punctuation <= 1) | lines.time)
    )
    nameable = may_be_names(blocks)
    records = records_of(outline.boxes, blocks, places, head, lines.time, nameable, sums)
    if records is None:
        return True
    if len(records) > 1 and _is_series(outline, blocks, records):
        return False
    text = records.inside(sums)
    if len(records) > 1 and sums[records.first[0]] < 1:
        # An article may have a line as its comments have.
        between = lines.own[records.first[0] + 1 : records.first[1] + 1]
        if text[0] > max(_LONG_POST, float(text[1:].sum())) or any(map(heads_replies, between)):
            records = Records(records.first[1:], records.last[1:])
    start, end = int(records.first[0]), int(records.last[-1])
    before = float(sums[start])
    linked = _short_links(outline, blocks, start, end)
    plain = nameable & ~(lines.time | lines.action) & (content == 0)
    plain[:start] = plain[end:] = False
    for i in np.flatnonzero(lines.time[start:end]).tolist():
        rest = _BESIDE.sub("", _ACTION.sub("", _TIME.sub("", texts[start + i])))
        plain[start + i] = len(rest) > 1
    linked = (linked & (content == 0)) | lines.member
    # Boards repeat the title above each post.
    titled = (blocks.link > 0.8) & (blocks.size >= 8) & ~lines.time & ~lines.action & ~lines.member
    for i in np.flatnonzero(titled).tolist():
        titled[i] = texts[i] not in outline.title and not texts[i].startswith(
            ("Re:", "RE:", "回复")
        )
    headed = linked & in_headings(outline.boxes.tags, blocks) & ~lines.time & ~lines.member
    table = np.column_stack(
        (content, lines.time | lines.floor, plain, linked, titled, lines.member, headed)
    )
    inside = records.inside(prefix_sums(table))
    some = inside > 0
    dated, signed, own = some[:, 1], some[:, 3], some[:, 0] & ~some[:, 4]
    opening = "opening" if before >= 1 else "no_opening"
    # Verse has no punctuation.
    other = blocks.size * (1 - blocks.link) * ~(lines.time | lines.action | lines.floor)
    above = max(before, float(other[title + 1 : start].sum()))
    weight = float(np.exp(-above / _OPENING_SIZE))
    parts = [range(*it) for it in zip(records.first.tolist(), records.last.tolist(), strict=True)]
    if not _dated_alike(texts, lines.time, [range(title + 1, start), *parts][-2:]):
        dated = np.zeros(len(records), bool)
    if len(records) > 1:
        values[f"linked*{opening}"] = float((own & dated & signed).mean()) * weight
        values[f"plain*{opening}"] = float((own & dated & some[:, 2] & ~signed).mean()) * weight
        values[f"undated*{opening}"] = float((own & ~dated & signed).mean()) * weight
    elif before >= 1:
        values["single*opening"] = float((own & dated & some[:, 2:4].any(axis=1)).mean()) * weight
    values["by_members"] = float(some[:, 5].mean())
    values["headed"] = float(some[:, 6].mean())
    values["question*signs"] = 1 - min(before / _ARTICLE_SIZE, 1.0)
    names = outline.boxes.names[int(blocks.boxes[start])]
    if _COMMENT_NAME.search(names.lower()) is not None:
        values["comment_boxes"] = min(2 * before / _ARTICLE_SIZE, 1.0)
    heads = [line for line in lines.own[max(0, start - _HEAD) : start + 1] if line]
    comments = [_COMMENTS.search(line) is not None for line in heads]
    values["text*comments_head"] = min(above / _LONG_POST, 1.0) * any(comments)
    values["answers_head"] = float(
        any(
            heads_answers(line) or (heads_replies(line) and not named)
            for line, named in zip(heads, comments, strict=True)
        )
    )
    if len(records) >= _SPEECHES:
        names_of = (plain | linked).tolist()
        speakers = set[str]()
        for part in parts:
            i = next((i for i in part if names_of[i]), part[0])
            name = _BESIDE.sub("", _TIME.sub("", texts[i])) if lines.time[i] else ""
            speakers.add(name or texts[i])
        values["recurring"] = float(len(speakers) <= _SPEAKERS * len(records))
    return True


def _content(blocks: Blocks, places: list[int], lines: _Lines) -> Floats:
    """Return the size of the running text of each block, also of short posts in the same place as longer ones."""
    latin = np.asarray([len(it) > _LATIN_SENTENCE and it[-1] in ".!?…" for it in blocks.texts])
    content = blocks.size * (1 - blocks.link) * ((blocks.punctuation > 0) | latin)
    content[lines.time] = 0.0
    place = np.asarray(places)
    full = 2 * np.bincount(place, content > 0) >= np.bincount(place)
    other = (content == 0) & ~lines.time & ~lines.floor & (blocks.link < 0.5)
    return np.where(other & full[place], blocks.size, content)


def _dated_alike(texts: list[str], time: Flags, parts: list[range]) -> bool:
    """Return whether the last two posts have times of one format, if both have any: two columns of a page do not."""
    formats = list[set[str]]()
    for part in parts:
        found = (_TIME.search(texts[i]) for i in part if time[i])
        times = (match[0].strip() for match in found if match is not None)
        formats.append(
            {"ago" if it.endswith(("前", "ago")) else _VARYING.sub("0", it) for it in times}
        )
    return not all(formats) or not formats[0].isdisjoint(formats[1])


def _title_at(outline: Outline, texts: list[str]) -> int:
    """Return the block of the title, -1 if it is not known."""
    heads = {it.text.strip() for it in outline.headings[:_HEAD]}
    for i, text in enumerate(texts):
        if len(text) > 3 and text in outline.title and (len(text) > 6 or text in heads):
            return i
    return next((i for i, text in enumerate(texts) if text in heads), -1)


def _short_links(outline: Outline, blocks: Blocks, first: int, last: int) -> Flags:
    """Return which of the blocks from one to another have a link that may be a name."""
    found = np.zeros(len(blocks), bool)
    start, end = blocks.starts[first], blocks.starts[last] if last < len(blocks) else np.inf
    starts = []
    for it in outline.links:
        if start <= it.start < end and 0 < it.end - it.start <= _NAME_LINK:
            text = outline.text[it.start : it.end].strip()
            if not (text.isdigit() or _contains((_ACTION, _FLOOR, _TIME), text)):
                starts.append(it.start)
    found[np.searchsorted(blocks.starts, starts, side="right") - 1] = True
    return found


def _is_series(outline: Outline, blocks: Blocks, records: Records) -> bool:
    """Return whether records are articles one below the other: each has a heading of its own, the first the page's."""
    tags, heads = outline.boxes.tags, dict[str, None]()
    for first, last in zip(records.first.tolist(), records.last.tolist(), strict=True):
        inside = range(first, last)
        head = next((blocks.texts[i] for i in inside if tags[blocks.boxes[i]] in HEADING_TAGS), "")
        if not head or head in heads or heads_answers(head) or heads_replies(head):
            return False
        heads[head] = None
    return next(iter(heads)) in outline.title


def _contains(patterns: Sequence[re.Pattern[str]], text: str) -> bool:
    return any(pattern.search(text) is not None for pattern in patterns)
