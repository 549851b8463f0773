"""Titles and bodies by the hundred thousand: rate, exactness, bytes, and memory that must not grow.

    python -m benchmarks.duplicates_scale titles --count 600000
    python -m benchmarks.duplicates_scale bodies --count 300000 --texts texts.txt

Pages arrive in the order of their days, in batches like those of the store's writer.  Of each, the
tokens are computed and looked up, in the store's SQLite file and in memory among the pages of the batch,
and the candidates are ranked by text; titles are all compared.  Then the tokens of the batch are written.  The
texts are generated in another process (see duplicates_texts): ``--from FILE`` reads real titles, one a line
in the order of their days, or bodies, one a line, instead.  The records of the pages are written, too, but
not timed: a crawl writes them in any case.

Rates are by the CPU time of this process: waiting for the disk or for other processes does not count.  A
loaded machine lowers them all the same, by up to a half: run it on an idle one.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import random
import resource
import statistics
import tempfile
import time
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.duplicates_texts import Bodies, edited, titles
from benchmarks.frontier_scale import report
from topiccrawl.dedup.candidates import MOST_SHARING, by_body
from topiccrawl.dedup.compared import ComparedPage
from topiccrawl.dedup.recent import RecentTokens
from topiccrawl.dedup.relation import relate
from topiccrawl.dedup.signing import Signer
from topiccrawl.dedup.title_vectors import TitleVector, TitleVectors, cosine
from topiccrawl.dedup.titles import THRESHOLD
from topiccrawl.dedup.tokens import WINDOW_DAYS, title_tokens
from topiccrawl.store.sqlite import stories
from topiccrawl.store.sqlite.file import open_for_writing
from topiccrawl.store.stories import topic_tokens

#: Pages of a transaction.
BATCH = 200
#: Candidates that would be compared of each body.
CANDIDATES = 8
#: Share of bodies that are edited copies of one of the last 5,000.
EDITED = 0.1
#: Titles whose vectors are kept in memory.
VECTORS = 40_000
#: Titles that share a token at most: all of them.
ALL = 1_000_000
#: Titles whose pairs are also searched by brute force.
CHECKED = 50
#: Bytes of the tokens and of the numbers of their pages, in the file.
_BYTES = (
    "SELECT sum(pgsize) FROM dbstat WHERE name IN ('tokens', 'tokens_recent', 'tokens_new', "
    "'numbers', 'sqlite_autoindex_numbers_1')"
)


@dataclass(frozen=True, slots=True)
class Page:
    """A generated page."""

    number: int
    title: str
    day: int
    body: str = ""
    copy_of: int = -1
    """Number of the page of which it is a copy; -1 for a new one."""

    @property
    def key(self) -> str:
        """Return the URL and the id of its record."""
        return str(self.number)


class TokenStore:
    """The tables of a store that have to do with tokens."""

    def __init__(self, path: Path) -> None:
        self._db = open_for_writing(path)
        self._columns = self._db.execute(
            "SELECT count(*) FROM pragma_table_info('pages')"
        ).fetchone()[0]

    def write_records(self, pages: Iterable[Page]) -> None:
        """Write the records of pages, with nothing but their titles."""
        rest = [""] * (self._columns - 5)
        marks = ", ".join("?" * (self._columns - 5))
        names = [name for _, name, *_ in self._db.execute("PRAGMA table_info(pages)")]
        others = [n for n in names if n not in ("_id", "topic", "url", "title", "withdrawn_at")]
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(
            f"INSERT INTO pages (_id, topic, url, title, withdrawn_at, {', '.join(others)}) "
            f"VALUES (?, 'scale', ?, ?, NULL, {marks})",
            [(page.key, page.key, page.title, *rest) for page in pages],
        )
        self._db.execute("COMMIT")

    def write_tokens(self, written: Mapping[str, Sequence[int]]) -> None:
        """Write the tokens of pages, by key."""
        self._db.execute("BEGIN IMMEDIATE")
        stored = {key: topic_tokens("scale", tokens) for key, tokens in written.items()}
        stories.set_tokens(self._db, stored)
        self._db.execute("COMMIT")

    def sharing(self, tokens: Sequence[int], most: int) -> dict[int, list[str]]:
        """Return the keys of pages by token, as the store does."""
        return stories.sharing(self._db, "scale", tokens, most)

    def title(self, key: str) -> str:
        """Return the title of a page."""
        found: str = self._db.execute("SELECT title FROM pages WHERE _id = ?", (key,)).fetchone()[0]
        return found

    def token_bytes(self) -> int:
        """Return the bytes on disk of the tokens, with the numbers of their pages."""
        return int(self._db.execute(_BYTES).fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        self._db.close()


@dataclass(slots=True)
class Rates:
    """Seconds of each tenth of a stream."""

    count: int
    cpu: list[float] = field(default_factory=lambda: [0.0] * 10)
    clock: list[float] = field(default_factory=lambda: [0.0] * 10)
    peaks: list[int] = field(default_factory=lambda: [0] * 10)
    """Largest resident memory until then, in MiB."""

    def time(self, work: Callable[[list[Page]], None], batch: list[Page]) -> None:
        """Do the work for a batch, and add its time."""
        cpu, clock = time.process_time(), time.perf_counter()
        work(batch)
        tenth = min(9, batch[-1].number * 10 // self.count)
        self.cpu[tenth] += time.process_time() - cpu
        self.clock[tenth] += time.perf_counter() - clock
        self.peaks[tenth] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

    def report(self) -> None:
        """Print the rates."""
        rates = [self.count / 10 / seconds for seconds in self.cpu]
        report("a second of CPU time", f"{self.count / sum(self.cpu):,.0f}")
        report("a second by the clock", f"{self.count / sum(self.clock):,.0f}")
        report("by tenths, CPU time", " ".join(f"{rate:,.0f}" for rate in rates))
        report("last tenth, of the first", f"{rates[-1] / rates[0]:.2f}")
        report("most MiB of memory, by tenths", " ".join(map(str, self.peaks)))


class TitleStream:
    """Titles that are looked up, compared and stored, and the pairs that were found."""

    def __init__(self, store: TokenStore, days: Callable[[str], int]) -> None:
        self._store = store
        self._day_of = days
        self._reader = TitleVectors()
        self._reader.vector("侨联举行代表大会")  # reads the dictionaries
        self._vectors = OrderedDict[str, TitleVector]()
        self.candidates = 0
        # The numbers of both titles of each pair: objects would take more memory than the search.
        self._pairs = array("I"), array("I")

    @property
    def pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs that were found, the later title first."""
        return zip(*self._pairs, strict=True)

    def add(self, batch: list[Page]) -> None:
        """Look up, compare and store the titles of a batch."""
        vectors = {page.key: self._reader.vector(page.title) for page in batch}
        self._vectors.update(vectors)
        tokens = {page.key: title_tokens(vectors[page.key], page.day) for page in batch}
        stored = self._store.sharing([t for _, lookups in tokens.values() for t in lookups], ALL)
        recent = RecentTokens(BATCH)
        for page in batch:
            own, (written, lookups) = vectors[page.key], tokens[page.key]
            near = {key for token in lookups for key in stored.get(token, ())}
            near.update(*recent.sharing(lookups).values())
            self.candidates += len(near)
            for key in near:
                if (
                    abs(self._day_of(key) - page.day) <= WINDOW_DAYS
                    and cosine(own, self.vector_of(key)) >= THRESHOLD
                ):
                    self._pairs[0].append(page.number)
                    self._pairs[1].append(int(key))
            recent.add(page.key, written)
        self._store.write_tokens({key: written for key, (written, _) in tokens.items()})
        while len(self._vectors) > VECTORS:
            self._vectors.popitem(last=False)

    def vector_of(self, key: str) -> TitleVector:
        """Return the vector of a title; of an older one, by reading the title again."""
        known = self._vectors.get(key)
        return self._reader.vector(self._store.title(key)) if known is None else known


def stream_titles(args: argparse.Namespace, folder: Path) -> None:
    """Stream titles, and report."""
    rates = Rates(args.count)
    with closing(TokenStore(folder / "titles.sqlite")) as store:
        stream = TitleStream(store, lambda key: int(key) // args.per_day)
        for batch in generated(_titles, args):
            store.write_records(batch)
            rates.time(stream.add, batch)
        rates.report()
        report("candidates a title", f"{stream.candidates / args.count:.2f}")
        report("pairs at .8 and above", f"{sum(1 for _ in stream.pairs):,}")
        report("bytes a title", f"{store.token_bytes() / args.count:,.0f}")
        check(args, stream, store)
        digits_only(stream, store)


def check(args: argparse.Namespace, stream: TitleStream, store: TokenStore) -> None:
    """Search the pairs of some titles by brute force."""
    draw = random.Random(2)
    first = max(0, args.count - args.per_day * WINDOW_DAYS)
    vectors = {number: stream.vector_of(str(number)) for number in range(first, args.count)}
    checked = set(draw.sample(list(vectors), min(CHECKED, len(vectors))))
    expected = {
        (number, other)
        for number in checked
        for other in range(first, number)
        if cosine(vectors[number], vectors[other]) >= THRESHOLD
    }
    found = {(a, b) for a, b in stream.pairs if a in checked and b >= first}
    report(
        f"pairs of {len(checked)} titles: found; by brute force", f"{len(found)}; {len(expected)}"
    )
    if found != expected:
        raise SystemExit("the search is not exact")


def digits_only(stream: TitleStream, store: TokenStore) -> None:
    """Of pairs that differ in digits only, report how many the comparison calls copies."""
    count = merged = 0
    pairs = list(stream.pairs)
    for pair in random.Random(3).sample(pairs, min(50_000, len(pairs))):
        a, b = (store.title(str(number)) for number in pair)
        if a != b and _letters(a) == _letters(b):
            count += 1
            first, second = (ComparedPage(url=title, title=title, body="") for title in (a, b))
            merged += relate(first, second).is_copy
    report("of 50,000: differ in digits only; merged", f"{count:,}; {merged / max(1, count):.2%}")


def _letters(text: str) -> str:
    return "".join(c for c in text if not c.isdigit())


class BodyStream:
    """Pages that are signed, looked up and stored."""

    def __init__(self, store: TokenStore) -> None:
        self._store = store
        self._signer = Signer()
        self._signer.sign(
            ComparedPage(url="", title="侨联举行代表大会", body="")
        )  # reads the dictionaries
        self.tokens: list[int] = []
        self.candidates = 0
        self.planted: list[bool] = []
        """Whether the original of each edited copy was among its candidates."""

    def add(self, batch: list[Page]) -> None:
        """Sign, look up and store the pages of a batch."""
        signed = {
            page.key: self._signer.sign(
                ComparedPage(url=page.key, title=page.title, body=page.body)
            )
            for page in batch
        }
        wanted = [token for page in signed.values() for token in page.lookups]
        stored = self._store.sharing(wanted, MOST_SHARING)
        recent = RecentTokens(BATCH)
        for page in batch:
            own = signed[page.key]
            found = {token: list(stored[token]) for token in own.lookups if token in stored}
            for token, urls in recent.sharing(own.lookups).items():
                found.setdefault(token, []).extend(urls)
            candidates = by_body(found, CANDIDATES)
            recent.add(page.key, own.tokens)
            self.tokens.append(len(own.tokens))
            self.candidates += len(candidates)
            if page.copy_of >= 0:
                self.planted.append(str(page.copy_of) in candidates)
        self._store.write_tokens({key: page.tokens for key, page in signed.items()})


def stream_bodies(args: argparse.Namespace, folder: Path) -> None:
    """Stream bodies, and report."""
    rates, chars, sizes = Rates(args.count), 0, []
    with closing(TokenStore(folder / "bodies.sqlite")) as store:
        stream = BodyStream(store)
        for batch in generated(_bodies, args):
            store.write_records(batch)
            rates.time(stream.add, batch)
            chars += sum(len(page.body) for page in batch)
            done = batch[-1].number + 1
            if done * 4 // args.count > (done - len(batch)) * 4 // args.count:
                sizes.append((done, store.token_bytes()))
    rates.report()
    report("characters a body", f"{chars / args.count:,.0f}")
    report("tokens a page", f"{statistics.mean(stream.tokens):.1f}")
    report("candidates a page", f"{stream.candidates / args.count:.2f}")
    found = sum(stream.planted) / max(1, len(stream.planted))
    report("edited copies; original is a candidate", f"{len(stream.planted):,}; {found:.2%}")
    for done, size in sizes:
        report(f"bytes a page on disk, of {done:,}", f"{size / done:,.0f}")


def generated(
    source: Callable[[argparse.Namespace], Iterator[Page]], args: argparse.Namespace
) -> Iterator[list[Page]]:
    """Yield batches of pages, generated in another process."""
    queue = multiprocessing.Queue(maxsize=4)  # type: multiprocessing.Queue[list[Page]]
    process = multiprocessing.Process(target=_produce, args=(source, args, queue), daemon=True)
    process.start()
    while batch := queue.get():
        yield batch
    process.join()


def _produce(
    source: Callable[[argparse.Namespace], Iterator[Page]],
    args: argparse.Namespace,
    queue: multiprocessing.Queue[list[Page]],
) -> None:
    pages = itertools.islice(source(args), args.count)
    while batch := list(itertools.islice(pages, BATCH)):
        queue.put(batch)
    queue.put([])


def _titles(args: argparse.Namespace) -> Iterator[Page]:
    if args.source is None:
        for number, title in enumerate(titles(args.count, args.per_day)):
            yield Page(number, title.text, title.day, copy_of=title.copy_of)
        return
    with args.source.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            yield Page(number, line.strip(), number // args.per_day)


def _bodies(args: argparse.Namespace) -> Iterator[Page]:
    draw = random.Random(1)
    texts, before = _texts(args), list[tuple[int, str]]()
    for number, title in enumerate(titles(args.count, args.per_day)):
        if before and draw.random() < EDITED:
            original, text = draw.choice(before)
            yield Page(number, title.text, title.day, edited(text, draw), original)
        else:
            before.append((number, next(texts)))
            yield Page(number, title.text, title.day, before[-1][1])
            del before[:-5_000]


def _texts(args: argparse.Namespace) -> Iterator[str]:
    if args.source is None:
        bodies = Bodies(args.texts)
        while True:
            yield from bodies.batch(BATCH)
    with args.source.open(encoding="utf-8") as lines:
        yield from map(str.strip, lines)


def main() -> None:
    """Run the stream that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["titles", "bodies"])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--per-day", type=int, default=1_000)
    parser.add_argument("--from", dest="source", type=Path)
    own = sorted((Path(__file__).parent / "corpus" / "texts").glob("*.txt"))
    parser.add_argument("--texts", type=Path, nargs="+", default=own)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="duplicates-scale-") as folder:
        (stream_titles if args.what == "titles" else stream_bodies)(args, Path(folder))


if __name__ == "__main__":
    main()
