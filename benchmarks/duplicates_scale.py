"""Titles and bodies by the hundred thousand: rate, exactness, bytes, and memory that must not grow.

    python -m benchmarks.duplicates_scale titles --count 600000
    python -m benchmarks.duplicates_scale bodies --count 300000 --texts texts.txt

Pages arrive in the order of their days, in batches like those of the store's writer.  Of each, the
tokens are computed and looked up, in the token table of a SQLite file and in memory among the pages of the
batch, and the candidates are ranked; titles are compared.  Then the batch is written.  Generating the texts is not
timed.  The titles and bodies are generated (see duplicates_texts): --from FILE reads real titles, one a
line in the order of their days, or bodies, one a line, instead.

Rates are by the CPU time of this process: other processes of the machine make no difference, waiting
for the disk does not count.  The rate by the clock is printed, too.
"""

from __future__ import annotations

import argparse
import itertools
import random
import resource
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from benchmarks.duplicates_texts import Bodies, Title, edited, titles
from benchmarks.frontier import resident_bytes
from benchmarks.frontier_scale import report
from topiccrawl.dedup.candidates import MOST_SHARING, by_body, by_title
from topiccrawl.dedup.compared import ComparedPage
from topiccrawl.dedup.numbers import identifiers
from topiccrawl.dedup.recent import RecentTokens
from topiccrawl.dedup.relation import relate
from topiccrawl.dedup.signing import Signer
from topiccrawl.dedup.title_vectors import TitleVector, TitleVectors, cosine
from topiccrawl.dedup.titles import THRESHOLD
from topiccrawl.dedup.tokens import WINDOW_DAYS, title_lookups, title_tokens

#: Pages of a transaction.
BATCH = 200
#: Candidates that would be compared of each body.
CANDIDATES = 8
#: Share of bodies that are edited copies of one of the last 5,000.
EDITED = 0.1


class TokenTable:
    """Pages by token in a SQLite file, as the store has them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute(
            "CREATE TABLE tokens (token INTEGER, page INTEGER, PRIMARY KEY (token, page)) WITHOUT ROWID"
        )

    def write(self, pages: Iterable[tuple[int, Sequence[int]]]) -> None:
        rows = sorted((token, page) for page, tokens in pages for token in tokens)
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany("INSERT OR IGNORE INTO tokens VALUES (?, ?)", rows)
        self._db.execute("COMMIT")

    def sharing(self, tokens: Sequence[int], most: int) -> dict[int, list[str]]:
        found = {}
        query = "SELECT page FROM tokens WHERE token = ? LIMIT ?"
        for token in tokens:
            if rows := self._db.execute(query, (token, most + 1)).fetchall():
                found[token] = [str(page) for (page,) in rows]
        return found

    def close(self) -> None:
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.close()


@dataclass(slots=True)
class Rates:
    """Seconds of each tenth of a stream."""

    count: int
    cpu: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)

    def add(self, cpu: float, clock: float, done: int) -> None:
        tenth = min(9, (done - 1) * 10 // self.count)
        while len(self.cpu) <= tenth:
            self.cpu.append(0.0)
            self.clock.append(0.0)
        self.cpu[tenth] += cpu
        self.clock[tenth] += clock

    def report(self) -> None:
        rates = [self.count / 10 / seconds for seconds in self.cpu]
        report("a second of CPU time", f"{self.count / sum(self.cpu):,.0f}")
        report("a second by the clock", f"{self.count / sum(self.clock):,.0f}")
        report("by tenths", " ".join(f"{rate:,.0f}" for rate in rates))
        report("last tenth, of the first", f"{rates[-1] / rates[0]:.2f}")


def batches(items: Iterable[Title]) -> Iterator[list[Title]]:
    iterator = iter(items)
    while batch := list(itertools.islice(iterator, BATCH)):
        yield batch


def titles_of(file: Path, per_day: int) -> Iterator[Title]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            yield Title(line.strip(), number // per_day)


def stream_titles(args: argparse.Namespace, folder: Path) -> None:
    source = (
        titles_of(args.source, args.per_day) if args.source else titles(args.count, args.per_day)
    )
    vectors = TitleVectors()
    vector = lru_cache(maxsize=args.per_day * WINDOW_DAYS)(vectors.vector)
    known: dict[str, Title] = {}  # stands for the page table of the store
    rates, candidates, pairs, planted = Rates(args.count), 0, [], [0, 0]
    with closing(TokenTable(folder / "titles.sqlite")) as table:
        for batch in batches(itertools.islice(source, args.count)):
            cpu, clock = time.process_time(), time.perf_counter()
            recent, written = RecentTokens(BATCH), []
            for title in batch:
                number = len(known)
                found = similar(title, vector, table, recent, known)
                candidates += found[1]
                pairs.extend((title, other) for other in found[0])
                own = title_tokens(vector(title.text), title.day)
                recent.add(str(number), own)
                written.append((number, own))
                known[str(number)] = title
                if title.copy_of >= 0:
                    planted[0] += 1
                    planted[1] += known[str(title.copy_of)] in found[0]
            table.write(written)
            rates.add(time.process_time() - cpu, time.perf_counter() - clock, len(known))
    rates.report()
    report("candidates a title", f"{candidates / args.count:.2f}")
    report("pairs at .8 and above", f"{len(pairs):,}")
    report("bytes a title", f"{table.path.stat().st_size / args.count:,.0f}")
    check(list(known.values()), vectors, pairs)
    digits_only(pairs)


def similar(
    title: Title,
    vector: "lru_cache[TitleVector]",
    table: TokenTable,
    recent: RecentTokens,
    known: Mapping[str, Title],
) -> tuple[list[Title], int]:
    """Return the titles that are similar, and how many were compared."""
    own = vector(title.text)
    tokens = title_lookups(own, title.day)
    near = {*by_title(table.sharing(tokens, 10_000)), *by_title(recent.sharing(tokens))}
    found = [
        other
        for number in near
        if abs((other := known[number]).day - title.day) <= WINDOW_DAYS
        and cosine(own, vector(other.text)) >= THRESHOLD
    ]
    return found, len(near)


def check(
    stream: Sequence[Title], vectors: TitleVectors, pairs: Sequence[tuple[Title, Title]]
) -> None:
    """Compare some titles with all before them in the window."""
    draw = random.Random(2)
    expected, found = set(), set()
    for at in draw.sample(range(len(stream)), min(20, len(stream))):
        own = vectors.vector(stream[at].text)
        for before in range(at - 1, -1, -1):
            if stream[at].day - stream[before].day > WINDOW_DAYS:
                break
            if cosine(own, vectors.vector(stream[before].text)) >= THRESHOLD:
                expected.add((id(stream[at]), id(stream[before])))
        found |= {(id(a), id(b)) for a, b in pairs if a is stream[at]}
    report("pairs of 20 titles: found, by brute force", f"{len(found)}, {len(expected)}")
    if found != expected:
        raise SystemExit("the search is not exact")


def digits_only(pairs: Sequence[tuple[Title, Title]]) -> None:
    """Of pairs that differ in digits only, report how many the comparison calls copies."""

    def letters(text: str) -> str:
        return "".join(c for c in text if not c.isdigit())

    digits = [(a, b) for a, b in pairs if a.text != b.text and letters(a.text) == letters(b.text)]
    merged = sum(
        relate(
            ComparedPage(url="a", title=a.text, body=""),
            ComparedPage(url="b", title=b.text, body=""),
        ).is_copy
        for a, b in digits[:20_000]
    )
    share = merged / max(1, min(20_000, len(digits)))
    report("pairs that differ in digits only; merged", f"{len(digits):,}; {share:.2%}")


def bodies_of(args: argparse.Namespace) -> Iterator[str]:
    if args.source:
        with args.source.open(encoding="utf-8") as lines:
            yield from map(str.strip, lines)
        return
    generated = Bodies(args.texts)
    while True:
        yield from generated.batch(200)


def stream_bodies(args: argparse.Namespace, folder: Path) -> None:
    signer, draw, source = Signer(), random.Random(1), bodies_of(args)
    headlines = titles(args.count, args.per_day)
    before: list[tuple[str, str]] = []
    rates, counts, planted, shared = Rates(args.count), [], [0, 0], []
    size = chars = 0
    steps: list[tuple[int, int]] = []
    with closing(TokenTable(folder / "bodies.sqlite")) as table:
        for first in range(0, args.count, BATCH):
            batch: list[tuple[ComparedPage, str]] = []
            for number in range(first, min(args.count, first + BATCH)):
                title = next(headlines)
                copied = ""
                if before and draw.random() < EDITED:
                    copied, text = draw.choice(before)
                    body = edited(text, draw)
                else:
                    body = next(source)
                    before.append((str(number), body))
                    del before[:-5_000]
                chars += len(body)
                batch.append((ComparedPage(url=str(number), title=title.text, body=body), copied))
            cpu, clock = time.process_time(), time.perf_counter()
            recent, written = RecentTokens(BATCH), []
            for page, copied in batch:
                signed = signer.sign(page)
                found = table.sharing(signed.lookups, MOST_SHARING)
                for token, urls in recent.sharing(signed.lookups).items():
                    found[token] = [*found.get(token, ()), *urls]
                ranked = by_body(found, CANDIDATES)
                recent.add(page.url, signed.tokens)
                written.append((int(page.url), signed.tokens))
                counts.append(len(signed.tokens))
                shared.append(len(ranked))
                if copied:
                    planted[0] += 1
                    planted[1] += copied in ranked
            table.write(written)
            done = first + len(batch)
            rates.add(time.process_time() - cpu, time.perf_counter() - clock, done)
            if done * 10 // args.count > (done - len(batch)) * 10 // args.count:
                steps.append((done, table.path.stat().st_size))
    rates.report()
    size = table.path.stat().st_size
    report("characters a body", f"{chars / args.count:,.0f}")
    report("tokens a page", f"{statistics.mean(counts):.1f}")
    report("candidates a page", f"{statistics.mean(shared):.2f}")
    report(
        "edited copies; original among the candidates",
        f"{planted[0]:,}; {planted[1] / max(1, planted[0]):.2%}",
    )
    report("bytes a page on disk", f"{size / args.count:,.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["titles", "bodies"])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--per-day", type=int, default=1_000)
    parser.add_argument("--from", dest="source", type=Path)
    own = Path(__file__).parent / "corpus" / "texts"
    parser.add_argument("--texts", type=Path, nargs="+", default=sorted(own.glob("*.txt")))
    args = parser.parse_args()
    start = resident_bytes()
    with tempfile.TemporaryDirectory(prefix="duplicates-scale-") as folder:
        (stream_titles if args.what == "titles" else stream_bodies)(args, Path(folder))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    report("memory: before; most", f"{start / 2**20:,.0f}; {peak / 2**20:,.0f} MiB")


if __name__ == "__main__":
    main()
