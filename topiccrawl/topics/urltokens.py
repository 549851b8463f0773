"""Signs of a topic inside URLs: pinyin words, site names, channel folders."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from topiccrawl.text.normalize import normalize

if TYPE_CHECKING:
    from collections.abc import Mapping

SHORT_LETTERS = 4
"""Tokens up to this length match whole segments only: ``qiao`` is also inside ``heqiao``,
``gqb`` inside any hash."""

_EXTENSION = re.compile(r"\.[a-z0-9]{1,5}$")


class UrlTokens:
    """Graded tokens found in URLs.

    A token of at most 4 characters, or one written ``/like/this``, matches as a whole: a path
    segment with or without its extension, or a label of the host name. A longer one matches
    anywhere in host, path or query. Case, percent escapes and traditional characters do not count.
    """

    def __init__(self, tokens: Mapping[str, float]) -> None:
        self._whole: dict[tuple[str, ...], tuple[str, float]] = {}
        self._anywhere: list[tuple[str, float]] = []
        for token, value in sorted(tokens.items()):
            normal = normalize(token)
            bare = normal.strip("/")
            if len(bare) <= SHORT_LETTERS or (normal[0] == "/" and normal[-1] == "/"):
                self._whole[tuple(bare.split("/"))] = (token, value)
            else:
                self._anywhere.append((normal, value))

    def match(self, url: str) -> list[tuple[str, float]]:
        """Return (token, value) of every token in `url`, each once, best first; never raises."""
        try:
            parts = urlsplit(url)
            host = parts.hostname or ""
        except ValueError:
            return []
        path = normalize(unquote(parts.path))
        found = {}
        if self._anywhere:
            text = f"{host}{path}?{normalize(unquote(parts.query))}"
            found = {token: value for token, value in self._anywhere if token in text}
        if self._whole:
            segments = [segment for segment in path.split("/") if segment]
            bare = [_EXTENSION.sub("", segment) for segment in segments]
            labels = [(label,) for label in host.split(".")]
            for whole, (token, value) in self._whole.items():
                if whole in labels or _contains(segments, whole) or _contains(bare, whole):
                    found[token] = value
        return sorted(found.items(), key=lambda item: (-item[1], item[0]))


def _contains(segments: list[str], run: tuple[str, ...]) -> bool:
    n = len(run)
    return any(tuple(segments[i : i + n]) == run for i in range(len(segments) - n + 1))
