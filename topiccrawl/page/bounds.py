"""Bounds on what the parser gets: its time must be linear in the size of the page.

libxml2 looks at all attributes of an element for each new one, and lxml does so again when it reads
them: one tag of 40,000 attributes takes seconds, one of megabytes takes hours, and neither can be
interrupted. So tags are cut before the parser sees them. Pages that people write pass unchanged.
"""

from __future__ import annotations

import re

#: Attributes of one tag; the others are cut off. Real tags have up to some fifty; 512 take 2 ms
#: (lxml 6.1, 2026-11).
MAX_ATTRIBUTES = 512
#: Tags of one page, after which only its text is read: 30,000 take about 0.4 s of CPU to read (2026-11).
#: The real pages of the extraction benchmark have up to 5,700 (2026-11).
MAX_TAGS = 30_000
#: Characters of a page's text, after which the page is cut off: real articles have up to 100,000. Each step
#: after the parser is linear in them: without a limit the event loop stood still for 13 s of CPU (2026-11).
MAX_TEXT = 150_000

# A tag; a script, style or comment as a whole, because what is in it is not text of the page.
_PIECE = re.compile(
    r"<(script|style)(?=[\s/>])(?:(?!</\1).)*+|<!--(?!-?>)(?:(?!--!?>).)*+(?:--!?>)?|<[a-zA-Z/!?][^<>]*+>?",
    re.IGNORECASE | re.DOTALL,
)
# White space of the HTML standard; ``\s`` is more.
_S = r"[\t\n\f\r ]"
# A tag that ends at the first ">", in whatever context a parser starts to read there: each value that
# begins with a quotation mark ends before.
_PLAIN_TAG = rf"""[^<>=]*+(?:={_S}*+(?:"[^"<>]*+"|'[^'<>]*+'|(?!["']))[^<>=]*+)*+>"""
# Too short for more than MAX_ATTRIBUTES attributes of a letter and a space.
_SHORT = 2 * MAX_ATTRIBUTES
# A "<" from which a tag may have too many attributes. Comments, scripts and quotations are not considered:
# where they end may depend on what a parser makes of faulty tags before them.
# The first lookahead, which scans faster, only saves time.
_SUSPECT = re.compile(rf"<[a-zA-Z](?:(?=[^>]{{{_SHORT}}})(?=[^<>]{{{_SHORT}}})|(?!{_PLAIN_TAG}))")
# A whole tag by the same standard, without the rare cases in which "=" is part of a name.
_TAG = re.compile(
    rf"""<[a-zA-Z](?:[^>=]++|(?<![\t\n\f\r /="'])={_S}*+(?:"[^"]*+"|'[^']*+'|(?![\t\n\f\r "'])[^\t\n\f\r >]*+))*+>"""
)
# An attribute by the tokenizer of the HTML standard, section 13.2.5.32 and following.
_ATTRIBUTE = (
    rf"""[\t\n\f\r /]*+[^\t\n\f\r />][^\t\n\f\r />=]*+"""
    rf"""(?:{_S}*+={_S}*+(?:"[^"]*+"?|'[^']*+'?|(?=>)|[^\t\n\f\r >]++|$))?+"""
)
_FIRST_ATTRIBUTES = re.compile(rf"<[a-zA-Z][^\t\n\f\r />]*+(?:{_ATTRIBUTE}){{0,{MAX_ATTRIBUTES}}}+")
_ATTRIBUTES = re.compile(rf"(?:{_ATTRIBUTE})*+")
# Ends of elements whose content is not markup, and of comments: if the "tag" was in one, that still ends.
_ENDS = re.compile(r"</(?:script|style|textarea|title|noscript|iframe|xmp)|--!?(?=>)", re.I)
# Characters read for suspects, in lengths of the page: more is an attack, and the rest is cut off.
_READ = 4


def bounded(text: str) -> str:
    """Return the page with at most :data:`MAX_TAGS` tags of at most :data:`MAX_ATTRIBUTES` attributes.

    Parameters
    ----------
    text : str
        Decoded HTML.

    Returns
    -------
    str
        ``text`` itself if it is within the bounds. Linear time.
    """
    if text.count("<") > MAX_TAGS:
        text = _first_tags(text)
    return _limit_attributes(text)


def _first_tags(text: str) -> str:
    """Return the page without the tags after the last one allowed. Their text stays."""
    tags = 0

    def keep(piece: re.Match[str]) -> str:
        nonlocal tags
        tags += piece.group().count("<")
        return piece.group() if tags <= MAX_TAGS else " "

    return _PIECE.sub(keep, text)


def _limit_attributes(text: str) -> str:
    parts: list[str] = []
    done = 0
    left = _READ * len(text)
    suspect = _SUSPECT.search(text)
    while suspect is not None:
        if _TAG.match(text, suspect.start(), suspect.start() + _SHORT):
            suspect = _SUSPECT.search(text, suspect.start() + 1)
            continue
        first = _FIRST_ATTRIBUTES.match(text, suspect.start())
        assert first is not None
        left -= first.end() - first.start()
        if left < 0:
            parts.append(text[done : suspect.start()])
            return "".join(parts)
        go_on = suspect.start() + 1
        rest = _ATTRIBUTES.match(text, first.end())
        if rest is not None and rest.group():
            parts.append(text[done : first.end()])
            parts += [f" {end}" for end in _ENDS.findall(text, rest.start(), rest.end() + 1)]
            done = go_on = rest.end()
        suspect = _SUSPECT.search(text, go_on)
    if not done:
        return text
    parts.append(text[done:])
    return "".join(parts)
