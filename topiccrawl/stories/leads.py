"""Title and first sentences of a report as one text, its clauses and tagged words."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from topiccrawl.stories.names import tagged_words
from topiccrawl.stories.places import Word
from topiccrawl.stories.times import prepared

#: Characters of the body that are read (a guess: a report names time and place in its first sentences).
LEAD: Final = 600
_SENTENCE_END: Final = re.compile(r"[。!?;\n]")
_CLAUSE_END: Final = re.compile(r"[。!?;\n,]")


@dataclass(frozen=True, slots=True)
class Lead:
    """What is read of a report."""

    text: str
    """Title and lead, normalized."""
    title_end: int
    words: list[Word]
    sentence_starts: list[int]

    @classmethod
    def of(cls, title: str, body: str) -> Lead:
        """Return the lead of a report."""
        head = prepared(title).replace("\n", " ")
        text = f"{head}\n{prepared(body[:LEAD])}"
        words: list[Word] = []
        at = 0
        for word, tag in tagged_words(text):
            start = text.find(word, at)
            if start < 0:
                continue
            words.append(Word(word, tag, start))
            at = start + len(word)
        starts = [0, *(match.end() for match in _SENTENCE_END.finditer(text))]
        return cls(text, len(head), words, starts)

    def sentence(self, place: int) -> int:
        """Return the number of the sentence at a position: 0 in the title, 1 in the first one of the body."""
        if place <= self.title_end:
            return 0
        first = bisect_right(self.sentence_starts, self.title_end + 1) - 1
        here = bisect_right(self.sentence_starts, place) - 1
        return max(1, here - first + 1)

    def sentence_text(self, place: int) -> str:
        """Return the sentence at a position."""
        start = self.sentence_starts[bisect_right(self.sentence_starts, place) - 1]
        match = _SENTENCE_END.search(self.text, place)
        return self.text[start : match.end() if match else len(self.text)].strip()

    def clause(self, place: int) -> tuple[int, int]:
        """Return the ends of the clause at a position."""
        match = _CLAUSE_END.search(self.text, place)
        end = match.start() if match else len(self.text)
        start = max((self.text.rfind(mark, 0, place) for mark in "。!?;\n,"), default=-1) + 1
        return start, end

    def clause_text(self, place: int) -> str:
        """Return the clause at a position."""
        start, end = self.clause(place)
        return self.text[start:end]
