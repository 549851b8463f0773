"""``scrapy evaluate``: crawl strategies compared on a stored web."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES

from topiccrawl.cli import fail
from topiccrawl.errors import ConfigurationError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from topiccrawl.evaluation.evaluation import Progress
    from topiccrawl.evaluation.results.records import Results
    from topiccrawl.evaluation.results.summary import Summary

#: Settings of a crawl that an evaluation takes over from the project and from -s.
_OURS = "TOPICCRAWL_"
#: Not these: the evaluation sets them itself, or nothing is stored in it.
_NOT_OURS = ("TOPICCRAWL_SEED", "TOPICCRAWL_STRATEGY", "TOPICCRAWL_TOPIC", "TOPICCRAWL_STORE_URI")


class Command(ScrapyCommand):
    """Compares strategies; writes tables, JSON and HTML."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Return the arguments after the command's name."""
        return "WEB [--topics T,…] [--seeds near,far,…] [--strategies S,…|all] [--json OUT] [--html OUT]"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return "Compare crawl strategies on a stored web (比较爬取策略)"

    def long_desc(self) -> str:
        """Return the text of ``scrapy evaluate -h``."""
        return (
            "Crawl a stored web (a folder with web.sqlite and topics.json, a recorded crawl, a WARC "
            "file, or demo:SIZE; see docs/webs.md) with each strategy, for each topic and seed set, "
            "and compare what was found with the judge's labels. With --json, runs are kept as they "
            "end, and the same command goes on after an interruption. docs/laboratory.md explains "
            "every figure."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add this command's options."""
        super().add_options(parser)
        add = parser.add_argument
        add("--topics", default="", metavar="T,…", help="topics of the web (default: all)")
        add("--seeds", default="", metavar="S,…", help="seed sets (default: all of each topic)")
        add("--strategies", default="", metavar="S,…", help="'all', or names (default: the usual)")
        add("--max-pages", type=int, default=2_000, metavar="N", help="pages of a run (2000)")
        add(
            "--mode", default="simulate", help="simulate (default), or crawl: the true scrapy crawl"
        )
        add("--repeats", type=int, default=5, metavar="R", help="runs of strategies that draw (5)")
        add("--define", default="keywords", help="what the crawler is told: keywords|examples|both")
        add(
            "--concurrency", type=int, default=1, metavar="N", help="requests at a time, mode crawl"
        )
        add("--judge", default="labels", help="labels (default) or classifier")
        add(
            "--baseline", default="", metavar="S", help="of the tests (default: best of the others)"
        )
        add(
            "--jobs", type=int, default=0, metavar="N", help="processes (default: 2 if cores allow)"
        )
        add("--json", default="", metavar="OUT", help="results; gone on with if it is there")
        add("--fresh", action="store_true", help="start over though --json is there")
        add("--html", default="", metavar="OUT", help="one page with tables and curves")
        add("--orders", default="", metavar="DIR", help="addresses fetched, a file a run")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Evaluate and set the exit code."""
        unknown = [arg for arg in args if arg.startswith("-")]
        if unknown:
            raise UsageError(f"unknown option {unknown[0]}", print_help=False)
        if len(args) != 1:
            raise UsageError(f"one WEB must be named, got {len(args)}", print_help=False)
        try:
            self.exitcode = self._evaluate(args[0], opts)
        except ConfigurationError as error:
            self.exitcode = fail(str(error))
        except OSError as error:
            self.exitcode = fail(f"{error.strerror or error}: {error.filename or ''}".rstrip(": "))
        except KeyboardInterrupt:
            self.exitcode = 130

    def _evaluate(self, spec: str, opts: argparse.Namespace) -> int:
        from topiccrawl.evaluation.evaluation import evaluate, start_results
        from topiccrawl.evaluation.plan import make_plan, split_names
        from topiccrawl.evaluation.results.summary import summarize
        from topiccrawl.evaluation.webs.open import open_web

        if opts.jobs < 0:
            raise ConfigurationError(f"--jobs must be >= 1, got {opts.jobs}")
        path, html, orders = (Path(o) if o else None for o in (opts.json, opts.html, opts.orders))
        for option, file in (("--json", path), ("--html", html)):
            if file is not None and not file.parent.is_dir():
                raise ConfigurationError(f"{option}: the folder {file.parent} does not exist")
        web = open_web(spec)
        try:
            plan = make_plan(
                web,
                spec,
                topics=split_names(opts.topics),
                seeds=split_names(opts.seeds),
                strategies=split_names(opts.strategies),
                max_pages=opts.max_pages,
                mode=opts.mode,
                repeats=opts.repeats,
                define=opts.define,
                concurrency=opts.concurrency,
                judge=opts.judge,
                baseline=opts.baseline,
                settings=self._settings(),
            )
            results = start_results(plan, web, path, fresh=opts.fresh)
            if orders is not None:
                orders.mkdir(parents=True, exist_ok=True)
            with _shown() as progress:
                evaluate(
                    plan,
                    web,
                    results,
                    jobs=opts.jobs or min(2, os.cpu_count() or 1),
                    path=path,
                    orders=orders,
                    progress=progress,
                )
        finally:
            web.close()
        summary = summarize(results, plan.baseline)
        if path is not None:
            results.write(path, summary.as_dict())
        _tell(results, summary, html)
        return 0

    def _settings(self) -> dict[str, object]:
        """The crawl's settings that differ from the project's defaults."""
        from scrapy.settings import Settings

        assert self.settings is not None
        usual = Settings()
        usual.setmodule("topiccrawl.settings", "project")
        return {
            str(name): self.settings[name]
            for name in self.settings
            if str(name).startswith(_OURS)
            and name not in _NOT_OURS
            and (self.settings[name] != usual.get(name) or self._given(str(name)))
        }

    def _given(self, name: str) -> bool:
        """Whether -s says it, be it the default."""
        assert self.settings is not None
        return (self.settings.getpriority(name) or 0) >= SETTINGS_PRIORITIES["cmdline"]


def _tell(results: Results, summary: Summary, html: Path | None) -> None:
    from rich.console import Console

    from topiccrawl.evaluation.results.html import render_results
    from topiccrawl.evaluation.results.tables import print_summary
    from topiccrawl.export.atomic import atomic_file

    wide = None if sys.stdout.isatty() else 200
    print_summary(summary, results.conditions, Console(width=wide))
    if html is not None:
        with atomic_file(html) as stream:
            stream.write(render_results(results, summary).encode("utf-8", "replace"))
        print(html)


@contextmanager
def _shown() -> Iterator[Progress]:
    """Bars on standard error, silent unless that is a terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns,
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    ) as bars:
        yield _Bars(bars)


class _Bars:
    """Stages as rich's tasks."""

    _NAMES: ClassVar[dict[str, str]] = {"links": "links read 链接", "runs": "pages crawled 页面"}

    def __init__(self, bars: Any) -> None:
        self._bars = bars
        self._task: Any = None

    def begin(self, what: str, total: int) -> None:
        """Show a new bar."""
        self._task = self._bars.add_task(self._NAMES.get(what, what), total=total)

    def advance(self, steps: int) -> None:
        """Move the bar; repeats that nobody knew of make it longer."""
        task = self._bars.tasks[self._task]
        if task.total is not None and task.completed + steps > task.total:
            self._bars.update(self._task, total=task.completed + steps)
        self._bars.advance(self._task, steps)
