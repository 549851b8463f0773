"""Whether a page is content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from topiccrawl.page.notcontent.features import Layout, evidence_of, layout_of
from topiccrawl.page.notcontent.kinds import KINDS, NotContent

if TYPE_CHECKING:
    from topiccrawl.page.page import Page

#: Free text, in Han characters, below which a page that needs scripts is an empty shell (a guess: less
#: than the shortest bulletin).
SHELL_TEXT: Final = 40.0


def recognize(page: Page, status: int = 200, url: str = "") -> NotContent | None:
    """Return what *page* is if it is not content, ``None`` if it may be.

    Parameters
    ----------
    page : Page
        The parsed page.
    status : int
        Status of its response.
    url : str
        The address that was asked for, if not that of the page.
    """
    if not page.looks_like_html or page.media_type:
        return None
    found = layout_of(page)
    best: tuple[float, NotContent] | None = None
    for kind in KINDS:
        if kind == "shell":
            continue
        evidence = evidence_of(page, found, kind, status)
        if evidence is None:
            continue
        title, title_share, heading, early, lines, words, _, length, running = evidence.values[:9]
        score = title + title_share + heading + early + 2 * lines + 2 * words - length - running
        if score > 1 and (best is None or score > best[0]):
            best = (score, NotContent(kind, evidence.words))
    if best is not None:
        return best[1]
    return _shell(found)


def _shell(found: Layout) -> NotContent | None:
    if found.free < SHELL_TEXT and found.links < 5 and (found.mounts or found.leaves):
        return NotContent("shell", "no text without scripts")
    return None
