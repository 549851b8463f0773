"""The results of an evaluation and the JSON file that stores them (schema: docs/evaluation.md).

The file is replaced atomically after every run, so that an interrupted evaluation can be continued.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from topiccrawl.errors import ConfigurationError, system_reason
from topiccrawl.evaluation.results.judged import Calibration, Judged, Selection
from topiccrawl.evaluation.results.metrics import Metrics
from topiccrawl.export.atomic import atomic_file
from topiccrawl.language import _

#: Name and version of the file format.
SCHEMA = "topiccrawl-evaluation"
VERSION = 2


@dataclass(frozen=True, slots=True)
class Curves:
    """Rates at selected page counts."""

    pages: list[int]
    harvest: list[float]
    """Cumulative harvest rate."""
    windowed: list[float]
    """Harvest rate of the last *window* pages."""
    recall: list[float]
    """Share of the hidden targets."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The targets of a topic and seed set, with the reference orders."""

    topic: str
    seeds: str
    seed_pages: int
    """Stored pages among the seeds."""
    relevant: int
    """Relevant pages in the whole web, according to the judge."""
    reachable: int
    """Pages reachable from the seeds."""
    targets: int
    """Hidden targets: relevant pages among them that are not seeds."""
    pages: int
    """n of the AUC: the smaller of the budget and *reachable*."""
    oracle_auc: float
    random_auc: float
    """Mean over the random orders."""
    oracle: Curves
    random: Curves
    judge_precision: float = 1.0
    judge_recall: float = 1.0
    """Precision and recall of the judge against the labels; 1 if the labels are the judge."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run and its figures."""

    topic: str
    seeds: str
    strategy: str
    repeat: int
    draws: bool
    """Whether the strategy is randomized; one that is not has only repeat 0."""
    metrics: Metrics
    share_of_oracle: float
    """AUC divided by the AUC of the oracle."""
    normalised: float | None
    """0 for the random order, 1 for the oracle (spelled as in version 1 of the file)."""
    curves: Curves
    seconds: float
    note: str = ""
    judged: list[Judged] = field(default_factory=list)
    """Judgments of the pages fetched so far, at checkpoints; the last one is the end of the run."""
    web: Judged | None = None
    """Judgments of the whole web after the run, if they were asked for."""


@dataclass(slots=True)
class Results:
    """All results of an evaluation."""

    conditions: dict[str, Any]
    """Everything that the figures depend on: web, budget, mode, define, judge, politeness, …"""
    window: int
    """Window of the windowed harvest rate in pages."""
    references: dict[tuple[str, str], Reference] = field(default_factory=dict)
    runs: dict[tuple[str, str, str, int], RunRecord] = field(default_factory=dict)

    def add(self, run: RunRecord) -> None:
        """Add a run, or replace an earlier one with the same key."""
        self.runs[run.topic, run.seeds, run.strategy, run.repeat] = run

    def as_dict(self, summary: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return everything as JSON-compatible data."""
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "conditions": self.conditions,
            "window": self.window,
            "summary": dict(summary or {}),
            "references": [asdict(reference) for reference in self.references.values()],
            "runs": [asdict(run) for run in self.runs.values()],
        }

    def write(self, path: Path, summary: Mapping[str, Any] | None = None) -> None:
        """Write the file at *path* atomically; raises ``OSError``."""
        text = json.dumps(_rounded(self.as_dict(summary)), ensure_ascii=False, allow_nan=False)
        with atomic_file(path) as stream:
            stream.write(text.encode("utf-8", "replace"))


def read_results(path: Path) -> Results:
    """Read a file that :meth:`Results.write` wrote.

    Raises:
        ConfigurationError: the file has another format or version.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
        if data["schema"] != SCHEMA:
            raise ConfigurationError(
                _("{path}: is not a result of scrapy evaluate").format(path=path)
            )
        if data["version"] != VERSION:
            raise ConfigurationError(
                _("{path}: has version {found!r} of the results, this is {version}").format(
                    path=path, found=data["version"], version=VERSION
                )
            )
        results = Results(data["conditions"], data["window"])
        for one in data["references"]:
            curves = {name: Curves(**one[name]) for name in ("oracle", "random")}
            reference = Reference(**{**one, **curves})
            results.references[reference.topic, reference.seeds] = reference
        for one in data["runs"]:
            parts = {
                "metrics": Metrics(**one["metrics"]),
                "curves": Curves(**one["curves"]),
                "judged": [_judged(each) for each in one["judged"]],
                "web": None if one["web"] is None else _judged(one["web"]),
            }
            results.add(RunRecord(**{**one, **parts}))
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigurationError(
            _("{path}: is not a result of scrapy evaluate: {error}").format(path=path, error=error)
        ) from None
    except OSError as error:
        raise ConfigurationError(
            _("{path}: cannot be read: {error}").format(path=path, error=system_reason(error))
        ) from None
    return results


def _judged(data: Mapping[str, Any]) -> Judged:
    naive = {rule: Selection(**each) for rule, each in data["naive"].items()}
    bins = data["calibration"]
    parts = {
        "kept": Selection(**data["kept"]),
        "naive": naive,
        "calibration": None if bins is None else Calibration(**bins),
    }
    return Judged(**{**data, **parts})


def _rounded(value: Any) -> Any:
    """Round numbers to six digits, which is finer than one page in 2,000."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value
