"""Chinese word segmentation with a fast engine and a reference engine.

rjieba (Rust) segments 7.3 MB/s, jieba 0.43 MB/s; on Han text their tokens are identical (measured on 39,000
lines).  jieba is the fallback where there is no wheel of rjieba.  They differ on ASCII compounds
(``node.js``), so only runs of letters and digits that contain a Han character reach an engine; every other
run is a token as it stands.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal, Protocol, cast

from topiccrawl.userfiles import cache_folder

Engine = Literal["auto", "rjieba", "jieba"]

#: Code points of Han characters, first and last: 〇, extension A, basic, compatibility, planes 2 and 3.
HAN_RANGES = (
    (0x3007, 0x3007), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip
#: Body of a character class of Han characters.
HAN = "".join(f"{chr(first)}-{chr(last)}" for first, last in HAN_RANGES)

_HAN = re.compile(f"[{HAN}]")
_RUN = re.compile(r"[^\W_]+")


class Segmenter(Protocol):
    """Splits normalized text into words."""

    def cut(self, text: str) -> list[str]:
        """Return the words of *text* in order, without punctuation and white space."""
        ...


class _Engine(Protocol):
    def cut(self, text: str) -> Iterable[str]: ...


class _RunSegmenter:
    """Segment the runs with Han characters by an engine and keep the others whole."""

    def __init__(self, engine: _Engine) -> None:
        self._cut = engine.cut

    def cut(self, text: str) -> list[str]:
        runs: list[str] = _RUN.findall(text)
        if text.isascii():  # most strings of an English page
            return runs
        words: list[str] = []
        cut = self._cut
        for run in runs:
            if run.isascii() or not _HAN.search(run):
                words.append(run)
            else:
                words.extend(cut(run))
        return words


def make_segmenter(words: Iterable[str] = (), engine: Engine = "auto") -> Segmenter:
    """Return a segmenter that keeps each of *words* whole if possible.

    Segmenters with the same words are shared: do not change them.

    Parameters
    ----------
    words
        Normalized words.  Those without a Han character and single characters need no entry and are
        skipped.  A word with punctuation or spaces is added run by run, because no token crosses
        punctuation.
    engine
        "rjieba", "jieba" or "auto": rjieba if it is installed, else jieba.

    Raises
    ------
    ImportError
        *engine* is not installed.
    ValueError
        *engine* is unknown.
    """
    if engine not in ("auto", "rjieba", "jieba"):
        raise ValueError(f"engine must be auto, rjieba or jieba, got {engine!r}")
    runs = {run for word in words for run in _RUN.findall(word)}
    # Frequencies of added words depend on the words before them, so their order is fixed.
    return _shared(tuple(sorted(r for r in runs if len(r) > 1 and _HAN.search(r))), engine)


#: Fewest characters of a compound: two characters may be the end and the beginning of others (和平 in 和平台).
COMPOUND_CHARACTERS: Final = 3
#: Lowest frequency of a compound that was added, in the units of jieba's dictionary, where 垃圾 has 1,165.
COMPOUND_FREQUENCY: Final = 1_000


@lru_cache(maxsize=8)
def _shared(words: tuple[str, ...], engine: Engine) -> Segmenter:
    if engine == "rjieba":
        return _RunSegmenter(_rjieba(words))
    if engine == "jieba":
        return _RunSegmenter(_jieba(words))
    try:
        return _RunSegmenter(_rjieba(words))
    except ImportError:
        return _RunSegmenter(_jieba(words))


def _rjieba(words: tuple[str, ...]) -> _Engine:
    import rjieba  # optional: there is no wheel for some platforms

    if not words:
        # Its own dictionary is loaded with the module, and nothing here adds to it: a second one would
        # take .14 s.
        return cast("_Engine", rjieba)
    engine = rjieba.Jieba()
    for word in words:
        engine.add_word(word, _frequency(word, engine.suggest_freq(word)), None)
    return cast("_Engine", engine)


def _frequency(word: str, lowest: int) -> int:
    """Return the frequency of an added word, of which *lowest* is the lowest that keeps it whole by itself.

    With that one, a longer word would win that begins in the middle of it (茶 | 文化节).
    """
    return max(lowest, COMPOUND_FREQUENCY) if len(word) >= COMPOUND_CHARACTERS else lowest


def _jieba(words: tuple[str, ...]) -> _Engine:
    import jieba  # heavy, and only needed where rjieba is missing

    jieba.setLogLevel(logging.WARNING)
    engine = jieba.Tokenizer()
    # By default jieba unmarshals a file of a fixed name in the shared temporary folder.  Without the folder,
    # it logs that it cannot write there, and works without a cache.
    engine.tmp_dir = str(cache_folder())
    for word in words:
        engine.add_word(word, _frequency(word, engine.suggest_freq(word)))
    return cast("_Engine", engine)
