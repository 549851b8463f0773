"""Whose an answer is that came through a proxy: the site's, or made by the proxy.

Neither an error nor a page shows its origin.  What could be the proxy's own is therefore tried through
another proxy, and what two of them agree about is the site's.  Candidates are errors of the transfer,
statuses that proxies send themselves or that a site sends to a single address, and pages that the same
proxy has sent for another URL already, or that have no reference to their own site.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from enum import Enum
from typing import Final
from urllib.parse import urljoin, urlsplit

from topiccrawl.bounded import BoundedDict
from topiccrawl.page.hrefs import registered_host

#: Statuses that proxies send when they do not reach a site, and sites that are overloaded (RFC 9110,
#: 15.6; 520 to 524 are those of Cloudflare).
UNREACHED: Final = frozenset({500, 502, 503, 504, 520, 521, 522, 523, 524})
#: Statuses by which a site may refuse the address of one proxy.
REFUSED: Final = frozenset({401, 403, 405, 412, 418, 429, 451})
#: Authentication at the proxy (RFC 9110, 15.5.8): never the site's.
PROXY_AUTHENTICATION: Final = 407
#: Bytes of a page that are compared; the beginnings of different pages differ (a guess).
COMPARED_BYTES: Final = 64 * 1024
#: Pages of one proxy that are remembered, and URLs for each (guesses).
_REMEMBERED: Final = 200
_URLS: Final = 20
#: Proxies of which pages are remembered, those used last: some 60 KB each, and a pool gives thousands in a day
#: (a guess).
PROXIES: Final = 500
#: Pages without a reference to their site that another proxy confirmed, after which a site is known for
#: them (a guess).
_CONFIRMED_SITES: Final = 3
#: Characters of a URL that occur in a page which names it, and are left out before pages are compared.
_SHORTEST_PART: Final = 3

_ADDRESSES: Final = re.compile(
    rb"""(?:href|src|action)\s*=\s*["']?\s*([^"'\s>]{1,2000})""", re.IGNORECASE
)
_DIGITS: Final = re.compile(rb"\d+")
_WORDS: Final = re.compile(rb"[^\s<>\"'=]+")
#: Share of common words from which two answers to one URL are the same page (a guess).
_SAME_WORDS: Final = 0.6
_HTML: Final = re.compile(rb"<(?:!doctype html|html|head|body|title|script|meta)\b", re.IGNORECASE)
_ELSEWHERE: Final = (b"#", b"javascript:", b"data:", b"mailto:", b"about:")


class Fault(Enum):
    """Why an answer may not be the site's."""

    DEAD = "dead"
    """Certainly the proxy's: it refuses connections or credentials, or its name is unknown."""
    NO_ANSWER = "no answer"
    UNREACHED = "unreached"
    REFUSED = "refused"
    FALSE = "false"
    """The page is suspected to be another than the site's."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that came through a proxy, as far as it is judged."""

    url: str
    status: int
    body: bytes = b""
    location: str = ""
    html: bool = False

    @property
    def site(self) -> str:
        """The host name."""
        return (urlsplit(self.url).hostname or "").lower()

    @property
    def target(self) -> str:
        """Host name of the target of a redirect, ``""`` without one."""
        if not (300 <= self.status < 400 and self.location):
            return ""
        try:
            return (urlsplit(urljoin(self.url, self.location)).hostname or "").lower()
        except ValueError:
            return ""

    def signature(self) -> bytes:
        """Return a digest that is equal for pages which differ only in their own URL and in numbers."""
        if self.target:
            return hashlib.blake2b(f"{self.status} {self.target}".encode(), digest_size=8).digest()
        body = self.body[:COMPARED_BYTES]
        parts = urlsplit(self.url)
        for own in (self.url, parts.netloc, parts.hostname or "", parts.path, parts.query):
            if len(own) >= _SHORTEST_PART:
                body = body.replace(own.encode(), b"")
        return hashlib.blake2b(_DIGITS.sub(b"0", body), digest_size=8).digest()

    def foreign(self) -> bool:
        """Whether nothing in the answer belongs to its site: no link, no script, no form."""
        if self.target:
            return registered_host(self.target) != registered_host(self.site)
        if self.status != 200 or not (self.html or _HTML.search(self.body[:1024])):
            return False
        for address in _ADDRESSES.findall(self.body[:COMPARED_BYTES]):
            text = address.strip().lower()
            if text.startswith(_ELSEWHERE):
                continue
            if not text.startswith((b"http:", b"https:", b"//")):
                return False  # relative: of this site
            try:
                host = urlsplit(text.decode("latin-1")).hostname or ""
            except ValueError:
                continue
            if registered_host(host) == registered_host(self.site):
                return False
        return True


@dataclass(slots=True)
class _Seen:
    """Pages with one signature that came through one proxy."""

    urls: list[str] = field(default_factory=list)


class AnswerJudge:
    """Finds answers that may be a proxy's own; remembers what each proxy, by name, has answered."""

    def __init__(self) -> None:
        self._seen: BoundedDict[str, BoundedDict[bytes, _Seen]] = BoundedDict(PROXIES)
        self._genuine: BoundedDict[tuple[str, bytes], None] = BoundedDict(10 * _REMEMBERED)
        self._plain_sites: BoundedDict[str, int] = BoundedDict(10 * _REMEMBERED)
        self._false: BoundedDict[bytes, None] = BoundedDict(_REMEMBERED)

    def fault(self, proxy: str, answer: Answer) -> Fault | None:
        """Return why *answer* should be tried through another proxy, ``None`` if it need not be."""
        if answer.status == PROXY_AUTHENTICATION:
            return Fault.DEAD
        if answer.status in UNREACHED:
            return Fault.UNREACHED
        if answer.status in REFUSED:
            return Fault.REFUSED
        if answer.status != 200 and not answer.target:
            return None
        signature = answer.signature()
        if (answer.site, signature) in self._genuine:
            return None
        if signature in self._false or not (answer.body or answer.target):
            return Fault.FALSE
        pages = self._seen.get(proxy)
        seen = None if pages is None else pages.get(signature)
        if seen is not None and answer.url not in seen.urls and not self._own_redirect(answer):
            return Fault.FALSE
        known = self._plain_sites.get(answer.site, 0) >= _CONFIRMED_SITES
        return Fault.FALSE if not known and answer.foreign() else None

    @staticmethod
    def _own_redirect(answer: Answer) -> bool:
        return bool(answer.target) and registered_host(answer.target) == registered_host(
            answer.site
        )

    def accepted(self, proxy: str, answer: Answer) -> None:
        """Remember an answer that was taken for the site's."""
        if not answer.body and not answer.target:
            return
        pages = self._seen.use(proxy, lambda: BoundedDict(_REMEMBERED))
        seen = pages.use(answer.signature(), _Seen)
        if answer.url not in seen.urls:
            seen.urls = [*seen.urls[-_URLS + 1 :], answer.url]

    def confirmed(self, answer: Answer) -> None:
        """Record that two proxies gave the same answer, which was suspected: it is the site's."""
        self._genuine[(answer.site, answer.signature())] = None
        if answer.foreign():
            self._plain_sites[answer.site] = self._plain_sites.get(answer.site, 0) + 1

    def is_false(self, answer: Answer) -> bool:
        """Whether the page of *answer* was found to be a proxy's own."""
        return answer.signature() in self._false

    def falsified(self, proxy: str, answer: Answer) -> list[str]:
        """Return the URLs for which *proxy* has sent the page of *answer* before, and forget them."""
        if answer.body or answer.target:
            self._false[answer.signature()] = None
        pages = self._seen.get(proxy)
        seen = pages.pop(answer.signature(), None) if pages else None
        return [] if seen is None else [url for url in seen.urls if url != answer.url]


def same(one: Answer, other: Answer) -> bool:
    """Whether two proxies gave the same answer to one request; dynamic parts of a page may differ."""
    if one.status != other.status:
        return False
    if one.target or other.target:
        return one.target == other.target
    if one.signature() == other.signature():
        return True
    words, others = (set(_WORDS.findall(each.body[:COMPARED_BYTES])) for each in (one, other))
    return len(words & others) >= _SAME_WORDS * len(words | others)
