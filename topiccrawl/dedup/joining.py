"""Pages that join two articles: most of the longer text is the shorter one, and the rest is about something else."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from topiccrawl.dedup.shingles import among, normalized_sequence

if TYPE_CHECKING:
    from topiccrawl.dedup.prepared import PreparedPage

#: Share of the longer text from which its rest can be an article, and characters (choices: notes, credits and teasers
#: are shorter; a short report has as many).
REST: Final = 0.15
REST_CHARACTERS: Final = 100
#: Weight of a pair of characters that the rest has more than once, names of what it is about for the most part.
REPEATED: Final = 10
#: Weighted share of the pairs of the rest which the other text has, below which it is about something else.  Of 1,000
#: pieces of real articles nine of ten reach it beside the rest of their article; other articles of 80 to 500
#: characters, the most similar one of 150 in half of the cases, any other one in one of twenty (one half of the
#: People's Daily of January 1998; with 1, 5, 20 in place of 10 a little more is mistaken in short or in long ones).
SAME_SUBJECT: Final = 0.13

#: A line of running text: neither a menu, nor a headline, nor a teaser that is cut off.
_SENTENCES: Final = re.compile(r"[。！？!?]\s*[”’」』）)]*\s*$")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")


def joins_another(small: PreparedPage, large: PreparedPage) -> bool:
    """Return whether *large*, which contains *small*, has a second article beside it."""
    new = [line for line in large.text.splitlines() if _is_new(line, small)]
    runs = [run for line in new for run in _HAN.findall(line)]
    if sum(map(len, runs)) < max(REST_CHARACTERS, REST * len(large.sequence)):
        return False
    pairs = Counter(run[at : at + 2] for run in runs for at in range(len(run) - 1))
    weights = {pair: REPEATED if count > 1 else 1 for pair, count in pairs.items()}
    known = sum(weight for pair, weight in weights.items() if pair in small.text)
    return known < SAME_SUBJECT * sum(weights.values())


def _is_new(line: str, page: PreparedPage) -> bool:
    """Return whether *line* is running text that is not in *page*."""
    if not _SENTENCES.search(line):
        return False
    found = among(normalized_sequence(line), page.shingles)
    return 2 * int(found.sum()) < len(found)
