"""Pages per CPU second of several extractors, and time of large pages."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.extraction_pages import Input
from benchmarks.extractors import Extract
from topiccrawl.page.page import Page

_SENTENCE = "修缮后的老街昨日重新开放，居民们陆续搬回。"


@dataclass(frozen=True, slots=True)
class Speed:
    """Pages per CPU second of one extractor over the rounds."""

    median: float
    slowest: float
    fastest: float
    against_first: float
    """Median over the rounds of its speed relative to the first extractor in the same round."""


def speeds(
    extractors: Mapping[str, Extract], pages: Sequence[Input], rounds: int = 5
) -> dict[str, Speed]:
    """Time all extractors on the same pages, alternating page by page.

    Alternating makes load on the machine affect all equally. A first round is not measured. CPU time of
    this process is measured, so other programs matter only by their effect on caches.
    """
    names = list(extractors)
    per_round: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds + 1):
        spent = dict.fromkeys(names, 0.0)
        for i, page in enumerate(pages):
            # The first extractor finds the page's bytes cold, so it changes from page to page.
            turn = (i + number) % len(names)
            for name in names[turn:] + names[:turn]:
                start = time.process_time()
                extractors[name](page)
                spent[name] += time.process_time() - start
        if number:
            for name in names:
                per_round[name].append(len(pages) / max(spent[name], 1e-9))
    first = per_round[names[0]]
    return {
        name: Speed(
            statistics.median(values),
            min(values),
            max(values),
            statistics.median(v / f for v, f in zip(values, first, strict=True)),
        )
        for name, values in per_round.items()
    }


def large_page(size: int) -> bytes:
    """Return a page of ``size`` times 100 KB of paragraphs after a menu."""
    nav = "".join(f'<li><a href="/{i}/">频道{i}</a></li>' for i in range(100))
    paragraph = f"<p>{_SENTENCE * 4}</p>\n"
    count = size * 100_000 // len(paragraph.encode())
    return f"<html><body><ul>{nav}</ul><div>{paragraph * count}</div></body></html>".encode()


def nested(tags: int) -> bytes:
    """Return a page of ``tags`` nested elements, with text in the innermost."""
    return f"<html><body>{'<div>' * tags}<p>{_SENTENCE * 9}</p>{'</div>' * tags}".encode()


def nested_inline(tags: int) -> bytes:
    """Return a page of ``tags`` unclosed inline elements, with text in each."""
    return f"<html><body><p>{'<b>侨<i>乡' * (tags // 2)}</p><p>{_SENTENCE * 9}</p>".encode()


def many_links(links: int) -> bytes:
    """Return a page of ``links`` links in one list, and a paragraph."""
    items = "".join(f'<li><a href="/n/{i}.html">第{i}条新闻的标题</a></li>' for i in range(links))
    return f"<html><body><ul>{items}</ul><p>{_SENTENCE * 9}</p></body></html>".encode()


def long_line(kilobytes: int) -> bytes:
    """Return a page with one text of ``kilobytes`` KB without tags or line ends."""
    text = _SENTENCE * (kilobytes * 1_000 // len(_SENTENCE.encode()))
    return f"<html><body><p>{text}</p></body></html>".encode()


def many_breaks(breaks: int) -> bytes:
    """Return a page of ``breaks`` short lines separated by ``<br>``."""
    return f"<html><body><div>{'短短的一行<br>' * breaks}</div></body></html>".encode()


def many_rows(rows: int) -> bytes:
    """Return a page with a table of ``rows`` rows."""
    cells = "<tr><td>指标</td><td>123</td><td>2023-04-01</td></tr>"
    return f"<html><body><table>{cells * rows}</table></body></html>".encode()


#: Pages that reveal quadratic time, each with its size n.
LARGE: dict[str, tuple[Callable[[int], bytes], int]] = {
    "large page (100 KB)": (large_page, 50),
    "nested tags": (nested, 100_000),
    "nested inline tags": (nested_inline, 100_000),
    "links": (many_links, 50_000),
    "one line (KB)": (long_line, 1_000),
    "line breaks": (many_breaks, 100_000),
    "table rows": (many_rows, 30_000),
}


@dataclass(frozen=True, slots=True)
class Growth:
    """CPU seconds at half the size and at the size, each the least of some runs."""

    half: float
    full: float

    @property
    def ratio(self) -> float:
        """2 if linear, 4 if quadratic; small times are mostly noise and fixed costs."""
        return self.full / max(self.half, 1e-9)


def growth(analyze: Callable[[bytes], object], kind: str, runs: int = 3) -> Growth:
    """Measure how the time of a page of :data:`LARGE` grows."""
    make, number = LARGE[kind]
    times = []
    for count in (number // 2 or 1, number):
        data = make(count)
        best = float("inf")
        for _ in range(runs):
            start = time.process_time()
            analyze(data)
            best = min(best, time.process_time() - start)
        times.append(best)
    return Growth(*times)


def everything(extractor: str) -> Callable[[bytes], object]:
    """Return a function that reads links, title, body, time and by-line of a page."""

    def analyze(data: bytes) -> object:
        page = Page("http://www.site.example/a/1.html", data, extractor=extractor)
        return page.links, page.title, page.body, page.published, page.byline

    return analyze
