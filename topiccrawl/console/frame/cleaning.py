"""Text of collected pages as the templates show it: without invisible characters.

Markup is escaped by the templates.  Here control characters, and format characters that change the
reading direction of what follows, are taken out of everything that a template prints.
"""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup

from topiccrawl.reporting.markup import PILED_MARKS, is_web_link

#: Controls except tab and line feed; soft hyphens, marks and overrides of direction, invisible
#: operators, variation in tags; half of a surrogate pair (Unicode 15, categories Cc, Cf and Cs).
#: Joiners stay: words of some scripts need them.
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def visible(text: str) -> str:
    """Return *text* without control characters, direction overrides and piles of accents."""
    if text.isprintable() and text.isascii():
        return text
    return PILED_MARKS.sub(r"\1", _UNSEEN.sub("", text.replace("\r\n", "\n")))


def finalize(value: object) -> object:
    """Return a value of a template as it is printed; Jinja calls it for each expression."""
    if value is None:
        return ""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return value


def web_link(url: object) -> str:
    """Return *url* if it is safe as a link, else an empty string."""
    text = str(url)
    return text if is_web_link(text) else ""
