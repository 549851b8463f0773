"""Split text into sentences."""

from __future__ import annotations

import re

#: An end mark with any closing quotation marks after it; a line end; an English period before a space and a
#: capital.  One pass without backtracking.
_END = re.compile(r"[。！？!?；…\n][。！？!?；…]*[”’」』）)\"]*|\.(?=\s+[A-Z\"“])")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text with their end marks, without surrounding white space.

    Examples
    --------
    >>> split_sentences("老屋修好了。“家还在！”他说\\n下一段")
    ['老屋修好了。', '“家还在！”', '他说', '下一段']
    """
    sentences: list[str] = []
    start = 0
    for match in _END.finditer(text):
        sentence = text[start : match.end()].strip()
        if sentence:
            sentences.append(sentence)
        start = match.end()
    rest = text[start:].strip()
    if rest:
        sentences.append(rest)
    return sentences
