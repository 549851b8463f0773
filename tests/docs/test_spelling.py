"""American spelling in code, comments, documents and names of files."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: British forms: beginnings of words.
BRITISH = (
    r"analys(?:e(?!s\b)|ing)|artefact|behaviour|cancell(?:ed|ing)|centre|colour|favour|finalis|"
    r"flavour|grey|honour|initialis|judgement|labell|learnt|licen(?:ces?\b|sing of)|maximis|minimis|"
    r"misspelt|modell(?:ed|ing)|neighbour|neutralis|normalis|optimis(?!t)|organis(?!m)|prioritis|"
    r"programmes?\b|randomis|recognis|serialis|summaris|synchronis|tokenis|towards|travelled|utilis|"
    r"vectoris|visualis|whilst"
)
#: Stored data and names given by others keep their spelling.
ALLOWED = (
    '"neighbourhood"',  # a part of stored scores
    "normalised",  # a key of stored results of evaluations
    '"cancelled":',  # the reason with which Scrapy ends a crawl
    "CancelledError",  # asyncio, Scrapy
    ".cancelled()",  # asyncio
    '"analyse"',  # a folder of jieba
    "--nocolour",  # an option of Scrapy
    "aria-labelledby",  # HTML
    "`pages/analysed`",  # a former name in CHANGELOG.md
)
#: Content of web pages, samples and word lists; this file.
CONTENT = re.compile(
    r"seeds/[^/]+/samples/|seeds/renewable-energy/topic\.toml|benchmarks/corpus/|\.ci/mongo/|"
    r"topiccrawl/(?:demo|text)/data/|tests/support/pages_for_topics\.py|tests/docs/test_spelling\.py|"
    r"topiccrawl/console/static/.*\.min\.js|"  # of others
    r".*\.(?:html|gz|jsonl?)$"
)


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git working tree")
    return [name for name in listed.stdout.split("\0") if (ROOT / name).is_file()]


def british(text: str) -> list[str]:
    for phrase in ALLOWED:
        text = text.replace(phrase, "")
    # Each part of a CamelCase or snake_case name counts as a word.
    text = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", text)
    return re.findall(rf"\b(?:{BRITISH})\w*", text, re.IGNORECASE)


def test_the_patterns_match_british_words_only() -> None:
    text = "AnalysedPage _analyse colours licence organised towards"
    assert len(british(text)) == len(text.split())
    assert british("Analyses analysis license organism optimistic minimum labels toward") == []


def test_files_use_american_spelling() -> None:
    found = []
    for name in tracked():
        if CONTENT.match(name):
            continue
        lines = (ROOT / name).read_text(encoding="utf-8", errors="replace").splitlines()
        for number, line in enumerate([name, *lines]):
            found += [f"{name}:{number}: {word}" for word in british(line)]
    assert found == []
