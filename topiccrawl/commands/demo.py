"""``scrapy demo``: run a real crawl on the generated demonstration web.

Exit codes: 0, pages on the topic were stored; 1, none were stored; 2, the crawl failed.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from topiccrawl.demo import serve
from topiccrawl.demo.crawl import TOPIC, clear, crawl_command, measure_store, store_uri
from topiccrawl.demo.findings import Findings, lines
from topiccrawl.demo.web import DemoWeb
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

if TYPE_CHECKING:
    import argparse

#: Default fetch limit, half of the default web: enough to find most of the topic, but not by
#: fetching everything.
PAGES = 400


class Command(ScrapyCommand):
    """Crawls the demonstration web, writes the report and prints the figures."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Return the arguments after the command's name."""
        return "[--serve] [--pages N] [--size N] [--out DIR] [--keep] [-s NAME=VALUE]"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return "Crawl a generated demonstration web, no internet needed (演示爬取)"

    def long_desc(self) -> str:
        """Return the text of ``scrapy demo -h``."""
        return (
            "Serve a generated web of about --size pages through a proxy on loopback, run "
            f"`scrapy crawl topic -a topic={TOPIC}` on it, write the report, and compare the stored "
            "pages with the ground truth. With --serve, only serve the web."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add this command's options."""
        super().add_options(parser)
        parser.add_argument("--serve", action="store_true", help="serve only, until Ctrl-C")
        parser.add_argument("--port", type=int, default=0, help="of the proxy; 0 = a free one")
        parser.add_argument("--pages", type=int, default=PAGES, help=f"fetch limit ({PAGES})")
        parser.add_argument("--size", type=int, default=800, help="pages of the web (800)")
        parser.add_argument("--seed", type=int, default=7, help="of the web (7)")
        parser.add_argument("--out", default="demo-out", metavar="DIR", help="(demo-out)")
        parser.add_argument("--keep", action="store_true", help="continue the last demo's store")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Serve the web, crawl it, write the report and set the exit code."""
        if args:
            raise UsageError(f"unknown argument {args[0]}", print_help=False)
        if opts.pages < 1 or opts.size < 100:
            raise UsageError("--pages must be >= 1 and --size >= 100", print_help=False)
        if opts.serve:
            serve.main(
                ["--port", str(opts.port), "--size", str(opts.size), "--seed", str(opts.seed)]
            )
            return
        out = Path(opts.out)
        try:
            _prepare(out, keep=opts.keep)
        except OSError as error:
            print(f"topiccrawl: --out {out}: {error.strerror}: {error.filename}", file=sys.stderr)
            self.exitcode = 2
            return
        with WebServer(DemoWeb(opts.seed, opts.size), port=opts.port) as server:
            print(
                f"演示网络 Demonstration web: {len(server.web.hosts)} hosts, "
                f"about {opts.size} pages, behind {server.url}"
            )
            if _crawl(server, out, opts.pages, opts.set) != 0:
                print(f"topiccrawl: the crawl failed; see {out / 'crawl.log'}", file=sys.stderr)
                self.exitcode = 2
                return
            found = asyncio.run(measure_store(server, out))
        reported = found.stored > 0 and _report(out)
        self._show(found, out, reported)
        self.exitcode = 0 if found.stored_on_topic else 1

    @staticmethod
    def _show(found: Findings, out: Path, reported: bool) -> None:
        print("\n" + "\n".join(lines(found)) + "\n")
        if reported:
            print(f"报告 Report    {(out / 'report.html').resolve()}")
        print(f"数据库 Store   {(out / 'demo.sqlite').resolve()}")
        print(f"日志 Log       {(out / 'crawl.log').resolve()}")
        if not found.stored_on_topic:
            print("topiccrawl: nothing on the topic was stored", file=sys.stderr)


def _prepare(out: Path, *, keep: bool) -> None:
    out.mkdir(parents=True, exist_ok=True)
    if not keep:
        clear(out)


def _crawl(server: WebServer[DemoWeb], out: Path, pages: int, more: Sequence[str]) -> int:
    words = crawl_command(server.web.seeds, out, pages, more)
    print(f"$ http_proxy={server.url} {' '.join(map(_quoted, words))}\n", flush=True)
    return _run(words, environment(server.url))


def _quoted(word: str) -> str:
    """Quote *word* for a shell; unlike ``shlex.quote``, leave Chinese unquoted if possible."""
    return word if re.fullmatch(r"[\w@%+=:,./-]+", word) else shlex.quote(word)


def _report(out: Path) -> bool:
    words = [
        "scrapy",
        "report",
        TOPIC,
        "--store",
        store_uri(out),
        "--out",
        str(out / "report.html"),
    ]
    if _run(words, os.environ | {"PYTHONUTF8": "1"}, quiet=True) == 0:
        return True
    print("topiccrawl: the report could not be written", file=sys.stderr)
    return False


def _run(words: list[str], env: dict[str, str], *, quiet: bool = False) -> int:
    """Run a scrapy command with this interpreter; standard error goes to the terminal."""
    done = subprocess.run(
        [sys.executable, "-m", *words],
        env=env,
        check=False,
        stdout=subprocess.DEVNULL if quiet else None,
    )
    return done.returncode
