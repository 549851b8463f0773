"""Semantic similarity: a small WordNet, vectors with known angles, M_k of texts."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from topiccrawl.analysis import vectors as vectors_module
from topiccrawl.analysis.links import LinkReader, merge
from topiccrawl.analysis.semantic import WordSimilarity
from topiccrawl.analysis.vectors import learn_vectors, read_vectors, similarities
from topiccrawl.analysis.wordnet import load_wordnet
from topiccrawl.errors import ConfigurationError
from topiccrawl.page.links import Link
from topiccrawl.topics.definition import Keyword, Sample, TopicDefinition
from topiccrawl.topics.topic import Topic

#: entity > state > disease > (cancer > leukemia, flu); entity > game > football; Boston is an
#: instance under entity; tropical_disease under disease.
WORDNET = """\
  1 This is the license; its lines begin with two spaces.
00000001 03 n 01 entity 0 000 | all there is
00000002 03 n 01 state 0 001 @ 00000001 n 0000 | a way of being
00000003 26 n 02 disease 0 Illness 0 002 @ 00000002 n 0000 + 00000099 v 0101 | not well
00000004 26 n 01 cancer 0 001 @ 00000003 n 0000 | a growth | and a bar
00000005 26 n 01 leukemia 0 001 @ 00000004 n 0000 | of the blood
00000006 26 n 01 flu 0 001 @ 00000003 n 0000 | in winter
00000007 04 n 01 game 0 001 @ 00000001 n 0000 | for fun
00000008 04 n 01 football 0 001 @ 00000007 n 0000 | with a ball
00000009 15 n 01 Boston 0 001 @i 00000001 n 0000 | a town
00000010 26 n 01 tropical_disease 0 001 @ 00000003 n 0000 | where it is hot
"""
DEPTH = 4


def near(distance: int) -> float:
    return 1 - math.log(distance + 1) / math.log(2 * DEPTH + 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wordnet")
    (path / "data.noun").write_text(WORDNET, encoding="utf-8")
    return path


def topic(**keywords: float) -> Topic:
    words = tuple(Keyword(w.replace("_", " "), v, "core") for w, v in keywords.items())
    return Topic.learn(TopicDefinition("t", language="en", keywords=words, source="test"))


def test_the_similarity_falls_with_the_edges_between_two_words(folder: Path) -> None:
    net = load_wordnet(str(folder))
    assert net.max_depth == DEPTH
    found = net.similarities({"cancer": 1.0, "unknown": 1.0})
    distances = {
        "cancer": 0, "leukemia": 1, "disease": 1, "illness": 1, "flu": 2, "entity": 3, "boston": 4,
        "football": 5,
    }  # fmt: skip
    for word, distance in distances.items():
        assert found[word] == pytest.approx(near(distance)), word


def test_similarity_is_proportional_to_the_value_of_the_word(folder: Path) -> None:
    found = load_wordnet(str(folder)).similarities({"football": 0.4, "disease": 1.0})
    assert found["football"] == pytest.approx(max(0.4, near(4)))
    assert found["game"] == pytest.approx(max(0.4 * near(1), near(3)))
    assert found["flu"] == pytest.approx(near(1))


def test_the_path_between_two_words_goes_through_a_common_hypernym(tmp_path: Path) -> None:
    # p is a kind of both a and b, which is no way from a to b: that goes up to the top and down.
    (tmp_path / "data.noun").write_text(
        "1 03 n 01 top 0 000 |\n2 03 n 01 a 0 001 @ 1 n 0000 |\n3 03 n 01 mid 0 001 @ 1 n 0000 |\n"
        "4 03 n 01 b 0 001 @ 3 n 0000 |\n5 03 n 01 p 0 002 @ 2 n 0000 @ 4 n 0000 |\n"
    )
    net = load_wordnet(str(tmp_path / "data.noun"))
    assert net.max_depth == 3
    assert net.similarities({"a": 1.0})["b"] == pytest.approx(1 - math.log(4) / math.log(7))


@pytest.mark.parametrize("text", ["", "no synset at all\n", "1 03 n 01 a 0 001 @ 77 n 0000 |\n"])
def test_the_error_of_a_malformed_wordnet_names_the_setting(tmp_path: Path, text: str) -> None:
    (tmp_path / "data.noun").write_text(text)
    with pytest.raises(ConfigurationError, match="TOPICCRAWL_SEMANTIC_WORDNET"):
        load_wordnet(str(tmp_path))
    with pytest.raises(ConfigurationError, match="TOPICCRAWL_SEMANTIC_WORDNET must name"):
        load_wordnet(str(tmp_path / "nowhere"))


def test_mean_of_the_k_most_similar_different_words(folder: Path) -> None:
    subject = topic(disease=1.0, tropical_disease=0.6)
    words = WordSimilarity(subject, top=2, wordnet=str(folder))

    def value(text: str) -> float:
        return words.mean_top(subject.analyzer.terms(text))

    assert value("disease disease football") == pytest.approx((1 + near(4)) / 2)
    assert value("cancers, flu and football") == pytest.approx(near(1)), "English words are stemmed"
    assert value("a tropical disease") == pytest.approx(0.6), "a graded phrase is one word"
    assert value("tropical cancer flu") == pytest.approx(near(1)), "k = 2 of three"
    assert math.isnan(value("")), "no words"


def test_without_wordnet_and_vectors_only_graded_words_count() -> None:
    subject = topic(disease=1.0, clinic=0.5)
    words = WordSimilarity(subject, top=3)
    terms = subject.analyzer.terms("disease clinic cancer")
    assert words.mean_top(terms) == pytest.approx((1.0 + 0.5 + 0.0) / 3)


def vectors_file(path: Path) -> str:
    file = path / "vectors.txt"
    # About their mean, 1 0: east and west are opposite, north is square to both.
    file.write_text("4 2\neast 2 0\nwest 0 0\nnorths 1 1\nsouth 1 -1\n", encoding="utf-8")
    return str(file)


def test_vectors_are_centered_at_their_mean(tmp_path: Path) -> None:
    found = similarities(read_vectors(vectors_file(tmp_path)), {"east": 0.8}, str)
    assert found == {"east": pytest.approx(0.8)}
    words, table = read_vectors(vectors_file(tmp_path))
    assert words == ["east", "west", "norths", "south"]
    assert np.allclose(table, [[1, 0], [-1, 0], [0, 1], [0, -1]])


def test_words_of_a_vector_file_are_converted_to_terms(tmp_path: Path) -> None:
    subject = topic(north=0.7)
    words = WordSimilarity(subject, top=1, vectors_file=vectors_file(tmp_path))
    assert words.mean_top(["north"]) == pytest.approx(0.7)
    assert words.mean_top(["south"]) == 0.0


def test_the_error_of_a_malformed_vector_file_names_the_setting(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.bin", Path(__file__)):
        with pytest.raises(ConfigurationError, match="TOPICCRAWL_SEMANTIC_VECTORS must name"):
            read_vectors(str(path))


def corpus(count: int) -> list[list[str]]:
    """Words of two worlds that never meet, in sentences of ten."""
    rng = np.random.default_rng(3)
    worlds = (["tea", "cup", "leaf", "pot"], ["ship", "sea", "sail", "port"])
    return [rng.choice(worlds[i % 2], 10).tolist() for i in range(count)]


def test_vectors_learned_from_enough_words_are_reproducible() -> None:
    assert learn_vectors(corpus(100)) is None, "1,000 words teach nothing"
    first, second = learn_vectors(corpus(2_000)), learn_vectors(corpus(2_000))
    assert first is not None
    assert second is not None
    assert first[1].tobytes() == second[1].tobytes()
    found = similarities(first, {"tea": 1.0}, str)
    assert min(found[w] for w in ("cup", "leaf", "pot")) > 0.5
    assert all(found.get(w, 0.0) < 0.1 for w in ("ship", "sea", "sail", "port"))


def test_a_topic_with_long_samples_learns_its_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_module, "LEAST_TERMS", 2_000)
    text = "\n".join(" ".join(line) for line in corpus(600))
    # With a dozen keywords, the graded words are not learned from the samples, too.
    definition = topic(tea=1.0, **{f"keyword{i}x": 0.1 for i in range(12)}).definition
    subject = Topic.learn(replace(definition, samples=(Sample("one", text),)))
    words = WordSimilarity(subject, top=1)
    assert words.mean_top(subject.analyzer.terms("cup")) > words.mean_top(
        subject.analyzer.terms("ship")
    )


def test_links_have_semantic_similarities_only_if_wanted(folder: Path) -> None:
    subject = topic(disease=1.0)
    links = [
        Link("http://a.example/cancer/1.html", anchor="flu"),
        Link("http://a.example/1", anchor=""),
    ]
    merged = merge([(link.url, link) for link in links])
    assert LinkReader(subject).read(merged).batch.semantic.shape == (2, 0)
    words = WordSimilarity(subject, top=1, wordnet=str(folder))
    found = LinkReader(subject, words=words).read(merged).batch.semantic
    assert found[0].tolist() == pytest.approx([near(1), near(1)])
    assert np.isnan(found[1]).all()
