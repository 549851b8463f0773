"""Evidence that a page is a thread, from its text and boxes alone.

The posts of a thread are boxes of one sort, one after the other, each with a name, a time or a floor
number and some text.  Comments below an article look the same, but the article stands before them.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.body.joined_lines import JoinedLines
from topiccrawl.page.body.windows import prefix_sums
from topiccrawl.page.hrefs import leads_to_member, may_lead_to_members
from topiccrawl.page.landmarks import heads_answers, heads_replies
from topiccrawl.page.patterns import words
from topiccrawl.page.regions import CACHED_NAMES
from topiccrawl.page.tags import HEADING_TAGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from topiccrawl.page.body.blocks import Blocks, Floats
    from topiccrawl.page.body.containers import Containers
    from topiccrawl.page.body.features import Flags
    from topiccrawl.page.outline import Outline

#: Evidence for a thread, and evidence against it, in the order of the columns of :func:`thread_evidence`.
FOR: Final = (
    "floors", "actions", "alike*no_before", "clocked", "marked", "replies", "members", "owner", "reply_form", "answers",
    "board_title", "question_title", "asked", "below_answers", "answer_boxes", "units*no_before", "by_members",
    "replied", "replies_head", "question*signs",
)  # fmt: skip
AGAINST: Final = (
    "linked", "comments_head", "text_before", "paragraphs_before", "article", "sourced", "comment_boxes", "unsigned",
)  # fmt: skip
EVIDENCE: Final = FOR + AGAINST

# Most characters of a line around a post (a guess: longer ones are posts).
_SHORT: Final = 60
_TIME: Final = re.compile(
    r"(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}|\d{1,2}-\d{1,2}-(?:19|20)\d\d|\d{1,2}[-月]\d{1,2}日?\s\d{1,2}:\d\d"
    r"|(?:^|[\s·|:：])\d{1,2}月\d{1,2}日$"
    r"|\d\s?(?:秒|分|小时|天|日|周|星期|月|个月|年|小時|週|個月)[钟鐘]?[之以]?前|(?:昨天|今天|前天)"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? (?:\d{1,2},? ?(?:\d{4}|'?\d\d\b|at)|\d{4})"
    r"|\d (?:min(?:ute)?s?|hours?|days?|weeks?|months?|years?) ago"
)
_TIME_OF_DAY: Final = re.compile(r"\d{1,2}:\d\d|前|ago")
_CLOCK: Final = re.compile(r"^[\s,，年月日\d:：/APMapm.-]*")
_NUMBER: Final = re.compile(r"\d+")
_WORD: Final = re.compile(r"[a-z\d]+", re.IGNORECASE)
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
# Most characters of a name alone on its line (a guess: most user names of forums have up to 8 Han characters).
_NAME: Final = 12
# In every time, and in every floor number.
_TIME_HINT: Final = re.compile(r"[\d前昨今]")
_TIME_SIGN: Final = re.compile(
    r"\d\s?[-/.年月日天分秒小周星个個週]|[昨今前]天|\d [mhdwy]|[JFMASOND][a-z]{2,8}\.? \d"
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
    "回帖|发帖|發帖|发新|回复此贴|跟帖|快速回复|发表回复|發表回覆|我来答|我来回答|写回答|返回列表|回复内容|提交回[复答]|添加回复|写回复"
    "|后方可回[复帖]|登录后?回[复帖]|参与讨论|加入对话|[Pp]ost a reply|[Ll]og in to reply|[Ww]rite a reply"
)
_MEMBERS: Final = re.compile(
    "积分|積分|威望|声望|经验|等级|级别|精华|版主|版块|板块|话题|注册时间|在线时间|会员|會員|元老|金币|主题|帖子|贴子"
    "|Posts|posts|Joined|joined"
)
#: Fewest boxes of one sort that may be posts.
_LEAST: Final = 2
#: Fewest lines with a time that are alike as the heads of posts without boxes.
_LEAST_ALIKE: Final = 3
#: Blocks that are searched for the heading of the posts.
_HEAD: Final = 4
#: Running text, in Han characters, of an article that stands before its comments (a guess).
_ARTICLE_SIZE: Final = 400.0
#: Size of a paragraph, and the number of paragraphs up to which those before the posts count (guesses).
_PARAGRAPH, _MOST_PARAGRAPHS = 25.0, 6
#: Least running text of a block below which no line counts as one of a question (a guess: feet are shorter).
_LAST_PARAGRAPH: Final = 10.0
#: Share of the posts' text that may stand before them as if there were none (a guess).
_HARDLY: Final = 0.2
#: Share of boxes with a time, a floor number or a member from which they may be posts (a guess).
_TIMED: Final = 0.5


def thread_evidence(
    outline: Outline,
    blocks: Blocks,
    containers: Containers,
    running: Floats,
    marked: Callable[[], int],
) -> Floats:
    """Return the evidence that a page is a thread, shape (evidence,), about in [0, 1]. Linear.

    Parameters
    ----------
    outline : Outline
        The walked page.
    blocks : Blocks
        Its blocks, at least one.
    containers : Containers
        Their containers.
    running : ndarray of float, shape (blocks,)
        Size of the running text of each block.
    marked : callable
        Returns the borders between posts with a mark, of :func:`topiccrawl.page.body.thread.marked_posts`; not called
        for a page without times, floors or answers, about half of all.
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
    action = joined.matching(_ACTION).astype(float)
    other = action + time + floor == 0
    titled = ((blocks.link > 0.8) & (blocks.size >= 8) & other).astype(float)
    content = np.where(time + floor > 0, 0.0, running)
    name = ((blocks.punctuation == 0) & other).astype(float)
    for i in np.flatnonzero(name).tolist():
        name[i] = 1 < len(blocks.texts[i]) <= _NAME
    named = (blocks.link > 0.8) & (blocks.size < 8) & (name > 0)
    table = np.column_stack(
        (content, time, floor, action, titled, blocks.size * unlinked, name, member, named)
    )
    sums = prefix_sums(table)
    values = dict.fromkeys(EVIDENCE, 0.0)
    best = _posts_of(containers.sorts, blocks, sums)
    if best is not None:
        members, inside = best
        if _is_series(outline, blocks, members):
            return np.zeros(len(EVIDENCE))
        first = int(blocks.first[members[0]])
        before = float(sums[first, 0])
        values["floors"] = float((inside[:, 2] > 0).mean())
        values["actions"] = float((inside[:, 3] > 0).mean())
        values["linked"] = float((inside[:, 4] > 0).mean())
        values["text_before"] = min(before / _ARTICLE_SIZE, 1.0)
        paragraphs = int((content[:first] >= _PARAGRAPH).sum())
        values["paragraphs_before"] = min(paragraphs, _MOST_PARAGRAPHS) / _MOST_PARAGRAPHS
        values["by_members"] = float((inside[:, 7] > 0).mean())
        values["unsigned"] = _share_unsigned(short, time, blocks, members, inside[:, (6, 7)])
        if before < _HARDLY * float(inside[:, 0].sum()):
            dated = inside[:, (2, 7)].any(axis=1) | _dated_alike(short, time, blocks, members)
            signed = inside[:, (3, 6, 7)].any(axis=1)
            units = (inside[:, 0] > 0) & dated & signed & (inside[:, 4] == 0)
            values["units*no_before"] = float(units.mean())
        if _COMMENT_NAME.search(outline.boxes.names[members[0]].lower()) is not None:
            values["comment_boxes"] = min(2 * before / _ARTICLE_SIZE, 1.0)
        head = "\n".join(own[max(0, first - _HEAD) : first + 1])
        values["comments_head"] = float(_COMMENTS.search(head) is not None)
    _add_alike(values, short, time, sums[:, 0])
    clocks = [_TIME_OF_DAY.search(short[i]) is not None for i in np.flatnonzero(time).tolist()]
    values["clocked"] = sum(clocks) / len(clocks) if len(clocks) >= _LEAST else 0.0
    values["marked"] = min(marked(), 4) / 4
    values["replies"] = float(running[containers.replies].sum()) / max(1.0, float(running.sum()))
    values["owner"] = float(_OWNER.search(text) is not None)
    values["reply_form"] = float(
        _has_any(_REPLY_FORM_HINTS, text) and _REPLY_FORM.search(text) is not None
    )
    values["members"] = np.log1p(len(set(_MEMBERS.findall(own_text)))) / 2
    values["answers"] = float(answers)
    values["asked"] = asked / len(_ASKED)
    values["below_answers"] = _share_below_answers(labels, running)
    signs = (
        best is not None or replied > 0 or headed or in_answers > 0 or floor.any() or action.any()
    )
    titles = (outline.title, *(it.text for it in outline.headings[:_HEAD]))
    if signs and any(_QUESTION.search(it) is not None for it in titles):
        values["question*signs"] = 1 - values["text_before"]
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


def _is_series(outline: Outline, blocks: Blocks, members: list[int]) -> bool:
    """Return whether boxes are articles one below the other: each has a heading of its own, the first the page's."""
    tags, heads = outline.boxes.tags, dict[str, None]()
    for box in members:
        inside = range(int(blocks.first[box]), int(blocks.last[box]))
        head = next((blocks.texts[i] for i in inside if tags[blocks.boxes[i]] in HEADING_TAGS), "")
        if not head or head in heads or heads_answers(head) or heads_replies(head):
            return False
        heads[head] = None
    return next(iter(heads)) in outline.title


def _contains(patterns: Sequence[re.Pattern[str]], text: str) -> bool:
    return any(pattern.search(text) is not None for pattern in patterns)


def _add_alike(values: dict[str, float], short: list[str], time: Floats, sums: Floats) -> None:
    """Add the evidence of lines with a time that are alike around it, as in threads without boxes."""
    alike: dict[tuple[str, str], list[int]] = {}
    for i in np.flatnonzero(time).tolist():
        match = _TIME.search(short[i])
        if match is not None:
            end = _CLOCK.sub("", short[i][match.end() :])
            before = short[i][: match.start()]
            alike.setdefault((_shape(before[-2:]), _shape(end[:3])), []).append(i)
    most, size = None, 0.0
    for lines in alike.values():
        inside = float(sums[-1] - sums[lines[0]]) * (len(lines) >= _LEAST_ALIKE)
        parts = [sums[b] - sums[a] for a, b in zip(lines, [*lines[1:], len(short)], strict=True)]
        inside *= sum(part > 0 for part in parts) / len(parts)
        if inside > size:
            most, size = lines, inside
    if most is not None:
        above = float(sums[most[0]])
        values["text_before"] = max(values["text_before"], min(above / _ARTICLE_SIZE, 1.0))
        values["alike*no_before"] = float(above < _HARDLY * (float(sums[-1]) - above))


def _dated_alike(short: list[str], time: Floats, blocks: Blocks, members: list[int]) -> Flags:
    """Return which boxes write their first time as most of them do: two columns of a page do not."""
    shapes = [""] * len(members)
    for number, box in enumerate(members):
        first, last = int(blocks.first[box]), int(blocks.last[box])
        lines = first + np.flatnonzero(time[first:last])
        match = _TIME.search(short[int(lines[0])]) if len(lines) else None
        if match is not None:
            relative = match[0].endswith(("前", "ago", "天"))
            shapes[number] = "ago" if relative else _NUMBER.sub("0", match[0])
    usual = max((shape for shape in shapes if shape), key=shapes.count, default="")
    enough = bool(usual) and shapes.count(usual) >= _LEAST
    return np.asarray([enough and shape == usual for shape in shapes], bool)


def _share_unsigned(
    short: list[str], time: Floats, blocks: Blocks, members: list[int], names: Floats
) -> float:
    """Return the share of boxes without a name, on a line of its own or beside a time: parts of a chronicle."""
    count = 0
    for number in np.flatnonzero(~names.any(axis=1)).tolist():
        first, last = int(blocks.first[members[number]]), int(blocks.last[members[number]])
        lines = first + np.flatnonzero(time[first:last])
        count += not any(_has_beside(short[i]) for i in lines.tolist())
    return count / len(members)


def _has_beside(line: str) -> bool:
    match = _TIME.search(line)
    if match is None:
        return False
    rest = line[: match.start()] + _CLOCK.sub("", line[match.end() :])
    return len(rest.strip()) > 1


def _shape(text: str) -> str:
    return _WORD.sub("x", text.strip())


def _posts_of(numbers: list[int], blocks: Blocks, sums: Floats) -> tuple[list[int], Floats] | None:
    """Return the boxes that look most like posts, with the sums of the blocks in them.

    They are boxes of one sort in the same box, of which half or more have a time, a floor number, a member or a short
    link such as a name.
    """
    filled = np.flatnonzero(blocks.last > blocks.first)
    inside = sums[blocks.last[filled]] - sums[blocks.first[filled]]
    rows_with_text = np.flatnonzero((filled > 0) & (inside[:, 5] > 0))
    # The sorts of boxes in the order of their first one.
    _, firsts, sorts = np.unique(
        np.asarray(numbers)[filled[rows_with_text]], return_index=True, return_inverse=True
    )
    count = np.bincount(sorts)
    timed_boxes = inside[rows_with_text][:, (1, 2, 7, 8)].any(axis=1)
    timed_shares = np.bincount(sorts, timed_boxes) / np.maximum(count, 1)
    content = np.bincount(sorts, inside[rows_with_text, 0])
    able = np.flatnonzero((count >= _LEAST) & (timed_shares >= _TIMED) & (content > 0))
    members, ends = rows_with_text[np.argsort(sorts, kind="stable")], np.cumsum(count)
    best, most = None, 0.0
    for sort in able[np.argsort(firsts[able])].tolist():
        rows, timed = members[ends[sort] - count[sort] : ends[sort]], float(timed_shares[sort])
        part = inside[rows]
        # Posts have text of their own; of boxes in each other, the inner ones are more.
        filled_share = float((part[:, 0] > 0).mean())
        value = float(part[:, 0].sum()) * timed * filled_share * min(1.0, 0.6 + 0.1 * len(rows))
        if value > most:
            best, most = rows, value
    if best is None:
        return None
    return filled[best].tolist(), inside[best]
