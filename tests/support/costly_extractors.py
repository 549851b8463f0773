"""Body extractors that a page trial must end, in C code that no signal handler interrupts."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from topiccrawl.page.body import Extraction
from topiccrawl.page.body.extractors import get_extractor

if TYPE_CHECKING:
    from topiccrawl.page.body.contract import ReadablePage


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
