"""``python -m benchmarks.freshness``: see ``-h``."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from statistics import mean, pstdev

from benchmarks.freshness.generators import GENERATORS, generate
from benchmarks.freshness.replay import Result, SignalQuality, replay
from benchmarks.freshness.sources import from_git, from_gnu, read_text, window
from benchmarks.freshness.traces import HISTORIES, Trace, read_trace, stored_traces, write_trace
from topiccrawl.freshness.config import Policy

#: Policies of the table that follow the rota and the oracle.
COMPARED: tuple[Policy, ...] = ("nutch", "proportional", "optimal", "age-index")


def main() -> int:
    """Print the table of policies and traces, or make a trace."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.freshness", description=__doc__)
    parser.add_argument(
        "--traces", type=Path, help="folder or JSON file; the stored histories otherwise"
    )
    parser.add_argument(
        "--made", type=int, default=0, metavar="SEEDS", help="made traces, so many seeds"
    )
    parser.add_argument(
        "--only", default="", metavar="WORD,…", help="traces whose name has one of the words"
    )
    parser.add_argument("--divide", default="10", metavar="N,…", help="visits a day: one page in N")
    parser.add_argument(
        "--orders", type=int, default=1, metavar="N", help="replays, with other orders of the pages"
    )
    parser.add_argument("--policies", default="nutch,age-index", help=f"of {', '.join(COMPARED)}")
    parser.add_argument(
        "--signals", action="store_true", help="also with lastmod, recall .8, precision .9"
    )
    parser.add_argument(
        "--anew", type=int, default=0, metavar="DAYS", help="also with a planner made anew so often"
    )
    parser.add_argument("--git", type=Path, help="make a trace of a repository instead")
    parser.add_argument("--changelog", type=Path, help="make a trace of a GNU ChangeLog instead")
    parser.add_argument("--under", default="", help="folder of the repository")
    parser.add_argument("--first", type=date.fromisoformat, default=date(2022, 1, 1))
    parser.add_argument("--days", type=int, default=1000)
    parser.add_argument("--out", type=Path, default=Path("trace.json"))
    options = parser.parse_args()
    if options.git or options.changelog:
        source = options.git or options.changelog
        changed = from_git(source, options.under) if options.git else from_gnu(read_text(source))
        write_trace(window(options.out.stem, changed, options.first, options.days), options.out)
        return 0
    words = options.only.split(",")
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    for trace in _traces(options.traces, options.made):
        if any(word in trace.name for word in words):
            for divisor in (float(part) for part in options.divide.split(",")):
                policies = options.policies.split(",")
                for order in range(options.orders):
                    _compare(trace, divisor, policies, options.signals, options.anew, shares, order)
    for (family, column), values in sorted(shares.items()):
        sys.stdout.write(f"{family:14} {column:30} {mean(values):6.2f} ± {pstdev(values):.2f}\n")
    return 0


def _traces(path: Path | None, seeds: int) -> Iterator[Trace]:
    if seeds:
        for family in GENERATORS:
            yield from (generate(family, 300, 500, seed) for seed in range(seeds))
    elif path is not None and path.is_file():
        yield read_trace(path)
    else:
        yield from stored_traces(path or HISTORIES)


def _compare(
    trace: Trace,
    divisor: float,
    policies: list[Policy],
    signals: bool,
    anew: int,
    shares: dict[tuple[str, str], list[float]],
    seed: int = 0,
) -> None:
    """Print one line: mean ages, and the share of the gap from the rota to the true rates that is closed."""
    a_day = len(trace.pages) / divisor
    rota = replay(trace, "uniform", a_day, seed=seed)
    oracle = replay(trace, "age-index", a_day, known=True, seed=seed)
    results: dict[str, Result] = {
        policy: replay(trace, policy, a_day, seed=seed) for policy in policies
    }
    if signals:
        results["age-index+lastmod"] = replay(
            trace, "age-index", a_day, signals=SignalQuality(), seed=seed
        )
    if anew:
        results[f"age-index/{anew}"] = replay(trace, "age-index", a_day, anew=anew, seed=seed)
    gap = rota.mean_age - oracle.mean_age
    line = (
        f"{trace.name:15} N/{divisor:<3g} {len(trace.pages):5} pages {trace.changes:5} changes  "
        f"uniform {rota.mean_age:.4f} (max {rota.max_age:.0f})  "
        f"oracle {oracle.mean_age:.4f} ({-gap / rota.mean_age:+.0%})"
    )
    for name, result in results.items():
        share = (
            (rota.mean_age - result.mean_age) / gap if gap > 0.05 * rota.mean_age else float("nan")
        )
        line += (
            f"  {name} {result.mean_age:.4f} ({result.mean_age / rota.mean_age - 1:+.0%}, "
            f"share {share:.2f}, max {result.max_age:.0f}, unvisited {result.unvisited:.0f})"
        )
        shares[trace.family, f"{name} against rota, %"].append(
            100 * (result.mean_age / rota.mean_age - 1)
        )
        if share == share:
            shares[trace.family, name].append(share)
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
