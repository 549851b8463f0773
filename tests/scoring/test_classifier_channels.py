"""Names of channels that belong to the topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.classifier_pages import kept, learn, page, trained, web
from topiccrawl.scoring.classifier.channel_names import Menus, names_of_topic
from topiccrawl.scoring.classifier.channels import channels_of
from topiccrawl.scoring.classifier.rows import Places, page_features
from topiccrawl.scoring.strategy import N_FEATURES, PageView
from topiccrawl.steps import run_steps

TOPIC, GENERAL, OTHER = 7, 8, 9

Pages = Sequence[tuple[float, int, Sequence[int]]]
"""Evidence, registered domain and names of pages."""


def names(pages: Pages) -> frozenset[int]:
    """Return the names that belong to the topic."""
    pairs = [(i, name) for i, (_, _, named) in enumerate(pages) for name in named]
    row, name = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    own = np.array([evidence for evidence, _, _ in pages])
    return names_of_topic(row, name, own, np.array([domain for _, domain, _ in pages]))


def channel(name: int, domain: int, evidence: Sequence[float]) -> Pages:
    """Return pages of a channel, all with a general name, too."""
    return [(e, domain, (name, GENERAL)) for e in evidence]


def test_a_name_belongs_to_the_topic_if_the_words_are_on_its_pages_on_two_domains() -> None:
    words, hardly = [0.8, 0.0, 0.4, 1.5, 0.0, 0.3], [0.0, 0.0, 0.0, 0.3, 0.0, 0.0]
    others = [*channel(OTHER, 1, hardly * 3), *channel(OTHER, 2, hardly * 3)]
    assert names([*channel(TOPIC, 1, words), *channel(TOPIC, 2, words), *others]) == {TOPIC}
    assert names([*channel(TOPIC, 1, words * 5), *others]) == frozenset()
    # However many there are on one domain, what others call so decides.
    assert names([*channel(TOPIC, 1, words * 5), *channel(TOPIC, 2, hardly * 2), *others]) == set()
    assert names(others) == frozenset()


def test_without_names_or_without_any_other_none_belongs_to_the_topic() -> None:
    assert names([(1.0, 1, ()), (1.0, 2, ())]) == frozenset()
    assert names([(1.0, domain, (TOPIC,)) for domain in (1, 2) for _ in range(9)]) == frozenset()


@given(
    st.lists(
        st.tuples(st.floats(0, 3), st.integers(0, 3), st.lists(st.integers(0, 4), unique=True)),
        max_size=60,
    ),
    st.randoms(use_true_random=False),
)
def test_the_names_do_not_depend_on_those_of_the_domains(pages: Pages, random: object) -> None:
    found = names(pages)
    assert found <= {name for _, _, named in pages for name in named}
    assert found == names([(e, 1_000 - 7 * domain, named) for e, domain, named in pages])


def test_pages_of_a_learned_channel_are_kept_but_teach_nothing() -> None:
    # A quarter of the pages has what they need, the others some of it, and no two have words in common.
    pages = [replace(it, channels=np.empty(0, dtype=np.int32)) for it in web(400)]
    named = [
        page(
            5_000 + n, 0.3 if n % 4 == 0 else 0.05, terms=[600 + n], channels=[TOPIC], domain=n % 3
        )
        for n in range(60)
    ]
    others = [page(6_000 + n, terms=[700 + n], channels=[OTHER], domain=n % 3) for n in range(60)]
    classifier = trained([*pages, *named, *others])
    assert kept(classifier, named) == {it.id for it in named}
    assert not kept(classifier, others)
    found = classifier.judge(page(7_000, terms=[650], channels=[TOPIC], domain=9))
    assert found.kept
    assert found.channel
    # With a single domain the words alone decide.
    alone = trained([*pages, *(it for it in named if it.place[0] == 0), *others])
    assert not alone.judge(page(7_000, terms=[650], channels=[TOPIC], domain=9)).kept
    # What no longer holds is given up in the next round.
    for n in range(300):
        classifier.add(page(8_000 + n, terms=[600 + n % 60], channels=[TOPIC], domain=n % 3))
    learn(classifier)
    assert not classifier.judge(page(7_000, terms=[650], channels=[TOPIC], domain=9)).kept


def test_menus_name_the_channels_of_pages_that_do_not_and_are_learned_like_them() -> None:
    pages = [replace(it, channels=np.empty(0, dtype=np.int32)) for it in web(400)]
    homes = [
        page(
            4_000 + d,
            targets=[d, 10 + d],
            menus=[(d * N_FEATURES + 70, TOPIC), (d * N_FEATURES + 71, OTHER)],
            domain=d,
        )
        for d in (1, 2, 3)
    ]
    named = [
        page(
            5_000 + n, 0.3 if n % 4 == 0 else 0.05, terms=[600 + n], folders=[70], domain=1 + n % 3
        )
        for n in range(60)
    ]
    others = [page(6_000 + n, terms=[700 + n], folders=[71], domain=1 + n % 3) for n in range(60)]
    classifier = trained([*pages, *homes, *named, *others])
    assert kept(classifier, named) == {it.id for it in named}
    assert not kept(classifier, others)
    assert classifier.judge(page(7_000, terms=[9], folders=[7, 70], domain=3)).kept
    # Folders of other domains have their own names.
    assert not classifier.judge(page(7_001, terms=[9], folders=[70], domain=4)).kept
    unlinked = trained([*pages, *named, *others])
    assert not unlinked.judge(page(7_000, terms=[9], folders=[7, 70], domain=3)).kept


@pytest.mark.parametrize(("by_words", "sure"), [(30, 30), (31, 36)])
def test_channels_count_in_the_topics_size_where_its_words_are_not_rare(
    by_words: int, sure: int
) -> None:
    pages = [page(n, channels=[TOPIC] * (n < 10), domain=1 + n % 3) for n in range(by_words)]
    named = [page(100 + n, channel_hit=True, domain=1) for n in range(5)]
    learned = [page(200 + n, channels=[TOPIC], domain=1) for n in range(5)]
    others = [page(300 + n, channels=[OTHER], domain=1 + n % 3) for n in range(10)]
    features = [page_features(it, 0.0) for it in [*pages, *named, *learned, *others]]
    own = np.repeat([1.0, 0.1, 0.0], [by_words, 10, 10])
    domain = np.array([it.domain for it in features])
    steps = channels_of(features, Places.of(features), Menus(), own, domain, {})
    channels, added, found = run_steps(steps)
    assert channels.known == {TOPIC}
    assert added.tolist() == np.repeat([2.0, 0, 2, 0], [10, by_words - 10, 10, 10]).tolist()
    assert added.tolist() == [channels.added(it) for it in features]
    assert found == sure


def added_by_channels(
    pages: Sequence[PageView],
    own: Sequence[float],
    text: Sequence[float] | None = None,
    words: int = 1,
) -> list[float]:
    """Return what the channels of *pages* add to their evidence, whose own is *own*."""
    features = [page_features(it, 0.0) for it in pages]
    domain = np.array([it.domain for it in features])
    given = None if text is None else np.array(text)
    steps = channels_of(
        features, Places.of(features), Menus(), np.array(own), domain, {}, given, words
    )
    return run_steps(steps)[1].tolist()


def test_pages_of_a_folder_do_not_count_once_more_with_the_site_that_has_no_others() -> None:
    others = [page(n, domain=9) for n in range(100)]
    right = [page(200 + n, channel_hit=True, folders=[70], domain=1) for n in range(40)]
    # Two of them have the words outside the folder, and one in it.
    outside = [page(300 + n, channel_hit=True, folders=[80], domain=2) for n in range(2)]
    inside = [page(310 + n, channel_hit=True, folders=[80, 81], domain=2) for n in range(18)]
    own = [*[0.5] * 20, *[0.0] * 80, *[0.6] * 43, *[0.0] * 17]
    added = added_by_channels([*others, *right, *outside, *inside], own)
    assert added[100:140] == [2.0] * 40
    assert 0 < added[-1] < added[140] < 2.0


def test_where_most_pages_have_the_words_the_others_decide_whether_the_name_is_believed() -> None:
    others = [page(n, domain=9) for n in range(100)]
    # Two sites about the topic: one names all of its pages so, the other one those of the topic.
    site = [page(200 + n, channel_hit=True, domain=1) for n in range(60)]
    channel = [page(300 + n, channel_hit=True, domain=2) for n in range(60)]
    elsewhere = [*[0.1] * 50, *[0.0] * 50]
    own = [*elsewhere, *[1.5] * 40, *[0.1, 0.0] * 10, *[1.5] * 40, *[0.3, 0.2] * 10]
    added = added_by_channels([*others, *site, *channel], own)
    assert set(added[100:160]) == {added[140]}
    assert added[140] < 1.0, "without the words, they are not kept"
    assert added[-20:] == [2.0] * 20


def test_from_few_words_the_channels_are_also_believed_by_their_texts() -> None:
    others = [page(n, domain=9) for n in range(100)]
    named = [page(200 + n, channel_hit=True, folders=[70 + n % 2], domain=n % 2) for n in range(40)]
    # No page has the word; the texts of one site are like those that do.
    pages, own = [*others, *named], [0.0] * 140
    text = [*np.linspace(-1, 1, 100).tolist(), *[0.9, -0.9] * 20]
    like, unlike = added_by_channels(pages, own, text)[-2:]
    assert like == 2.0
    assert unlike == 0.0
    assert len(set(added_by_channels(pages, own)[-2:])) == 1
    many = added_by_channels(pages, own, text, words=10)[-2:]
    assert many[0] - many[1] < 1.0
