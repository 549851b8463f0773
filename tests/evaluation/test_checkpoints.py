"""Judgments are read at checkpoints of a run, because a crawl may judge a page again later."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.evaluation.test_simulation import run, stored
from tests.support.volcano_web import LIST, small_pages
from topiccrawl.evaluation.experiment import checkpoints_of
from topiccrawl.evaluation.simulation import simulate as module
from topiccrawl.evaluation.simulation.page_judge import Judgment, PageJudge
from topiccrawl.scoring.classifier import PageClassifier


def test_a_run_has_its_judgments_at_500_1000_and_2000_pages_and_at_its_end() -> None:
    assert {500, 1_000, 2_000, 3_000} <= set(checkpoints_of(3_000))
    assert checkpoints_of(3_000)[-1] == 3_000
    assert checkpoints_of(400)[-1] == 400
    assert 500 not in checkpoints_of(400)
    assert checkpoints_of(3) == (1, 2, 3)


def test_a_checkpoint_judges_the_pages_fetched_so_far() -> None:
    result = run(stored(small_pages()), [LIST], most=4, TOPICCRAWL_PAGE_CLASSIFIER=False)
    assert [len(c.judgments.kept) for c in result.checkpoints] == [1, 2, 3, 4]
    last = result.checkpoints[-1].judgments
    # p = rel/(rel + θ), with one threshold θ.
    pairs = [(f.relevance, p) for f, p in zip(result.fetches, last.probability, strict=True)]
    assert len({round(rel * (1 - p) / p, 9) for rel, p in pairs if p > 0}) == 1
    assert last.kept == tuple(p >= 0.5 for p in last.probability)
    assert any(last.kept)


def test_a_run_that_ends_early_keeps_its_last_judgments_at_later_checkpoints() -> None:
    result = run(stored(small_pages()), [LIST], most=1_000)
    fetched = len(result.fetches)
    assert fetched < 500
    assert [c.at for c in result.checkpoints][-1] == 1_000
    assert {len(c.judgments.kept) for c in result.checkpoints if c.at >= fetched} == {fetched}


@pytest.mark.parametrize("most", [4, 1_000])
def test_a_crawl_learns_once_more_when_it_ends_and_only_then(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    closing = PageClassifier.learn
    done = []

    def counted(classifier: PageClassifier) -> Iterator[None]:
        done.append(len(read))
        return closing(classifier)

    class Counting(PageJudge):
        def judged(self) -> Mapping[str, Judgment]:
            read.append(len(done))
            return super().judged()

    read: list[int] = []
    monkeypatch.setattr(PageClassifier, "learn", counted)
    monkeypatch.setattr(module, "PageJudge", Counting)
    result = run(stored(small_pages()), [LIST], most=most)
    ended = next(i for i, c in enumerate(result.checkpoints) if c.at >= len(result.fetches))
    assert done == [ended]
    assert read == [0] * ended + [1] * (len(result.checkpoints) - ended)


class Regretful:
    """Keeps every page until it has seen three, then none."""

    def __init__(self) -> None:
        self.urls: list[str] = []

    def page_fetched(self, page: Any) -> None:
        self.urls.append(page.url)

    def judged(self) -> Mapping[str, Judgment]:
        few = len(self.urls) < 3
        return dict.fromkeys(self.urls, Judgment(0.75 if few else 0.25, few))

    def judge(self, page: Any) -> Judgment:
        return Judgment(0.5, False)


def test_a_page_that_is_judged_again_has_its_new_judgment_at_the_next_checkpoint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "PageJudge", lambda classifier: Regretful())
    result = run(stored(small_pages()), [LIST], most=4)
    assert [c.judgments.kept for c in result.checkpoints[1:3]] == [(True, True), (False,) * 3]
    assert result.checkpoints[2].judgments.probability == (0.25, 0.25, 0.25)
