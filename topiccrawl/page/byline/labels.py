"""Labels of by-lines: 作者, 来源, 责任编辑 and the like, and the text that follows them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topiccrawl.page.byline.names import BARS, is_medium, people

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Roles that a label can give to a name.
AUTHOR, SOURCE, EDITOR = "author", "source", "editor"
_OTHER = "other"

#: Longer lines are text; shorter ones may be by-lines (a guess).
SHORT_LINE = 120
#: Characters at the end of a longer line that may contain （责编：…） (a guess).
TAIL = 60

_LABELS: tuple[tuple[str, str], ...] = (
    (EDITOR, r"责任编辑|責任編輯|本文责编|责编|責編|执行编辑|(?:編輯|编辑)(?!部)|选稿|選稿|编审|[Ee]ditor"),
    (
        SOURCE,
        r"(?:信息|文章|新闻|稿件|本文|内容|资料)?(?:来源|來源)|稿源|出处|出處"
        r"|出自|转载自|轉載自|转自|轉自|[Ss]ource",
    ),
    (
        AUTHOR,
        # From: heads of mails, 发信人: of the boards of universities.
        r"^From(?=\s?:)|发信人|發信人|发件人|寄件[者人]"
        r"|(?<!该)(?:本文|原文|文章)?作者|楼主|樓主|博主|发帖人|發帖人|张贴者|張貼者|提问者|提問者|撰文|(?<!特[约約])撰稿人?|執筆|执笔|原创|[Aa]uthor"
        # 报道：黄慧仪 of papers overseas, 题名/责任者 of catalogs, 文/图：.
        r"|^(?:报道|報導|報道|采写|採寫|采访|採訪)(?=\s?[:：])|(?<![\u4e00-\u9fff/])(?:个人|主要|第一)?责任者"
        r"|(?<![\u4e00-\u9fff])文\s?[/／、]\s?[图圖](?=\s?[:：])"
        rf"|(?<![\u4e00-\u9fff])(?:文(?=\s?[/／:：{BARS}])|(?:本[报報])?[记記]者(?=\s?[:：{BARS}]))",
    ),
    (
        _OTHER,
        r"(?:发布|发表|提问|更新|修改|录入|加入|添加|入库|上传|成文)?(?:时间|时候|日期|時間)|地点(?=\s?[:：])|发布[于人者]|发表[于者]|(?:浏览|阅读|点击|访问|评论(?!员)|回复|收藏|人气)(?:次数|统计|量|数|人数)?"
        r"|(?:留言|跟[帖贴]|下载|转发|点赞|参与|播放)(?:[次条人]?数|量)|录入[者人员]?(?=\s?[:：])"
        r"|字号|字體|字体|大小|分享到?|打印|标签|关键[词字]|分类|栏目|摄影|摄像|排版|校对|编发(?=\s?[:：])|审核|审阅|监制|统筹|设计|供图|出版社?(?=\s?[:：])|"
        r"信[区區](?=\s?[:：])|(?:供稿|投稿|发稿|撰稿)(?:单位|部门|学院|机构)|图片来源|图像来源|素材来源|数据来源|视频来源|图源|题图|翻译|译者|编译|通讯员",
    ),
)  # fmt: skip
_LABEL = re.compile(
    # 图片来源 before 来源: the longer label must match first.
    "|".join(f"(?P<{role}>{words})" for role, words in (_LABELS[3], *_LABELS[:3]))
)
# Part of every label above: most lines need only this search, which looks for the first characters.
_HINT = re.compile(
    r"作者|From|发信人|發信人|发件人|寄件|楼主|樓主|博主|发帖人|發帖人|张贴者|張貼者|提问者|提問者|来源|來源|责[辑輯編编任]|编[辑輯編编任]|編[辑輯編编任]"
    r"|稿[源：:]|选稿|選稿|撰|执[笔筆]|執[笔筆]|出[处處自]|转[自载載]|轉[自载載]|原创"
    rf"|编审|[记記]者\s?[:：{BARS}]|文\s?[/／:：{BARS}、]|[报報][道導][:：\s]|[采採][写寫访訪][:：\s]|Author|author|Source|source|Editor|editor"
)
# 来 源：, 作 者：: templates and tables space labels of two characters out to the length of others; visible lines have
# one space for any white space.
_SPACED_LABEL = re.compile(
    r"(?<![\u4e00-\u9fff])(?P<first>[作来來出编編记記])\s(?P<last>[者源處处辑輯])(?=\s?[:：])"
)
_SPACED_ENDS = (" 者", " 源", " 处", " 處", " 辑", " 輯")
# Part of every value: a mark or white space behind its label. Most lines of running text have none.
_MARK = re.compile(rf"[:：{BARS}／/于\[\]】\s]")
# A notice quotes labels: 本网注明“来源：侨报”的作品.
_QUOTES = ("“", "「", "『", "‘", '"')
_REPORTERS = ("记者", "記者")
_COLON = re.compile(rf"\s{{0,2}}(?:[:：{BARS}／/]|于(?=[^\d])|\[|\]|】)\s{{0,3}}")


def labeled_values(line: str) -> Iterator[tuple[str, str]]:
    """Yield the roles that a line labels, each with the raw text up to the next label.

    >>> list(labeled_values("来源：新华网 作者：张三 责任编辑：李四"))
    [('source', '新华网'), ('author', '张三'), ('editor', '李四')]
    """
    if len(line) > SHORT_LINE:
        line = line[-TAIL:]
    if _MARK.search(line) is None:
        return
    if any(it in line for it in _SPACED_ENDS):
        line = _SPACED_LABEL.sub(r"\g<first>\g<last>", line)
    if _HINT.search(line) is None:
        return
    labels = list(_LABEL.finditer(line))
    for number, match in enumerate(labels):
        role = match.lastgroup or _OTHER
        if role == _OTHER or line[: match.start()].endswith(_QUOTES):
            continue
        end = labels[number + 1].start() if number + 1 < len(labels) else len(line)
        colon = _COLON.match(line, match.end())
        if colon is not None and colon.end() <= end:
            value = line[colon.end() : end].strip()
            # 记者：方便说说吗 is a question in an interview.
            if match.start() or not match.group().endswith(_REPORTERS) or people(value):
                yield role, value
        elif len(line) <= SHORT_LINE and line[match.end() : match.end() + 1].isspace():
            value = line[match.end() : end].strip()
            # Without a colon only names count: 作者 须知 is not a label.
            if role == SOURCE and is_medium(value.partition(" ")[0]):
                yield role, value.partition(" ")[0]
            elif role != SOURCE and people(value):
                yield role, value
