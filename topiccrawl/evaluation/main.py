"""Run an evaluation with the options of ``scrapy evaluate`` and print the tables."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

from topiccrawl.commandline.console import make_console
from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.bars import progress_bars
from topiccrawl.evaluation.evaluation import evaluate, start_results
from topiccrawl.evaluation.plan import Plan, make_units, split_names
from topiccrawl.evaluation.results.html import render_results
from topiccrawl.evaluation.results.judged_summary import summarize_judged
from topiccrawl.evaluation.results.judged_tables import print_judged
from topiccrawl.evaluation.results.summary import summarize
from topiccrawl.evaluation.results.tables import print_summary
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.export.atomic import atomic_file
from topiccrawl.language import _


def run_evaluation(spec: str, opts: argparse.Namespace, settings: Mapping[str, object]) -> int:
    """Evaluate the web *spec* with *opts* and the crawl *settings*; return the exit code.

    Raises:
        ConfigurationError: a web, option or file that cannot be used.
    """
    if opts.jobs < 0:
        raise ConfigurationError(_("--jobs must be >= 1, got {jobs}").format(jobs=opts.jobs))
    path, html, orders = (Path(o) if o else None for o in (opts.json, opts.html, opts.orders))
    for option, file in (("--json", path), ("--html", html)):
        if file is not None and not file.parent.is_dir():
            raise ConfigurationError(
                _("{option}: the folder {parent} does not exist").format(
                    option=option, parent=file.parent
                )
            )
    web = open_web(spec)
    try:
        topics, seeds, strategies = map(split_names, (opts.topics, opts.seeds, opts.strategies))
        plan = Plan(
            web=spec,
            units=make_units(web, topics, seeds, strategies, opts.baseline),
            max_pages=opts.max_pages,
            mode=opts.mode,
            repeats=opts.repeats,
            define=opts.define,
            concurrency=opts.concurrency,
            judge=opts.judge,
            baseline=opts.baseline,
            settings=dict(settings),
            whole_web=opts.whole_web,
        )
        results = start_results(plan, web, path, fresh=opts.fresh)
        if orders is not None:
            orders.mkdir(parents=True, exist_ok=True)
        with progress_bars() as progress:
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
    ranked = list(dict.fromkeys(row.strategy for row in summary.rows))
    judged = summarize_judged(results, ranked)
    if path is not None:
        rows = [row.as_dict() for row in judged]
        results.write(path, {**summary.as_dict(), "judged": rows})
    console = make_console()
    print_summary(summary, results.conditions, console)
    print_judged(judged, console)
    if html is not None:
        with atomic_file(html) as stream:
            stream.write(render_results(results, summary, judged).encode("utf-8", "replace"))
        print(html)
    return 0
