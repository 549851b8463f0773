"""Crawl a web some of whose answers fail, and account for every address.

    python -m benchmarks.errors --pages 20000

5 % of the pages fail by time-outs, resets, 5xx, truncated bodies, wrong lengths, damaged gzip or bad TLS;
some of them for two requests, some always. Every address that a stored page links to must end stored,
dropped or failed with a reason, or queued; exit code 1 if one is lost.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.errors.run import Plan, run


def main(argv: Sequence[str] | None = None) -> int:
    """Run one plan and print its outcome; return 0 if nothing was lost."""
    defaults = Plan()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.errors", description=__doc__)
    for name in ("pages", "hosts", "seed"):
        parser.add_argument(f"--{name}", type=int, default=getattr(defaults, name))
    for name in ("share", "seconds", "timeout"):
        parser.add_argument(f"--{name}", type=float, default=getattr(defaults, name))
    parser.add_argument("--settings", nargs="*", default=())
    parser.add_argument("--folder", type=Path, help="kept; default: a temporary one")
    options = vars(parser.parse_args(argv))
    folder: Path | None = options.pop("folder")
    with tempfile.TemporaryDirectory() as temporary:
        where = folder or Path(temporary)
        where.mkdir(parents=True, exist_ok=True)
        outcome = run(Plan(**options), where)
    shown = asdict(outcome)
    for name in ("lost", "good_not_stored", "transient_not_stored"):
        shown[name] = {"count": len(shown[name]), "first": shown[name][:5]}
    print(json.dumps(shown, ensure_ascii=False, indent=1))
    return 1 if outcome.lost or outcome.good_not_stored else 0


if __name__ == "__main__":
    sys.exit(main())
