"""Words of boards, of question sites, of articles, and of pages about one thing, beside the texts of a page."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.body.joined_lines import JoinedLines
from topiccrawl.page.body.thread_lines import has_clock
from topiccrawl.page.regions import CACHED_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from topiccrawl.page.body.blocks import Blocks, Floats
    from topiccrawl.page.body.thread_lines import ThreadLines
    from topiccrawl.page.outline import Outline

# Patterns that begin with a number and with a letter are two, so that a search looks for these.
_ANSWERS: Final = (
    re.compile(
        r"\d(?:\s?[个個條条]\s?回[答帖]|\s?[人位](?:律师|医生|专家|网友|用户)?\s?[回解]答"
        r"|\s+[Aa]nswers?\b|\s+(?:replies|posts)\b|\s?(?:帖子|篇帖子))"
    ),
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
# In every line that names answers or replies, and in every one of a question: a search for these is fast.
_ANSWERS_HINTS: Final = (
    "答", "回", "帖", "采纳", "问", "赞同", "nswer", "epl", "posts", "Responses",
)  # fmt: skip
_LABEL_HINTS: Final = (*_ANSWERS_HINTS, "悬赏", "病情", "留言")
_QUESTION: Final = re.compile(
    r"[?？]|吗(?=\s|[-_|–—(（]|$)|有人|各位|大家|我家|谁|怎么|怎样|如何|什么|为何|是否|能不能|会不会|要不要|该不该|哪[个些家里种位]|[请想]问|请教|求(?:助|推荐|指点|教|购|问|解)|有没有|多少|还是"
    r"|\b(?:[Hh]ow (?:do|can|should|to)|[Ss]hould I|[Aa]ny(?:one|body)|[Aa]ny advice|[Ll]ooking for|[Hh]elp with"
    r"|[Ii]s it)\b"
)
# 社区 and 讨论 are words of news as well, so they count in the name of the site only, behind the headline.
_BOARD_TITLE: Final = re.compile(
    r"论坛|论壇|贴吧|吧】|吧_|bbs|forum|discuz|phpwind|powered by|天涯|猫扑"
    r"|(?:^|[-_|·–—])[^-_|·–—]{0,20}(?:社区|社區|讨论|討論|小组|community|board)[^-_|·–—]{0,4}$"
    r"|(?:^|[-_|·\s])(?:话题|[帖贴]子|主题|提问|topic|thread)(?:详情|信息|内容)?(?:$|[-_|·:：\s])",
    re.IGNORECASE,
)
# Buttons of boards. Searches are fast because each alternative begins with a letter. The form below the posts of
# blogs that run WordPress is called 发表回复, too, but asks for a mail address.
_OWNER: Final = re.compile("楼主|樓主|只看该作者|倒序浏览")
_REPLY_FORM: Final = re.compile(
    r"回帖|发帖|發帖|发新|回复此贴|跟帖(?!\s?[(（:：]?\s?\d)|快速回复|发表回复(?!.{0,20}(?:邮箱|邮件))|發表回覆|我来答|我来回答|写回答"
    "|返回列表|回复内容|提交回[复答]|添加回复|写回复|后方可回[复帖]|登录后?回[复帖]|参与讨论|加入对话"
    "|[Pp]ost a reply|[Ll]og in to reply|[Ww]rite a reply",
    re.DOTALL,
)
_REPLY_FORM_HINTS: Final = (
    "帖", "回复", "回覆", "来答", "回答", "返回列表", "后可回", "参与讨论", "加入对话", " reply",
)  # fmt: skip
_MEMBERS: Final = re.compile(
    "积分|積分|威望|声望|经验|等级|级别|精华|版主|版块|板块|话题|注册时间|在线时间|会员|會員|元老|金币|主题|帖子|贴子"
    "|Posts|posts|Joined|joined"
)
# Names of boxes of answers.
_ANSWER_NAME: Final = re.compile(
    r"(?<!faq.)(?:answer|anwser|jieda|huida|(?<![a-z])(?:da|daan)(?![a-z]))"
)
_ANSWER_NAME_HINT: Final = re.compile("answer|anwser|jieda|huida|da(?:an)?(?![a-z])")
ARTICLE_TYPE: Final = re.compile(r'"@type"\s*:\s*"(?:\w*Article|BlogPosting|Report)"')
# The last line of a post on boards of universities is no source: ※ 来源:·某某站 bbs.example.edu.cn.
_SOURCED: Final = re.compile(
    r"(?<!※ )来源[:：]|來源[:：]|责任编辑|責任編輯|责编|记者\s|通讯员|编辑[:：]|稿源|转载自"
)
# Words of what is rated: a product, a shop, a book; and of what is played, sold, visited or cooked.
_RATED: Final = re.compile(r"评价|点评|星级|[￥¥$£€]\s?\d|购物车|人均|口味|\bstars?\b|[Rr]eview")
_THING: Final = re.compile(
    "播放|弹幕|上传|下载|大小[:：]|版本[:：]|导演|主演|片长|出版社|定价|地址[:：]|电话[:：]|营业时间|门票|用料|食材|做法|步骤|难度|主播|专辑|课程"
    "|授课|光圈|快门|拍摄|摄影|品牌|型号|库存|月销|运费|收听|时长|[￥¥]|人均"
)
#: Different words of a thing that are certain (a guess).
_MOST_THINGS: Final = 2
#: Headings among which the title is.
_HEADINGS: Final = 4
#: Fewest times, floors, members and words of a question of a page that is looked at, and fewest times with a clock.
_LEAST: Final = 2
#: Least running text of a block below which no line counts as one of a question (a guess: feet are shorter).
_LAST_PARAGRAPH: Final = 10.0


def words_evidence(
    outline: Outline, blocks: Blocks, running: Floats, lines: ThreadLines
) -> dict[str, float]:
    """Return the evidence that needs no records, by name; empty if nothing on the page is like a thread."""
    text, own = lines.text, "\n".join(lines.own)
    hinted = _has_any(_ANSWERS_HINTS, text)
    answers = hinted and _contains(_ANSWERS, text)
    headed = hinted and (_contains(_ANSWERS, own) or _contains(_REPLIES_HEAD, own))
    in_answers = _share_in_answers(outline, blocks, running)
    labels = _label_lines(lines.own, blocks, running)
    asked = sum(it.search("\n".join(labels)) is not None for it in _ASKED) if labels else 0
    below = _share_below_answers(labels, running)
    marks = asked + int(lines.time.sum() + lines.floor.sum() + lines.member.sum())
    if marks < _LEAST and not answers and not headed and not in_answers:
        return {}
    clocks = [has_clock(blocks.texts[i]) for i in np.flatnonzero(lines.time).tolist()]
    titles = (outline.title, *(it.text for it in outline.headings[:_HEADINGS]))
    signs = headed or in_answers > 0 or lines.floor.any() or lines.action.any()
    form = _has_any(_REPLY_FORM_HINTS, text) and _REPLY_FORM.search(text) is not None
    stated = outline.meta.get("og:type", "") == "article" or _any(ARTICLE_TYPE, outline.json_ld)
    return {
        "answers": float(answers),
        "asked": asked / len(_ASKED),
        "answer_boxes": in_answers,
        "below_answers": below,
        "question*signs": float(signs and _any(_QUESTION, titles)),
        "board_title": float(_BOARD_TITLE.search(outline.title) is not None),
        "owner": float(_OWNER.search(text) is not None),
        "reply_form": float(form),
        "clocked": float(np.mean(clocks)) if len(clocks) >= _LEAST else 0.0,
        "members": float(np.log1p(len(set(_MEMBERS.findall(own)))) / 2),
        "article": float(stated),
        "sourced": float(_SOURCED.search(text) is not None),
        "rated": float(_RATED.search(own) is not None),
    }


def things_in(lines: Sequence[str]) -> float:
    """Return how certain it is that some lines describe one thing, such as a film or a shop, in [0, 1]."""
    return min(1.0, len(set(_THING.findall("\n".join(lines)))) / _MOST_THINGS)


def _has_any(hints: Iterable[str], text: str) -> bool:
    for hint in hints:  # noqa: SIM110 - twice as fast as ``any``
        if hint in text:
            return True
    return False


def _any(pattern: re.Pattern[str], texts: Iterable[str]) -> bool:
    return any(pattern.search(it) is not None for it in texts)


def _contains(patterns: Sequence[re.Pattern[str]], text: str) -> bool:
    return any(pattern.search(text) is not None for pattern in patterns)


def _label_lines(own: list[str], blocks: Blocks, running: Floats) -> list[str]:
    """Return the lines above the last paragraph, sentences empty: below it a site invites to ask."""
    paragraphs = np.flatnonzero(running >= _LAST_PARAGRAPH).tolist()
    last = paragraphs[-1] if paragraphs else 0
    if not _has_any(_LABEL_HINTS, "\n".join(own[:last])):
        return []
    sentences = blocks.sentences[:last].tolist()
    return [
        "" if it or "，" in line else line for line, it in zip(own[:last], sentences, strict=True)
    ]


def _share_below_answers(labels: list[str], running: Floats) -> float:
    """Return the share of the running text below the first line that names answers, 0 without one."""
    patterns = (*_ANSWERS, *_REPLIES_HEAD, *_ASKED[1:])
    hinted = sorted(JoinedLines(labels, "\n").containing_any(_ANSWERS_HINTS))
    first = next((i for i in hinted if _contains(patterns, labels[i])), None)
    if first is None:
        return 0.0
    return float(running[first:].sum()) / max(1.0, float(running.sum()))


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
