"""robots.txt that fails, hangs, lies or explodes; every other path is a page on the topic."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable

from benchmarks.hostile.answers import head, http, on_topic, redirect
from benchmarks.hostile.behavior import INNER_ADDRESS, Asked, Client, robots
from benchmarks.hostile.coding import nested

_TEXT = "text/plain"
_ALLOW = "User-agent: *\nDisallow: /private/\n"


def answers(name: str, about: str, make: Callable[[Asked], bytes]) -> None:
    """Declare a robots.txt by all bytes of its answer."""

    @robots(f"robots-{name}", f"robots.txt: {about}")
    async def handle(asked: Asked, client: Client) -> None:
        await client.send(await asyncio.to_thread(make, asked))


def rules(name: str, about: str, make: Callable[[], str | bytes]) -> None:
    """Declare a robots.txt by its text."""
    answers(name, about, lambda asked: http(make(), kind=_TEXT))


for _status in (401, 403, 404, 410, 429, 500, 503, 999):
    answers(f"{_status}", f"status {_status}",
            lambda asked, status=_status: http("no", f"{status} No"))  # type: ignore[misc]  # fmt: skip
answers("503-later", "503 with Retry-After of a year",
        lambda asked: http("no", "503 No", "Retry-After: 31536000"))  # fmt: skip
rules("100000-rules", "100,000 rules", lambda: "User-agent: *\n" + "".join(
    f"Disallow: /a{i}/*/b{i}$\n" for i in range(100_000)))  # fmt: skip
rules("100000-agents", "100,000 user agents", lambda: "".join(
    f"User-agent: bot{i}\n" for i in range(100_000)) + "Disallow: /\n")  # fmt: skip
rules("50-mb", "50 MB of comments", lambda: "# 侨务侨务侨务\n" * 2_200_000)
rules("10-mb-line", "a line of 10 MB", lambda: _ALLOW + "Disallow: /" + "x" * 10_000_000)
rules("backtracking", "rules whose wildcards backtrack", lambda: "User-agent: *\n" + "".join(
    f"Disallow: {'/*a' * 30}{i}$\n" for i in range(200)))  # fmt: skip
rules(
    "stars", "a rule of 10,000 stars", lambda: "User-agent: *\nDisallow: /" + "*" * 10_000 + "$\n"
)
rules("100000-sitemaps", "100,000 sitemaps", lambda: _ALLOW + "".join(
    f"Sitemap: http://a.example/{i}.xml\n" for i in range(100_000)))  # fmt: skip
rules("delay-huge", "Crawl-delay of 10^300", lambda: f"{_ALLOW}Crawl-delay: 1{'0' * 300}\n")
rules("delay-negative", "Crawl-delay of -5", lambda: f"{_ALLOW}Crawl-delay: -5\n")
rules("delay-nan", "Crawl-delay of nan, inf and 10^999", lambda: (
    f"{_ALLOW}Crawl-delay: nan\nCrawl-delay: inf\nCrawl-delay: 1e999\n"))  # fmt: skip
rules("delay-inf", "Crawl-delay of inf alone", lambda: f"{_ALLOW}Crawl-delay: inf\n")
rules("delay-1e309", "Crawl-delay of 1e309 alone", lambda: f"{_ALLOW}Crawl-delay: 1e309\n")
rules("delay-tiny", "Crawl-delay of 10^-400", lambda: f"{_ALLOW}Crawl-delay: 1e-400\n")
rules("delay-odd", "Crawl-delay in other digits", lambda: (
    f"{_ALLOW}Crawl-delay: 1_0\nCrawl-delay: ٣\nCrawl-delay: 0x10\nCrawl-delay: 1,5\n"))  # fmt: skip
rules("delay-digits", "Crawl-delay of 8,000 digits", lambda: f"{_ALLOW}Crawl-delay: {'9' * 8000}\n")
rules("rate-inf", "Request-rate of 0 pages in inf seconds", lambda: (
    f"{_ALLOW}Request-rate: 1/1e309s\nRequest-rate: {'9' * 5000}/1h\nRequest-rate: -1/-1\n"))  # fmt: skip
rules("visit-odd", "Visit-time of nothing", lambda: (
    f"{_ALLOW}Visit-time: 0600-0600\nVisit-time: 9\nVisit-time: \nVisit-time: ٠٦٠٠-٠٨٤٥\n"))  # fmt: skip
rules("percent", "rules with broken escapes", lambda: (
    "User-agent: *\n" + "Disallow: /%\nDisallow: /%zz\nDisallow: /%ff%fe\nAllow: /\ud800\n" * 100))  # fmt: skip
rules("no-colons", "100,000 lines without a colon", lambda: "Disallow /\n" * 100_000)
rules("groups", "100,000 groups of this agent", lambda: (
    "User-agent: topiccrawl\nAllow: /\n\n" * 50_000 + _ALLOW))  # fmt: skip
rules(
    "comments", "a line of a comment in a comment", lambda: _ALLOW + "Disallow: /x" + "#" * 500_000
)
rules("request-rate", "Request-rate and Visit-time nonsense", lambda: (
    f"{_ALLOW}Request-rate: 1/0\nRequest-rate: 0/0s\nVisit-time: 9999-99999\n"))  # fmt: skip
rules("binary", "binary", lambda: bytes(range(256)) * 1000)
rules("nuls", "NULs", lambda: bytes(1_000_000))
rules("utf-16", "UTF-16", lambda: _ALLOW.encode("utf-16"))
rules("bom", "a byte order mark", lambda: b"\xef\xbb\xbf" + _ALLOW.encode())
rules("disallow-all", "everything forbidden", lambda: "User-agent: *\nDisallow: /\n")
rules("empty", "empty", lambda: "")
rules("ends-in-cr", "lines that end in CR", lambda: _ALLOW.replace("\n", "\r") * 1000)
answers("html", "an HTML page", lambda asked: http(on_topic("robots")))
answers("loop", "redirects to itself", lambda asked: redirect("/robots.txt"))
answers(
    "endless", "redirects to new addresses", lambda asked: redirect(f"/robots.txt?{asked.number}")
)
answers("to-file", "redirects to a file", lambda asked: redirect("file:///etc/passwd"))
answers("to-inner", "redirects into the network",
        lambda asked: redirect(f"http://{INNER_ADDRESS}:{asked.port}/robots.txt"))  # fmt: skip
answers("bomb", "a gzip bomb", lambda asked: http(
    nested(1), "200 OK", "Content-Encoding: gzip", kind=_TEXT))  # fmt: skip
answers("cut-gzip", "gzip that breaks off", lambda asked: http(
    gzip.compress(_ALLOW.encode())[:-9], "200 OK", "Content-Encoding: gzip", kind=_TEXT))  # fmt: skip
answers(
    "two-lengths", "a length that is too long", lambda asked: http(_ALLOW, kind=_TEXT, length=10**6)
)


@robots("robots-hang", "robots.txt: no answer")
async def _hang(asked: Asked, client: Client) -> None:
    await client.hang()


@robots("robots-drip", "robots.txt: a byte a second")
async def _drip(asked: Asked, client: Client) -> None:
    await client.drip(http(_ALLOW, kind=_TEXT), 1.0)


@robots("robots-reset", "robots.txt: the connection is reset")
async def _reset(asked: Asked, client: Client) -> None:
    client.reset()


@robots("robots-without-end", "robots.txt: rules without end, at full speed")
async def _without_end(asked: Asked, client: Client) -> None:
    await client.send(head("200 OK", "Content-Type: text/plain") + b"User-agent: *\n")
    while True:
        await client.send(b"Disallow: /x\n" * 1000)
        await asyncio.sleep(0)
