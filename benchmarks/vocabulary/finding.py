"""How well new words are found, by weights that were fitted to the other half of the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.vocabulary.fitting import fit
from benchmarks.vocabulary.news import STANDARDS, Paragraph, Text, parts
from topiccrawl.text.normalize import normalize
from topiccrawl.text.segment import make_segmenter
from topiccrawl.vocabulary.dictionary import load_dictionary
from topiccrawl.vocabulary.features import find_candidates
from topiccrawl.vocabulary.judge import Weights
from topiccrawl.vocabulary.new_words import LIMIT, new_words
from topiccrawl.vocabulary.ngrams import CodedText

#: Least counts of the words whose recall is reported.
LEAST = (2, 3, 5)
#: Least number of occurrences, cohesion and entropy of the textbook's rule, in nats (a usual choice).
_TEXTBOOK = (2, 3.0, 1.0)


@dataclass(frozen=True, slots=True)
class Result:
    """Figures of one text by one standard."""

    precision: float
    """Share of words of the corpus among the first 100."""
    recall: dict[int, float]
    """Share of the unknown words among the first 1,000, by least count."""
    unknown: dict[int, int]
    """Number of unknown words, by least count."""


def judge(text: Text, found: Sequence[str], standard: int) -> Result:
    """Compare the words *found* with those of the corpus."""
    gold = text.words[standard]
    first, kept = found[:100], set(found[:LIMIT])
    unknown = {least: text.unknown(standard, least) for least in LEAST}
    return Result(
        sum(gold[word] > 0 for word in first) / max(1, len(first)),
        {n: len(words & kept) / max(1, len(words)) for n, words in unknown.items()},
        {n: len(words) for n, words in unknown.items()},
    )


def either(text: Text, found: Sequence[str]) -> float:
    """Return the share of the first 100 that are words by one of the standards."""
    return sum(any(gold[word] > 0 for gold in text.words) for word in found[:100]) / 100


def textbook(text: Text) -> list[str]:
    """Return the unknown strings that pass both thresholds, the most frequent first."""
    count, cohesion, entropy = _TEXTBOOK
    parts_ = find_candidates(
        CodedText.of([normalize(text.text)]), make_segmenter(), load_dictionary(), count
    )
    found: list[tuple[int, str]] = []
    for part in parts_:
        passed = (part.cohesion >= cohesion) & (part.entropy >= entropy)
        found += [(-int(part.counts[i]), part.words[i]) for i in np.flatnonzero(passed)]
    return [word for _, word in sorted(found)]


def measure(paragraphs: Sequence[Paragraph]) -> None:
    """Print a table: texts of the size of the public tests, and halves."""
    middle = len(paragraphs) // 2
    halves = (paragraphs[:middle], paragraphs[middle:])
    weights = [Weights(*fit(half)) for half in reversed(halves)]
    print("text        method    standard  P@100  " + "  ".join(f"R@1000 n>={n}" for n in LEAST))
    for number in (5, 1):
        texts = [(text, weights[i]) for i in (0, 1) for text in parts(halves[i], number)]
        size = sum(len(text.text) for text, _ in texts) // len(texts)
        for name in ("textbook", "judge"):
            lists = [
                textbook(text)
                if name == "textbook"
                else [w.word for w in new_words([text.text], least=None, weights=own)]
                for text, own in texts
            ]
            for standard, label in enumerate(STANDARDS):
                results = [
                    judge(text, found, standard)
                    for (text, _), found in zip(texts, lists, strict=True)
                ]
                recalls = "  ".join(
                    f"{np.mean([r.recall[n] for r in results]):.2f} of "
                    f"{np.mean([r.unknown[n] for r in results]):4.0f}"
                    for n in LEAST
                )
                precision = np.mean([r.precision for r in results])
                print(f"{size:9,}   {name:8}  {label:8}  {precision:.2f}   {recalls}")
            shares = [either(text, found) for (text, _), found in zip(texts, lists, strict=True)]
            print(f"{size:9,}   {name:8}  either    {np.mean(shares):.2f}")
