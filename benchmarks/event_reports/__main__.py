"""Print how often day, place, persons and organizations of an annotated report are found.

    python -m benchmarks.event_reports [--set left-out] [--seeds 1,2,3,4,5] [--each 10] [--errors]

Sets: ``first`` (the rules were written with it), ``left-out``, both also as ``first-unlisted`` and
``left-out-unlisted``, with places outside the gazetteer; ``real`` (annotated pages of the extraction benchmark, if
they are there), ``real-first`` (every second of them, whose faults were read) and ``real-left-out`` (the others).
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.event_reports import first, left_out
from benchmarks.event_reports.drawing import reports
from benchmarks.event_reports.real import real_reports
from benchmarks.event_reports.template import Report
from benchmarks.extraction_pages import DATA
from topiccrawl.stories.facts import find_facts

_SETS = (
    "first", "left-out", "first-unlisted", "left-out-unlisted", "real", "real-first", "real-left-out"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found in a report."""

    day: str | None
    place: str | None
    persons: frozenset[str]
    organizations: frozenset[str]


def find(report: Report) -> Answer:
    """Return the facts of the report."""
    facts = find_facts(report.title, report.text, report.published)
    return Answer(
        facts.when.first.date().isoformat() if facts.when else None,
        facts.place,
        frozenset(facts.persons),
        frozenset(facts.organizations),
    )


def f1(wanted: Sequence[frozenset[str]], found: Sequence[frozenset[str]]) -> float:
    """Return the F1 of named sets over all reports that are annotated with any."""
    pairs = [(one, other) for one, other in zip(wanted, found, strict=True) if one]
    both = sum(len(one & other) for one, other in pairs)
    all_ = sum(len(one) + len(other) for one, other in pairs)
    return 2 * both / all_ if all_ else float("nan")


def measure(some: Sequence[Report], *, errors: bool = False) -> dict[str, float]:
    """Return the shares of reports whose day and place are right, and the F1 of names.

    A report that states no day or place counts in ``undated`` and ``unplaced``: none must be found.
    """
    answers = [find(report) for report in some]
    right: dict[str, list[bool]] = {"day": [], "undated": [], "place": [], "unplaced": []}
    for report, answer in zip(some, answers, strict=True):
        good_day = answer.day == report.day
        right["day" if report.day else "undated"].append(good_day)
        good_place = answer.place in report.places if report.places else answer.place is None
        right["place" if report.places else "unplaced"].append(good_place)
        if errors and not (good_day and (good_place or not report.places)):
            print(
                f"{report.template} {report.published:%Y-%m-%d %a} day {answer.day} for {report.day},"
            )
            print(f"    place {answer.place} for {sorted(report.places)}")
            print(f"    {report.title}｜{report.text[:160]}")
    figures = {key: statistics.mean(values) for key, values in right.items() if values}
    figures["persons"] = f1([it.persons for it in some], [it.persons for it in answers])
    figures["organizations"] = f1(
        [it.organizations for it in some], [it.organizations for it in answers]
    )
    return figures


def main(arguments: Sequence[str] | None = None) -> None:
    """Print mean and least of the seeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--set",
        choices=_SETS,
        default="first",
    )
    parser.add_argument("--seeds", default="1,2,3,4,5")
    parser.add_argument("--each", type=int, default=10, help="reports of each template")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--data", type=Path, default=DATA / "dev", help="real pages, if any")
    options = parser.parse_args(arguments)
    if options.set.startswith("real"):
        # Rules were mended after reading faults of every second real page; the others are left out.
        part = {
            "real": slice(None),
            "real-first": slice(0, None, 2),
            "real-left-out": slice(1, None, 2),
        }
        sets = [real_reports(options.data)[part[options.set]]]
    else:
        module = first if options.set.startswith("first") else left_out
        pool = module.UNLISTED if options.set.endswith("unlisted") else module.POOL
        sets = [
            reports(module.TEMPLATES, pool, int(seed), options.each)
            for seed in options.seeds.split(",")
        ]
    if not sets[0]:
        print("no real pages")
        return
    rows = [measure(some, errors=options.errors) for some in sets]
    print(f"{options.set}: {len(sets[0])} reports, {len(sets)} drawings")
    for key in rows[0]:
        values = [row[key] for row in rows]
        print(f"  {key:14} mean {statistics.mean(values):.3f}  least {min(values):.3f}")


if __name__ == "__main__":
    main()
