"""How well made pages without content are told from pages with content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from benchmarks.notcontent.content import CONTENT, content_page
from benchmarks.notcontent.filling import CHANNELS, HOT, Made, Template, fill, link_items
from benchmarks.notcontent.real import Real
from topiccrawl.page.notcontent import NotContent, recognize
from topiccrawl.page.page import Page


@dataclass(slots=True)
class Recall:
    """Recognized pages of a set of templates."""

    pages: int = 0
    found: int = 0
    right_kind: int = 0
    missed: Counter[str] = field(default_factory=Counter)
    """Pages that were not recognized, by template."""


def recognized(made: Made) -> NotContent | None:
    """Return what a made page is recognized as."""
    return recognize(Page(made.url, made.body, made.charset, "text/html"), made.status)


def recall(templates: Iterable[Template], each: int = 10) -> Recall:
    """Fill each template *each* times and return how many pages are recognized."""
    result = Recall()
    for template in templates:
        for number in range(each):
            found = recognized(fill(template, Random(f"{template.name} {number}")))
            result.pages += 1
            result.found += found is not None
            result.right_kind += found is not None and found.kind == template.kind
            if found is None:
                result.missed[template.name] += 1
    return result


def made_content(
    pages: Sequence[tuple[str, tuple[str, ...]]] = CONTENT,
) -> list[tuple[str, NotContent | None]]:
    """Return the titles of the made pages with content, and as what each is recognized."""
    found = []
    for index, (title, paragraphs) in enumerate(pages):
        rng = Random(f"1 {index}")
        nav, hot = link_items(rng, CHANNELS, 9), link_items(rng, HOT, 6)
        page = content_page(index, title, paragraphs, nav, hot)
        url = f"http://www.qiao.example/2023/{10_000 + index}.html"
        found.append((title, recognize(Page(url, page, "utf-8", "text/html"))))
    return found


def taken_for_none(pages: Iterable[Real]) -> tuple[Counter[str], list[tuple[str, NotContent]]]:
    """Return the number of real pages by source, and those that are taken for none, by URL."""
    counts: Counter[str] = Counter()
    wrong = []
    for real in pages:
        counts[real.source] += 1
        found = recognize(Page(real.url, real.body, real.charset, real.content_type))
        if found is not None:
            wrong.append((real.url, found))
    return counts, wrong


def f1_scores(
    templates: Sequence[Template], wrong_share: float, *, pages: int = 200, draws: int = 50
) -> list[float]:
    """Return F1 of draws of *pages* made pages and as many real ones, sorted.

    The templates are drawn with replacement, so that the spread is that of other templates.
    """
    found = {it.name: recall([it], each=5) for it in templates}
    scores = []
    for draw in range(draws):
        rng = Random(draw)
        chosen = rng.choices(templates, k=len(templates))
        share = sum(found[it.name].found / found[it.name].pages for it in chosen) / len(chosen)
        right, false = share * pages, wrong_share * pages
        scores.append(2 * right / (pages + right + false) if right else 0.0)
    return sorted(scores)
