"""WordNet's nouns as a graph: similarity of words to the words of a topic.

[doc002], definition 4: d(a, b) is the number of edges on the shortest path between two words, up to a
common hypernym and down again.  The similarity decreases with it, not linearly::

    sim(a, b) = 1 - ln(d(a, b) + 1) / ln(2·MaxDepth + 1)

It is 1 for the same synset and 0 for the longest possible path.  (The formula itself is missing from our
copy of the paper; this is the logarithmic reading, see docs/scoring.md.)  Instances count as hyponyms.

WordNet is not part of the project; the file ``data.noun`` of WordNet 3.0 or 3.1 is required (Debian:
package ``wordnet-base``, /usr/share/wordnet).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _

SETTING = "TOPICCRAWL_SEMANTIC_WORDNET"
_HYPERNYMS = ("@", "@i")
_FILE = "data.noun"


@dataclass(frozen=True, slots=True)
class WordNet:
    """The graph of noun synsets, which are numbered from 0 in the order of the file."""

    synsets: Mapping[str, tuple[int, ...]]
    """Synsets of each lemma: lower case, parts joined by ``_``."""
    hypernyms: tuple[tuple[int, ...], ...]
    hyponyms: tuple[tuple[int, ...], ...]
    max_depth: int
    """Edges of the longest path from a synset up to a root."""

    def similarities(self, words: Mapping[str, float]) -> dict[str, float]:
        """Return the similarity of every lemma to graded words: ``s(w) = max_t value(t)·sim(w, t)``.

        *words* are the graded lemmas t with their values in [0, 1]; unknown ones are ignored.  Lemmas of s(w) = 0
        are left out.
        """
        scale = math.log(2 * self.max_depth + 1)
        best = [0.0] * len(self.hypernyms)
        for value in sorted(set(words.values())):
            same = {s for w, v in words.items() if v == value for s in self.synsets.get(w, ())}
            for distance, found in enumerate(self._rings(same)):
                near = value * (1 - math.log(distance + 1) / scale)
                for synset in found:
                    best[synset] = max(best[synset], near)
        values = {w: max(best[s] for s in own) for w, own in self.synsets.items()}
        return {word: value for word, value in values.items() if value > 0}

    def _rings(self, start: set[int]) -> list[set[int]]:
        """Return the synsets at distance 0, 1, … from the nearest of *start*."""
        above, seen = [start], set(start)
        while above[-1]:
            above.append({h for synset in above[-1] for h in self.hypernyms[synset]} - seen)
            seen |= above[-1]
        rings: list[set[int]] = []
        done: set[int] = set()
        below: set[int] = set()
        while below or len(rings) < len(above):
            up = above[len(rings)] if len(rings) < len(above) else set()
            ring = (up | below) - done
            done |= ring
            rings.append(ring)
            below = {h for synset in ring for h in self.hyponyms[synset]} - done
        return rings


@lru_cache(maxsize=1)
def load_wordnet(path: str) -> WordNet:
    """Read WordNet; takes 3 s for WordNet 3.0, and the last result is cached.

    *path* is the file ``data.noun`` or its folder. Raises ``ConfigurationError`` if the file is missing or
    malformed; the message names the setting.
    """
    file = Path(path)
    if file.is_dir():
        file = file / _FILE
    try:
        with file.open(encoding="utf-8") as lines:
            # The lines of the license at the top begin with two spaces.
            records = [line.split(" | ", 1)[0].split() for line in lines if line[:1] != " "]
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            _("{setting} must name WordNet's {file} or its folder, got {path!r}: {error}").format(
                setting=SETTING, file=_FILE, path=path, error=error
            )
        ) from None
    try:
        return _graph(records)
    except (IndexError, ValueError, KeyError) as error:
        raise ConfigurationError(
            _("{setting}: {file} is not in the format of WordNet's {format}: {error!r}").format(
                setting=SETTING, file=file, format=_FILE, error=error
            )
        ) from None


def _graph(records: list[list[str]]) -> WordNet:
    """Parse records: offset lex_file type words (word lex_id)… pointers (symbol offset type source)…"""
    number = {record[0]: i for i, record in enumerate(records)}
    if not number:
        raise ValueError("it is empty")
    synsets: dict[str, list[int]] = {}
    parents: list[list[int]] = []
    for i, record in enumerate(records):
        words = int(record[3], 16)
        for word in record[4 : 4 + 2 * words : 2]:
            synsets.setdefault(word.lower(), []).append(i)
        at = 4 + 2 * words
        pointers = [record[k : k + 4] for k in range(at + 1, at + 1 + 4 * int(record[at]), 4)]
        parents.append([number[p[1]] for p in pointers if p[0] in _HYPERNYMS and p[2] == "n"])
    children: list[list[int]] = [[] for _ in parents]
    for child, up in enumerate(parents):
        for parent in up:
            children[parent].append(child)
    return WordNet(
        {word: tuple(dict.fromkeys(own)) for word, own in synsets.items()},
        tuple(map(tuple, parents)),
        tuple(map(tuple, children)),
        _max_depth(parents),
    )


def _max_depth(parents: list[list[int]]) -> int:
    """Return the length of the longest path to a root; not recursive, a cycle counts as a root."""
    depth: dict[int, int] = {}
    for start in range(len(parents)):
        stack = [start]
        while stack:
            synset = stack[-1]
            waiting = [p for p in parents[synset] if p not in depth and p not in stack]
            if waiting:
                stack.append(waiting[0])
                continue
            depth[stack.pop()] = max((depth.get(p, 0) + 1 for p in parents[synset]), default=0)
    return max(depth.values())
