"""Who wrote the first post of a thread: the text of the first element that is named for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from topiccrawl.page.byline.names import is_no_name

if TYPE_CHECKING:
    from topiccrawl.page.outline import Outline

#: Names of elements: ``authi`` of Discuz, ``readName`` of phpwind, ``author``, ``post-author``, ``username``.
_POSTER: Final = re.compile(
    r"(?:^|[\s_-])(?:authi|read_?name|(?:post|topic|thread|question)?[-_]?author(?:[-_]?(?:info[-_]?)?name)?"
    r"|user[-_]?name|nick[-_]?name|poster)(?:$|\s)",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"^(?:作者|楼主|樓主|发帖人|發帖人|提问者|by)\s*[:：]?\s*", re.IGNORECASE
)
#: Longest name of a member (forums allow 15 to 20 characters).
_LONGEST: Final = 20


def poster_of(outline: Outline) -> str | None:
    """Return the name in the first box that is named as that of a poster, None if there is none."""
    boxes, text = outline.boxes, outline.text
    for names, start, end in zip(boxes.names, boxes.starts, boxes.ends, strict=True):
        if names and start < end <= start + 4 * _LONGEST and _POSTER.search(names):
            words = _LABEL.sub("", " ".join(text[start:end].split())).split(" ")
            # Names of Western members have a space; behind others stand rank and time.
            western = len(words) == 2 and "".join(words).isascii() and "".join(words).isalpha()
            name = (" ".join(words) if western else words[0]).strip(":：\u200b")
            if 2 <= len(name) <= _LONGEST and not name.isdigit() and not is_no_name(name):
                return name
    return None
