"""One crawl through proxies, and what became of its pages."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.proxies.dying import ProxyFarm
from topiccrawl.demo.crawl import TOPIC, crawl_command, store_uri
from topiccrawl.store.contract import OutcomeRecord
from topiccrawl.store.factory import open_store
from topiccrawl.urls.canonical import canonical_url

ROOT = Path(__file__).parents[2]


@dataclass
class ProxiedCrawl:
    """A running crawl."""

    farm: ProxyFarm
    out: Path
    process: subprocess.Popen[bytes]
    ended_at: float = 0.0
    outcomes: list[OutcomeRecord] = field(default_factory=list)

    def poll(self) -> bool:
        """Return whether the crawl is over."""
        if self.process.poll() is None:
            return False
        if not self.ended_at:
            self.ended_at = time.monotonic()
            self.outcomes = asyncio.run(_outcomes(self.out))
        return True

    @property
    def throughput(self) -> float:
        """URLs per second whose genuine answer came after the proxies died, until the last of them."""
        died = self.farm.died_at or 0.0
        times = [at for at in self.farm.genuine.values() if at >= died]
        return len(times) / (max(times) - died) if len(times) > 1 else 0.0

    def received(self, pages: set[str]) -> set[str]:
        """Return those of *pages* that came from their site and have an outcome as a page."""
        ended = {
            it.url
            for it in self.outcomes
            if it.verdict not in ("queued", "failed") or it.reason == "trap"
        }
        return pages & ended & set(map(canonical_url, self.farm.genuine))


def start(farm: ProxyFarm, seeds: Sequence[str], out: Path, *settings: str) -> ProxiedCrawl:
    """Start a crawl through *farm* that writes to *out*."""
    out.mkdir(parents=True, exist_ok=True)
    file = out / "proxies.txt"
    file.write_text("\n".join(farm.urls), "utf-8")
    words = crawl_command(
        seeds, out, 100_000, (f"TOPICCRAWL_PROXY_FILE={file}", "CONCURRENT_REQUESTS=8", *settings)
    )[1:]
    environment = {k: v for k, v in os.environ.items() if "proxy" not in k.lower()}
    with (out / "output").open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "scrapy", *words],
            cwd=ROOT,
            env=environment | {"PYTHONUTF8": "1"},
            stdout=output,
            stderr=output,
        )
    return ProxiedCrawl(farm, out, process)


async def _outcomes(out: Path) -> list[OutcomeRecord]:
    store = open_store(store_uri(out), read_only=True)
    await store.open()
    try:
        return [it async for it in store.outcomes(TOPIC)]
    finally:
        await store.close()
