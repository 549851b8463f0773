"""Command line of the hostile crawl; ``--help`` lists the options."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import benchmarks.hostile as package
from benchmarks.hostile.behavior import Behavior, all_behaviors
from benchmarks.hostile.run import Outcome, Plan, crawl

#: Time in which the crawls of ``--stops`` are stopped, spread evenly.
STOPS_SECONDS = 60.0


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the options ask for; return 1 if the crawl did not withstand it."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.hostile",
        description=package.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--list", action="store_true", help="list all behaviors")
    parser.add_argument("--only", action="append", metavar="NAME", help="these behaviors or kinds")
    parser.add_argument("--each", action="store_true", help="a crawl for each behavior")
    parser.add_argument("--stops", type=int, default=0, metavar="N", help="SIGTERM in N crawls")
    parser.add_argument("--good", type=int, help="good pages; default 200, with --each 5")
    parser.add_argument("--seconds", type=float, default=600.0, help="time limit of a crawl")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--folder", type=Path, help="kept; default: a temporary one")
    options = parser.parse_args(argv)
    known = all_behaviors()
    wanted = [
        it for it in known.values() if not options.only or {it.name, it.kind} & {*options.only}
    ]
    unknown = set(options.only or ()) - set(known) - {it.kind for it in known.values()}
    if unknown:
        parser.error(f"no such behavior: {', '.join(sorted(unknown))}")
    if options.list:
        for it in wanted:
            print(f"{it.kind:10} {it.name:32} {it.about}")
        return 0
    settings = dict(it.partition("=")[::2] for it in options.set)
    plan = Plan(
        wanted, 200 if options.good is None else options.good, options.seconds, None, settings
    )
    with ExitStack() as stack:
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if options.each:
            plan.good = 5 if options.good is None else options.good
            return each(plan, folder)
        if options.stops:
            return stops(plan, folder, options.stops)
        return whole(plan, folder)


def whole(plan: Plan, folder: Path) -> int:
    """All behaviors at once; print a line for each and the figures of the whole crawl."""
    folder.mkdir(parents=True, exist_ok=True)
    outcome = crawl(plan, folder)
    print(f"{'behavior':32} {'requests':>8}  outcomes")
    for it in plan.behaviors:
        print(f"{it.name:32} {outcome.requests.get(it.name, 0):8}  {reasons(it, outcome)}")
    print()
    report(outcome)
    return verdict(outcome)


def reasons(behavior: Behavior, outcome: Outcome) -> str:
    """Return the reasons of the outcomes of a behavior, the most frequent first."""
    found = Counter(it.reason for it in outcome.outcomes.get(behavior.name, ()))
    return ", ".join(f"{reason} {count}" for reason, count in found.most_common(6)) or "-"


def report(outcome: Outcome) -> None:
    """Print the figures of a crawl."""
    print(f"good pages stored       {outcome.good - len(outcome.missing)} of {outcome.good}")
    print(
        f"memory, peak            {outcome.peak:.0f} MB; with children {outcome.group_peak:.0f} MB"
    )
    print(f"gap between good pages  {outcome.gap:.2f} s of CPU, before {outcome.gap_before}")
    print(f"event loop, worst       {outcome.loop_worst:.2f} s of CPU; "
          f"{len(outcome.stalls)} times over 0.5 s")  # fmt: skip
    print(f"exit code               {outcome.exit_code}, "
          f"{outcome.stop_seconds:.1f} s, {outcome.stop_cpu:.1f} s of CPU after SIGTERM")  # fmt: skip
    print(f"inside the network      {outcome.inner} connections")
    print(f"tracebacks in the log   {outcome.tracebacks}")
    print(f"whole crawl             {outcome.seconds:.0f} s, {outcome.cpu:.0f} s of CPU")
    for what, names in (
        ("not stored", outcome.missing),
        ("without outcome", outcome.unsettled),
        ("servers' own mistakes", outcome.failures),
    ):
        if names:
            print(f"{what}: {', '.join(names[:20])}" + (" …" if len(names) > 20 else ""))
    for stall in sorted(outcome.stalls, key=lambda it: -it["seconds"])[:5]:
        print(f"\n{stall['seconds']:.2f} s of CPU in\n{''.join(stall['stack'])}")


def verdict(outcome: Outcome) -> int:
    """Return 0 if the crawl withstood: at most 600 MB, and 5 s of CPU without a request."""
    held = (
        not outcome.missing
        and not outcome.inner
        and not outcome.failures
        and not outcome.tracebacks
        and outcome.orderly
        and outcome.peak < 600
        and max(outcome.gap, outcome.loop_worst) < 5
    )
    print("withstood" if held else "NOT WITHSTOOD")
    return 0 if held else 1


def each(plan: Plan, folder: Path) -> int:
    """Run a crawl for each behavior, and print its cost beyond a crawl of the good pages alone."""
    behaviors, worst = plan.behaviors, 0
    plan.behaviors = []
    base = crawl(plan, _folder(folder, "nothing"))
    print(f"{'behavior':32} {'requests':>8} {'CPU s':>7} {'loop':>6} {'MB':>5}  outcomes")
    print(f"{'(nothing)':32} {0:8} {base.cpu:7.1f} {base.loop_worst:6.2f} {base.peak:5.0f}")
    for it in behaviors:
        plan.behaviors = [it]
        outcome = crawl(plan, _folder(folder, it.name))
        print(f"{it.name:32} {outcome.requests.get(it.name, 0):8} {outcome.cpu - base.cpu:7.1f} "
              f"{outcome.loop_worst:6.2f} {outcome.peak:5.0f}  {reasons(it, outcome)}"
              + (f"; {len(outcome.missing)} good pages missing" if outcome.missing else "")
              + (f"; {outcome.tracebacks} tracebacks" if outcome.tracebacks else "")
              + ("" if outcome.orderly else f"; exit {outcome.exit_code}")
              + (f"; inside {outcome.inner}" if outcome.inner else ""), flush=True)  # fmt: skip
        if outcome.missing or not outcome.orderly or outcome.loop_worst > 5 or outcome.inner:
            worst = 1
    return worst


def stops(plan: Plan, folder: Path, times: int) -> int:
    """Stop crawls of everything at random moments; print how they ended."""
    draw, worst = random.Random(times), 0
    for number in range(times):
        plan.stop_after = (number + draw.random()) / times * STOPS_SECONDS
        outcome = crawl(plan, _folder(folder, f"stop-{number}"))
        print(f"SIGTERM after {plan.stop_after:5.1f} s: exit {outcome.exit_code}, "
              f"{outcome.stop_seconds:5.1f} s, {outcome.stop_cpu:5.1f} s of CPU, "
              f"{outcome.tracebacks} tracebacks", flush=True)  # fmt: skip
        if not outcome.orderly or outcome.tracebacks:
            worst = 1
    return worst


def _folder(folder: Path, name: str) -> Path:
    path = folder / name
    path.mkdir(parents=True, exist_ok=True)
    return path


if __name__ == "__main__":
    sys.exit(main())
