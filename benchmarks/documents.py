"""How well documents are read: ``python -m benchmarks.documents [--only TEXT]``.

Makes the corpus of ``tests/documents/corpus.py``, documents of known text in all forms that Chinese offices
publish, and reads each in a child process, as a crawl does.  Prints those with an error, and the totals:
readable documents with a character error of at most 1 %, the longest time, the largest memory, and the reason
of each document that cannot be read.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.documents.corpus import character_error, readable, unreadable
from tests.documents.corpus_texts import Example
from topiccrawl.documents import serve
from topiccrawl.documents.reader import DocumentReader
from topiccrawl.documents.text import DocumentText

#: Largest character error of a document that counts as read.
ALLOWED = 0.01
#: Name of the environment variable with the file for the largest memory, in MB.
MEMORY = "TOPICCRAWL_BENCHMARK_MEMORY"


class MeasuredReader(DocumentReader):
    """Its process writes the largest memory of all documents into :data:`MEMORY`."""

    command = (sys.executable, "-m", "benchmarks.documents", "--serve")


def measured() -> None:
    """Serve documents; the largest memory of those so far is in :data:`MEMORY`."""
    honest = serve.answer

    def answer(header: Mapping[str, str], body: bytes, seconds: float, megabytes: int) -> bytes:
        line = honest(header, body, seconds, megabytes)
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        Path(os.environ[MEMORY]).write_text(str(most / 1024), encoding="ascii")
        return line

    serve.answer = answer
    del sys.argv[1]
    serve.main()


def read(reader: DocumentReader, example: Example) -> tuple[DocumentText, float]:
    """Return what is read from a document, and the seconds that it takes."""
    body = example.make()
    begun = time.monotonic()
    return reader.read(body, example.content_type, example.file_name), time.monotonic() - begun


def main() -> None:
    """Read the corpus and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="documents whose name contains this")
    only = parser.parse_args().only
    with TemporaryDirectory() as folder, MeasuredReader() as reader:
        os.environ[MEMORY] = f"{folder}/memory"
        work(reader, only)
        print(f"largest process {float(Path(os.environ[MEMORY]).read_text('ascii')):.0f} MB")


def work(reader: DocumentReader, only: str) -> None:
    """Read all documents whose name contains *only*, and print the figures."""
    good = 0
    longest = 0.0
    examples = [x for x in readable() if only in x.name]
    for example in examples:
        found, seconds = read(reader, example)
        longest = max(longest, seconds)
        error = character_error(example.truth, found.text)
        good += error <= ALLOWED
        if error > 0 or only:
            print(f"{example.name}: character error {error:.2%} {found.reason} {found.detail}")
    print(f"{good} of {len(examples)} readable documents with a character error of at most 1 %")
    right = 0
    others = [x for x in unreadable() if only in x.name]
    for example in others:
        found, seconds = read(reader, example)
        longest = max(longest, seconds)
        expected = example.reason in ("any", found.reason)
        right += expected and bool(found.reason)
        mark = " " if expected else "!"
        print(f"{mark} {example.name}: {found.reason} ({found.detail[:60]}), {seconds:.1f} s")
    print(f"{right} of {len(others)} unreadable documents with a right reason")
    print(f"longest {longest:.1f} s")


if __name__ == "__main__":
    measured() if sys.argv[1:2] == ["--serve"] else main()
