"""Select the title of a page: the best of its candidates, by a learned model.

The candidates come from the three steps of [thesis], ``<title>`` without the names of site and channel,
the headings that agree with it, the headline above the text, and from the metadata of today's pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np

from topiccrawl.page.learned import Choice, choice_of
from topiccrawl.page.title.candidates import candidates_of
from topiccrawl.page.title.site_names import is_generic, names_in_links, plain, strip_site_tail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.page.outline import Outline

#: Longer titles are cut (a guess: the longest headlines have about 60 characters).
MAX_TITLE_CHARACTERS = 200
#: Log odds from which a candidate is the title without a look at the link that led to the page.
SURE = 0.0
#: Log odds below which no candidate is taken, only what ``<title>`` says, unless that is a placeholder.
LEAST = -4.0

_NAME_TAGS = ("og:site_name", "application-name", "sitename", "site_name", "author", "copyright")


@dataclass(frozen=True, slots=True)
class Title:
    """The selected title of a page."""

    text: str
    """Empty if the page states none."""
    used_anchor_hint: bool = False
    """Whether the selection considered the text of the link that led to the page."""


def title_of(
    outline: Outline,
    lines: Sequence[str],
    url: str = "",
    anchor_hint: str = "",
    model: Choice | None = None,
) -> Title:
    """Select the title of a walked page.

    The title of a front page is its ``<title>``, even if that is the name of the site.

    Parameters
    ----------
    outline : Outline
        The walked page.
    lines : sequence of str
        Its visible lines.
    url : str
        URL of the page, empty if unknown.
    anchor_hint : str
        Text of the link that led to the page, empty if unknown; it counts where the page itself leaves
        the title in doubt.
    model : Choice, optional
        For training; the default is the model that comes with the project.

    References
    ----------
    [thesis], the three steps to the title of a page.
    """
    path = urlsplit(url).path if url else ""
    if url and path in ("", "/") and "?" not in url and plain(outline.title):
        whole = " ".join(outline.title.split())
        return Title((strip_site_tail(whole) or whole)[:MAX_TITLE_CHARACTERS])
    model = model or choice_of("topiccrawl.page.title", "title.json")
    text, odds = _best(outline, lines, url, "", model)
    if odds >= SURE:
        return Title(text)
    hint = " ".join(anchor_hint.split())
    if hint:
        text, odds = _best(outline, lines, url, hint, model)
    if odds < LEAST:
        stated = " ".join(outline.title.split())
        text = "" if is_generic(stated) else strip_site_tail(stated)[:MAX_TITLE_CHARACTERS]
    return Title(text, used_anchor_hint=True)


def _best(
    outline: Outline, lines: Sequence[str], url: str, hint: str, model: Choice
) -> tuple[str, float]:
    """Return the best candidate and its log odds."""
    found = candidates_of(
        outline,
        lines,
        site_names(outline, url),
        (url, outline.canonical_href, outline.meta.get("og:url", "")),
        hint,
    )
    if not found.texts:
        return "", -np.inf
    odds = model.odds(found.matrix)
    best = int(np.argmax(odds))
    return found.texts[best][:MAX_TITLE_CHARACTERS], float(odds[best])


def site_names(outline: Outline, url: str) -> list[str]:
    """Return the names of the site that the page states, in links to its front page and in metadata."""
    stated = (outline.meta.get(name) for name in _NAME_TAGS)
    return [*names_in_links(outline.links, outline.text, url), *filter(None, stated)]
