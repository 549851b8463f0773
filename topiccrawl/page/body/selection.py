"""Select the blocks of the body by their probabilities."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.page.body.cue_words import is_imprint
from topiccrawl.page.body.not_text import mail_parts
from topiccrawl.page.body.thread import running_text
from topiccrawl.page.landmarks import heads_answers, heads_replies

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.body.blocks import Blocks, Floats
    from topiccrawl.page.body.features import PageFeatures

#: Probability from which a block is body.
THRESHOLD = 0.5
#: A lower threshold for pages whose body is short or unusual and has only weak candidates: this share
#: of the best probability of a block that is not a link (a guess).
RELATIVE_THRESHOLD = 0.6
#: Lower bound of the threshold: a page whose best candidate is weaker has no body (a guess).
FLOOR = 0.1
#: Share of links from which a block is a link rather than text (a guess).
MOSTLY_LINK = 0.5
#: Mean probability, weighted by size, from which all blocks of a group are body on a thread, as are
#: those of the group with most of the body: posts have the same containers, and a short one is as much
#: a post as a long one.  On 13 Chinese threads of sites left out the F1 of the body is .87 at .4, .92 at .3,
#: .93 at .2, .91 at .1; on 228 drawn ones of templates left out .929, .925, .922, .905 (2026-11).
POSTS = 0.3
#: The same mean of a group of running text that begins between two posts, least share of running text in it, and least
#: mean size of its blocks in Han characters.  On 13 Chinese threads of sites left out the F1 of the body is .899 and
#: .941 in two divisions (.855 and .894 without; .857 and .942 from .1 up), on drawn ones as without (2026-11).
BETWEEN, RUNNING_SHARE, POST_SIZE = 0.05, 0.7, 15.0
#: The same mean of one behind the last post, if its boxes are not named as replies (a guess: half of :data:`POSTS`).
BEHIND = 0.15
#: Lines to the next date within which a post is close to one, and least share of its text that is (guesses: 2 lines are
#: as good).
CLOSE, DATED_SHARE = 4, 0.5
#: Probability from which a block between two of the body is body, and most blocks between them: subheadings, lines of
#: verse and blanks of a form are short and improbable by themselves.  On sites left out .05 and .2 are within .002
#: (2026-11); the number of blocks is a guess.
GAP, MOST_IN_GAP = 0.1, 8
#: Fewest lines of verse, their greatest size in Han characters, and most lines between them and the title (guesses).
LEAST_VERSE, VERSE_SIZE, ABOVE_VERSE = 4, 30.0, 3
#: Least size of a paragraph that leads in, in Han characters (a guess: counters and slogans are shorter), and its
#: least probability (a guess: 303 real pages are equal down to .01).
LEAST_LEAD, LEAST_OF_LEAD = 25.0, 0.03
#: The line that Discuz writes above an edited post.
_EDITED = re.compile(r"\W*本帖最[后後]由.{1,40}[编編][辑輯]\W*")
#: Most characters of a line around a post, and of what it has beside labels, times and numbers (guesses: names are up
#: to 15 Han characters).
_AROUND_LENGTH, _NAME_LENGTH = 80, 15
#: Labels of a post with a short value or before the next label; 时间 and 地点 alone may be those of a meeting.
_POST_LABEL = re.compile(
    r"(?:(?:楼主|(?:提问|回答|回复|发[布表帖]|留言|回帖)[者人]|回答数)|(?:提问|回答|回复|发[布表帖]|留言)(?:时间|日期)|注册(?:时间|日期)"
    r"|等\s*级|级别|积分|威望|经\s*验\s*值?|魅力|金[币钱]|贡献|声望|精华|发\s*帖\s*(?:数|总数)?|角\s*色|来自|悬赏(?:分数?)?|浏览(?:次数|量)|被?采纳[数率]|(?:问题|帖子)(?:标题|信息))\s?[:：]"
)
#: A label without a value.
_ALONE = re.compile(r"\w{1,6}\s?[:：]")
#: What invites to answer.
_INVITES = re.compile(
    r"我[要来](?:回答|提问)|(?:写|提交)回答|说[点些]什么\W*|写下你?的?(?:回[复答]|评论|想法)\W*"
    r"|(?:[您你]?(?:必须|需要|请先?))?\s?登[录陆錄](?:\s?或者?\s?注册)?\s?(?:[之以]?后)?\s?[才方即]?[能可]?以?"
    r"\s?(?:在此处?|参与|发表|进行|添加)*(?:回[复帖答]|评论|讨论)(?:此?(?:话题|主题|帖子?))?。?"
    r"|(?:[Yy]ou must|[Pp]lease|[Yy]ou need to) (?:be )?(?:log|sign)(?:ged)?[ -]?in (?:or \w+ )?to"
    r" (?:repl|post|comment|answer|participate)[^.!?]{0,30}[.!]?"
)
_POST_TIME = re.compile(
    r"(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}日?(?:\s*\d{1,2}:\d\d(?::\d\d)?)?"
    r"|\d{1,2}月\d{1,2}日(?:\s*\d{1,2}:\d\d)?"
    r"|(?:\d{1,2} )?\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? (?:\d{1,2}, )?\d{4}"
    r"(?: at \d{1,2}:\d\d(?: ?[AP]M)?)?"
)
#: Buttons below a post, and what separates them.
_BUTTONS = re.compile(
    r"(?:(?:回[复覆應]|引用|举报|分享|收藏|点?赞|顶|踩|采纳|支持|反对|有用|没用|编辑|删除|只看(?:他|该作者)|追问"
    r"|(?:repl(?:y|ies)|quote|report|share|like|link|permalink|edit|flag)(?![a-z]))[\s|·•/()（）\d,▲▼-]*)+",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
#: A time since, and the words between a name and a time.
_SINCE = re.compile(
    r"\d{1,4}\s?(?:秒|分钟?|小时|天|周|个?月|年)[之以]?前|\d{1,4} (?:second|minute|hour|day|week|month|year)s? ago"
)
_WROTE = re.compile(
    r"(?:回复|回答|发表|发布|评论|编辑|添加|创建|修改)于|\b(?:by|on|wrote|posted|replied|answered|asked|commented|created)\b",
    re.IGNORECASE,
)
#: The number of a post.
_FLOOR = re.compile(r"#\s?\d{1,5}|\d{1,5}\s?[#楼樓]|第\s?\d{1,5}\s?[楼樓]")
_REPLY_TO = re.compile(r"(?:Re|RE|回[复覆]|答复)\s?[:：]\s?")
_SEPARATORS, _SHORT_POST = " ·•|-—/", 2
#: An address that a reader sees.
_ADDRESS = re.compile(r"https?://|(?<![\w.])www\.", re.IGNORECASE)
#: The end of a sentence, with references behind it.
SENTENCE_END = re.compile(r"[。！？…!?.][”」』）)\"]?(?:\s?\[[\d,\s-]{1,9}\])*$")


def select_body(p: Floats, blocks: Blocks, features: PageFeatures) -> NDArray[np.bool_]:
    """Select the blocks of the body: the probable ones, without the page's title unless it is all and sure.

    On a thread the title stays: a question is often stated there and nowhere else.

    Parameters
    ----------
    p : ndarray of float, shape (blocks,)
        Probability of each block to be body, in [0, 1].
    blocks : Blocks
        The blocks of the page, at least one.
    features : PageFeatures
        Their features.

    Returns
    -------
    ndarray of bool, shape (blocks,)
    """
    text = blocks.link < MOSTLY_LINK
    if features.thread:
        p = np.where(_above_heading(features), 0.0, p)
    best = float(p[text].max(initial=0.0))
    body = p >= max(FLOOR, min(THRESHOLD, RELATIVE_THRESHOLD * best))
    body &= text | (p >= THRESHOLD)
    if features.thread:
        mass = np.bincount(features.groups, p * blocks.size)
        mean = mass / np.bincount(features.groups, blocks.size)
        most = np.argmax(np.bincount(features.groups, blocks.size * body))
        body |= text & ((mean[features.groups] >= POSTS) | (features.groups == most))
        body |= text & _posts_between(body, mean, blocks, features)
    without_title = body & ~features.titles
    if without_title.any() or best < THRESHOLD:
        body = without_title
    if features.thread:
        body |= _lead(body, blocks, features) & text & (p >= LEAST_OF_LEAD)
        body = _with_title_above(body, features.titles)
        for i in np.flatnonzero(body).tolist():
            body[i] = _EDITED.fullmatch(blocks.texts[i]) is None
        body = _without_heads(body & ~_repeats_title(blocks, features.titles), blocks)
    else:
        body |= in_gaps(text & (p >= GAP) & ~features.titles, body, features)
        body |= _lead(body, blocks, features) & text & (p >= LEAST_OF_LEAD)
        body = _sentences_for_label(body, p, blocks)
        if best < THRESHOLD:
            verse = verse_of(blocks, features)
            body = verse if verse.any() else body
    body |= _addresses(body, blocks)
    body &= ~mail_parts(blocks)
    return _without_imprint(body, blocks)


def _without_heads(body: NDArray[np.bool_], blocks: Blocks) -> NDArray[np.bool_]:
    """Leave out the lines of a thread that are no text.

    Headings and counts of replies (医生回复, 3 条回复), labels with the name that follows, times with a name
    (某某 回复于 3 天前), floors, buttons, invitations to reply. Cells of one table are in the same containers as the
    posts. A number shortly above a time is that of a post.
    """
    rest, texts = body.copy(), blocks.texts
    for i in np.flatnonzero(body & (blocks.sentences <= 1)).tolist():
        text = texts[i]
        if len(text) <= _AROUND_LENGTH and _INVITES.fullmatch(text) is not None:
            rest[i] = False
            continue
        if blocks.sentences[i]:
            continue
        labeled = i > 0 and _POST_LABEL.fullmatch(texts[i - 1]) is not None
        if labeled and len(text) <= _NAME_LENGTH:
            rest[i] = False
        elif text.isdigit():
            rest[i] = not any(map(_is_time, texts[i + 1 : i + 3]))
        else:
            rest[i] = not _is_head(text)
    return rest if rest.any() else body


def _repeats_title(blocks: Blocks, titles: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which lines are the title behind what boards write before it above each reply: Re: …, 回复：…."""
    named = {blocks.texts[i] for i in np.flatnonzero(titles).tolist()}
    repeats = np.zeros(len(blocks), bool)
    if named:
        for i, text in enumerate(blocks.texts):
            match = _REPLY_TO.match(text)
            repeats[i] = match is not None and text[match.end() :] in named
    return repeats


def _is_time(text: str) -> bool:
    return _POST_TIME.fullmatch(text) is not None


def _is_head(text: str) -> bool:
    if len(text) > _AROUND_LENGTH:
        return False
    if _is_time(text) or heads_answers(text) or _ALONE.fullmatch(text) is not None:
        return True
    if heads_replies(text) or _FLOOR.fullmatch(text.strip(_SEPARATORS)) is not None:
        return True
    # A post may be 顶 or 支持.
    if len(text) > _SHORT_POST and _BUTTONS.fullmatch(text) is not None:
        return True
    without, labels = _POST_LABEL.subn("", text)
    without, times = _POST_TIME.subn("", without)
    clocked = times > 0 and ":" in text
    without, since = _SINCE.subn("", without)
    wrote = times + since > 0 and _WROTE.search(without) is not None
    if not (labels or clocked or wrote):
        return False
    return len(_NUMBER.sub("", _WROTE.sub("", without)).strip()) <= _NAME_LENGTH


def _posts_between(
    body: NDArray[np.bool_], mean: Floats, blocks: Blocks, features: PageFeatures
) -> NDArray[np.bool_]:
    """Return the groups of running text close to dates that begin between two posts: an answer, replies in a post.

    Behind the last post there must be several, named as replies or more probable: the first post may be longer than
    all of them.
    """
    found, groups = np.flatnonzero(body), features.groups
    if not len(found):
        return body
    size = np.bincount(groups, blocks.size)
    running = np.bincount(groups, running_text(blocks)) >= RUNNING_SHARE * size
    at = np.arange(len(body))
    begins = np.full(len(size), len(body))
    np.minimum.at(begins, groups, at)
    between = (begins >= found[0]) & (begins <= found[-1])
    # Rules of a board and advertisements have none.
    near = _lines_to_date(features.column("date") > 0) <= CLOSE
    dated = np.bincount(groups, blocks.size * near) >= DATED_SHARE * size
    replies = np.bincount(groups, blocks.size * features.replies) >= DATED_SHARE * size
    between |= (replies | (mean >= BEHIND)) & (begins > found[0]) & (np.bincount(groups) > 1)
    post = running & between & dated & (mean >= BETWEEN)
    post &= size >= POST_SIZE * np.bincount(groups)
    return np.asarray(post[groups])


def _above_heading(features: PageFeatures) -> NDArray[np.bool_]:
    """Return what stands above the heading of a thread, in containers that nothing below it has: a board's notice.

    Dates, which posts have, are below, and none is close to a block of its container.
    """
    at, groups = int(np.argmax(features.titles)), features.groups
    dates = features.column("date") > 0
    above = np.zeros(len(dates), bool)
    if dates[at:].any():
        near = _lines_to_date(dates[:at]) <= CLOSE
        kept = np.concatenate((groups[at:], groups[:at][near]))
        above[:at] = ~np.isin(groups[:at], kept)
    return above


def _lines_to_date(dates: NDArray[np.bool_]) -> NDArray[np.int_]:
    """Return the number of lines from each block to the next one with a date, above or below it."""
    at = np.arange(len(dates))
    edges = np.concatenate(([-len(dates)], np.flatnonzero(dates), [2 * len(dates)]))
    after = np.searchsorted(edges, at)
    return np.asarray(np.minimum(at - edges[after - 1], edges[after] - at))


def _addresses(body: NDArray[np.bool_], blocks: Blocks) -> NDArray[np.bool_]:
    """Return the lines that show an address, in the same box as text of the body: mostly links, but the author's."""
    able = (blocks.link >= MOSTLY_LINK) & ~body
    boxes = np.zeros(len(blocks.first), bool)
    boxes[blocks.boxes[body]] = True
    able &= boxes[blocks.boxes]
    for i in np.flatnonzero(able).tolist():
        able[i] = _ADDRESS.search(blocks.texts[i]) is not None
    return able


def verse_of(blocks: Blocks, features: PageFeatures) -> NDArray[np.bool_]:
    """Return the first run of short lines without links in one group close below the title."""
    line = (blocks.link < MOSTLY_LINK) & (blocks.size <= VERSE_SIZE)
    line &= ~(features.borders | features.titles)
    groups = np.where(line, features.groups, -1)
    # The first block of each run of one group, and the one behind its last.
    firsts = np.flatnonzero(np.diff(groups, prepend=-2))
    ends = np.append(firsts[1:], len(groups))
    titles = np.append(np.flatnonzero(features.titles), len(groups) + ABOVE_VERSE)
    below = firsts - 1 - titles[np.maximum(np.searchsorted(titles, firsts) - 1, 0)]
    close = (below >= 0) & (below <= ABOVE_VERSE)
    found = np.flatnonzero((groups[firsts] >= 0) & (ends - firsts >= LEAST_VERSE) & close)
    verse = np.zeros(len(groups), bool)
    for run in found[:1]:
        verse[firsts[run] : ends[run]] = True
    return verse


def in_gaps(
    able: NDArray[np.bool_], body: NDArray[np.bool_], features: PageFeatures
) -> NDArray[np.bool_]:
    """Return the blocks among *able* that are in a short gap of the body in which no other part begins.

    A date alone begins none among paragraphs of one container: it signs a document, or is that of an event.
    """
    able = able & ~body
    if not able.any():
        return able
    chosen = np.flatnonzero(body)
    before, after = chosen[:-1], chosen[1:]
    breaks = features.column("break") > 0
    alone = (after - before == 2) & ~breaks[before + 1]
    for side in (before, after):
        alone &= features.groups[before + 1] == features.groups[side]
    count = np.cumsum(features.borders)
    short = (after - before <= MOST_IN_GAP + 1) & ((count[after - 1] == count[before]) | alone)
    edges = np.zeros(len(body), np.int64)
    np.add.at(edges, before[short], 1)
    np.add.at(edges, after[short], -1)
    return np.asarray(able & (np.cumsum(edges) > 0))


def _lead(body: NDArray[np.bool_], blocks: Blocks, features: PageFeatures) -> NDArray[np.bool_]:
    """Return the paragraphs between title and body from the first with a term of the title: a box may follow them."""
    between = slice(int(np.argmax(features.titles)), int(np.argmax(body)))
    sentences = (blocks.size[between] >= LEAST_LEAD) & (blocks.sentences[between] > 0)
    for i in np.flatnonzero(sentences):  # a caption ends with its credit
        sentences[i] = SENTENCE_END.search(blocks.texts[between.start + i]) is not None
    named = features.column("terms")[between] > 0
    lead = np.zeros(len(body), bool)
    lead[between] = sentences & np.logical_or.accumulate(sentences & named)
    return lead


def _sentences_for_label(body: NDArray[np.bool_], p: Floats, blocks: Blocks) -> NDArray[np.bool_]:
    """Return the paragraphs of a page whose body would be a label alone, as that of an abstract is: 关键词：."""
    chosen = np.flatnonzero(body)
    if len(chosen) != 1 or blocks.texts[chosen[0]][-1:] not in (":", "："):
        return body
    text = (blocks.link < MOSTLY_LINK) & (blocks.size >= LEAST_LEAD) & (blocks.sentences > 0)
    text &= p >= FLOOR
    return text if text.any() else body


def _with_title_above(body: NDArray[np.bool_], titles: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Add the last line above the body that is the title."""
    above = np.flatnonzero(titles[: int(np.argmax(body))])
    if not len(above) or not body.any():
        return body
    found = body.copy()
    found[above[-1]] = True
    return found


def _without_imprint(body: NDArray[np.bool_], blocks: Blocks) -> NDArray[np.bool_]:
    """Leave out the owner's imprint of a page that has hardly any other text: a list, a front."""
    chosen = np.flatnonzero(body)
    imprint = chosen[np.asarray(is_imprint([blocks.texts[i] for i in chosen]), bool)]
    if 2 * blocks.size[imprint].sum() < blocks.size[chosen].sum():
        return body
    rest = body.copy()
    rest[imprint] = False
    return rest
