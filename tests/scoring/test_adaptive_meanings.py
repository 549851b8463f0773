"""adaptive compares the meaning of anchors with the pages that were found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.support.meaning_encoder import Encoder
from topiccrawl.scoring.meaning import RememberingEncoder, TopicMeaning, encoded_steps, unit
from topiccrawl.scoring.packing import pack_page, unpack_page
from topiccrawl.scoring.strategies.adaptive import AdaptiveStrategy
from topiccrawl.scoring.strategies.adaptive import meanings as module
from topiccrawl.scoring.strategy import LinkBatch, PageView
from topiccrawl.steps import run_steps


def page(number: int, anchors: dict[int, str], *, found: bool, lead: str) -> PageView:
    """A page that is on the topic if it was *found*, with the targets and anchors of its links."""
    n = len(anchors)
    zero, no = np.zeros(n), np.zeros(n, dtype=np.bool_)
    texts = np.empty((n, 1), dtype=np.object_)
    texts[:, 0] = list(anchors.values())
    targets = np.array(list(anchors), dtype=np.int64)
    links = LinkBatch(targets, zero, no, no, no, zero, zero, anchors=texts)
    return PageView(
        number, 0.3 if found else 0.01, 0.0, found, 0, number, 0.0, links,
        probability=0.9 if found else 0.05, lead=lead,
    )  # fmt: skip


def crawled(pages: int = 80, animal: str = "weasel", other: str = "peru") -> list[PageView]:
    """Every third page is on an *animal*, as its title and the anchors that lead to it say.

    Each links to the next three pages, and to two that are never fetched.
    """

    def title(number: int) -> str:
        return f"{animal if number % 3 == 0 else other} {number}"

    return [
        page(
            number,
            {t: title(t) for t in (*range(number + 1, number + 4), 900 + number, 1_500 + number)},
            found=number % 3 == 0,
            lead=title(number),
        )
        for number in range(pages)
    ]


def strategy_after(
    pages: list[PageView], encoder: Encoder | None = None, rounds: tuple[int, ...] = ()
) -> AdaptiveStrategy:
    """The strategy after *pages*, a round after the pages of *rounds*, and one at the end."""
    strategy = AdaptiveStrategy()
    strategy.compare_meaning(TopicMeaning(encoder or Encoder(), ["mammals"]))
    for view in pages:
        strategy.score(view)
        if view.order in rounds:
            finish_round(strategy)
    finish_round(strategy)
    return strategy


def finish_round(strategy: AdaptiveStrategy) -> None:
    for _ in strategy.rank():
        pass


ANIMAL, OTHER = 900 + 75, 900 + 76


def meaning_of(strategy: AdaptiveStrategy, *targets: int) -> list[float]:
    _, parts = strategy.rescore(np.array(targets))
    return parts["meaning"].tolist()


def test_anchors_like_the_titles_of_pages_found_raise_a_link_and_others_lower_it() -> None:
    strategy = strategy_after(crawled())
    animal, other = meaning_of(strategy, ANIMAL, OTHER)
    assert animal > 0.1
    assert other < 0
    scores, parts = strategy.rescore(np.array([ANIMAL, OTHER]))
    z = np.log(scores / (1 - scores))
    assert z == pytest.approx(np.sum(list(parts.values()), axis=0))


def test_new_anchors_on_a_page_of_another_worker_are_compared() -> None:
    new = page(80, {2_000: "otter 20", 2_001: "chess 20"}, found=True, lead="weasel 80")
    own, other = strategy_after(crawled()), strategy_after(crawled())
    own.score(new)
    other.add(new)
    assert meaning_of(other, 2_000, 2_001) == meaning_of(own, 2_000, 2_001) != [0.0, 0.0]


def test_without_what_compares_meanings_the_parts_are_as_before() -> None:
    strategy = AdaptiveStrategy()
    for view in crawled():
        strategy.score(view)
    finish_round(strategy)
    assert "meaning" not in strategy.rescore(np.array([ANIMAL]))[1]


def in_the_dark() -> list[PageView]:
    """A crawl of which no page counts as on the topic, with words of one length."""
    return [
        replace(it, probability=0.05, relevant=False)
        for it in crawled(animal="otter", other="chess")
    ]


def test_while_nothing_was_found_anchors_are_compared_with_the_words_of_the_topic() -> None:
    strategy = strategy_after(in_the_dark())
    animal, other = meaning_of(strategy, ANIMAL, OTHER)
    assert animal > 0.25
    assert other < 0
    new = page(80, {2_000: "otter 20", 2_001: "chess 20", 2_002: ""}, found=False, lead="peru 80")
    parts = strategy.score(replace(new, probability=0.05)).parts
    assert parts["meaning"][0] > 0 > parts["meaning"][1]
    assert parts["meaning"][2] == 0


def test_in_the_dark_the_form_of_an_anchor_counts_for_nothing() -> None:
    words = np.array([[1.0, 0.0, 0.0]], dtype=np.float32)
    texts = ["a", "bb", "cccc", "dddddddd", "a" * 16, "酒", "乙乙", "茶茶茶茶"]
    draw = np.random.default_rng(4)
    anchors = draw.normal(size=(8, 3)).astype(np.float32)
    # Short anchors are near to the word, and Chinese ones are not.
    form = np.log([len(it) for it in texts])
    chinese = np.array([it >= "一" for it in texts], dtype=np.float64)
    anchors[:, 0] = 6 - form - chinese
    anchors = unit(anchors)
    mean = np.zeros(3, dtype=np.float32)
    x = module._toward(words, mean, anchors, texts).of(anchors, texts)
    assert np.mean(x**2) == pytest.approx(1)
    for column in (np.ones(8), form, chinese):
        assert column @ x == pytest.approx(0, abs=1e-5)
    alike = np.tile(anchors[:1], (8, 1))
    x = module._toward(words, mean, alike, texts).of(alike, texts)
    assert x == pytest.approx(np.zeros(8), abs=1e-3)


def test_in_the_dark_few_links_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("topiccrawl.scoring.strategies.adaptive.strategy.MOST_COMPARED", 7)
    encoder = Encoder()
    strategy_after(in_the_dark(), encoder)
    asked = {text for piece in encoder.asked for text in piece}
    assert len(asked - {"mammals"}) == 7
    encoder = Encoder()
    monkeypatch.setattr("topiccrawl.scoring.strategies.adaptive.strategy.MOST_COMPARED", 4)
    assert meaning_of(strategy_after(in_the_dark(), encoder), ANIMAL, OTHER) == [0, 0]
    assert encoder.asked == []


def test_the_first_page_on_the_topic_ends_the_search_by_its_words() -> None:
    few = [replace(it, probability=0.9 if it.order in (0, 3) else 0.05) for it in crawled()]
    few_found = meaning_of(strategy_after(few), ANIMAL)[0]
    assert 0 < few_found < meaning_of(strategy_after(crawled()), ANIMAL)[0]


def test_in_the_dark_scores_after_a_round_are_a_function_of_the_pages() -> None:
    pages = in_the_dark()
    often = strategy_after(pages, rounds=(12, 30, 55))
    once = strategy_after([unpack_page(pack_page(it)) for it in pages])
    ids = np.array([ANIMAL, OTHER, 81, 82])
    assert often.rescore(ids)[0].tolist() == once.rescore(ids)[0].tolist()


def test_the_weight_is_learned_from_what_the_other_evidence_cannot_predict() -> None:
    draw = np.random.default_rng(1)
    x = draw.normal(size=200)
    values = (x > 0).astype(np.float64)
    weight, error = module._weight(np.zeros(200), x, values)
    assert weight > 1 > 2 * error
    assert module._weight(20 * x, x, values)[0] < weight / 3
    assert module._weight(np.zeros(200), -x, values)[0] < 0


def test_the_error_of_the_weight_falls_with_the_pages() -> None:
    x = np.random.default_rng(2).normal(size=400)
    values = np.full(400, 0.5)
    errors = [module._weight(np.zeros(n), x[:n], values[:n])[1] for n in (50, 400)]
    assert errors[1] == pytest.approx(np.sqrt(1 / (0.25 * (x**2).sum() + 3)), rel=0.02)
    assert errors[0] > 2 * errors[1]


def without_a_say() -> list[PageView]:
    """A crawl of 150 pages whose titles and anchors do not depend on what was found."""
    return [
        replace(it, relevance=0.3 if found else 0.01, probability=0.9 if found else 0.05)
        for it, found in zip(
            crawled(150), np.random.default_rng(3).random(150) < 1 / 3, strict=True
        )
    ]


def test_where_anchors_add_nothing_no_waiting_link_is_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_SAMPLED", 40)
    pages, encoder = without_a_say(), Encoder()
    strategy = strategy_after(pages, encoder)
    assert meaning_of(strategy, ANIMAL, OTHER) == [0, 0]
    strategy.score(page(150, {3_000: "otter"}, found=True, lead="weasel 150"))
    asked = {text for piece in encoder.asked for text in piece}
    # The topic's word, and titles and anchors of the sample, which are alike here.
    assert len(asked) == 41
    monkeypatch.setattr(module, "LEAST_ERRORS", -1e9)
    finish_round(strategy)
    assert meaning_of(strategy, ANIMAL)[0] != 0


def test_scores_after_a_round_are_a_function_of_the_pages() -> None:
    often = strategy_after(crawled(), rounds=(12, 30, 55))
    once = strategy_after([unpack_page(pack_page(it)) for it in crawled()])
    ids = np.array([ANIMAL, OTHER, 81, 82])
    assert often.rescore(ids)[0].tolist() == once.rescore(ids)[0].tolist()


def test_new_links_are_compared_before_the_next_round() -> None:
    strategy = strategy_after(crawled())
    new = page(80, {2_000: "otter", 2_001: "chess", 2_002: ""}, found=True, lead="weasel 80")
    parts = strategy.score(new).parts
    assert parts["meaning"][0] > 0 > parts["meaning"][1]
    assert parts["meaning"][2] == 0


def test_few_links_of_a_page_and_the_best_of_all_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_OF_PAGE", 2)
    monkeypatch.setattr("topiccrawl.scoring.strategies.adaptive.strategy.MOST_COMPARED", 5)
    encoder = Encoder()
    strategy = strategy_after(crawled(), encoder)
    others = {"mammals", *(it.lead for it in crawled())}
    asked = {text for piece in encoder.asked for text in piece}
    assert len(asked - others) == 5
    encoder.asked.clear()
    links = {2_000 + i: f"otter {i}" for i in range(9)}
    strategy.score(page(80, links, found=True, lead="weasel"))
    assert [len(piece) for piece in encoder.asked] == [2]


def test_an_anchor_stays_as_it_was_when_the_link_was_fetched() -> None:
    pages = crawled()
    strategy = strategy_after(pages)
    before = meaning_of(strategy, ANIMAL)
    strategy.score(page(ANIMAL, {}, found=True, lead="weasel"))
    strategy.score(page(81, {ANIMAL: "chess"}, found=True, lead="weasel"))
    assert meaning_of(strategy, ANIMAL) == before


def test_an_anchor_of_a_more_relevant_page_takes_the_place_of_another() -> None:
    strategy = strategy_after(crawled())
    assert meaning_of(strategy, OTHER)[0] < 0
    strategy.score(page(80, {OTHER: "otter"}, found=True, lead="weasel"))
    assert meaning_of(strategy, OTHER)[0] > 0


def test_an_encoder_that_fails_leaves_the_order_as_it_was() -> None:
    encoder = Encoder()
    encoder.fails = True
    strategy = strategy_after(crawled(), encoder)
    assert meaning_of(strategy, ANIMAL, OTHER) == [0, 0]
    encoder.fails = False
    finish_round(strategy)
    assert meaning_of(strategy, ANIMAL)[0] > 0
    encoder.fails = True
    strategy.score(page(80, {3_000: "otter"}, found=True, lead="weasel"))
    assert meaning_of(strategy, 3_000) == [0]


def test_pages_and_links_without_texts_are_no_obstacle() -> None:
    bare = [
        replace(it, lead="", links=replace(it.links, anchors=np.empty((len(it.links), 0), object)))
        for it in crawled()
    ]
    assert meaning_of(strategy_after(bare), ANIMAL) == [0]
    untitled = [replace(it, lead="") for it in crawled()]
    animal, other = meaning_of(strategy_after(untitled), ANIMAL, OTHER)
    assert animal > 0 > other


def test_a_text_is_encoded_once_while_it_is_remembered() -> None:
    inner = Encoder()
    encoder = RememberingEncoder(inner, most=3)
    first = encoder(["otter", "chess", "otter"])
    assert first is not None
    assert first.shape == (3, 3)
    assert first[0].tolist() == first[2].tolist()
    encoder(["chess", "weasel"])
    encoder(["peru"])  # otter was asked for longest ago
    assert inner.asked == [["otter", "chess"], ["weasel"], ["peru"]]
    encoder(["chess"])
    assert len(inner.asked) == 3
    encoder(["otter"])
    assert inner.asked[3:] == [["otter"]]
    inner.fails = True
    assert encoder(["snow"]) is None
    assert encoder(["otter"]) is not None


def test_texts_are_encoded_in_small_steps_once_the_model_is_there() -> None:
    encoder = Encoder(settles_after=2)
    steps = encoded_steps(encoder, [f"otter {i}" for i in range(10)])
    for _ in range(2):
        next(steps)
        assert encoder.asked == []
    found = run_steps(steps)
    assert [len(piece) for piece in encoder.asked] == [4, 4, 2]
    assert found is not None
    assert found.shape == (10, 3)


def test_steps_are_made_for_texts_that_are_not_remembered_only() -> None:
    inner = Encoder()
    encoder = RememberingEncoder(inner)
    encoder([f"otter {i}" for i in range(10)])
    inner.asked.clear()
    texts = [f"{word} {i}" for i in range(10) for word in ("otter", "chess")]
    assert len(list(encoded_steps(encoder, [*texts, *texts]))) == 3
    assert [len(piece) for piece in inner.asked] == [4, 4, 2]
    found = run_steps(encoded_steps(encoder, texts))
    assert found is not None
    assert np.array_equal(found, encoder(texts))


def test_rows_of_zeros_stay_as_they_are() -> None:
    rows = np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32)
    assert unit(rows) == pytest.approx(np.array([[0.6, 0.8], [0.0, 0.0]]))
