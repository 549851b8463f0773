"""Which tokens find copies, excerpts and gathered texts: winnowing, "0 mod p" and MinHash with LSH.

    python -m benchmarks.duplicates_candidates --texts texts.txt

Each method makes tokens of every text, one a line; texts of 500 characters and more are stored.  Then
copies are made of them and looked up: edited ones, excerpts, pages that gather several texts.  Printed are
the share of them that have a token in common with their original, how many other texts they have one in
common with (tokens that more than 64 texts have say nothing), tokens a text, and the time to make the
tokens of the shingles of a text.  MinHash has 128 permutations (rensa), and a token for each band.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import rensa

from benchmarks.duplicates_texts import edited, sentences
from topiccrawl.dedup.candidates import MOST_SHARING
from topiccrawl.dedup.shingles import ShingleSequence, shingle_sequence
from topiccrawl.dedup.tokens import body_tokens, sample

#: Characters of the texts that are stored, and at most.
SHORTEST, LONGEST = 500, 20_000
PERMUTATIONS = 128
Method = Callable[[ShingleSequence], set[int]]


@dataclass(frozen=True, slots=True)
class Query:
    """A text that was made of others."""

    kind: str
    text: str
    originals: tuple[int, ...]


def winnowed(window: int) -> Method:
    """Return the method that samples the least hash of each run of *window* shingles."""
    return lambda body: set(sample(body, window).tolist())


def divisible(p: int) -> Method:
    """Return the method that samples the hashes divisible by *p*, of short texts by less."""

    def tokens(body: ShingleSequence) -> set[int]:
        least = p
        while least > 1 and len(body) < 12 * least:
            least //= 2
        return set(body[body % np.uint64(least) == 0].tolist())

    return tokens


def banded(bands: int) -> Method:
    """Return MinHash with a token for each of *bands* bands of the signature."""
    rows = PERMUTATIONS // bands

    def tokens(body: ShingleSequence) -> set[int]:
        signed = rensa.RMinHash.digest_matrix_from_token_hash_sets(
            [np.unique(body).tolist()], PERMUTATIONS, 42
        ).to_rows()[0]
        return {hash((at, *signed[at : at + rows])) for at in range(0, PERMUTATIONS, rows)}

    return tokens


METHODS: dict[str, Method] = {
    "ours": lambda body: set(body_tokens(body)),
    "winnowing, 64": winnowed(64),
    "winnowing, 96": winnowed(96),
    "winnowing, 128": winnowed(128),
    "0 mod 32": divisible(32),
    "0 mod 64": divisible(64),
    "MinHash, 16 bands": banded(16),
    "MinHash, 32 bands": banded(32),
    "MinHash, 64 bands": banded(64),
}


def queries(texts: Sequence[str], count: int, seed: int = 1) -> Iterator[Query]:
    """Yield *count* texts of each kind."""
    draw = random.Random(seed)
    for _ in range(count):
        at = draw.randrange(len(texts))
        text = texts[at]
        yield Query("edited", edited(text, draw), (at,))
        for share in (0.3, 0.5):
            changed = _replaced(text, draw.choice(texts), share, draw)
            yield Query(f"{share:.0%} of the sentences replaced", changed, (at,))
        for size in (100, 150, 200, 300):
            start = draw.randrange(len(text) - size)
            yield Query(f"excerpt of {size}", text[start : start + size], (at,))
        excerpt = text[start : start + 300]
        for _ in range(3):
            cut = draw.randrange(len(excerpt))
            excerpt = excerpt[:cut] + draw.choice("的了和是在") + excerpt[cut + 1 :]
        yield Query("excerpt of 300, 3 changes", excerpt, (at,))
        several = tuple(draw.sample(range(len(texts)), 5))
        yield Query("gathers 5 texts", "\n".join(texts[i][:2_000] for i in several), several)


def _replaced(text: str, other: str, share: float, draw: random.Random) -> str:
    strange = sentences(other) or [other]
    return "".join(draw.choice(strange) if draw.random() < share else s for s in sentences(text))


def measure(
    method: Method,
    stored: Sequence[ShingleSequence],
    asked: Sequence[tuple[Query, ShingleSequence]],
) -> Mapping[str, str]:
    """Return the figures of a method by their names."""
    start = time.process_time()
    tokens = [method(body) for body in stored]
    seconds = time.process_time() - start
    having: defaultdict[int, list[int]] = defaultdict(list)
    for number, of_text in enumerate(tokens):
        for token in of_text:
            having[token].append(number)
    found: defaultdict[str, list[bool]] = defaultdict(list)
    others = 0
    for query, body in asked:
        lists = [having[token] for token in method(body) if token in having]
        near = {number for listed in lists if len(listed) <= MOST_SHARING for number in listed}
        others += len(near - set(query.originals))
        found[query.kind] += [original in near for original in query.originals]
    return {
        **{kind: f"{np.mean(hits):.1%}" for kind, hits in found.items()},
        "other texts found, a query": f"{others / len(asked):.1f}",
        "tokens a text": f"{np.mean([len(of_text) for of_text in tokens]):.0f}",
        "microseconds a text": f"{seconds / len(stored) * 1e6:.0f}",
    }


def main() -> None:
    """Print a table in Markdown: a row for each kind of copy, a column for each method."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    own = sorted((Path(__file__).parent / "corpus" / "texts").glob("*.txt"))
    parser.add_argument("--texts", type=Path, nargs="+", default=own)
    parser.add_argument("--queries", type=int, default=300, help="copies of each kind")
    args = parser.parse_args()
    lines = [line for path in args.texts for line in path.read_text(encoding="utf-8").splitlines()]
    texts = sorted({line[:LONGEST] for line in lines if len(line) >= SHORTEST})
    stored = [shingle_sequence(text) for text in texts]
    asked = [(query, shingle_sequence(query.text)) for query in queries(texts, args.queries)]
    results = {name: measure(method, stored, asked) for name, method in METHODS.items()}
    print(
        f"{len(texts)} texts, {np.mean([len(body) for body in stored]):.0f} shingles on average\n"
    )
    print("|  | " + " | ".join(results) + " |")
    print("|---" * (len(results) + 1) + "|")
    for name in results["ours"]:
        print(f"| {name} | " + " | ".join(result[name] for result in results.values()) + " |")


if __name__ == "__main__":
    main()
