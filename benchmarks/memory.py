"""Memory of one crawl over very many pages.

    python -m benchmarks.memory --pages 20000
    python -m benchmarks.memory --pages 3000 --hostile 200

A large demonstration web is crawled by one process, whose memory is read from /proc after every
thousand fetches. With --hostile, as many pages of ``tests/support/hostile_pages.py``, 300 KB each, come
first. The table shows resident memory, its highest value so far, and growth since page 2,000.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from topiccrawl.demo.crawl import crawl_command
from topiccrawl.demo.web import DemoWeb
from topiccrawl.webserver.answers import Answer
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

if TYPE_CHECKING:
    from collections.abc import Callable

#: Pages after which the level of memory is reached.
WARM = 2_000
HOSTILE = "http://hostile{}.example/"
HOSTILE_BYTES = 300_000


@dataclass(frozen=True, slots=True)
class Sample:
    """Memory of the process after a number of fetches, in megabytes."""

    pages: int
    resident: float
    peak: float


class WebWithHostilePages:
    """The demonstration web, and hosts with one hostile page each."""

    def __init__(self, web: DemoWeb, count: int) -> None:
        from tests.support.hostile_pages import HOSTILE_PAGES

        self._web = web
        makers = list(HOSTILE_PAGES.values())
        self._hostile: dict[str, Callable[[int], bytes]] = {
            HOSTILE.format(i): makers[i % len(makers)] for i in range(count)
        }
        self.seeds = [*self._hostile, *web.seeds]

    def answer(self, url: str, attempt: int = 1, /) -> Answer | None:
        """Return the answer to a request."""
        if url in self._hostile:
            body = self._hostile[url](HOSTILE_BYTES)
            return Answer(200, "text/html", body)
        return self._web.answer(url, attempt)


def memory(pid: int, pages: int) -> Sample | None:
    """Return the memory of a process, ``None`` if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    fields = dict(line.split(":", 1) for line in lines)
    if "VmRSS" not in fields:
        return None
    resident, peak = (int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))
    return Sample(pages, resident, peak)


def watch(
    web: DemoWeb | WebWithHostilePages, out: Path, pages: int, more: Sequence[str], every: int
) -> list[Sample]:
    """Crawl *web* and return the memory after every *every* pages."""
    samples: list[Sample] = []
    with WebServer(web) as server:
        words = crawl_command(web.seeds, out, pages, more)
        process = subprocess.Popen([sys.executable, "-m", *words], env=environment(server.url))
        while process.poll() is None:
            fetched = len(server.requests)
            if fetched >= (samples[-1].pages if samples else 0) + every:
                sample = memory(process.pid, fetched)
                if sample is not None:
                    samples.append(sample)
                    print(f"{sample.pages:8} {sample.resident:8.1f} {sample.peak:8.1f}", flush=True)
            time.sleep(0.2)
    return samples


def growth(samples: Sequence[Sample]) -> float:
    """Return the last level over the level at :data:`WARM` pages, minus one."""
    warm = next((it for it in samples if it.pages >= WARM), samples[-1])
    return samples[-1].resident / warm.resident - 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run the crawl and print the memory."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--every", type=int, default=500)
    parser.add_argument("--hostile", type=int, default=0)
    parser.add_argument("--settings", nargs="*", default=())
    parser.add_argument("--folder", type=Path, help="kept; default: a temporary one")
    options = parser.parse_args(argv)
    web = DemoWeb(size=round(options.pages * 1.2), slow_seconds=0.0)
    crawled = WebWithHostilePages(web, options.hostile) if options.hostile else web
    print("   pages  MB now   MB most", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        out = options.folder or Path(temporary)
        out.mkdir(parents=True, exist_ok=True)
        samples = watch(crawled, out, options.pages, options.settings, options.every)
    print(f"growth since page {WARM}: {100 * growth(samples):.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
