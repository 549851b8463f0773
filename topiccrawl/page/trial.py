"""Trial runs of pages: ``python -m topiccrawl.page.trial SECONDS MEGABYTES``.

This process reads large pages before the crawler does. A page that takes more than *SECONDS* of CPU ends
it, wherever it is, in C code too; so does one that takes more than *MEGABYTES* of memory, or one that
the parser crashes on.

For each page, standard input holds a line of JSON (the arguments of :class:`~topiccrawl.page.page.Page`
and ``length``, the number of bytes of the body) and the body; the answer is the line :data:`PASSED`.
"""

from __future__ import annotations

import json
import signal
import sys
from typing import BinaryIO

from topiccrawl.children import limit_memory
from topiccrawl.page.page import Page
from topiccrawl.text.normalize import normalize

#: The answer to each page that the process survives.
PASSED = b"passed\n"


def read_everything(page: Page) -> None:
    """Compute all that a crawl wants to know of a page."""
    if not page.looks_like_html:
        return
    # One after the other: each is kept by the page, and later ones build on them.
    _ = page.links, page.title, page.body, page.kind, page.trail, page.byline, page.published
    _ = page.canonical_url, page.stated_words
    normalize(page.visible_text)


def serve(pages: BinaryIO, answers: BinaryIO, seconds: float) -> None:
    """Read pages until the input ends, each within *seconds* of CPU time."""
    while line := pages.readline():
        arguments = json.loads(line)
        body = pages.read(arguments.pop("length"))
        page = Page(body=body, **arguments)
        # The default action of SIGPROF ends the process, without waiting for the interpreter.
        signal.setitimer(signal.ITIMER_PROF, seconds)
        read_everything(page)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        answers.write(PASSED)
        answers.flush()


def main() -> None:
    """Serve the pages of standard input."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    # The crawler ends this process; Ctrl-C and the like are the crawler's.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    read_everything(Page("http://warm.example/", b"<p>\xe5\x83\x91"))
    limit_memory(int(sys.argv[2]))
    serve(sys.stdin.buffer, sys.stdout.buffer, float(sys.argv[1]))


if __name__ == "__main__":
    main()
