"""Who wrote the first post of a thread, or an article of a platform: the first element that is named for it."""

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
#: On an article: ``author-name`` of Baijiahao, ``index-module_authorName_7y5nA``, ``AuthorInfo-name`` of Zhihu, the
#: hCard ``author vcard``, and ``author`` alone.
_AUTHOR: Final = re.compile(
    r"(?:^|[\s_-])author(?:[-_]?info)?[-_]?name(?:$|[\s_-])|^(?:(?:post|entry|article)[-_])?author(?:\svcard)?$|^vcard\sauthor$",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"^(?:作者|楼主|樓主|发帖人|發帖人|提问者|(?:post(?:ed)?\s?)?by(?=\s))\s*[:：]?\s*",
    re.IGNORECASE,
)
#: Longest name of a member (forums allow 15 to 20 characters).
_LONGEST: Final = 20


def poster_of(outline: Outline, above: int | None = None) -> str | None:
    """Return the name in the first box that is named as that of a poster, None if there is none.

    Parameters
    ----------
    outline : Outline
        The walked page.
    above : int, optional
        Where the text of an article begins: only boxes before it count, and only names of authors, as those of users
        are in its comments, too.
    """
    boxes, text = outline.boxes, outline.text
    named = _POSTER if above is None else _AUTHOR
    for names, start, end in zip(boxes.names, boxes.starts, boxes.ends, strict=True):
        if above is not None and start >= above:
            return None
        if names and start < end <= start + 4 * _LONGEST and named.search(names):
            words = _LABEL.sub("", " ".join(text[start:end].split())).split(" ")
            # Names of Western members have a space; behind others stand rank and time.
            western = len(words) == 2 and "".join(words).isascii() and "".join(words).isalpha()
            name = (" ".join(words) if western else words[0]).strip(":：\u200b")
            if 2 <= len(name) <= _LONGEST and not name.isdigit() and not is_no_name(name):
                return name
    return None
