"""Whole sites: the share of pages that a crawl finds in each way, and what sitemap bombs cost.

    python -m benchmarks.whole_sites
    python -m benchmarks.whole_sites --web /data/webs/zhdocs --host docs.gimp.org --pages 400

The first table is of the demonstration web.  With ``--web``, a second one is of the stored pages of one host, whose
links are taken away; a generated front leads to them by an index of packed sitemaps, a feed on several
pages, a pager by script and an archive of a weekly, a quarter each.  The last table is of a small site with one
bomb each: its peak of memory beside that of the site without any, its time, and the reason that was logged.
"""

from __future__ import annotations

import argparse
import gzip
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from html import escape
from pathlib import Path

from topiccrawl.demo.crawl import crawl_command
from topiccrawl.demo.listed import NOTICES
from topiccrawl.demo.web import DemoWeb
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.webserver.answers import Answer
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

#: Entries of each list, feed page and issue of the generated front.
_PER_LIST = 10
_ISSUE = date(2024, 3, 15)
_HREF = re.compile(rb"\b(?:href|src)\s*=", re.IGNORECASE)
SITE = "http://www.bombs.example"


@dataclass(frozen=True, slots=True)
class Run:
    """A finished crawl."""

    asked: frozenset[str]
    megabytes: float
    """Peak of resident memory."""
    seconds: float
    """CPU time."""
    log: str


class MadeWeb:
    """Answers by URL, made on request."""

    def __init__(self, pages: Mapping[str, Callable[[], Answer]]) -> None:
        self._pages = pages

    def answer(self, url: str, attempt: int = 1, /) -> Answer | None:
        """Return the answer to *url*; 404 for unknown ones."""
        make = self._pages.get(url)
        return make() if make is not None else Answer(404, "text/html", b"<h1>404</h1>")


def crawl(web: object, seed: str, *settings: str) -> Run:
    """Crawl the whole site of *seed* by the real command."""
    with tempfile.TemporaryDirectory() as folder, WebServer(web) as server:  # type: ignore[type-var]
        out = Path(folder)
        words = crawl_command([seed], out, 0, ("TOPICCRAWL_DUPLICATES=off", *settings))
        process = subprocess.Popen(
            [sys.executable, "-m", *words, "-a", "whole=1"],
            env=environment(server.url) | {"LANGUAGE": "en"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"the crawl ended with status {status}")
        asked = frozenset(it.url for it in server.requests if it.status == 200)
        log = (out / "crawl.log").read_text("utf-8")
    return Run(asked, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime, log)


def html(body: str) -> Callable[[], Answer]:
    """An HTML page."""
    return lambda: Answer(
        200, "text/html; charset=utf-8", f"<html><body>{body}</body></html>".encode()
    )


def file(body: str | bytes) -> Callable[[], Answer]:
    """An XML file, or a packed one."""
    data = body.encode() if isinstance(body, str) else body
    return lambda: Answer(200, "application/xml", data)


def urlset(urls: Iterable[str]) -> str:
    """A sitemap."""
    entries = "".join(f"<url><loc>{escape(url)}</loc></url>" for url in urls)
    return f"<urlset>{entries}</urlset>"


def sitemap_index(urls: Iterable[str]) -> str:
    """An index of sitemaps."""
    entries = "".join(f"<sitemap><loc>{escape(url)}</loc></sitemap>" for url in urls)
    return f"<sitemapindex>{entries}</sitemapindex>"


def _lists(urls: Sequence[str]) -> list[Sequence[str]]:
    return [urls[at : at + _PER_LIST] for at in range(0, len(urls), _PER_LIST)]


def _anchors(urls: Iterable[str]) -> str:
    return "".join(f'<li><a href="{escape(url)}">{escape(url[-40:])}</a></li>' for url in urls)


def front_of(
    root: str, groups: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, Callable[[], Answer]]]:
    """Yield the pages and files that lead to *groups*: map, flash, bulletin and paper."""
    maps = _lists(groups["map"])
    names = [f"{root}maps/{number}.xml.gz" for number in range(len(maps))]
    entrances = [f"{root}list/", f"{root}paper/{_ISSUE:%Y%m%d}/"]
    yield f"{root}robots.txt", lambda: Answer(200, "text/plain", f"Sitemap: {root}m.xml\n".encode())
    yield f"{root}m.xml", file(sitemap_index([*names, f"{root}entrances.xml"]))
    yield f"{root}entrances.xml", file(urlset(entrances))
    for name, urls in zip(names, maps, strict=True):
        yield name, file(gzip.compress(urlset(urls).encode()))
    feeds = _lists(groups["flash"])
    yield root, html("<a href='/about.html'>关于</a>")
    for number, urls in enumerate(feeds):
        further = (
            f'<link rel="next" href="{root}rss.xml?p={number + 1}"/>'
            if number + 1 < len(feeds)
            else ""
        )
        items = "".join(f"<item><link>{escape(url)}</link></item>" for url in urls)
        name = f"{root}rss.xml" + (f"?p={number}" if number else "")
        yield name, file(f"<rss><channel>{further}{items}</channel></rss>")
    lists = _lists(groups["bulletin"])
    for number, urls in enumerate(lists):
        script = f'<script>createPageHTML({len(lists)}, {number}, "index", "html");</script>'
        name = f"index_{number}.html" if number else ""
        yield f"{root}list/{name}", html(_anchors(urls) + script)
    for number, urls in enumerate(_lists(groups["paper"])):
        day = _ISSUE - timedelta(weeks=number)
        yield f"{root}paper/{day:%Y%m%d}/", html(_anchors(urls))


def stored_site(spec: str, host: str, most: int) -> tuple[MadeWeb, str, dict[str, list[str]]]:
    """Return the pages of one host of a stored web without their links, its root, and the groups."""
    stored = open_web(spec)
    urls = [url for url in stored.urls() if url.partition("://")[2].partition("/")[0] == host]
    urls = [url for url in sorted(urls) if (page := stored.get(url)) and page.status == 200][:most]
    if not urls:
        raise SystemExit(f"{spec} has no pages of {host}")
    root = f"{urls[0].partition('://')[0]}://{host}/"
    groups = {name: urls[at::4] for at, name in enumerate(NOTICES)}

    def served(url: str) -> Callable[[], Answer]:
        def make() -> Answer:
            found = stored.get(url)
            assert found is not None
            return Answer(200, found.content_type, _HREF.sub(b"data-none=", found.body))

        return make

    return MadeWeb({url: served(url) for url in urls} | dict(front_of(root, groups))), root, groups


def packed(pieces: Iterable[bytes]) -> bytes:
    """Return *pieces* as one gzip file."""
    raw = io.BytesIO()
    with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=9) as file:
        for piece in pieces:
            file.write(piece)
    return raw.getvalue()


def bombs() -> dict[str, dict[str, Callable[[], Answer]]]:
    """Return the pages of a site for each bomb."""
    blank = b" " * 2**20
    lol = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    laughs = f'<!DOCTYPE x [<!ENTITY l0 "lol">{lol}]><urlset><url><loc>&l9;</loc></url></urlset>'
    blanks = packed([b"<urlset>", *[blank] * 1024])
    comment = packed([b"<urlset><!-- ", *[blank] * 1024])
    tag = packed([b"<urlset a='", *[b"a" * 2**20] * 1024])
    same = b"<url><loc>http://www.bombs.example/1.html</loc></url>" * 20_000
    distinct = packed(
        b"".join(
            b"<url><loc>%s/%d.html</loc></url>" % (SITE.encode(), n) for n in range(at, at + 10_000)
        )
        for at in range(0, 2_000_000, 10_000)
    )
    made: dict[str, Mapping[str, Callable[[], Answer]]] = {
        "none": {},
        "blanks": {"m.xml": file(blanks)},
        "comment": {"m.xml": file(comment)},
        "tag": {"m.xml": file(tag)},
        "one address": {"m.xml": file(packed([b"<urlset>", *[same] * 1000]))},
        "addresses": {"m.xml": file(distinct)},
        "laughs": {"m.xml": file(laughs)},
        "index of itself": {"m.xml": file(sitemap_index([f"{SITE}/m.xml"] * 10))},
        "endless index": {
            "m.xml": file(sitemap_index(f"{SITE}/m{n}.xml" for n in range(2_000))),
            **{
                f"m{n}.xml": file(
                    sitemap_index(f"{SITE}/m{n * 3 + k + 2_000}.xml" for k in range(3))
                )
                for n in range(20_000)
            },
        },
    }
    robots = {
        "robots.txt": lambda: Answer(200, "text/plain", f"Sitemap: {SITE}/m.xml".encode()),
        "": html("<a href='/1.html'>1</a>"),
        "1.html": html("<p>侨务</p>"),
    }
    return {
        name: {f"{SITE}/{path}": make for path, make in (robots | dict(pages)).items()}
        for name, pages in made.items()
        if pages or name == "none"
    }


def reason_in(log: str) -> str:
    """Return the first reason that the crawl gave its user."""
    found = re.search(r"(?:is read in part only|cannot be read): (.*)", log)
    return found[1][:70] if found is not None else ""


def shares(title: str, run: Run, groups: Mapping[str, Sequence[str]]) -> None:
    """Print the share of each group that was found."""
    print(
        f"\n{title}: {len(run.asked)} answers, {run.seconds:.0f} s of CPU, {run.megabytes:.0f} MB"
    )
    for name, urls in groups.items():
        found = len(run.asked.intersection(urls))
        print(f"  {name:10} {found:5} of {len(urls):5}  {found / max(1, len(urls)):.3f}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--web", help="a stored web (docs/webs.md)")
    parser.add_argument("--host", default="docs.gimp.org", help="host of the stored web")
    parser.add_argument("--pages", type=int, default=400, help="pages of it, at most")
    parser.add_argument("--no-bombs", action="store_true", help="leave out the bombs")
    options = parser.parse_args(arguments)
    demo = DemoWeb(seed=7, size=300)
    groups = {name: demo.listed(name) for name in NOTICES}
    root = groups["map"][0].partition("notice/")[0]
    keep = f"TOPICCRAWL_ALLOW={root.partition('://')[2].strip('/')}"
    shares("demonstration web", crawl(demo, root, keep), groups)
    if options.web:
        web, root, stored = stored_site(options.web, options.host, options.pages)
        keep = f"TOPICCRAWL_ALLOW={options.host}"
        shares(options.host, crawl(web, root, keep), stored)
    if options.no_bombs:
        return
    print(f"\n{'bomb':18} {'MB more':>8} {'CPU s':>6} {'pages':>6}  reason")
    base = 0.0
    for name, pages in bombs().items():
        run = crawl(MadeWeb(pages), f"{SITE}/", "CLOSESPIDER_PAGECOUNT=300")
        base = base or run.megabytes
        found = sum(url.endswith(".html") for url in run.asked)
        more = run.megabytes - base
        print(
            f"{name:18} {more:8.1f} {run.seconds:6.1f} {found:6}  {reason_in(run.log)}", flush=True
        )


if __name__ == "__main__":
    main()
