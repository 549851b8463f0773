"""Text to sentences, as they stand."""

from __future__ import annotations

import re

# An end mark with closing quotation marks behind it; a line end; an English full stop before a
# space and a capital. One pass, no back-tracking.
_END = re.compile(r"[。！？!?；…\n][。！？!?；…]*[”’」』）)\"]*|\.(?=\s+[A-Z\"“])")


def split_sentences(text: str) -> list[str]:
    """The sentences of a text with their end marks, without surrounding white space.

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
