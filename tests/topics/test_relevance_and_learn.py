from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.scoring.vsm import TermVector, cosine
from topiccrawl.text.idf import IdfTable
from topiccrawl.topics import learn
from topiccrawl.topics.relevance import foreign_share, model_threshold, relevance_parts

IDF = IdfTable()
WEIGHTS = st.dictionaries(
    st.sampled_from([f"t{i}" for i in range(150)]), st.floats(0.1, 50), min_size=1, max_size=150
)


def unit(weights: dict[str, float]) -> TermVector:
    norm = math.hypot(*weights.values())
    return TermVector({t: w / norm for t, w in weights.items()})


def score(page: dict[str, float], topic: TermVector) -> float:
    return sum(relevance_parts(TermVector(page), topic).values())


@given(WEIGHTS)
def test_a_vector_of_97_terms_is_scored_by_the_plain_cosine(page: dict[str, float]) -> None:
    topic = unit({f"t{i}": 1.0 + i for i in range(97)})
    assert score(page, topic) == pytest.approx(cosine(TermVector(page), topic), abs=1e-12)


@given(WEIGHTS, WEIGHTS)
def test_the_score_lies_between_0_and_1(page: dict[str, float], topic: dict[str, float]) -> None:
    assert 0 <= score(page, unit(topic)) <= 1 + 1e-12


@given(WEIGHTS, st.floats(0.1, 100))
def test_more_text_about_something_else_never_helps(page: dict[str, float], extra: float) -> None:
    topic = unit({"t1": 1.0, "t2": 0.5})
    assert score({**page, "other": extra}, topic) <= score(page, topic) + 1e-12


def test_the_formula_by_hand() -> None:
    topic = unit({"茶": 3.0, "壶": 4.0})
    # β² = .05, F² = .95⁴ · 20000; the foreign part 250² = 62500 is above it.
    page = {"茶": 30.0, "x": 250.0}
    assert score(page, topic) == pytest.approx(30 * 0.6 / math.sqrt(900 + 0.05 * 62500))
    short = {"茶": 10.0}
    assert score(short, topic) == pytest.approx(10 * 0.6 / math.sqrt(100 + 0.05 * 0.95**4 * 20000))


@pytest.mark.parametrize(("n", "share"), [(1, 0.04), (47, 0.5), (97, 1.0), (300, 1.0)])
def test_the_share_of_foreign_text(n: int, share: float) -> None:
    assert foreign_share(n) == pytest.approx(share)


@pytest.mark.parametrize(("n", "value"), [(1, 0.39), (2, 0.39), (12, 0.23), (100, 0.08)])
def test_thresholds_of_the_model_page(n: int, value: float) -> None:
    assert model_threshold(n) == pytest.approx(value, abs=0.005)


def test_a_topic_of_more_terms_never_has_a_larger_threshold() -> None:
    values = [model_threshold(n) for n in range(1, 120)]
    assert values == sorted(values, reverse=True)


def test_a_term_of_many_keywords_counts_once() -> None:
    graded = {("wind", "energi"): 1.0, ("solar", "energi"): 1.0, ("hydro",): 0.5}
    vector = learn.keyword_vector(graded, IDF)
    assert vector["energi"] == pytest.approx(IDF.idf("energi") / math.sqrt(2))
    assert vector["hydro"] == pytest.approx(0.5 * IDF.idf("hydro"))


def test_an_acronym_weighs_nothing_beside_other_terms_but_alone() -> None:
    vector = learn.keyword_vector({("US", "president"): 1.0, ("UN",): 0.5}, IDF)
    assert vector == {"president": IDF.idf("president"), "UN": 0.5 * IDF.idf("UN")}


def test_a_long_sample_does_not_dominate_the_centroid() -> None:
    short, long = TermVector({"a": 1.0}), TermVector({"b": 1000.0})
    found = learn.centroid([short, long])
    assert found == {"a": 0.5, "b": 0.5}


def test_the_centroid_keeps_250_terms() -> None:
    sample = TermVector({f"t{i:03}": 1.0 + i for i in range(400)})
    found = learn.centroid([sample])
    assert len(found) == 250
    assert "t399" in found
    assert "t149" not in found


def test_keywords_and_samples_weigh_half_each() -> None:
    vector = learn.combine({"a": 7.0}, {"b": 0.1, "c": 9.0}, barred={"c"})
    assert vector["a"] > 0
    assert "c" not in vector
    assert vector["a"] / vector["b"] == pytest.approx(1 / (0.1 / math.hypot(0.1, 9.0)))


def test_without_samples_the_threshold_is_that_of_the_model_page() -> None:
    assert learn.learn_threshold({"a": 1.0}, [], [], ()) == pytest.approx(model_threshold(1))


def test_similar_samples_give_a_higher_threshold_than_diverse_ones() -> None:
    alike = [TermVector({f"t{j}": 5.0 + (i == j) for j in range(120)}) for i in range(6)]
    apart = [
        TermVector({f"t{j}": 5.0 + (i == j) for j in range(20)} | {f"x{i}{j}": 5.0 for j in range(100)})
        for i in range(6)
    ]  # fmt: skip
    high = learn.learn_threshold({}, alike, [], ())
    low = learn.learn_threshold({}, apart, [], ())
    assert 0.05 <= low < 0.25 < high <= 0.5


def test_the_threshold_of_few_samples_is_shrunk_toward_the_prior() -> None:
    alike = [TermVector({f"t{j}": 5.0 + (i == j) for j in range(120)}) for i in range(40)]
    found = [learn.learn_threshold({}, alike[:n], [], ()) for n in (3, 6, 40)]
    # v = 0.7 · 1 for samples that are all alike: (n·0.7 + 3·0.25) / (n + 3), at most 0.5.
    assert found == pytest.approx([(3 * 0.7 + 0.75) / 6, 0.5, 0.5], abs=1e-3)


@pytest.mark.parametrize(
    ("texts", "share"),
    [
        ([], 0.0),
        ([{"茶": 20.0}, {"茶": 30.0}], 0.5),
        ([{"茶": 20.0}, {"x": 30.0}], 0.125),
        ([{"x": 20.0}, {"y": 30.0}], 0.0),
    ],
)
def test_keywords_count_as_far_as_they_find_the_samples(
    texts: list[dict[str, float]], share: float
) -> None:
    found = learn.compare_keywords(unit({"茶": 1.0}), [TermVector(text) for text in texts], ())
    assert found.share == pytest.approx(share)


def test_half_found_samples_count_half() -> None:
    keywords, text = unit({"茶": 1.0}), TermVector({"茶": 10.0, "x": 250.0})
    found = sum(relevance_parts(text, keywords).values()) / model_threshold(1)
    assert 0 < found < 1
    compared = learn.compare_keywords(keywords, [text], ())
    assert (compared.found, compared.share) == pytest.approx((found, found**2 / 2))


def test_samples_without_keywords_leave_the_vector_alone() -> None:
    assert learn.compare_keywords(TermVector({}), [TermVector({"茶": 20.0})], ()).share == 0


def articles(shared: int, count: int = 5) -> list[TermVector]:
    """Samples with one keyword, some terms that all of them share, and a hundred of their own."""
    return [
        TermVector(
            {"茶": 9.0}
            | {f"s{j}": 10.0 for j in range(shared)}
            | {f"x{i}-{j}": 10.0 for j in range(100)}
        )
        for i in range(count)
    ]


@pytest.mark.parametrize(("shared", "least", "most"), [(0, 0, 0), (4, 0.01, 0.99), (60, 1, 1)])
def test_samples_agree_as_far_as_those_left_out_are_found_by_the_others(
    shared: int, least: float, most: float
) -> None:
    found = learn.compare_keywords(unit({"茶": 1.0, "壶": 1.0}), articles(shared), ())
    assert 0 < found.found < 1
    assert least <= found.agreement <= most
    assert found.share == pytest.approx(1 - found.agreement * (1 - found.found**2 / 2))


def test_two_samples_and_keywords_that_are_in_none_say_nothing_of_agreement() -> None:
    few = learn.compare_keywords(unit({"茶": 1.0}), articles(0, count=2), ())
    assert few.agreement == 1
    assert learn.compare_keywords(unit({"壶": 1.0}), articles(0), ()).share == 0


@pytest.mark.parametrize(
    ("word", "parts", "why"),
    [
        ("茶文化", ["茶", "文化"], "a telling single character is a part"),
        ("新能源汽车补贴", ["新能源", "汽车", "补贴"], "as few parts as can be"),
        ("侨情", [], "a word of two characters"),
        ("tropical cyclone", ["tropical", "cyclone"], "an English phrase"),
        ("cyclone", [], "one English word"),
        ("ai芯片", ["ai", "芯片"], "mixed scripts"),
        ("", [], "nothing"),
    ],
)
def test_parts_of_a_word(word: str, parts: list[str], why: str) -> None:
    assert learn.word_parts(word, IDF) == parts, why


def test_learned_grades_stay_at_or_below_nine_tenths() -> None:
    vector = unit({"a": 3.0, "b": 2.0, "c": 1.0})
    assert learn.learned_rels(vector, {("a",): 1.0}) == {
        ("b",): pytest.approx(0.9),
        ("c",): pytest.approx(0.45),
    }
    assert learn.learned_rels(vector, {("a", "b", "c"): 1.0}) == {}
