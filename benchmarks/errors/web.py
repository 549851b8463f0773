"""A known web on loopback addresses, some pages of which fail, for a while or always."""

from __future__ import annotations

import gzip
import random
from collections import Counter
from typing import Final

from benchmarks.hostile.answers import HTML, head
from benchmarks.known_web import KnownWeb

#: Every kind of failure.
KINDS: Final = (
    "timeout", "reset", "reset-midway", "http-500", "http-502", "http-503", "http-504", "truncated",
    "too-long-length", "too-short-length", "bad-gzip", "bad-tls", "tls-closed",
)  # fmt: skip
#: Kinds that need a server of their own, because they come before any request.
TLS: Final = ("bad-tls", "tls-closed")
#: Failures of a page that fails for a while: fewer than the attempts that the crawl makes.
TRANSIENT_FAILURES: Final = 2
#: Share of the failing pages that never work.
ALWAYS: Final = 0.4


class ErrorWeb(KnownWeb):
    """A :class:`KnownWeb` on addresses of 127.68.0.0/16; *share* of the pages fail."""

    def __init__(
        self, pages: int, hosts: int, *, share: float, seed: int, port: int, tls_port: int
    ):
        super().__init__(pages, hosts, seed=seed, copies=1)
        draw = random.Random(f"errors {seed}")
        numbers = draw.sample(range(1, pages), round(share * pages))
        self.kind = {number: KINDS[i % len(KINDS)] for i, number in enumerate(numbers)}
        self.always = {number for number in numbers if draw.random() < ALWAYS}
        self.tls = {
            f"127.68.{100 + i // 250}.{i % 250 + 1}": number
            for i, number in enumerate(n for n in numbers if self.kind[n] in TLS)
        }
        addresses = {number: address for address, number in self.tls.items()}
        plain = {name: f"127.68.{i // 250}.{i % 250 + 1}" for i, name in enumerate(self.hosts)}
        self.addresses = tuple(plain.values())
        self.urls = tuple(
            f"https://{addresses[k]}:{tls_port}/news/{k}.html"
            if k in addresses
            else f"http://{plain[url.split('/')[2]]}:{port}/news/{k}.html"
            for k, url in enumerate(self.urls)
        )
        self._number = {url: k for k, url in enumerate(self.urls)}
        self.asked: Counter[int] = Counter()

    def fails(self, number: int) -> str:
        """Count a request for a page; return the kind of its failure, "" if it works now."""
        self.asked[number] += 1
        works = self.asked[number] > TRANSIENT_FAILURES and number not in self.always
        return "" if works else self.kind.get(number, "")

    def reachable(self, stored: set[str]) -> set[str]:
        """Return the seed and the addresses on pages in *stored*."""
        return {self.urls[0], *(url for page in stored for url in self.links_of(page))}

    def whole(self, number: int) -> bytes:
        """Return the answer with a page."""
        return answer(self._html(number).encode())

    def failure(self, number: int, kind: str) -> bytes:
        """Return the bytes of a failure that sends some."""
        body = self._html(number).encode()
        if kind.startswith("http-"):
            page = b"<h1>Server error</h1>"
            return (
                head(f"{kind[5:]} Error", f"Content-Type: {HTML}", f"Content-Length: {len(page)}")
                + page
            )
        if kind == "truncated":
            return answer(body)[: -len(body) // 2]
        if kind == "too-long-length":
            return answer(body, length=len(body) + 1000)
        if kind == "too-short-length":
            return answer(body, length=len(body) // 2)
        packed = bytearray(gzip.compress(body))
        packed[len(packed) // 3 : len(packed) // 3 + 40] = bytes(40)
        return answer(bytes(packed), "Content-Encoding: gzip")


def answer(body: bytes, *headers: str, length: int | None = None) -> bytes:
    """Return an answer with status 200 that states *length*, by default the true one."""
    stated = len(body) if length is None else length
    return head("200 OK", f"Content-Type: {HTML}", f"Content-Length: {stated}", *headers) + body
