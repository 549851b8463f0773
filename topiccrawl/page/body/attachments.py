"""Lines that are only a link to an attachment belong to the text above them: 附件：1. 报名表.doc."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.body.text_above import TextAbove
from topiccrawl.page.outline import link_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.body.blocks import Blocks, Ints
    from topiccrawl.page.outline import Outline, RawLink

_ENDING: Final = r"\.(?:pdf|docx?|wps|xlsx?|et|csv|pptx?|ofd|rtf|zip|rar|7z)"
_FILE: Final = re.compile(rf"{_ENDING}(?:$|[?#&\s)）】])", re.IGNORECASE)
_MAYBE_FILE: Final = re.compile(_ENDING, re.IGNORECASE)
_LABEL_WORD: Final = "附件"
_LABEL: Final = re.compile(rf"[\W_]*{_LABEL_WORD}")
#: Share of links from which a line is a link, and its greatest size, in Han characters (guesses: names of
#: documents have up to 50).
_LINKED, _MOST_SIZE = 0.5, 100.0
#: Most blocks between the text and an attachment (a guess: a signature, a date, a heading).
_MOST_BETWEEN: Final = 3


def with_attachments(
    outline: Outline, blocks: Blocks, parents: Ints, body: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return the body with the lines of attachments close below it.

    Parameters
    ----------
    outline : Outline
        The walked page.
    blocks : Blocks
        Its blocks, at least one.
    parents : ndarray of int, shape (boxes,)
        The parent of each box, itself for the first.
    body : ndarray of bool, shape (blocks,)
        The blocks that were selected as body.

    Returns
    -------
    ndarray of bool, shape (blocks,)
    """
    if not _may_have_attachments(outline):
        return body
    found = [link for link in outline.links if _is_attachment(link, outline.text)]
    above = TextAbove(blocks, parents, body, _MOST_BETWEEN)
    at = np.searchsorted(blocks.starts, [link.start for link in found], "right") - 1
    for i in at.tolist():
        if i < 0 or blocks.size[i] > _MOST_SIZE:
            continue
        # 附件【报名表.doc】已下载12次: what stands around the link may be longer than a short name.
        if blocks.link[i] <= _LINKED and not _LABEL.match(blocks.texts[i]):
            continue
        if above.find(i, int(blocks.boxes[i])) is not None:
            above.add(i, i + 1)
    return above.body


def _may_have_attachments(outline: Outline) -> bool:
    """Return whether a link may be one to an attachment; faster for a page than for each of its links."""
    return (
        _LABEL_WORD in outline.text
        or _MAYBE_FILE.search(outline.text) is not None
        or _MAYBE_FILE.search("\n".join([link.href for link in outline.links])) is not None
    )


def _is_attachment(link: RawLink, text: str) -> bool:
    name = link_text(text, link)
    return link.kind == "a" and bool(
        _FILE.search(link.href) or _FILE.search(name) or _LABEL.match(name)
    )
