"""Cross-validation of a learned extractor over sites.

The sites are split into K parts; each part is judged with an extractor that was fitted to the others.
A fit is any function from pages with their ground truth to an extractor (:data:`Fit`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from benchmarks import train_body
from benchmarks.extraction_judge import Found, Row, judge
from benchmarks.extraction_pages import Input
from benchmarks.extractors import Extract, of_page
from topiccrawl.page.body.classify import classify
from topiccrawl.page.body.model import model_from
from topiccrawl.page.page import Page

Fit = Callable[[Sequence[Input]], Extract]


def deal(sites: Sequence[str], parts: int, seed: int) -> dict[str, int]:
    """Return the part of each site, with about as many sites in each; ValueError below two parts."""
    distinct = sorted(set(sites))
    if not 2 <= parts <= len(distinct):
        raise ValueError(f"parts must be between 2 and the {len(distinct)} sites, got {parts}")
    random.Random(seed).shuffle(distinct)
    return {site: i % parts for i, site in enumerate(distinct)}


def leave_sites_out(
    fit: Fit,
    judged: Sequence[Input],
    always: Sequence[Input] = (),
    *,
    parts: int,
    seed: int = 0,
) -> list[Row]:
    """Judge each page of ``judged`` with an extractor that was fitted without its site.

    ``always`` are further pages to fit to, without those of a site that is judged.
    """
    part = deal([page.expected.site for page in judged], parts, seed)
    rows = []
    for left_out in range(parts):
        kept = [p for p in (*judged, *always) if part.get(p.expected.site) != left_out]
        extract = fit(kept)
        rows += [
            judge(page.expected, extract(page))
            for page in judged
            if part[page.expected.site] == left_out
        ]
    return rows


def fit_blocks(pages: Sequence[Input]) -> Extract:
    """Train the model of the extractor ``blocks`` as :mod:`benchmarks.train_body` does."""
    examples = []
    for source in pages:
        expected = source.expected
        for form in ("whole", "nameless", "boxless"):
            built = train_body.example(
                Page(source.url or "http://unknown.invalid/", source.data, source.charset),
                expected.id,
                expected.site,
                expected.bodies[0],
                "en" if expected.group == "en" else "dev",
                form,
            )
            if built is not None:
                examples.append(built)
    model = model_from(train_body.fit(examples))

    def extract(source: Input) -> Found:
        page = Page(source.url, source.data, source.charset, now=source.fetched)
        extraction = classify(page.outline, page.blocks, page.title, page.url, model)
        return replace(of_page(page), body=extraction.body, kind=extraction.kind)

    return extract
