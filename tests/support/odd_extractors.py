"""Body extractors that do to a process what a page should never do."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from topiccrawl.page.body import Extraction
from topiccrawl.page.body.contract import ReadablePage


class Obedient:
    """Does what the first word of the page names; the body of other pages is their text."""

    def extract(self, page: ReadablePage) -> Extraction:
        word, __, rest = page.text.partition(" ")
        if word == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if word == "spin":
            while True:
                pass
        if word == "raise":
            raise RuntimeError("odd page")
        if word == "wait":
            # Until somebody reads the named pipe, and then until it is closed.
            Path(rest.strip()).write_text("waiting", "utf-8")
            signal.pause()
        return Extraction(body=page.text.strip())
