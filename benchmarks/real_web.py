"""The main job on a stored real web: harvest of several strategies, and equal results in two stores.

    python -m benchmarks.real_web WEB --proxy replay_proxy.py [--topics calc,basic] [--seeds near,far]
           [--strategies ipagerank-rwb,breadth-first] [--pages 1000] [--mongodb URI]

WEB is a folder with web.sqlite, topics.json and relevant/*.txt; the proxy serves it under its own host
names on loopback.  Every run is the unmodified ``scrapy crawl topic`` at one request at a time.  The
judge is the web's own labels, which the crawler does not see; harvest is labelled pages over pages
fetched, AUC its mean over all prefixes.  With ``--mongodb`` each crawl is repeated into that server
and the stored pages are compared field by field.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from topiccrawl.page.page import Page
from topiccrawl.store.contract import PageRecord
from topiccrawl.store.factory import open_store

#: What two runs of one crawl may differ in.
CHANGING = {"fetched_at": None, "run_id": ""}


@dataclass(frozen=True, slots=True)
class Crawl:
    """One crawl to run."""

    web: Path
    topic: dict[str, Any]
    seeds: str
    strategy: str
    pages: int


def write_topic(folder: Path, crawl: Crawl, language: str) -> Path:
    """Make a topic folder from the web's own description: its keywords and its example pages.

    Named after the whole crawl: stores keep topics apart, so crawls do not see each other's pages.
    """
    web, spec = crawl.web, crawl.topic
    topic = folder / f"bench-{spec['name']}-{crawl.seeds}-{crawl.strategy}"
    (topic / "samples").mkdir(parents=True)
    keywords = "\n".join(f"{json.dumps(k, ensure_ascii=False)} = 1.0" for k in spec["keywords"])
    text = f'name = "{topic.name}"\nlanguage = "{language}"\n[keywords.core]\n{keywords}\n'
    (topic / "topic.toml").write_text(text, "utf-8")
    database = sqlite3.connect(f"file:{web / 'web.sqlite'}?mode=ro", uri=True)
    for i, url in enumerate(spec["examples"]):
        row = database.execute("SELECT body FROM pages WHERE url = ?", (url,)).fetchone()
        page = Page(url, zlib.decompress(row[0]))
        sample = f"{page.title}\n{page.body or page.visible_text}"
        (topic / "samples" / f"{i:02}.txt").write_text(sample, "utf-8")
    return topic


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def run(crawl: Crawl, topic: Path, proxy: Path, store: str, folder: Path) -> list[str]:
    """Crawl, and return the URLs that the proxy served, in order."""
    port, log = free_port(), folder / "requests.log"
    log.unlink(missing_ok=True)
    server = subprocess.Popen(
        [sys.executable, proxy, crawl.web, "--port", str(port), "--log", log, "--prune"],
        stdout=subprocess.PIPE,
    )
    assert server.stdout is not None
    server.stdout.readline()
    settings = {
        "TOPICCRAWL_STORE_URI": store,
        "TOPICCRAWL_STORE_SPOOL_DIR": folder / "spool",
        "TOPICCRAWL_STRATEGY": crawl.strategy,
        "CLOSESPIDER_PAGECOUNT": crawl.pages + 1,  # robots.txt is a response too
        "CONCURRENT_REQUESTS": 1,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "LOG_LEVEL": "WARNING",
    }
    command = [
        str(Path(sys.executable).with_name("scrapy")),
        "crawl",
        "topic",
        "-a",
        f"topic={topic}",
    ]
    command += ["-a", "seeds=" + ",".join(crawl.topic[f"seeds_{crawl.seeds}"])]
    for name, value in settings.items():
        command += ["-s", f"{name}={value}"]
    address = f"http://127.0.0.1:{port}"
    environment = dict(os.environ, http_proxy=address, https_proxy=address, no_proxy="")
    try:
        subprocess.run(command, env=environment, check=True)
    finally:
        server.terminate()
        server.wait()
    rows = (line.split("\t") for line in log.read_text("utf-8").splitlines())
    return [row[4] for row in rows if row[2] == "200"]


def harvest(order: list[str], relevant: set[str]) -> tuple[float, float]:
    """Return (harvest at the end, mean harvest over all prefixes)."""
    found, total = 0, 0.0
    for i, url in enumerate(order, start=1):
        found += url in relevant
        total += found / i
    return found / max(1, len(order)), total / max(1, len(order))


async def stored(uri: str, topic: str) -> dict[str, PageRecord]:
    """Return the pages of *topic* by URL, without what differs between runs."""
    store = open_store(uri)
    await store.open()
    try:
        return {
            page.url: dataclasses.replace(page, **CHANGING)  # type: ignore[arg-type]
            async for page in store.pages(topic)
        }
    finally:
        await store.close()


def main() -> None:
    """Run all crawls and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("web", type=Path)
    parser.add_argument("--proxy", type=Path, required=True)
    parser.add_argument("--topics", default="")
    parser.add_argument("--seeds", default="near,far")
    parser.add_argument("--strategies", default="ipagerank-rwb,breadth-first")
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--mongodb", default="")
    options = parser.parse_args()
    console = Console(width=140)
    described = json.loads((options.web / "topics.json").read_text("utf-8"))
    wanted = [t for t in options.topics.split(",") if t] or [t["name"] for t in described["topics"]]
    crawls = [
        Crawl(options.web, spec, seeds, strategy, options.pages)
        for spec in described["topics"]
        if spec["name"] in wanted
        for seeds in options.seeds.split(",")
        for strategy in options.strategies.split(",")
    ]
    with Progress(console=Console(stderr=True)) as progress:
        for crawl in progress.track(crawls, description="crawls"):
            relevant = set((crawl.web / crawl.topic["relevant_file"]).read_text("utf-8").split())
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                topic = write_topic(folder, crawl, described["lang"])
                uri = f"sqlite:///{folder}/store.sqlite"
                order = run(crawl, topic, options.proxy, uri, folder)
                end, auc = harvest(order, relevant)
                line = f"{crawl.topic['name']:10} {crawl.seeds:4} {crawl.strategy:14}"
                line += f" {len(order):5} pages  harvest {end:.3f}  AUC {auc:.3f}"
                if options.mongodb:
                    again = run(crawl, topic, options.proxy, options.mongodb, folder)
                    first = asyncio.run(stored(uri, topic.name))
                    second = asyncio.run(stored(options.mongodb, topic.name))
                    line += f"  order equal: {order == again}"
                    line += f"  stores equal: {first == second} ({len(first)} pages)"
                console.print(line)


if __name__ == "__main__":
    main()
