"""Pages per CPU second, side by side, and whether large pages take linear time."""

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
    """Median over the rounds of its speed by the first extractor's in the same round."""


def speeds(
    extractors: Mapping[str, Extract], pages: Sequence[Input], rounds: int = 5
) -> dict[str, Speed]:
    """Time all extractors on the same pages, taking turns page by page.

    Taking turns within a round lets a busy machine hurt all alike; one round is run before, unmeasured.
    CPU time of this process, so other programs count only by what they do to the caches.
    """
    names = list(extractors)
    per_round: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds + 1):
        spent = dict.fromkeys(names, 0.0)
        for i, page in enumerate(pages):
            # Who comes first changes from page to page: it finds the page's bytes cold.
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
    """*size* times 100 KB of paragraphs between navigation."""
    nav = "".join(f'<li><a href="/{i}/">频道{i}</a></li>' for i in range(100))
    paragraph = f"<p>{_SENTENCE * 4}</p>\n"
    count = size * 100_000 // len(paragraph.encode())
    return f"<html><body><ul>{nav}</ul><div>{paragraph * count}</div></body></html>".encode()


def nested(tags: int) -> bytes:
    """*tags* open elements, the text in the innermost."""
    return f"<html><body>{'<div>' * tags}<p>{_SENTENCE * 9}</p>{'</div>' * tags}".encode()


def nested_inline(tags: int) -> bytes:
    """*tags* inline elements that are never closed, with text at each."""
    return f"<html><body><p>{'<b>侨<i>乡' * (tags // 2)}</p><p>{_SENTENCE * 9}</p>".encode()


def many_links(links: int) -> bytes:
    """*links* links in one list, and a paragraph."""
    items = "".join(f'<li><a href="/n/{i}.html">第{i}条新闻的标题</a></li>' for i in range(links))
    return f"<html><body><ul>{items}</ul><p>{_SENTENCE * 9}</p></body></html>".encode()


def long_line(kilobytes: int) -> bytes:
    """One text of *kilobytes* KB without a tag or a line end in it."""
    text = _SENTENCE * (kilobytes * 1_000 // len(_SENTENCE.encode()))
    return f"<html><body><p>{text}</p></body></html>".encode()


def many_breaks(breaks: int) -> bytes:
    """*breaks* short lines with ``<br>`` in one element."""
    return f"<html><body><div>{'短短的一行<br>' * breaks}</div></body></html>".encode()


def many_rows(rows: int) -> bytes:
    """A table of *rows* rows."""
    cells = "<tr><td>指标</td><td>123</td><td>2023-04-01</td></tr>"
    return f"<html><body><table>{cells * rows}</table></body></html>".encode()


LARGE: dict[str, tuple[Callable[[int], bytes], int]] = {
    "large page (100 KB)": (large_page, 50),
    "nested tags": (nested, 100_000),
    "nested inline tags": (nested_inline, 100_000),
    "links": (many_links, 50_000),
    "one line (KB)": (long_line, 1_000),
    "line breaks": (many_breaks, 100_000),
    "table rows": (many_rows, 30_000),
}
"""Pages that find what is quadratic, with the number that is meant by n."""


@dataclass(frozen=True, slots=True)
class Growth:
    """CPU seconds at half the number and at the number, the least of some runs each."""

    half: float
    full: float

    @property
    def ratio(self) -> float:
        """2 if linear, 4 if quadratic; small times are mostly noise and fixed costs."""
        return self.full / max(self.half, 1e-9)


def growth(analyse: Callable[[bytes], object], kind: str, runs: int = 3) -> Growth:
    """How the time of a page of :data:`LARGE` grows."""
    make, number = LARGE[kind]
    times = []
    for count in (number // 2 or 1, number):
        data = make(count)
        best = float("inf")
        for _ in range(runs):
            start = time.process_time()
            analyse(data)
            best = min(best, time.process_time() - start)
        times.append(best)
    return Growth(*times)


def everything(extractor: str) -> Callable[[bytes], object]:
    """Links, title, body, time and byline of a page."""

    def analyse(data: bytes) -> object:
        page = Page("http://www.site.example/a/1.html", data, extractor=extractor)
        return page.links, page.title, page.body, page.published, page.byline

    return analyse
