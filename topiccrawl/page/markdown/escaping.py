"""Text that Markdown reads as itself: escapes only where a character would be read as markup."""

from __future__ import annotations

import re

_ALWAYS = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])|`|(?<![A-Za-z0-9])_(?=\S)|(?<=\S)_(?![A-Za-z0-9])|~(?=~)|(?<=~)~"
    r"|<(?=[A-Za-z/!?])|&(?=#?\w{1,31};)|\](?=[(\[])|!(?=\[)"
)
_STAR = re.compile(r"\*")
_BEGIN = re.compile(
    r"^(?:(#{1,6})(?=\s|$)|(>)|([-+*])(?=\s|$)|(\d{1,9})([.)])(?=\s|$)|([-=_*])(?=[-=_*\s]*$)|(\[)(?=[^\]]+\]:))"
)
# An escaped character, or one that may end the text of a link or an image.
_LABEL = re.compile(r"\\[!-/:-@\[-`{-~]|[\[\]]|\\$")
_BACKTICKS = re.compile("`+")


def escape(text: str) -> str:
    r"""Return running text with the characters escaped that would be markup inside a line.

    >>> escape("1 * 2 < 3, a_b, **x**, <p>")
    '1 \\* 2 < 3, a_b, \\*\\*x\\*\\*, \\<p>'
    """
    text = _ALWAYS.sub(lambda match: f"\\{match.group()}", text)
    return _STAR.sub(r"\\*", text) if text.count("*") > 1 else text


def escape_label(text: str) -> str:
    r"""Return running text as the text of a link or an image, whatever brackets it has.

    >>> escape_label("图1] 老街"), escape_label("[图]")
    ('图1\\] 老街', '\\[图\\]')
    """
    return _LABEL.sub(
        lambda found: found[0] if len(found[0]) > 1 else f"\\{found[0]}", escape(text)
    )


def escape_start(line: str) -> str:
    r"""Return a line that does not begin like a heading, list, quotation or rule.

    >>> escape_start("1. 概述"), escape_start("- 1")
    ('1\\. 概述', '\\- 1')
    """
    match = _BEGIN.match(line)
    if match is None:
        return line
    if match[4]:
        return f"{match[4]}\\{line[match.end(4) :]}"
    return f"\\{line}"


def code_span(text: str) -> str:
    """Return program text as a code span, whatever it contains.

    >>> code_span("a`b")
    '``a`b``'
    """
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * (longest + 1 if longest else 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def code_block(text: str, language: str = "") -> str:
    """Return program text as a fenced block."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def address(url: str) -> str:
    """Return an address as a link's destination.

    >>> address("a b(1).jpg")
    'a%20b(1).jpg'
    """
    url = url.replace(" ", "%20").replace("\n", "").replace("<", "%3C").replace(">", "%3E")
    return url if url.count("(") == url.count(")") else url.replace("(", "%28").replace(")", "%29")
