"""Classify the blocks of a page: body, comments and the rest; and find the kind of the page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.page.body.attachments import with_attachments
from topiccrawl.page.body.blocks import Blocks
from topiccrawl.page.body.comment_blocks import comment_blocks
from topiccrawl.page.body.completion import completed
from topiccrawl.page.body.contract import Extraction
from topiccrawl.page.body.features import features_of
from topiccrawl.page.body.kind import kind_by_model
from topiccrawl.page.body.model import BodyModel, body_model
from topiccrawl.page.body.other_parts import without_next_articles, without_other_parts
from topiccrawl.page.body.selection import select_body
from topiccrawl.page.body.series import entries_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.page.outline import Outline


def classify(
    outline: Outline, blocks: Blocks, title: str, url: str, model: BodyModel | None = None
) -> Extraction:
    """Separate body and comments from the rest of a page, and find its kind.

    Parameters
    ----------
    outline : Outline
        The walked page.
    blocks : Blocks
        Its blocks.
    title : str
        Title as the page states it, empty if it does not.
    url : str
        URL of the page, empty if unknown.
    model : BodyModel, optional
        For training; the default is the model that comes with the project.

    Returns
    -------
    Extraction
        Empty and of kind ``other`` for a page without text. Time is linear in the size of the page.
    """
    if not len(blocks):
        return Extraction(kind="other")
    features = features_of(outline, blocks, title, url)
    model = model or body_model()
    p = model.predict(blocks, features)
    entries = entries_of(blocks, features)
    if entries.any():
        features = replace(features, thread=False)
    body = select_body(p, blocks, features) | entries
    kind = kind_by_model(outline, blocks, features, p, body, url)
    comments = none = np.zeros(len(blocks), bool)
    if kind == "list":
        body = none
    else:
        if kind != "thread":
            tags = outline.boxes.tags
            body = completed(tags, blocks, features, body, p)
            body = without_next_articles(tags, blocks, features, body)
            if model.parts is not None:
                body = without_other_parts(tags, blocks, features, body, p, model.parts)
            body |= entries
        # A notice may be nothing but its title and what is attached.
        above = body if body.any() else features.titles
        body = with_attachments(outline, blocks, features.parents, above) & (
            body | ~features.titles
        )
    if kind not in ("list", "thread"):
        comments = comment_blocks(outline.boxes, blocks, features, body)
    return Extraction(
        _text(blocks, body),
        _text(blocks, comments),
        kind,
        tuple(blocks.starts[body].tolist()),
        tuple(blocks.starts[comments].tolist()),
    )


def _text(blocks: Blocks, chosen: NDArray[np.bool_]) -> str:
    return "\n".join(blocks.texts[i] for i in np.flatnonzero(chosen))
