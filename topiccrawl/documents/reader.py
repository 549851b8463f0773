"""Documents read in a child process, within limits of time and memory."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import ClassVar, Final, Self

from topiccrawl.children import Child
from topiccrawl.documents.kinds import likely_kind
from topiccrawl.documents.serve import PATIENCE
from topiccrawl.documents.text import DocumentText

#: CPU time for one document, in seconds (a guess: 1,000 pages of a PDF take 3 s, 2026-11).
SECONDS: Final = 6.0
#: Memory for one document, in MB beyond the 60 MB of the process with all readers: 300 MB together.
MEGABYTES: Final = 230
#: Reasons of documents whose process may have ended before it could state their kind.
_ENDED: Final = frozenset({"timed-out", "too-large", "crashed"})
#: Real seconds for the process to start (a guess; it takes half a second).
_START_SECONDS: Final = 30.0


class DocumentReader:
    """Reads documents one after the other; the process is started when it is first needed.

    Parameters
    ----------
    seconds
        CPU time for one document.
    megabytes
        Memory for one document.
    unwanted
        Returns whether nothing is wanted anymore: the crawl ends.
    """

    #: Command of the child process; seconds and megabytes of a document follow.
    command: ClassVar[tuple[str, ...]] = (sys.executable, "-m", "topiccrawl.documents.serve")

    def __init__(
        self,
        seconds: float = SECONDS,
        megabytes: int = MEGABYTES,
        unwanted: Callable[[], bool] = lambda: False,
    ) -> None:
        self._child = Child([*self.command, str(seconds), str(megabytes)], unwanted)
        self._wait = seconds + PATIENCE + _START_SECONDS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, body: bytes, content_type: str = "", name: str = "") -> DocumentText:
        """Return the text of a document, or the reason why there is none; never raises. See
        :func:`~topiccrawl.documents.reading.read_document`.
        """
        header = {"content_type": content_type, "name": name}
        try:
            line = self._child.ask(header, body, self._wait)
        except OSError as error:
            return DocumentText(reason="crashed", detail=str(error))
        if line is None:
            status = self._child.status
            self._child.stop()
            found = DocumentText(
                reason="timed-out" if status is None else "crashed", detail=f"status {status}"
            )
        else:
            found = DocumentText.from_dict(json.loads(line))
        if found.reason in _ENDED:
            found.kind = found.kind or likely_kind(body, content_type, name)
        return found

    def close(self) -> None:
        """End the child process."""
        self._child.stop()
