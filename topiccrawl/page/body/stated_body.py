"""What a page's own metadata says its body is: the description and JSON-LD."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_DESCRIPTIONS = ("description", "og:description", "twitter:description")
_PIECE = 6  # characters of a piece of the description
_TOLD = 120  # characters of the description that are looked for
_LOOKED = 200  # characters of a line that are looked at
_STATED = 20  # first characters of a line that must stand in the stated body
_NOT_WORD = re.compile(r"\W+")
_ARTICLE_BODY = re.compile(r'"articleBody"\s*:\s*"((?:[^"\\]|\\.)*)"')


def described(meta: Mapping[str, str], lines: Sequence[str]) -> list[float]:
    """Share of the pieces of a description that each line holds, the best of the descriptions.

    Many sites take the first sentences of the body for it.  *lines* are in lower case.
    """
    found = [0.0] * len(lines)
    plain: list[str] = []
    for key in _DESCRIPTIONS:
        text = _NOT_WORD.sub("", meta.get(key, "")[:300]).lower()[:_TOLD]
        if len(text) < 2 * _PIECE:
            continue
        plain = plain or _plain(lines)
        pieces = [text[i : i + _PIECE] for i in range(0, len(text) - _PIECE + 1, _PIECE)]
        for i, line in enumerate(plain):
            if len(line) >= _PIECE:
                hits = [piece in line for piece in pieces].count(True)
                found[i] = max(found[i], hits / len(pieces))
    return found


def stated(json_ld: Sequence[str], lines: Sequence[str]) -> list[bool] | None:
    """Whether each line stands in the ``articleBody`` of the JSON-LD; None if there is none."""
    body = "".join(m.group(1) for text in json_ld for m in _ARTICLE_BODY.finditer(text))
    if not body:
        return None
    body = _NOT_WORD.sub("", body).lower()
    return [len(line) >= _PIECE and line[:_STATED] in body for line in _plain(lines)]


def _plain(lines: Sequence[str]) -> list[str]:
    return [_NOT_WORD.sub("", line[:_LOOKED]) for line in lines]
