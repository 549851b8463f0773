"""Words of subjects, filed under the Chinese Library Classification: English names and narrower words.

Data in ``topics/data/subjects.tsv``, written for this project.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from topiccrawl.text.stem import stem
from topiccrawl.topics.classification import load_classification

#: Endings of a class's name that everyday words leave out: 数学 stays, 动物学 is 动物.
_ENDING = re.compile("(学|艺术|科学|技术|经济)$")
#: A class with more subjects in its name (文化、科学、教育、体育) is about none of them.
_MOST_SUBJECTS = 2


@dataclass(frozen=True, slots=True)
class Subject:
    """A row of the table."""

    code: str
    """Class of the Chinese Library Classification."""
    chinese: tuple[str, ...]
    english: tuple[str, ...]


@cache
def load_subjects() -> tuple[Subject, ...]:
    """Return the subjects in the package's data file."""
    text = (files("topiccrawl.topics") / "data" / "subjects.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return tuple(Subject(code, tuple(zh.split()), tuple(en.split())) for code, zh, en in rows)


@cache
def english_names() -> dict[str, tuple[str, ...]]:
    """Return English names of subjects by their Chinese words."""
    names: dict[str, tuple[str, ...]] = {}
    for subject in load_subjects():
        for word in subject.chinese:
            names[word] = (*names.get(word, ()), *subject.english)
    return names


def narrower_words(word: str) -> list[str]:
    """Return words for the subjects of a class, in the language of the normalized *word* that names the class.

    None if it names no class, or one of more than two subjects.

    Examples
    --------
    >>> narrower_words("电影")
    ['电视', '电视艺术', '娱乐', '明星']
    """
    if word.isascii():
        own = stem(word)
        codes = [s.code for s in load_subjects() if own in map(stem, s.english) and _names_class(s)]
    else:
        codes = [s.code for s in load_subjects() if word in s.chinese and _names_class(s)]
    below = [s for s in load_subjects() if any(s.code.startswith(code) for code in codes)]
    if word.isascii():
        return list(
            dict.fromkeys(w for s in below for w in s.english if w.isalpha() and stem(w) != own)
        )
    return list(dict.fromkeys(w for s in below for w in s.chinese if w != word))


def _names_class(subject: Subject) -> bool:
    category = load_classification().get(subject.code)
    names = re.split("[、（）]", category.name) if category else []
    named = {*names, *(_ENDING.sub("", name) for name in names)}
    subjects = category.name.count("、") + 1 if category else 0
    return subjects <= _MOST_SUBJECTS and not named.isdisjoint(subject.chinese)
