"""Soft 404s of a host, learned while it is crawled: one text under many addresses.

A page of content contains the text of the links that lead to it, or much of it; the same text under
three addresses whose link texts differ and are not on the page is an answer to addresses that the host
does not have. No address is asked for that no page links to.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import Final

#: Addresses with one text and different link texts from which it is no content (a guess).
ADDRESSES: Final = 3
#: Texts that are remembered; beyond, the one that was seen longest ago is forgotten (a guess: 20 MB).
TEXTS_REMEMBERED: Final = 50_000
#: Shortest text of a link that can be missed on the page it leads to, in characters: 更多 cannot.
MIN_ANCHOR: Final = 4


class RepeatedTexts:
    """Texts by host, with the addresses and link texts that led to them."""

    def __init__(self) -> None:
        self._seen: OrderedDict[bytes, dict[str, str]] = OrderedDict()

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
        own = _squeezed(text)
        if len(words) < MIN_ANCHOR or words in own or words in _squeezed(title):
            return False
        key = hashlib.blake2b(f"{host}\n{own}".encode(), digest_size=12).digest()
        seen = self._seen.setdefault(key, {})
        self._seen.move_to_end(key)
        if len(self._seen) > TEXTS_REMEMBERED:
            self._seen.popitem(last=False)
        if len(seen) < ADDRESSES or url in seen:
            seen[url] = words
        return len(seen) >= ADDRESSES and len(set(seen.values())) >= ADDRESSES


def _squeezed(text: str) -> str:
    """Return *text* without white space and digits: error pages repeat dates and addresses."""
    return "".join(c for c in text.lower() if not (c.isspace() or c.isdigit()))
