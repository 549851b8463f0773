"""What docstrings cite is in docs/references.md."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
REFERENCES = (ROOT / "docs" / "references.md").read_text(encoding="utf-8")
FOLDERS = ("topiccrawl", "docs", "benchmarks", "tests", "deploy", "seeds")
SUFFIXES = {".py", ".md", ".toml", ".cfg", ".lua", ".sh"}

#: "[thesis] 4.5", "[thesis] 4.9, 4.10", "[doc002] (3)", "thesis 4.1 to 4.6"; group 3 has the numbers.
CITATION = re.compile(
    r"(?:\[(thesis|doc001|doc002|slides)\]|\b(?=[Tt]hesis \(?\d+\.\d)([Tt]hesis))"
    r"((?:(?: |, | and | to |, and |–|-)\(?\d{1,2}(?:\.\d+)*\b\)?)+)?"
)
AUTHOR_AND_YEAR = re.compile(r"\[([A-Z][a-z]+(?:[- ][A-Z][a-z]+)*)[^\[\]\d]* (\d{4})\]")


def _files() -> list[Path]:
    found = [path for path in ROOT.glob("*.md") if path.is_file()]
    for folder in FOLDERS:
        found += [path for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    return [path for path in found if path != Path(__file__)]


TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in _files()}


def _sections() -> dict[str, set[str]]:
    """Return the numbers that each key of docs/references.md has."""
    parts = re.split(r"^## \[(\w+)\]$", REFERENCES, flags=re.MULTILINE)
    return {
        key: {number for bold in re.findall(r"\*\*(.+?)\*\*", text) for number in _numbers(bold)}
        for key, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)*", text)


def _cited() -> set[tuple[str, str, str]]:
    """Return file, key and number of each citation of a source with a short key."""
    return {
        (file, (match[1] or match[2]).lower(), number)
        for file, text in TEXTS.items()
        if file != "docs/references.md"
        for match in CITATION.finditer(text)
        for number in _numbers(match[3] or "")
    }


def test_each_cited_number_is_in_the_references() -> None:
    sections = _sections()
    assert {"thesis", "doc001", "doc002", "slides"} == set(sections)
    missing = {row for row in _cited() if row[2] not in sections[row[1]]}
    assert not missing


def test_citations_are_found_at_all() -> None:
    numbers = {number for _, key, number in _cited() if key == "thesis"}
    assert {"4.5", "4.10", "9.4"} <= numbers


def test_each_cited_author_and_year_is_in_the_references() -> None:
    known = set(AUTHOR_AND_YEAR.findall(REFERENCES))
    assert ("Kleinberg", "1999") in known
    cited = {
        (file, *match) for file, text in TEXTS.items() for match in AUTHOR_AND_YEAR.findall(text)
    }
    assert not {row for row in cited if row[1:] not in known}


def test_each_module_that_the_references_name_exists() -> None:
    named = re.findall(r"`topiccrawl/([\w./]+)`", REFERENCES)
    named += re.findall(
        r"`((?:scoring|text|topics|analysis|frontier|evaluation)/[\w./]+\.py)`", REFERENCES
    )
    assert len(named) > 20
    assert not [name for name in named if not (ROOT / "topiccrawl" / name).exists()]


def test_no_file_refers_to_what_readers_do_not_have() -> None:
    names = ("algorithms.md", "design.md", "layout.md")
    assert not [file for file, text in TEXTS.items() if any(name in text for name in names)]
