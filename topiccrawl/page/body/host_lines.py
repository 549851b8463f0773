"""Lines of a body that its host repeats on many pages: editors, disclaimers, slogans.

A line stands for itself by four bytes of its hash. :mod:`topiccrawl.page.body.host_learning` learns which lines
a host repeats; this module leaves them out of one body.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import compress
from typing import Final

from topiccrawl.page.body.blocks import han_length
from topiccrawl.page.body.contract import Extraction

__all__ = ["EDGE", "edge_lines", "line_hash", "without_lines"]

#: Lines at each end of a body that may be the template's (a guess: an editor, a disclaimer of some
#: paragraphs and a list of teasers).
EDGE: Final = 12
#: Fewest letters and digits of such a line. Shorter ones are headings and cells that recur honestly: 语法, 参数
#: and 示例 were a third of what was left out of Chinese manuals in the order of their folders (2026-11).
_LEAST_LETTERS: Final = 4
#: Other lines that may stand between lines of the template, or between them and the end of the body, above
#: the text (a date or source) and below it (a link to the next article). With any number of them, headings in
#: the text are left out, too (Chinese manuals, 2026-11).
_GAP_ABOVE, _GAP_BELOW = 1, 2
#: Share of the characters of a body that must be left; else all of them stay (a guess: news of two sentences
#: above a disclaimer of a paragraph).
_LEFT: Final = 0.25
#: A line that says where a text comes from, which the search for its first publisher needs, however often the
#: host says it.
_ORIGIN: Final = re.compile(
    r"来源|來源|转自|轉自|转载自|轉載自|摘自|原载|原載|稿源|记者|記者|通讯员"
)
#: In such a line: a disclaimer rather than an origin.
_DISCLAIMER: Final = re.compile(r"注明|註明|声明|聲明|版权|版權|侵权|侵權")
#: Longest line that may be a heading, in Han characters (a guess), and what no heading has. On 4,598 pages of
#: Wikipedia for Schools all 34 lines that were left out were headings above short sections (2026-11).
_HEADING: Final = 15.0
_NOT_IN_HEADINGS: Final = re.compile(r"[。！？!?；;：:|｜【】()（）©]")
_LETTER: Final = re.compile(r"\w")


def line_hash(line: str) -> int:
    """Return the identity of a line: 32 bits of BLAKE2b. Of a host, some hundred are compared."""
    text = " ".join(line.split()).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest())


def edge_lines(extraction: Extraction) -> tuple[int, ...]:
    """Return the lines at the ends of a body that may be the template's.

    Parameters
    ----------
    extraction : Extraction
        The body as extracted, with all lines, and the kind of the page.

    Returns
    -------
    tuple of int
        Hashes of at most twice :data:`EDGE` lines, each once. Empty for a thread: short posts repeat.
    """
    if extraction.kind == "thread" or not extraction.body:
        return ()
    lines = extraction.body.split("\n")
    if len(lines) > 2 * EDGE:
        lines = lines[:EDGE] + lines[-EDGE:]
    return tuple(dict.fromkeys(line_hash(line) for line in lines if _counts(line)))


def without_lines(extraction: Extraction, template: frozenset[int]) -> Extraction:
    """Leave lines of the template out of a body, from both of its ends.

    Parameters
    ----------
    extraction : Extraction
        The body with all lines, and the kind of the page.
    template : frozenset of int
        Hashes of the lines that the host repeats.

    Returns
    -------
    Extraction
        *extraction* itself for a thread, if no line is the template's, and if less than a quarter of the body
        would be left. Linear time.
    """
    if not template or extraction.kind == "thread" or not extraction.body:
        return extraction
    lines = extraction.body.split("\n")
    last = len(lines) - 1
    first = range(min(EDGE, last + 1))
    left_out = _repeated(lines, first, template, _GAP_ABOVE, above=True)
    left_out |= _repeated(lines, range(last, max(-1, last - EDGE), -1), template, _GAP_BELOW)
    if not left_out:
        return extraction
    kept = [i not in left_out for i in range(len(lines))]
    if sum(map(len, compress(lines, kept))) < _LEFT * sum(map(len, lines)):
        return extraction
    offsets = extraction.body_offsets
    if offsets is not None and len(offsets) == len(lines):
        offsets = tuple(compress(offsets, kept))
    elif offsets is not None:  # an extractor of another project: its lines are looked for
        offsets = None
    return replace(extraction, body="\n".join(compress(lines, kept)), body_offsets=offsets)


def _repeated(
    lines: Sequence[str],
    order: Iterable[int],
    template: frozenset[int],
    gap: int,
    *,
    above: bool = False,
) -> set[int]:
    """Return the numbers of the template's lines, from the end of a body toward its middle."""
    found: set[int] = set()
    others = 0
    for i in order:
        line = lines[i]
        # A heading has text below it.
        may_be_heading = (above or others > 0) and _is_heading(line)
        if _counts(line) and not may_be_heading and line_hash(line) in template:
            found.add(i)
            others = 0
            continue
        others += 1
        if others > gap:
            break
    return found


def _counts(line: str) -> bool:
    if len(_LETTER.findall(line[:100])) < _LEAST_LETTERS:
        return False
    return _ORIGIN.search(line) is None or _DISCLAIMER.search(line) is not None


def _is_heading(line: str) -> bool:
    return _NOT_IN_HEADINGS.search(line) is None and han_length(line) <= _HEADING
