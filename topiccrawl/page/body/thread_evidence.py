"""Evidence that a page is a thread, from its text and boxes alone.

The posts of a thread are boxes of one sort, one after the other, each with a name, a time or a floor
number and some text.  Comments below an article look the same, but the article stands before them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.body.thread_lines import thread_lines
from topiccrawl.page.body.thread_posts import posts_evidence
from topiccrawl.page.body.thread_words import words_evidence

if TYPE_CHECKING:
    from topiccrawl.page.body.blocks import Blocks, Floats
    from topiccrawl.page.outline import Outline

#: Evidence for a thread, and evidence against it, in the order of the columns of :func:`thread_evidence`.
FOR: Final = (
    "answers", "asked", "clocked", "answer_boxes", "below_answers", "answers_head", "question*signs", "board_title",
    "owner", "reply_form", "members", "by_members", "alike", "linked*no_opening", "linked*opening", "plain*no_opening",
    "plain*opening", "undated*opening", "single*opening",
)  # fmt: skip
AGAINST: Final = (
    "article", "sourced", "rated", "things", "comment_boxes", "text*comments_head", "headed", "recurring",
)  # fmt: skip
EVIDENCE: Final = FOR + AGAINST
#: Evidence in words for a thread, which another site may write in others, or not at all.
WORDS: Final = frozenset((
    "answers", "asked", "below_answers", "answers_head", "question*signs", "board_title", "owner", "reply_form",
    "members",
))  # fmt: skip
#: Evidence that a long text above the posts weakens, since articles have comments with it as well.
NEAR: Final = frozenset((
    "asked", "clocked", "answers_head", "question*signs", "members", "by_members", "alike",
))  # fmt: skip


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
    lines = thread_lines(outline, blocks)
    values = words_evidence(outline, blocks, running, lines)
    posts = posts_evidence(outline, blocks, lines) if values else None
    if posts is None:
        return np.zeros(len(EVIDENCE))
    near = posts.pop("near", 1.0)
    values |= posts
    return np.asarray([values.get(it, 0.0) * (near if it in NEAR else 1.0) for it in EVIDENCE])
