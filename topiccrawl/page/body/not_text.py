"""Parts of an article's box that are not its text: links away from it, the head of a document, generated summaries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.landmarks import MAIL_HEAD
from topiccrawl.page.words_only import words_only

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.body.blocks import Blocks, Ints

    Flags = NDArray[np.bool_]

#: Share of links from which a line is nothing else (a guess).
ONLY_LINK = 0.9
#: The beginning of a link to another page between paragraphs, in lower case.
_ASIDE: Final = re.compile(
    r"[\W_]*(?:延伸[阅閱][读讀]|推[荐薦][阅閱][读讀]|[相关關]{2}(?:[阅閱][读讀]|新[闻聞]|[报報][导導道])"
    r"|更多(?:新[闻聞]|[报報][导導道])|看更多|[点點]我|快[讯訊]\W|click here|read more|also read|also on"
    r"|don['’]t miss|get the .{0,30}\bapp\b)|[►▶▸]"
)
#: The label of a summary that a program wrote, its greatest length, lines around the beginning of the body among which
#: it is, and the greatest share of the body that it has (guesses).
_GENERATED: Final = re.compile(
    r"\W*(?:AI|ＡＩ|人工智能|智能)\W{0,3}(?:摘要|总结|總結|概要|导读|速读|速览|解读)"
)
_LONGEST_LABEL, _MOST_LABELS, _MOST_GENERATED = 16, 8, 0.5
#: The label of a lead; lines at the beginning of the body among which it is, lines below it of which one begins so, or
#: which begin so together (programs cut the text after some 100 characters), and its least size in Han characters
#: (guesses: a shorter one may be a refrain).
_LEAD: Final = re.compile(
    r"\W*(?:内容|文章|新闻)?(?:摘\s*要|提\s*要|导\s*[读语]|導\s*[讀語]|核心提示|简\s*介|簡\s*介)\s*[:：】\]]"
)
_FIRST_LINES, _LINES_BELOW, _LINES_JOINED, _LEAST_LEAD = 3, 3, 8, 20.0
#: A line drawn with marks; ten are more than the dots of a sentence that breaks off (a guess).
_RULE: Final = re.compile(r"([-=_*~#+.·•—－＝＿＊～…─━═])(?:\s?\1){9,}")
#: Labels in the head of a document of the government, as a standard of disclosure names them (索引号, 文号, 有效性).
_HEAD: Final = re.compile(
    r"\W*(?:索\s*引\s*[号號]|(?:信息|主题|体裁|组配|公文|服务对象)分类|(?:发布|公开|制发)(?:机构|单位|机关)|发文(?:机关|单位|字号|日期)"
    r"|成文日期|(?:发布|生成|生效|废止|公开)(?:日期|时间)|(?:公开)?文\s*号|名\s*称|信息名称|主\s*题\s*词|关\s*键\s*词|有\s*效\s*性"
    r"|(?:效力)?状\s*态|公开(?:方式|范围|形式|类别))\s*[:：]"
)
_INDEX: Final = re.compile(r"\W*索\s*引\s*[号號]")
#: Fewest labels of a head, most blocks from one to the next, and lines at the top among which it is (guesses).
_LEAST_HEAD, _MOST_BETWEEN, _TOP = 3, 3, 150
#: Greatest size of its last value in Han characters (a guess).
_VALUE_SIZE: Final = 30.0
#: The lines below the head of a mail on the board of a university, and its foot with the board's name.
_MAIL_TITLE: Final = re.compile(r"\W*(?:标|標)\s*(?:题|題)\s*[:：]")
_MAIL_STATION: Final = re.compile(r"\W*(?:发|發)信站\s*[:：]")
_MAIL_FOOT: Final = re.compile(r"※\s*(?:来源|來源|修改)\s*[:：]")
#: The line above a quotation, whose lines begin with a colon.
_MAIL_QUOTE: Final = re.compile(r"【\s?在.{1,60}的(?:大作|文章)中提到")
#: Most lines of a signature between ``--`` and the foot (boards allow six).
_SIGNATURE: Final = 6


def without_foreign(blocks: Blocks, parents: Ints, body: Flags) -> Flags:
    """Return the body of an article without what is not its text.

    Parameters
    ----------
    blocks : Blocks
        The blocks of the page, at least one.
    parents : ndarray of int, shape (boxes,)
        The parent of each box, itself for the first.
    body : ndarray of bool, shape (blocks,)
        The blocks that were selected as body.

    Returns
    -------
    ndarray of bool, shape (blocks,)
    """
    rest = body & ~asides(blocks, body) & ~document_head(blocks) & ~generated(blocks, parents, body)
    rest &= ~repeated_lead(blocks, rest) & ~line_numbers(blocks, rest)
    rest &= ~rules_around(blocks, rest)
    return rest if rest.any() else body


def rules_around(blocks: Blocks, body: Flags) -> Flags:
    """Return the lines of one repeated mark (------) with which the body begins or ends."""
    found = np.zeros(len(body), bool)
    chosen = np.flatnonzero(body).tolist()
    for run in (chosen, chosen[::-1]):
        for i in run:
            if _RULE.fullmatch(blocks.texts[i]) is None:
                break
            found[i] = True
    return found


def repeated_lead(blocks: Blocks, body: Flags) -> Flags:
    """Return the lines at the beginning of the body with which a line shortly below begins, too, or several of them.

    Programs put a summary above the text, which often is the beginning of its first paragraphs. Equal lines are a
    refrain.
    """
    repeated = np.zeros(len(body), bool)
    chosen = np.flatnonzero(body)[: _FIRST_LINES + _LINES_JOINED].tolist()
    texts = [blocks.texts[i] for i in chosen]
    plain = words_only("\n".join(texts)).split("\n")
    for number, i in enumerate(chosen[:_FIRST_LINES]):
        if blocks.size[i] < _LEAST_LEAD or texts.count(texts[number]) > 1:
            continue
        label = _LEAD.match(texts[number])
        lead = words_only(texts[number][label.end() if label else 0 :])
        below = plain[number + 1 : number + 1 + _LINES_JOINED]
        repeated[i] = bool(lead) and (
            any(line.startswith(lead) for line in below[:_LINES_BELOW])
            or "".join(below).startswith(lead)
        )
    return repeated


def line_numbers(blocks: Blocks, body: Flags) -> Flags:
    """Return the numbers that count the lines of a program: 1, 2, 3 in one block, or one below the other in one box."""
    found = np.zeros(len(body), bool)
    runs: list[list[int]] = []
    for i in np.flatnonzero(body & (blocks.digits == 1)).tolist():
        text = blocks.texts[i]
        numbers = text.split()
        if len(numbers) > 1:
            found[i] = all(it == str(n) for n, it in enumerate(numbers, 1))
        elif text == "1":
            runs.append([i])
        elif runs and i == runs[-1][-1] + 1 and text == str(len(runs[-1]) + 1):
            runs[-1].append(i)
    for run in runs:
        if len(run) > 1 and (blocks.boxes[run] == blocks.boxes[run[0]]).all():
            found[run] = True
    return found


def asides(blocks: Blocks, body: Flags) -> Flags:
    """Return the lines of the body that are only a link to another page, and that begin like one."""
    aside = np.zeros(len(body), bool)
    for i in np.flatnonzero(body & (blocks.link >= ONLY_LINK)):
        aside[i] = _ASIDE.match(blocks.texts[i].lower()) is not None
    return aside


def generated(blocks: Blocks, parents: Ints, body: Flags) -> Flags:
    """Return the blocks of a box whose first line says that a program wrote them: AI 摘要."""
    found = np.zeros(len(body), bool)
    first = int(np.argmax(body))
    for i in range(max(0, first - _MOST_LABELS), min(len(body), first + _MOST_LABELS)):
        text = blocks.texts[i]
        if len(text) > _LONGEST_LABEL or _GENERATED.match(text) is None:
            continue
        box = int(blocks.boxes[i])
        while box and blocks.last[box] - i <= 1 and blocks.first[box] == i:
            box = int(parents[box])
        inside = slice(int(blocks.first[box]), int(blocks.last[box]))
        share = blocks.size[inside] @ body[inside] / max(1.0, float(blocks.size @ body))
        if inside.start == i and share <= _MOST_GENERATED:
            found[inside] = True
        break
    return found


def document_head(blocks: Blocks) -> Flags:
    """Return the labels and values in the head of a document of the government, from 索引号 on."""
    found = np.zeros(len(blocks), bool)
    top = blocks.texts[:_TOP]
    start = next((i for i, text in enumerate(top) if "索" in text and _INDEX.match(text)), None)
    if start is None:
        return found
    labels = [start]
    for i, text in enumerate(blocks.texts[start + 1 :], start + 1):
        if i > labels[-1] + _MOST_BETWEEN or blocks.sentences[i] > 1:
            break
        if _HEAD.match(text):
            labels.append(i)
    if len(labels) < _LEAST_HEAD:
        return found
    last = labels[-1]
    # The value of the last label may be in the next cell.
    bare = blocks.texts[last].endswith((":", "："))
    bare &= last + 1 < len(blocks) and blocks.size[last + 1] <= _VALUE_SIZE
    found[start : last + 1 + bare] = True
    return found


def mail_parts(blocks: Blocks) -> Flags:
    """Return the heads and feet of mails, as which boards of universities show their posts: 发信人: a (b), 信区: c."""
    texts = blocks.texts
    found = np.zeros(len(blocks), bool)
    heads = [i for i, text in enumerate(texts) if "信" in text and MAIL_HEAD.match(text)]
    if not heads:
        return found
    for head in heads:
        found[head] = True
        for i, pattern in enumerate((_MAIL_TITLE, _MAIL_STATION), head + 1):
            if i < len(texts) and pattern.match(texts[i]):
                found[i] = True
    quoted = False
    for i, text in enumerate(texts):
        quoted = _MAIL_QUOTE.match(text) is not None or (quoted and text.startswith((":", "：")))
        found[i] |= quoted
    for foot, text in enumerate(texts):
        if text.startswith("※") and _MAIL_FOOT.match(text):
            found[foot] = True
            above = range(foot - 1, max(-1, foot - 2 - _SIGNATURE), -1)
            rule = next((i for i in above if texts[i] == "--"), foot)
            found[rule:foot] = True
    return found
