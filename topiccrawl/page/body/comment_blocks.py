"""The blocks that are readers' comments, in the boxes named as comments."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.page.body.selection import MOSTLY_LINK
from topiccrawl.page.landmarks import heads_comments

if TYPE_CHECKING:
    from topiccrawl.page.body.blocks import Blocks
    from topiccrawl.page.body.features import Flags, PageFeatures
    from topiccrawl.page.outline import Boxes

#: Most characters of a notice or of a line with a time (guesses).
_NOTICE_LENGTH, _META_LENGTH = 80, 60
#: Characters of a block that are searched for what stands around comments.
_SEARCHED = 150

# Texts of the form below the comments, and of boxes that have none.
_NOTICE = re.compile(
    r"(?:邮箱|邮件|郵件|邮址|信箱)(?:地址|位址)?不[会會]被?公[开開]|必填[项項欄]|HTML\s?[标標][签籤]|文明上网|理性(?:发言|评论|發言)|[请請须須][^。]{0,12}遵守[^。]{0,16}(?:规定|协议|条例|法规|規定)"
    r"|登[录錄陆入][^。]{0,6}(?:评论|評論|发表|發表|留言)|[验驗][证證][码碼]\s?(?:[:：*]|$)|(?:用户名|密码|昵称)\s?[:：]|抢沙发|[欢歡]迎[参參][与與][讨討][论論]|被折叠"
    r"|(?:评论|留言)[^。]{0,6}(?:审核|关闭)|仅代表(?:网友|个人|作者|发表者)|还可以?输入"
    r"|[Rr]equired fields|email address will not be published"
)
# What WordPress writes below its form, with the names of a dozen tags.
_TAGS = re.compile(r"您?可以使用(?:这些|下列|以下)\s?HTML|You may use these HTML")
_NUMBERS = re.compile(r"\d+")
_SAYS = re.compile(
    r"[^。，！？]{1,30}?(?:(?:说|評論|评论|回复|表示)道|写道|说|說|says?|said)\s?[:：]",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\d:\d\d|\d\s?[-/.月年]\s?\d|[\d半几]\s?个?(?:秒|分钟|分鐘|小时|小時|天|周|週|月|年)[之以]?前"
    r"|(?:^|\s)(?:刚刚|剛剛|昨天|今天|前天)(?:$|[\s\d])"
)
_BUTTONS = re.compile(
    r"回[复復覆应應]|答复|点?[赞贊讚]|顶|踩|举报|舉報|支持|反对|[有没]用|分享|引用|收藏|关注|展开|收起|查看|对话|全部|更多|评论|評論|留言|删除|编辑|推荐"
    r"|只看|他|该作者|楼主|作者|沙发|板凳|地板|置顶|热评|精选|取消|发表|發表|提交|添加|新|最|热门?|姓名|名字|网址|網址|网站|站点|称呼|内容|邮件|邮箱|电子|登录|自动|刷新|排序|时间"
    r"|[楼樓条條个則则]|\b(?:reply|like|report|share|quote|permalink|edit|e?mail|url|website|name|post|submit|cancel|a|comments?)s?\b|[\W\d_]",
    re.IGNORECASE,
)


def comment_blocks(boxes: Boxes, blocks: Blocks, features: PageFeatures, body: Flags) -> Flags:
    """Return which blocks are readers' comments. Linear.

    These are the texts with punctuation in boxes named as comments, without names, times, buttons and notices; and
    those without punctuation (可以参考这本书) in such places as these.

    Parameters
    ----------
    boxes : Boxes
        The boxes of the walked page.
    blocks : Blocks
        Its blocks.
    features : PageFeatures
        Their features.
    body : ndarray of bool, shape (blocks,)
        The blocks that are body.
    """
    texts = features.replies & ~body & (blocks.link < MOSTLY_LINK)
    marked = blocks.punctuation > 0
    for number in np.flatnonzero(texts).tolist():
        text = blocks.texts[number][:_SEARCHED]
        texts[number] = not (_stands_around(text) or (not marked[number] and _has_time(text)))
    found: Flags = texts & marked
    if found.any() and (texts & ~marked).any():
        for number in _in_places(boxes, blocks, features, texts, found):
            found[number] = True
    return found


def _in_places(
    boxes: Boxes, blocks: Blocks, features: PageFeatures, texts: Flags, sure: Flags
) -> list[int]:
    """Return the blocks among ``texts`` that stand like those of ``sure``.

    Each is alone in its box. This has the names of theirs, or if it has none, containers of the same names and the
    same number among the boxes beside it (the third, below name and time).
    """
    inner = blocks.boxes.tolist()
    homes = {
        number: boxes.parents[inner[number]] if boxes.tags[inner[number]] == "p" else inner[number]
        for number in np.flatnonzero(texts).tolist()
    }
    counts = Counter(homes.values())
    alone = {number: home for number, home in homes.items() if counts[home] == 1 and home > 0}
    around = {box for home in alone.values() for box in (home, max(0, boxes.parents[home]))}
    names = {box: _NUMBERS.sub("", boxes.names[box]) for box in around}
    # Boxes with names differ by them.
    order = [] if all(names[home] for home in alone.values()) else _order(boxes)
    places = {
        number: (
            _place(boxes, names, features, number, home),
            0 if names[home] else order[home],
        )
        for number, home in alone.items()
    }
    known = {places[number] for number in alone if sure[number]}
    return [number for number in alone if places[number] in known]


def _place(
    boxes: Boxes, names: dict[int, str], features: PageFeatures, number: int, home: int
) -> tuple[str | int, ...]:
    if names[home]:
        return tuple(
            f"{boxes.tags[box]}.{names[box].partition(' ')[0]}"
            for box in (home, max(0, boxes.parents[home]))
        )
    return (int(features.groups[number]),)


def _order(boxes: Boxes) -> list[int]:
    """Return the number of each box among those of its tag in the box around it."""
    seen = Counter[tuple[int, str]]()
    order = []
    for kind in zip(boxes.parents, boxes.tags, strict=True):
        order.append(seen[kind])
        seen[kind] += 1
    return order


def _stands_around(text: str) -> bool:
    """Return whether a text is a heading, a name that says, a notice or buttons."""
    if heads_comments(text) or _SAYS.fullmatch(text) is not None:
        return True
    if _TAGS.match(text) is not None or (
        len(text) <= _NOTICE_LENGTH and _NOTICE.search(text) is not None
    ):
        return True
    # 顶！ is a comment.
    return len(text) <= _META_LENGTH and text[-1] not in "。！!？?" and not _BUTTONS.sub("", text)


def _has_time(text: str) -> bool:
    return len(text) <= _META_LENGTH and _TIME.search(text) is not None
