"""Whether a page is content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from topiccrawl import details
from topiccrawl.page.notcontent.cues import strong
from topiccrawl.page.notcontent.features import THRESHOLD, Layout, evidence_of
from topiccrawl.page.notcontent.kinds import WORDED, NotContent

if TYPE_CHECKING:
    from topiccrawl.page.page import Page

#: Points by which a captcha may be behind a block page (a guess; both are treated alike).
CAPTCHA_FIRST: Final = 1.5
#: Free text, in Han characters, below which a page that needs scripts is an empty shell (a guess: less
#: than the shortest bulletin).
SHELL_TEXT: Final = 40.0
#: Own text below which a notice, frames or scripts are all that a page has: a title (a guess).
NOTICE_TEXT: Final = 16.0
#: Text in links, in Han characters, from which a page is a list and no shell (a guess).
SHELL_LINKS: Final = 120.0


def recognize(page: Page, status: int = 200) -> NotContent | None:
    """Return what *page* is if it is not content, ``None`` if it may be.

    Parameters
    ----------
    page : Page
        The parsed page.
    status : int
        Status of its response.
    """
    if not page.looks_like_html or page.media_type:
        return None
    found = page.layout
    if found is None:
        return None
    if (kind := _by_words(page, found, status)) is not None:
        return kind
    shell = _shell(found)
    if shell is not None and page.script_article is not None:
        return None
    return shell or _by_words(page, found, status, weak=True)


def _by_words(page: Page, found: Layout, status: int, *, weak: bool = False) -> NotContent | None:
    """Return the kind with the most points if they suffice; see :func:`evidence_of`."""
    best: tuple[float, NotContent] | None = None
    for kind in WORDED:
        evidence = evidence_of(page, found, kind, status, weak=weak)
        if evidence is None or evidence.points < THRESHOLD:
            continue
        # Captchas come with the words of block pages: 访问过于频繁，请输入验证码.
        points = evidence.points + (CAPTCHA_FIRST if kind == "captcha" else 0.0)
        if best is None or points > best[0]:
            best = (points, NotContent(kind, evidence.words))
    return None if best is None else best[1]


def _shell(found: Layout) -> NotContent | None:
    """Return that a page has no text of its own before its scripts, frames or redirect."""
    if found.linked >= SHELL_LINKS:
        return None
    shell = strong("shell")
    notices: list[str] = []
    own = 0.0
    for line, size in zip(found.lines, found.sizes, strict=True):
        if match := shell.search(line):
            notices.append(match[0])
            continue
        own += size
        if own >= SHELL_TEXT:
            return None
    if notices and own < NOTICE_TEXT:
        return NotContent("shell", notices[0][:100])
    if found.frames and own + found.linked < NOTICE_TEXT and not found.pictures:
        return NotContent("shell", details.FRAMES_WITHOUT_TEXT())
    if not found.scripts or own >= NOTICE_TEXT:
        return None
    hidden = shell.search(found.hidden)
    if found.empty_mount or hidden or (found.leaves and not found.pictures):
        return NotContent("shell", hidden[0][:100] if hidden else details.NO_TEXT_WITHOUT_SCRIPTS())
    if not own + found.linked and not found.pictures:
        return NotContent("shell", details.NO_TEXT_WITHOUT_SCRIPTS())
    return None
