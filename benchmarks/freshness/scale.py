"""``python -m benchmarks.freshness.scale [PAGES]``: time and memory of a large planner."""

from __future__ import annotations

import resource
import sys
from time import perf_counter

from topiccrawl.freshness.history import PageHistory
from topiccrawl.freshness.planner import RevisitPlanner

DAY = 86_400.0
START = 19_700 * DAY


def main() -> int:
    """Print the seconds of adding, ordering and visiting pages, and the memory used."""
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    planner = RevisitPlanner()
    begun = perf_counter()
    for page in range(pages):
        planner.add(
            f"p{page}", PageHistory(START, site=f"s{page % 50}", directory=f"d{page % 2000}")
        )
    added = perf_counter()
    planner.due(START + DAY, 1)
    ordered = perf_counter()
    due = planner.due(START + DAY + 60, 1000)
    handed = perf_counter()
    for number, name in enumerate(due):
        planner.visited(name, START + DAY + 60 + number, number % 10 == 0)
    visited = perf_counter()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(
        f"{pages} pages: add {added - begun:.1f} s, first order {ordered - added:.1f} s, 1,000 more "
        f"{1000 * (handed - ordered):.1f} ms, a visit {1000 * (visited - handed) / len(due):.2f} ms, "
        f"{memory:.0f} MB\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
