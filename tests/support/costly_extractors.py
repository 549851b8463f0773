"""Body extractors that a page trial must end, in C code that no signal handler interrupts."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

from topiccrawl.page.body import Extraction
from topiccrawl.page.body.contract import ReadablePage
from topiccrawl.page.body.extractors import get_extractor


class Endless:
    """Takes for ever if the page has the word."""

    def extract(self, page: ReadablePage) -> Extraction:
        return Extraction(body=str(max(range(10**14))) if "endless" in page.text else "")


class Crash:
    """Ends the process if the page has the word."""

    def extract(self, page: ReadablePage) -> Extraction:
        if "crash" in page.text:
            os.abort()
        return Extraction(body="")


class Memory:
    """Takes four gigabytes."""

    def extract(self, page: ReadablePage) -> Extraction:
        return Extraction(body=str(len(bytearray(4 * 2**30))))


class EndlessOrBlocks:
    """The default extractor, but for pages that have the word."""

    def extract(self, page: ReadablePage) -> Extraction:
        if "endless" in page.text:
            return Endless().extract(page)
        return get_extractor("blocks").extract(page)


class KilledOnce:
    """The default extractor; a page with ``kill FILE`` kills its process first, unless there is the file."""

    def extract(self, page: ReadablePage) -> Extraction:
        found = re.search(r"kill (\S+\.once)", page.text)
        if found is not None and not (mark := Path(found[1])).exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return get_extractor("blocks").extract(page)


class CrashOrBlocks:
    """The default extractor, but for pages that have the word ``crash``."""

    def extract(self, page: ReadablePage) -> Extraction:
        Crash().extract(page)
        return get_extractor("blocks").extract(page)
