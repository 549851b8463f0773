"""Links, anchors and paths in READMEs and documents lead to something that exists, and bold text is shown as such."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "seeds" / "README.md",
]
STATS = set(
    re.findall(r"`(topiccrawl/[^`]+)`", (ROOT / "docs" / "stats.md").read_text(encoding="utf-8"))
)
#: Other things with such names: a folder of installed packages, a file of settings, a collection, a recipe's module.
ELSEWHERE = {
    "topiccrawl/_seeds",
    "topiccrawl.env",
    "topiccrawl.pages",
    "topiccrawl.actions.longest",
}
#: Where paths start; the documents of a package leave its name out.
STARTS = (ROOT, ROOT / "topiccrawl", ROOT / "topiccrawl" / "scoring")

LINK = re.compile(r"\]\(([^)\s]+)\)")
REPOSITORY_PATH = re.compile(
    r"`((?:topiccrawl|docs|tests|benchmarks|deploy)/[^`\s]*|[a-z]+/[a-z_/]+\.(?:py|toml|lua|tsv|txt))`"
)
MODULE = re.compile(r"(?<![\w/.])((?:topiccrawl|benchmarks)(?:\.\w+)+)")


@pytest.fixture(params=DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def document(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def anchors(path: Path) -> set[str]:
    """Return the anchors that a renderer makes of the headings, as GitHub does."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}


def test_relative_links_lead_to_files_and_headings(document: Path) -> None:
    broken = []
    for target in LINK.findall(document.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = document.parent / path if path else document
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(target)
    assert broken == []


def test_paths_in_backticks_exist(document: Path) -> None:
    names = set(REPOSITORY_PATH.findall(document.read_text(encoding="utf-8")))
    patterns = {name for name in names if re.search(r"[<>*{}…]", name)}
    missing = {
        name
        for name in names - patterns - STATS - ELSEWHERE
        if not any((start / name).exists() for start in STARTS)
    }
    assert missing == set()


def test_modules_and_their_names_exist(document: Path) -> None:
    names = set(MODULE.findall(document.read_text(encoding="utf-8"))) - ELSEWHERE
    assert [name for name in names if not (module_file(name) or is_defined(name))] == []


def test_bold_text_is_rendered_bold(document: Path) -> None:
    """Asterisks between a full stop and a Chinese character are shown as they are (CommonMark 6.2)."""
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "x", document.read_text("utf-8"), flags=re.M | re.S)
    broken = [
        bold[0]
        for bold in re.finditer(r"\*\*(.+?)\*\*", text, re.DOTALL)
        if (is_punctuation(bold[1][-1]) and is_letter(text[bold.end() :][:1]))
        or (is_punctuation(bold[1][0]) and is_letter(text[: bold.start()][-1:]))
    ]
    assert broken == []


def is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def is_letter(character: str) -> bool:
    return bool(character) and not (character.isspace() or is_punctuation(character))


def module_file(name: str) -> Path | None:
    path = ROOT / name.replace(".", "/")
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in files if file.is_file()), None)


def is_defined(name: str) -> bool:
    """Whether *name* is, e.g., ``topiccrawl.addon.TopicCrawlAddon``: a name in a module."""
    module, _, last = name.rpartition(".")
    file = module_file(module)
    return file is not None and bool(re.search(rf"\b{last}\b", file.read_text(encoding="utf-8")))
