"""The quality gate of page analysis: floors for each extractor, on the project's own corpus and, if
available, on real pages.

A floor is the measured value less a margin for harmless changes. Lower one only with a reason in the
commit; raise it when an extractor improves.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import cache
from html import unescape
from pathlib import Path

import pytest

from benchmarks.corpus.build import FAMILIES, corpus
from benchmarks.extraction_judge import Score, grouped, judge, summarize
from benchmarks.extraction_pages import Input, own, real
from benchmarks.extractors import ours
from topiccrawl.page.body import Extraction
from topiccrawl.page.body.contract import ReadablePage
from topiccrawl.page.body.extractors import DEFAULT_EXTRACTOR, extractor_names, get_extractor

pytestmark = pytest.mark.slow

DEV = Path(__file__).parents[3] / "shared" / "data" / "extraction" / "dev"

#: extractor -> measure -> floor; measured 2026-11, less 0.02 to 0.03.
OWN_FLOORS: dict[str, dict[str, float]] = {
    "text-density": {"f1": 0.63, "recall": 0.95, "good": 0.16, "kind": 0.93},
    "blocks": {"f1": 0.89, "good": 0.83, "lists": 0.90, "kind": 0.92},
}
DEV_FLOORS: dict[str, dict[str, float]] = {
    "text-density": {"f1": 0.75, "good": 0.60},
    "blocks": {"f1": 0.95, "good": 0.92},
}
#: Measures that do not depend on the body extractor.
OWN_PAGE_FLOORS = {"title": 0.93, "day": 0.93, "minute": 0.91, "author": 0.76, "source": 0.79}
DEV_PAGE_FLOORS = {"title": 0.95, "day": 0.97, "minute": 0.92}


@cache
def _pages(name: str) -> tuple[Input, ...]:
    return tuple(own() if name == "own" else real(DEV))


@cache
def _score(name: str, extractor: str) -> Score:
    extract = ours(extractor)
    return summarize([judge(page.expected, extract(page)) for page in _pages(name)])


def _below(score: Score, floors: dict[str, float]) -> dict[str, str]:
    """Return the measures under their floors (nan is)."""
    found = asdict(score)
    return {k: f"{found[k]:.3f} < {v}" for k, v in floors.items() if not found[k] >= v}


needs_dev = pytest.mark.skipif(not DEV.is_dir(), reason="real pages are not part of the project")


def test_every_extractor_has_floors() -> None:
    assert sorted(OWN_FLOORS) == sorted(DEV_FLOORS) == extractor_names()


@pytest.mark.parametrize("extractor", sorted(OWN_FLOORS))
def test_bodies_of_the_own_corpus_stay_above_their_floors(extractor: str) -> None:
    assert _below(_score("own", extractor), OWN_FLOORS[extractor]) == {}


def test_titles_times_and_bylines_of_the_own_corpus_stay_above_their_floors() -> None:
    assert _below(_score("own", DEFAULT_EXTRACTOR), OWN_PAGE_FLOORS) == {}


@needs_dev
@pytest.mark.parametrize("extractor", sorted(DEV_FLOORS))
def test_bodies_of_real_pages_stay_above_their_floors(extractor: str) -> None:
    assert _below(_score("dev", extractor), DEV_FLOORS[extractor]) == {}


@needs_dev
def test_titles_and_times_of_real_pages_stay_above_their_floors() -> None:
    assert _below(_score("dev", DEFAULT_EXTRACTOR), DEV_PAGE_FLOORS) == {}


class HalfOfBlocks:
    """The extractor ``blocks`` without the second half of every body."""

    whole = "blocks"

    def extract(self, page: ReadablePage) -> Extraction:
        found = get_extractor(self.whole).extract(page)
        lines = found.body.split("\n")
        return replace(found, body="\n".join(lines[: len(lines) // 2]))


class HalfOfTextDensity(HalfOfBlocks):
    """The same for ``text-density``."""

    whole = "text-density"


@pytest.mark.parametrize(
    ("extractor", "half"), [("blocks", "HalfOfBlocks"), ("text-density", "HalfOfTextDensity")]
)
def test_the_gate_fails_when_half_of_each_body_is_lost(extractor: str, half: str) -> None:
    extract = ours(f"{__name__}.{half}")
    some = _pages("own")[::3]
    score = summarize([judge(page.expected, extract(page)) for page in some])
    assert _below(score, OWN_FLOORS[extractor])


def test_the_corpus_is_determined_by_its_seed() -> None:
    again = corpus.__wrapped__(1)
    assert [(s.id, s.data, s.truth) for s in again] == [(s.id, s.data, s.truth) for s in corpus(1)]
    assert not {s.data for s in corpus(1)} & {s.data for s in corpus(2)}


def test_the_corpus_has_three_pages_of_each_site_and_thirty_kinds_of_sites() -> None:
    sites: dict[str, int] = {}
    for sample in corpus():
        sites[sample.site] = sites.get(sample.site, 0) + 1
    assert len(FAMILIES) >= 30
    assert len(corpus()) >= 90
    assert set(sites.values()) == {3}


@pytest.mark.parametrize("family", [f.name for f in FAMILIES])
def test_everything_in_the_ground_truth_is_on_the_page(family: str) -> None:
    encoding = {f.name: f.encoding for f in FAMILIES}[family]
    for sample in corpus():
        if sample.family == family:
            text = unescape(sample.data.decode(encoding))
            words = [w for p in sample.truth.body for w in p.split(" ")]
            assert [w for w in words if w not in text] == [], sample.id
            assert sample.truth.title in text
            for name in (sample.truth.author, sample.truth.source):
                assert name is None or name in text


def test_judged_pages_are_grouped_by_family() -> None:
    extract = ours("text-density")
    rows = [judge(p.expected, extract(p)) for p in _pages("own")[:12]]
    assert {k: len(v) for k, v in grouped(rows, lambda r: r.expected.group).items()} == {
        "portal": 6, "minified": 6,
    }  # fmt: skip
