"""Reading documents, each in a process of its own: ``python -m topiccrawl.documents.serve SECONDS MEGABYTES``.

This process loads the libraries once and forks for each document.  The child may take *SECONDS* of CPU time
and *MEGABYTES* of memory more than this process has; whatever becomes of it, this process answers.

For each document, standard input holds a line of JSON (``content_type``, ``name``, ``length``) and the
document; the answer is a line of JSON, the fields of :class:`~topiccrawl.documents.text.DocumentText`.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Mapping
from typing import BinaryIO, Final

from topiccrawl.children import limit_memory
from topiccrawl.documents import fonts
from topiccrawl.documents.formats import FORMATS
from topiccrawl.documents.reading import read_document
from topiccrawl.documents.text import DocumentText

#: Real time beyond the CPU time after which a child is ended, in seconds: the machine may be busy (a
#: guess).
PATIENCE: Final = 2.0
#: Share of the CPU time after which readers leave the rest of a long document out (a guess).
_SOFT_SHARE: Final = 0.6
#: Libraries to load before the first document, besides the readers.
_LIBRARIES: Final = (
    "pypdfium2",
    "pypdfium2.raw",
    "python_calamine",
    "olefile",
    "striprtf.striprtf",
    "fontTools.ttLib",
)
#: Share of the memory from which a process that ended had too little of it: libraries abort then (a guess).
_NEARLY: Final = 0.7
_PIECE: Final = 65_536


def answer(header: Mapping[str, str], body: bytes, seconds: float, megabytes: int) -> bytes:
    """Return the line that answers a request; the document is read in a fork."""
    source, target = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(source)
        with contextlib.suppress(BaseException):
            _limit(seconds, megabytes)
            found = read_document(
                body, header["content_type"], header["name"], seconds=_SOFT_SHARE * seconds
            )
            with os.fdopen(target, "wb") as output:
                output.write(_line(found))
        os._exit(0)
    os.close(target)
    begun = time.monotonic()
    line = _received(source, begun + seconds + PATIENCE)
    late = line is None
    if late:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    os.close(source)
    __, ended, usage = os.wait4(process, 0)
    status = os.waitstatus_to_exitcode(ended)
    if line and line.endswith(b"\n"):
        return line
    if late or status == -signal.SIGPROF:
        return _line(DocumentText(reason="timed-out", detail=f"{seconds:g} s"))
    if usage.ru_maxrss / 1024 > _NEARLY * megabytes:
        return _line(DocumentText(reason="too-large", detail=f"{megabytes} MB of memory"))
    return _line(DocumentText(reason="crashed", detail=f"status {status}"))


def _received(source: int, until: float) -> bytes | None:
    """Return what a child writes until it closes its end, ``None`` if that takes too long."""
    pieces: list[bytes] = []
    while (left := until - time.monotonic()) > 0:
        if select.select([source], [], [], left)[0]:
            piece = os.read(source, _PIECE)
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)
    return None


def _line(found: DocumentText) -> bytes:
    text = json.dumps(found.as_dict(), ensure_ascii=False)
    return text.encode("utf-8", "replace") + b"\n"


def _limit(seconds: float, megabytes: int) -> None:
    """Limit CPU time and memory of this process."""
    # The default action ends the process, in C code, too.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    limit_memory(megabytes)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def serve(documents: BinaryIO, answers: BinaryIO, seconds: float, megabytes: int) -> None:
    """Answer requests until the input ends."""
    while line := documents.readline():
        header = json.loads(line)
        body = documents.read(header.pop("length"))
        answers.write(answer(header, body, seconds, megabytes))
        answers.flush()
        del body


def load() -> None:
    """Load all readers and their libraries."""
    readers = dict.fromkeys(it.reader[0] for it in FORMATS.values() if it.reader)
    for name in (*_LIBRARIES, *(f"topiccrawl.documents.{reader}" for reader in readers)):
        with contextlib.suppress(ImportError):  # the reader answers that its library is missing
            importlib.import_module(name)
    with contextlib.suppress(ImportError):
        fonts.replace_system_fonts()


def main() -> None:
    """Serve the documents of standard input."""
    # The crawler ends this process; Ctrl-C and the like are the crawler's.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    load()
    serve(sys.stdin.buffer, sys.stdout.buffer, float(sys.argv[1]), int(sys.argv[2]))


if __name__ == "__main__":
    main()
