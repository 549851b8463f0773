"""A small search engine over a stored web: BM25 of titles and snippets."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.evaluation.simulation.pages import StoredPages
from topiccrawl.text.analyzer import TextAnalyzer

#: k1 and b of BM25, the usual values (Robertson & Zaragoza 2009).
_K1: Final = 1.2
_B: Final = 0.75
_SNIPPET: Final = 160


@dataclass(frozen=True, slots=True)
class Hit:
    """A result as an engine shows it."""

    url: str
    title: str
    snippet: str


class Index:
    """Pages by the words of their titles and first lines.

    Parameters
    ----------
    hits
        The pages.
    title_weight
        How often a word of the title counts; engines differ in it.
    """

    def __init__(self, hits: Sequence[Hit], *, title_weight: int = 2) -> None:
        self.hits = hits
        self._analyzer = TextAnalyzer()
        postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = np.zeros(len(hits))
        titles = self._analyzer.terms_all([hit.title for hit in hits])
        snippets = self._analyzer.terms_all([hit.snippet for hit in hits])
        for number, (title, snippet) in enumerate(zip(titles, snippets, strict=True)):
            counts = Counter(title * title_weight + snippet)
            lengths[number] = counts.total()
            for term, count in counts.items():
                postings[term].append((number, count))
        self._postings: Mapping[str, NDArray[np.int64]] = {
            term: np.array(pairs) for term, pairs in postings.items()
        }
        self._norm = _K1 * (1 - _B + _B * lengths / max(1.0, lengths.mean()))

    def search(self, query: str, start: int, count: int = 10) -> list[Hit]:
        """Return the results *start* … *start + count* for a query; ``site:`` keeps to a host."""
        words = [word for word in query.split() if not word.startswith("site:")]
        sites = [word.removeprefix("site:") for word in query.split() if word.startswith("site:")]
        scores = np.zeros(len(self.hits))
        for term in dict.fromkeys(self._analyzer.terms(" ".join(words))):
            found = self._postings.get(term)
            if found is None:
                continue
            idf = np.log1p((len(self.hits) - len(found) + 0.5) / (len(found) + 0.5))
            counts = found[:, 1]
            scores[found[:, 0]] += idf * counts * (_K1 + 1) / (counts + self._norm[found[:, 0]])
        order = np.argsort(-scores, kind="stable")
        best = (self.hits[number] for number in order[: (scores > 0).sum()].tolist())
        wanted = [hit for hit in best if all(site in hit.url for site in sites)]
        return wanted[start : start + count]


def stored_hits(pages: StoredPages) -> list[Hit]:
    """Return all HTML pages of a stored web as hits."""
    hits = []
    for url in pages.html_urls():
        answer = pages.get(url)
        if answer is not None and answer.is_page:
            view = pages.view(answer)
            text = " ".join((view.body or view.visible_text).split())
            hits.append(Hit(url, answer.title, text[:_SNIPPET]))
    return hits
