"""Tokens of a topic in URLs: pinyin words, site names, channel folders."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote, urlsplit

from topiccrawl.text.normalize import normalize, normalize_all

#: Tokens of up to this length match whole segments only: ``qiao`` also occurs in ``heqiao``, ``gqb`` in any
#: hash.
SHORT_LETTERS = 4

_EXTENSION = re.compile(r"\.[a-z0-9]{1,5}$")


class UrlTokens:
    """Finds graded tokens in URLs.

    A token of at most 4 characters, or one written ``/like/this``, matches whole segments of the path,
    with or without extension, or a label of the host name.  A longer one matches anywhere in host, path
    or query.  Case, percent-encoding and traditional characters make no difference.
    """

    def __init__(self, tokens: Mapping[str, float]) -> None:
        self._anywhere: list[tuple[str, float]] = []
        whole: dict[str, tuple[str, float]] = {}
        for token, value in sorted(tokens.items()):
            normal = normalize(token)
            bare = normal.strip("/")
            if len(bare) <= SHORT_LETTERS or (normal[0] == "/" and normal[-1] == "/"):
                whole[bare] = token, value
            else:
                self._anywhere.append((normal, value))
        self._single = {bare: graded for bare, graded in whole.items() if "/" not in bare}
        # By first segment: one look-up per segment rules out that a run starts there.
        self._runs: dict[str, list[tuple[list[str], str, float]]] = {}
        for bare in whole.keys() - self._single.keys():
            run = bare.split("/")
            self._runs.setdefault(run[0], []).append((run, *whole[bare]))

    def match(self, url: str) -> list[tuple[str, float]]:
        """Return (token, value) of the tokens in *url*, each once, best first; never raises."""
        return self.match_all([url])[0]

    def match_all(self, urls: Sequence[str]) -> list[list[tuple[str, float]]]:
        """Return ``[match(url) for url in urls]``, normalizing all URLs in one call."""
        split = [_split(url) for url in urls]
        normal = iter(normalize_all([text for parts in split if parts for text in parts[1:]]))
        return [self._found(p[0], next(normal), next(normal)) if p else [] for p in split]

    def _found(self, host: str, path: str, query: str) -> list[tuple[str, float]]:
        found = {}
        if self._anywhere:
            text = f"{host}{path}?{query}"
            found = {token: value for token, value in self._anywhere if token in text}
        if self._single or self._runs:
            segments = [segment for segment in path.split("/") if segment]
            bare = [_EXTENSION.sub("", s) if "." in s else s for s in segments]
            single = self._single
            for name in {*host.split("."), *segments, *bare} & single.keys():
                token, value = single[name]
                found[token] = value
            if self._runs:
                for row in (segments, bare):
                    for i, first in enumerate(row):
                        for run, token, value in self._runs.get(first, ()):
                            if row[i : i + len(run)] == run:
                                found[token] = value
        if len(found) < 2:
            return list(found.items())
        return sorted(found.items(), key=lambda item: (-item[1], item[0]))


def _split(url: str) -> tuple[str, str, str] | None:
    """Return host, unescaped path and unescaped query, ``None`` if *url* is malformed."""
    try:
        parts = urlsplit(url)
        return parts.hostname or "", unquote(parts.path), unquote(parts.query)
    except ValueError:
        return None
