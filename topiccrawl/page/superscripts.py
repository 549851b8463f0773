"""Raised numbers as characters: 10<sup>6</sup> is 10⁶, not 106.

NFKC, in which texts are searched and compared, makes the plain number of it: m² and m2 are one word.
"""

from __future__ import annotations

import re
from typing import Final

_RAISED: Final = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
#: Exponents, powers of units and numbers of notes; what is longer is a text (a guess).
_NUMBER: Final = r"[+\-−–]?\d{1,3}"
# A number may stand in a link or a style.  (A pattern that ignores case is not searched by its first letters.)
_ELEMENT: Final = re.compile(
    rf"(<[sS][uU][pP](?:\s[^<>]*+)?>(?:<[a-zA-Z][^<>]*+>){{0,4}}\s{{0,9}})({_NUMBER})(?=\s{{0,9}}</)",
    re.ASCII,
)
_END: Final = re.compile("</(?:sup|SUP)")
_ALONE: Final = re.compile(_NUMBER, re.ASCII)


def with_superscripts(html: str) -> str:
    """Return a page with the numbers in its ``sup`` elements raised; most pages unchanged. Linear time.

    >>> with_superscripts("10<sup>-6</sup> m<sup>2</sup>, see<sup>[2]</sup>")
    '10<sup>⁻⁶</sup> m<sup>²</sup>, see<sup>[2]</sup>'
    """
    if _END.search(html) is None:
        return html
    return _ELEMENT.sub(lambda found: f"{found[1]}{found[2].translate(_RAISED)}", html)


def superscript(text: str) -> str:
    """Return a raised number as characters, any other text unchanged.

    >>> superscript("-6"), superscript("th")
    ('⁻⁶', 'th')
    """
    return text.translate(_RAISED) if _ALONE.fullmatch(text) else text
