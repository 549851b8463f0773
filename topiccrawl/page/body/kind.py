"""The kind of a page: an article, a list of links to others, a thread, or something else.

In doubt a page is an article: an article that is taken for a list is lost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.page.body.blocks import Blocks, Floats, han_length
from topiccrawl.page.body.thread import detect_thread
from topiccrawl.page.body.thread_words import ARTICLE_TYPE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.body.contract import Kind
    from topiccrawl.page.body.features import PageFeatures
    from topiccrawl.page.outline import Outline

#: Running text, in Han characters (see :data:`topiccrawl.page.body.blocks.LATIN_SHARE`), from which a
#: page is an article for its text alone (a guess: two sentences).
MIN_BODY = 60.0
#: Probability of the best block under which a page of links or teasers is a list (a guess; articles of real sites left
#: out have .32 and more, of one or two paragraphs mostly .26; fronts and channels of the own corpus .14 and less, 92 of
#: 98 lists of the demonstration web less than .25; 2026-11).
WEAK = 0.25
#: Fewest blocks of a list that are links (a guess).
LIST_LINKS = 15
#: Least ratio of text in links to text of the body of a list (a guess).
LIST_SHARE = 1.5
#: Share of the body's blocks beside a link from which the text of a front is teasers (a guess).
SCATTERED = 0.5

#: Fewest teasers of a list, and of its body, least share of the body that they have, least size of a teaser, and least
#: length of the anchor above one that does not break off (guesses: names of members above posts are shorter).
TEASERS, TEASERS_IN_BODY, TEASER_SHARE, TEASER_SIZE, TEASER_TITLE = 4, 2, 0.8, 10.0, 8.0
#: Fewest entries of a list of notices, least size of the title in each, greatest size of what stands beside it
#: (guesses: a date and brackets, the office or the channel).
ENTRIES, ENTRY_SIZE, ENTRY_REST = 5, 6.0, 12.0
#: Share of links from which a block is nothing else (a guess).
ONLY_LINK = 0.9

# URLs of fronts and channels: a host, a folder of one or two plain words, a page that only lists.
_FRONT = re.compile(
    r"(?:/[a-z]{1,12}){0,2}/?(?:(?:index|default|list|home|main|channel|column|category|tag)"
    r"(?:[_-]?\d{1,3})?(?:\.[a-z]{2,5})?)?",
    re.IGNORECASE,
)
# URLs of single pages: a long number in the last part, such as a date or the key of a record.
_NUMBERED = re.compile(r"\d{5}[^/]*$")


def kind_by_model(
    outline: Outline,
    blocks: Blocks,
    features: PageFeatures,
    p: Floats,
    body: NDArray[np.bool_],
    url: str,
) -> Kind:
    """Return the kind of a page whose blocks were classified by the model.

    Parameters
    ----------
    outline : Outline
        The walked page.
    blocks : Blocks
        Its blocks.
    features : PageFeatures
        Their features.
    p : ndarray of float, shape (blocks,)
        Probability of each block to be body.
    body : ndarray of bool, shape (blocks,)
        The blocks that were selected as body.
    url : str
        URL of the page, empty if unknown.
    """
    text = float((blocks.size * (1 - blocks.link))[body].sum())
    if features.thread and text > 0:
        return "thread"
    entries = _dated_entries(blocks, features)
    linked = (blocks.link > 0.5) | entries
    article_type = _states_article(outline)
    best = float(p[~linked & ~features.titles].max(initial=0.0))
    suspect = is_front_url(url) or (best < WEAK and not is_numbered_url(url))
    # A body of links is none, whatever its address.
    links = blocks.size * blocks.link
    suspect = suspect or float(links[body].sum()) > text
    if suspect and not article_type:
        if _lists_links(blocks, linked, body, text):
            return "list"
        own = float((blocks.size - links)[body & ~entries].sum())
        if entries.sum() >= ENTRIES and float(links[entries].sum()) > LIST_SHARE * own:
            return "list"
    if not article_type and _is_teasers(blocks, body):
        return "list"
    return (
        "article" if text >= MIN_BODY or (text > 0 and (article_type or best >= WEAK)) else "other"
    )


def _dated_entries(blocks: Blocks, features: PageFeatures) -> NDArray[np.bool_]:
    """Return the blocks that are the title of another page and a date: entries of a list of notices."""
    links = blocks.size * blocks.link
    beside = blocks.size - links
    is_entry = (links >= ENTRY_SIZE) & (beside <= ENTRY_REST) & (features.column("date") > 0)
    return np.asarray(is_entry)


def _is_teasers(blocks: Blocks, body: NDArray[np.bool_]) -> bool:
    """Whether the body is texts of one block each, below the link to the page that each is about."""
    teasers = (blocks.link < 0.5) & (blocks.size >= TEASER_SIZE)
    linked = blocks.link >= ONLY_LINK
    for i in np.flatnonzero(teasers).tolist():
        teasers[i] = (
            i > 0
            and linked[i - 1]
            and (blocks.size[i - 1] >= TEASER_TITLE or blocks.texts[i].endswith(("…", "...")))
        )
    in_body = teasers & body
    if int(teasers.sum()) < TEASERS or int(in_body.sum()) < TEASERS_IN_BODY:
        return False
    size = blocks.size * (1 - blocks.link)
    return float(size[in_body].sum()) >= TEASER_SHARE * float(size[body].sum())


def kind_by_rules(outline: Outline, blocks: Blocks, body: str, url: str) -> Kind:
    """Return the kind of a page from rules alone, for extractors that do not decide on it.

    With bodies by text density, 96 and 95 % of the kinds are right on two drawings of the own corpus,
    and 98 % are those of the model on 303 real pages (2026-11).

    Parameters
    ----------
    outline : Outline
        The walked page.
    blocks : Blocks
        Its blocks.
    body : str
        The extracted body, one line per paragraph.
    url : str
        URL of the page, empty if unknown.
    """
    paragraphs = body.split("\n")
    running = dict(zip(blocks.texts, (blocks.size * (1 - blocks.link)).tolist(), strict=True))
    text = sum(running[line] if line in running else han_length(line) for line in paragraphs)
    known = frozenset(paragraphs)
    in_body = np.asarray([line in known for line in blocks.texts], bool)
    # An extractor may find text where the page has no visible block.
    if text > 0 and blocks.texts and detect_thread(outline, blocks, url):
        return "thread"
    article_type = _states_article(outline)
    suspect = is_front_url(url) or (text < MIN_BODY and not is_numbered_url(url))
    if suspect and not article_type and _lists_links(blocks, blocks.link > 0.5, in_body, text):
        return "list"
    return "article" if text >= MIN_BODY or (text > 0 and article_type) else "other"


def _states_article(outline: Outline) -> bool:
    """Whether the page's metadata call it an article."""
    return "article" in outline.meta.get("og:type", "").lower() or any(
        ARTICLE_TYPE.search(data) for data in outline.json_ld
    )


def is_front_url(url: str) -> bool:
    """Return whether a URL is that of a front or channel; an unknown one is not."""
    rest = url.partition("://")[2].partition("#")[0].partition("?")[0]
    host, _, path = rest.partition("/")
    return bool(host) and _FRONT.fullmatch(f"/{path}") is not None


def is_numbered_url(url: str) -> bool:
    """Return whether a URL is that of a single page, with a long number in its last part."""
    return _NUMBERED.search(url.partition("?")[0]) is not None


def _lists_links(
    blocks: Blocks, linked: NDArray[np.bool_], body: NDArray[np.bool_], text: float
) -> bool:
    """Whether links outweigh the body, or most of the body is teasers beside links."""
    count = int(linked.sum())
    if count < LIST_LINKS:
        return False
    if float((blocks.size * blocks.link)[linked].sum()) > LIST_SHARE * text:
        return True
    if not body.any():
        return False
    beside = np.zeros(len(blocks), bool)
    beside[1:] |= linked[:-1]
    beside[:-1] |= linked[1:]
    return float((beside & body).sum() / body.sum()) >= SCATTERED
