"""Texts without punctuation and white space, for comparisons."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OTHER: Final = re.compile(r"[^\w\n]")
#: Code points of the basic plane.
_PLANE: Final = 0x10000


@cache
def _kept() -> NDArray[np.bool_]:
    """Return whether each character of the basic plane is one that :func:`words_only` keeps."""
    return np.array([_is_kept(chr(code)) for code in range(_PLANE)])


def _is_kept(character: str) -> bool:
    return _OTHER.match(character) is None


def words_only(text: str) -> str:
    r"""Return the letters, digits, underscores and line ends of a text: a table is faster than a pattern.

    >>> words_only("侨批 (2023)\n来源：a_b")
    '侨批2023\n来源a_b'
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    if codes.max(initial=0) < _PLANE:
        kept = _kept()[codes]
    else:
        kept = _kept()[np.minimum(codes, _PLANE - 1)]
        # Emoji and rare Han characters, few in a text.
        beyond = codes >= _PLANE
        kept[beyond] = [_is_kept(chr(code)) for code in codes[beyond].tolist()]
    return codes[kept].tobytes().decode("utf-32-le", "surrogatepass")
