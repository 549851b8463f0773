"""The meaning of pages chooses the positives; the encoder of these tests knows two meanings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.support.classifier_pages import page, web
from tests.support.meaning_encoder import Encoder
from topiccrawl.scoring.arrays import FloatArray
from topiccrawl.scoring.classifier import PageClassifier
from topiccrawl.scoring.classifier import classifier as module
from topiccrawl.scoring.classifier.meaning import PageMeanings
from topiccrawl.scoring.meaning import TopicMeaning
from topiccrawl.scoring.packing import check_page, pack_page, unpack_page
from topiccrawl.scoring.strategy import LEAD_CHARACTERS, PageView


def similarity(
    meanings: PageMeanings, pages: Sequence[int], near: Sequence[bool] | None = None
) -> FloatArray:
    wanted = np.ones(len(pages), dtype=np.bool_) if near is None else np.array(near)
    steps = meanings.similarity(pages, wanted)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: FloatArray = end.value
            return found


def meanings(*leads: str, words: Sequence[str] = ("mammals",)) -> PageMeanings:
    made = PageMeanings(TopicMeaning(Encoder(), words))
    for number, lead in enumerate(leads):
        made.add(number, lead)
    return made


def test_pages_of_the_same_meaning_are_near_without_a_common_word() -> None:
    made = meanings("weasel", "peru", "otter", "football", "chess", "")
    found = similarity(made, range(6))
    assert found[[0, 2]] == pytest.approx([1.2247, 1.2247], abs=1e-3)
    assert found[[1, 3, 4]] == pytest.approx([-0.8165] * 3, abs=1e-3)
    assert np.isnan(found[5])


def test_nothing_is_near_when_all_pages_are_alike() -> None:
    assert similarity(meanings("peru", "chess"), [0, 1]).tolist() == [0, 0]
    assert np.isnan(similarity(meanings("", ""), [0, 1])).all()


def test_a_text_is_encoded_once_in_small_steps() -> None:
    encoder = Encoder()
    made = PageMeanings(TopicMeaning(encoder, ["mammals"]))
    for number in range(20):
        made.add(number, f"weasel {number}" if number % 2 else "peru")
    assert encoder.asked == []
    first = similarity(made, range(20))
    assert list(map(len, encoder.asked)) == [4, 4, 4]
    assert sorted(text for piece in encoder.asked for text in piece) == sorted(
        ["mammals", "peru", *(f"weasel {n}" for n in range(1, 20, 2))]
    )
    assert similarity(made, range(20)).tolist() == first.tolist()
    assert len(encoder.asked) == 3


def test_pages_that_cannot_become_positives_are_represented_by_a_fifth_of_them() -> None:
    encoder = Encoder()
    made = PageMeanings(TopicMeaning(encoder, ["mammals"]))
    everything = PageMeanings(TopicMeaning(Encoder(), ["mammals"]))
    near = [number % 10 == 0 for number in range(700)]
    for number in range(700):
        lead = f"{'weasel' if number % 20 == 0 or number % 7 == 1 else 'peru'} {number}"
        made.add(number, lead)
        everything.add(number, lead)
    found = similarity(made, range(700), near)
    assert np.isnan(found).tolist() == [not it for it in near]
    assert sum(map(len, encoder.asked)) == 1 + 70 + 126
    # Each page of the sample stands for five.
    wanted = similarity(everything, range(700))
    np.testing.assert_allclose(found[near], wanted[near], atol=0.15)


def test_at_most_150_pages_represent_those_that_cannot_become_positives() -> None:
    encoder = Encoder()
    made = PageMeanings(TopicMeaning(encoder, ["mammals"]))
    for number in range(2_000):
        made.add(number, f"{'weasel' if number % 20 == 0 else 'peru'} {number}")
    found = similarity(made, range(2_000), [number % 100 == 0 for number in range(2_000)])
    assert np.isfinite(found).sum() == 20
    assert sum(map(len, encoder.asked)) == 1 + 20 + 150


def test_few_pages_are_all_encoded() -> None:
    encoder = Encoder()
    made = PageMeanings(TopicMeaning(encoder, ["mammals"]))
    for number in range(55):
        made.add(number, f"peru {number}")
    similarity(made, range(55), [number < 5 for number in range(55)])
    assert sum(map(len, encoder.asked)) == 56


def test_the_comparison_waits_for_the_model_without_blocking() -> None:
    encoder = Encoder(settles_after=7)
    made = PageMeanings(TopicMeaning(encoder, ["mammals"]))
    made.add(0, "weasel")
    steps = made.similarity([0], np.array([True]))
    for _ in range(7):
        next(steps)
        assert encoder.asked == []
    next(steps)
    assert encoder.asked == [["mammals", "weasel"]]


def test_a_round_without_the_model_leaves_nothing_behind() -> None:
    encoder = Encoder()
    made = PageMeanings(TopicMeaning(encoder, ["mammals"]))
    for number, lead in enumerate(["weasel", "peru", "otter"]):
        made.add(number, lead)
    encoder.fails = True
    assert np.isnan(similarity(made, range(3))).all()
    encoder.fails = False
    again = similarity(made, range(3))
    assert again.tolist() == similarity(meanings("weasel", "peru", "otter"), range(3)).tolist()


def test_the_model_is_loaded_before_it_is_needed() -> None:
    encoder = Encoder()
    made = PageMeanings(TopicMeaning(encoder, ["mammals"]))
    for number in range(60):
        made.add(number, "weasel")
        assert encoder.prepared == (number >= 24)


def test_a_page_whose_text_has_changed_is_encoded_anew_and_a_given_up_one_is_forgotten() -> None:
    made = meanings("weasel", "peru", "chess")
    assert similarity(made, range(3))[0] > 0
    made.add(0, "chess")
    made.add(1, "otter")
    made.forget(2)
    found = similarity(made, range(3))
    assert np.sign(found[:2]).tolist() == [-1, 1]
    assert np.isnan(found[2])


def test_the_more_words_the_user_gave_the_less_a_page_without_them_counts() -> None:
    own, near = np.array([0.0, 1.0, 1.0, 1.0]), np.array([1.0, 5.0, -5.0, np.nan])
    one = meanings(words=["mammals"]).with_meaning(own, near)
    assert one == pytest.approx([0.3, np.exp(0.6) + 1.5, np.exp(-0.6), 1])
    many = meanings(words=["mammals"] * 6).with_meaning(own, near)
    assert many == pytest.approx([0.05, np.exp(0.6) + 0.25, np.exp(-0.6), 1])


def learned(pages: Sequence[PageView]) -> PageClassifier:
    classifier = PageClassifier(0.2, meaning=TopicMeaning(Encoder(), ["mammals"]))
    for it in pages:
        classifier.add(it)
    for _ in classifier.learn():
        pass
    return classifier


def with_leads(pages: Sequence[PageView]) -> list[PageView]:
    """Pages of the topic have numbers below 100; only their texts are on it, none has its words."""
    return [
        replace(it, relevance=0.0, title_hit=False, lead="weasel" if it.id < 100 else "peru")
        for it in pages
    ]


def test_pages_are_found_whose_topic_is_named_by_no_word() -> None:
    pages = with_leads(web(400))
    classifier = learned(pages)
    kept = {it.id for it in pages if (found := classifier.judgment(it.id)) and found.kept}
    assert len(kept & set(range(100))) > 90
    assert len(kept) < 110
    near = classifier.judgment(0)
    assert near is not None
    assert near.meaning is not None
    assert near.meaning > 1


def test_pages_that_cannot_become_positives_have_no_similarity() -> None:
    pages = [replace(it, lead="weasel" if it.id < 100 else "peru") for it in web(400)]
    pages = [replace(it, relevance=0.0) if it.id >= 100 else it for it in pages]
    classifier = PageClassifier(0.2, meaning=TopicMeaning(Encoder(), ["mammals"] * 6))
    for it in pages:
        classifier.add(it)
    for _ in classifier.learn():
        pass
    compared = {
        it.id for it in pages if (j := classifier.judgment(it.id)) and j.meaning is not None
    }
    assert 30 < len(compared) <= 100
    assert max(compared) < 100


def test_the_order_of_the_pages_and_a_journal_between_change_nothing() -> None:
    pages = with_leads(web(300))
    replayed = [check_page(unpack_page(pack_page(it))) for it in reversed(pages)]
    usual, resumed = learned(pages), learned(replayed)
    for it in pages:
        assert usual.judgment(it.id) == resumed.judgment(it.id)


def test_vectors_of_pages_that_are_given_up_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAGES", 200)
    classifier = learned(with_leads(web(300)))
    assert not classifier.full
    for _ in classifier.learn():
        pass
    assert sum(classifier.judgment(it.id) is not None for it in web(300)) == 300


def test_a_packed_page_with_a_long_lead_is_refused() -> None:
    sound = replace(page(1, 0.2), lead="x" * LEAD_CHARACTERS)
    assert check_page(sound).lead == sound.lead
    with pytest.raises(ValueError, match="out of range"):
        check_page(replace(sound, lead=sound.lead + "x"))
