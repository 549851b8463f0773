"""Soft 404s of a host, learned while it is crawled: one text under many addresses.

A page of content contains the text of the links that lead to it, or much of it; the same text under
three addresses whose link texts differ and are not on the page is an answer to addresses that the host
does not have. No address is asked for that no page links to.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from topiccrawl.bounded import BoundedDict

#: Addresses with one text and different link texts from which it is not content (a guess).
ADDRESSES: Final = 3
#: Texts that are remembered; beyond, the one that was seen longest ago is forgotten (a guess: 20 MB).
TEXTS_REMEMBERED: Final = 50_000
#: Shortest text of a link that can be missed on the page it leads to, in characters: 更多 cannot.
MIN_ANCHOR: Final = 4
# Characters for which str.isspace or str.isdigit is true: ``\\d`` has only those of decimal numbers.
_LEFT_OUT: Final = re.compile(
    "[\\s\\d\xb2\xb3\xb9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c"
    "\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\U00010a40-\U00010a43"
    "\U00010e60-\U00010e68\U00011052-\U0001105a\U0001f100-\U0001f10a]+"
)


class RepeatedTexts:
    """Texts by host, with the addresses and link texts that led to them."""

    def __init__(self) -> None:
        self._seen: BoundedDict[bytes, dict[str, str]] = BoundedDict(TEXTS_REMEMBERED)

    def repeated(self, host: str, url: str, anchor: str, title: str, text: str) -> bool:
        """Record a page; return whether its text is that of addresses that *host* does not have.

        Parameters
        ----------
        host : str
            The host that answered.
        url : str
            The canonical URL that was asked for.
        anchor : str
            Text of the link that led to the page, empty without one.
        title : str
            Title of the page.
        text : str
            Its visible text.
        """
        words = _squeezed(anchor)
        # Most pages have the text of the link in their title.
        if len(words) < MIN_ANCHOR or words in _squeezed(title):
            return False
        own = _squeezed(text)
        if words in own:
            return False
        key = hashlib.blake2b(f"{host}\n{own}".encode(), digest_size=12).digest()
        seen = self._seen.use(key, dict)
        if len(seen) < ADDRESSES or url in seen:
            seen[url] = words
        return len(seen) >= ADDRESSES and len(set(seen.values())) >= ADDRESSES


def _squeezed(text: str) -> str:
    """Return *text* without white space and digits: error pages repeat dates and addresses."""
    return _LEFT_OUT.sub("", text.lower())
