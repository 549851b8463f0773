"""Pages for the evaluation of extraction: the project's own corpus and folders of real pages."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from benchmarks.corpus.build import corpus
from benchmarks.corpus.records import Sample
from benchmarks.extraction_judge import Expected

#: Folder of real pages, ``dev`` and ``en``. They belong to their sites and are not part of the project.
DATA = Path("../shared/data/extraction")


@dataclass(frozen=True, slots=True)
class Input:
    """A page as received, with its ground truth."""

    data: bytes
    url: str
    charset: str | None
    fetched: datetime | None
    expected: Expected


def own(seed: int = 1) -> list[Input]:
    """Return the project's own corpus."""
    return [_own(sample) for sample in corpus(seed)]


def _own(sample: Sample) -> Input:
    truth = sample.truth
    return Input(
        sample.data,
        sample.url,
        sample.charset,
        sample.fetched,
        Expected(
            sample.id,
            sample.family,
            sample.site,
            truth.bodies(),
            (truth.title,),
            truth.published,
            truth.kind,
            truth.author,
            truth.source,
        ),
    )


def real(folder: Path) -> list[Input]:
    """Read a folder of ``X.html`` with ``X.json`` (body, accepted titles, time, site, source)."""
    found = []
    for file in sorted(folder.glob("*.json")):
        truth = json.loads(file.read_text(encoding="utf-8"))
        expected = Expected(
            truth["id"],
            truth["source"],
            truth["site"],
            (truth["body"] or "",),
            tuple(truth["title"] or ()),
            truth["time"],
        )
        page = file.with_suffix(".html").read_bytes()
        found.append(Input(page, truth["url"] or "", None, None, expected))
    return found


def english(folder: Path) -> list[Input]:
    """Read a folder in the format of article-extraction-benchmark."""
    truths = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    found = []
    for name, truth in truths.items():
        page = gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes())
        site = truth["url"].split("/")[2]
        expected = Expected(name, "en", site, (truth["articleBody"],))
        found.append(Input(page, truth["url"], None, None, expected))
    return found


def sets(data: Path = DATA, seed: int = 1) -> dict[str, list[Input]]:
    """Return the available sets by name: ``own``, ``dev``, ``en``."""
    found = {"own": own(seed)}
    if (data / "dev").is_dir():
        found["dev"] = real(data / "dev")
    if (data / "en" / "ground-truth.json").is_file():
        found["en"] = english(data / "en")
    return found
