"""``scrapy demo``: run a real crawl on the generated demonstration web.

Exit codes: 0, pages on the topic were stored; 1, none were stored; 2, the crawl failed.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from topiccrawl.commandline.errors import WrongUsageError, fail, system_problem
from topiccrawl.commandline.options import check_no_arguments, check_port
from topiccrawl.commandline.program import program
from topiccrawl.commandline.store import opened_store
from topiccrawl.crawl.account.summary import Commands, quoted, read_summary, summary_lines
from topiccrawl.demo import serve
from topiccrawl.demo.crawl import TOPIC, clear, crawl_command, measure_store, store_uri
from topiccrawl.demo.findings import Findings, lines
from topiccrawl.demo.web import DemoWeb
from topiccrawl.errors import system_reason
from topiccrawl.language import _, labeled
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

#: Most pages of the web, which is made in memory (a choice: some gigabytes).
_MOST_PAGES = 1_000_000


def demo(args: list[str], opts: argparse.Namespace, settings: Settings) -> int:
    """Serve the web, crawl it, write the report and return the exit code."""
    check_no_arguments(args)
    if opts.pages < 1 or opts.size < 100:
        raise WrongUsageError(
            _("--pages must be >= 1 and --size >= 100, got {pages} and {size}").format(
                pages=opts.pages, size=opts.size
            )
        )
    if opts.size > _MOST_PAGES:
        raise WrongUsageError(_("--size must be <= {most}").format(most=_MOST_PAGES))
    check_port(opts)
    try:
        socket.create_server(("127.0.0.1", opts.port)).close()
    except OSError as error:
        fail(_("--port {port}: {error}").format(port=opts.port, error=system_reason(error)))
        return 2
    if opts.serve:
        serve.main(["--port", str(opts.port), "--size", str(opts.size), "--seed", str(opts.seed)])
        return 0
    out = Path(opts.out)
    try:
        _prepare(out, keep=opts.keep)
    except OSError as error:
        fail(labeled(f"--out {out}", system_problem(error)))
        return 2
    with WebServer(DemoWeb(opts.seed, opts.size), port=opts.port) as server:
        print(
            _("Demonstration web: {hosts} hosts, about {pages} pages, behind {proxy}").format(
                hosts=len(server.web.hosts), pages=opts.size, proxy=server.url
            )
        )
        if _crawl(server, out, opts.pages, opts.set) != 0:
            fail(_("the crawl failed; see {log}").format(log=out / "crawl.log"))
            return 2
        found = asyncio.run(measure_store(server, out))
        summary = asyncio.run(_summary(out))
    reported = found.stored > 0 and _report(out)
    print(*summary, "", *lines(found), "", sep="\n")
    _show(found, out, reported)
    return 0 if found.stored_on_topic else 1


def _show(found: Findings, out: Path, reported: bool) -> None:
    if reported:
        print(_("Report: {path}").format(path=(out / "report.html").resolve()))
    print(_("Store: {path}").format(path=(out / "demo.sqlite").resolve()))
    print(_("Log: {path}").format(path=(out / "crawl.log").resolve()))
    if found.stored:
        words = [program(), "console", "--open", "--write", "--store", str(out / "demo.sqlite")]
        print(_("Console: {command}").format(command=" ".join(map(quoted, words))))
    if not found.stored_on_topic:
        fail(_("nothing on the topic was stored"))


def _prepare(out: Path, *, keep: bool) -> None:
    out.mkdir(parents=True, exist_ok=True)
    if not keep:
        clear(out)


def _crawl(server: WebServer[DemoWeb], out: Path, pages: int, more: Sequence[str]) -> int:
    words = [*crawl_command(server.web.seeds, out, pages, more), "--no-summary"]
    print(f"$ http_proxy={server.url} {' '.join(map(quoted, words))}\n", flush=True)
    return _run(words, environment(server.url))


async def _summary(out: Path) -> list[str]:
    """Return the summary that ``scrapy crawl`` prints at the end of a run."""
    commands = Commands(TOPIC, str(out / "demo.sqlite"), program=program())
    async with opened_store(store_uri(out)) as store:
        summary = await read_summary(store, TOPIC)
        return summary_lines(summary, commands) if summary else []


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
    fail(_("the report could not be written"))
    return False


def _run(words: list[str], env: dict[str, str], *, quiet: bool = False) -> int:
    """Run a scrapy command with this interpreter; standard error goes to the terminal.

    Ctrl-C does not reach it, as it is in a session of its own: it is asked to stop, so that a crawl stores
    what it is fetching, and is waited for; it is asked again at each further Ctrl-C.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", *words],
        env=env,
        stdout=subprocess.DEVNULL if quiet else None,
        start_new_session=True,
    )
    try:
        return process.wait()
    except KeyboardInterrupt:
        while process.poll() is None:
            with suppress(KeyboardInterrupt):
                process.terminate()
                process.wait()
        raise
