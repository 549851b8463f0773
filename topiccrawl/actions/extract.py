"""``extract``: title, body, time and more of saved pages or URLs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from topiccrawl.actions.extract_output import InOrder, opened_output
from topiccrawl.analysis.extracting import (
    MOST_BYTES,
    PageRefused,
    PageTask,
    PageWork,
    check_size,
    read_file,
)
from topiccrawl.analysis.formats import DEFAULT_FORMAT, FORMATS
from topiccrawl.analysis.inputs import STANDARD_INPUT, Input, Inputs, find_inputs, listed_arguments
from topiccrawl.analysis.workpool import WorkPool
from topiccrawl.analysis.workprocess import Result
from topiccrawl.commandline.errors import CommandError, WrongUsageError, fail
from topiccrawl.language import _, labeled, listed, ngettext
from topiccrawl.page.body.extractors import check_extractor

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

    from topiccrawl.crawl.settings.extraction import ExtractionSettings

#: Pages up to which one process reads them: a second one costs as much time as 8 pages (2026-11).
FEW_PAGES: Final = 16
#: Most processes that may be asked for (a choice).
MOST_JOBS: Final = 1_000


def extract(
    args: list[str],
    opts: argparse.Namespace,
    settings: ExtractionSettings,
    project: Callable[[], Settings],
) -> int:
    """Read, analyze and write; the exit code is 1 if anything could not be read.

    Parameters
    ----------
    args
        The positional arguments.
    opts
        The options of :mod:`topiccrawl.commandline.extract_options`.
    settings
        The settings of the analysis.
    project
        Returns all settings of the project; called if there are URLs.
    """
    format_, out, folder = _output(opts)
    if opts.links and not FORMATS[format_].has_links:
        raise WrongUsageError(_("--links is for --format markdown"))
    if opts.structure and not FORMATS[format_].has_structure:
        raise WrongUsageError(_("--structure is for --format jsonl"))
    jobs = _jobs(opts.jobs)
    extractor = opts.extractor or settings.body_extractor
    try:
        check_extractor(extractor)
    except ValueError as error:
        raise CommandError(str(error)) from error
    inputs = _inputs(args, opts)
    if not folder and out != STANDARD_INPUT:
        _check_no_input(out, inputs)
    work = PageWork(
        format_,
        extractor,
        settings.summary_sentences,
        settings.keywords,
        links=opts.links,
        structure=opts.structure,
    )
    jobs = jobs or (1 if len(inputs.pages) <= FEW_PAGES else _cores())
    jobs = max(1, min(jobs, len(inputs.pages)))
    if jobs > 1 and sys.platform == "linux":
        work.warm_up()
    pool = WorkPool(work, jobs, settings.page_cpu_seconds, PageRefused)
    with (
        opened_output(out, FORMATS[format_], inputs.pages, folder=folder) as write,
        pool,
        _progress(out, len(inputs.pages)) as tick,
    ):
        run = _Run(inputs, opts.url or "", pool, InOrder(inputs.pages, write), tick, settings)
        try:
            run.work(project)
        except KeyboardInterrupt:
            message = _interrupted(out, run.written, whole=not folder)
            raise KeyboardInterrupt(message) from None
    if out != STANDARD_INPUT:
        text = ngettext("{path}: {count} page", "{path}: {count} pages", run.written)
        print(text.format(path=out, count=run.written))
    if run.failures:
        failed, count = run.failures, run.written + run.failures
        return fail(_("{failed} of {all} could not be read").format(failed=failed, all=count))
    return 0


class _Run:
    """One run of the command: its pages on their way from inputs to output."""

    def __init__(
        self,
        inputs: Inputs,
        url: str,
        pool: WorkPool[PageTask, bytes],
        output: InOrder,
        tick: Callable[[], None],
        settings: ExtractionSettings,
    ) -> None:
        self._pages, self._missing = inputs.pages, inputs.missing
        self._url = url
        self._pool = pool
        self._output = output
        self._tick = tick
        self._seconds = settings.page_cpu_seconds
        self.failures = 0

    @property
    def written(self) -> int:
        """Pages that were written."""
        return self._output.written

    def work(self, project: Callable[[], Settings]) -> None:
        """Read all pages: the URLs first, because their network can be slow and the order is kept."""
        for message in self._missing:
            self.failures += 1
            fail(message)
        urls = {number: page.url for number, page in enumerate(self._pages) if page.url}
        if urls:
            # Not at module level: files need no Scrapy.
            from topiccrawl.actions.extract_fetching import fetch_pages

            fetch_pages(urls, project(), self._fetched, self._lost)
        numbers: list[int] = []
        for at, result in enumerate(self._pool.map(self._local(numbers))):
            self._take(numbers[at], result)

    def _fetched(self, number: int, task: PageTask) -> None:
        for result in self._pool.map([task]):
            self._take(number, result)

    def _local(self, numbers: list[int]) -> Iterator[PageTask]:
        """Yield the tasks of the pages that are not fetched; their numbers are added to *numbers*."""
        for number, page in enumerate(self._pages):
            if page.url:
                continue
            try:
                task = self._task(page)
            except PageRefused as error:
                self._lost(number, labeled(page.label, str(error)))
            else:
                numbers.append(number)
                yield task

    def _task(self, page: Input) -> PageTask:
        path = page.path
        if page.record is not None:
            return PageTask(page.name, path, record=page.record)
        if path is None:
            # It names no file, so that its content alone determines what it is.
            return PageTask(page.name, body=check_size(_standard_input()), url=self._url)
        # Anything but a file may give its content only once, to this process: a pipe, /dev/fd/63.
        body = read_file(path) if path.exists() and not path.is_file() else None
        return PageTask(page.name, path, body, self._url, file_name=path.name)

    def _take(self, number: int, result: Result[bytes]) -> None:
        """Write a page, or name the reason why it is lost."""
        page = self._pages[number]
        if result.fate == "done":
            # Nothing stands for a response that is not a page.
            self._output.put(number, result.value or None)
            self._tick()
        elif result.fate == "timeout":
            self._lost(
                number,
                _(
                    "{page}: its analysis takes more than {seconds} s of CPU (TOPICCRAWL_PAGE_CPU_SECONDS)"
                ).format(page=page.label, seconds=f"{self._seconds:g}"),
            )
        elif result.fate == "crash":
            self._lost(
                number,
                _("{page}: its analysis ended the process (status {status})").format(
                    page=page.label, status=result.detail
                ),
            )
        else:
            self._lost(number, labeled(page.label, result.detail))

    def _lost(self, number: int, message: str) -> None:
        fail(message)
        self.failures += 1
        self._output.put(number, None)
        self._tick()


def _output(opts: argparse.Namespace) -> tuple[str, str, bool]:
    """Return the name of the format, where the output goes, and whether that is a folder."""
    if opts.jsonl is not None:
        if opts.out is not None or opts.format not in (None, "jsonl"):
            raise WrongUsageError(_("--jsonl OUT is without --out, and without another --format"))
        return "jsonl", opts.jsonl, False
    format_ = opts.format or DEFAULT_FORMAT
    if format_ not in FORMATS:
        raise WrongUsageError(
            _("--format must be one of {names}, got {value!r}").format(
                names=listed(FORMATS), value=format_
            )
        )
    out = STANDARD_INPUT if opts.out is None else opts.out
    return format_, out, out.endswith(os.sep) or (bool(out) and Path(out).is_dir())


def _check_no_input(out: str, inputs: Inputs) -> None:
    """Raise CommandError if the file *out* is one of the pages, which it would replace."""
    real = os.path.realpath(out)
    if any(page.path is not None and os.path.realpath(page.path) == real for page in inputs.pages):
        raise CommandError(_("--out {path} is one of the pages that are read").format(path=out))


def _interrupted(out: str, written: int, *, whole: bool) -> str:
    """Return what there is after Ctrl-C; a file is written as a *whole* or not at all."""
    if whole and out != STANDARD_INPUT:
        return _("interrupted: {path} is not written").format(path=out)
    text = ngettext("interrupted after {count} page", "interrupted after {count} pages", written)
    return text.format(count=written)


def _jobs(given: str | None) -> int:
    """Return the number of processes that was asked for, 0 for none."""
    if given is None:
        return 0
    if not given.isascii() or not given.isdigit() or not 1 <= int(given[:9]) <= MOST_JOBS:
        raise WrongUsageError(
            _("--jobs must be a number from 1 to {most}, got {value!r}").format(
                most=MOST_JOBS, value=given
            )
        )
    return int(given)


def _inputs(args: list[str], opts: argparse.Namespace) -> Inputs:
    """Return the pages that the command line names."""
    arguments = list(args)
    listed_in = opts.files_from
    if listed_in is None and not args:
        raise WrongUsageError(_("name pages, e.g. topiccrawl extract a.html"))
    readers = [STANDARD_INPUT, *arguments] if listed_in == STANDARD_INPUT else arguments
    if listed_in is not None and readers.count(STANDARD_INPUT) <= 1:
        raw = _standard_input() if listed_in == "-" else Path(listed_in).read_bytes()
        listed = listed_arguments(raw)
        arguments += listed
        readers = [*readers, *listed]
    if readers.count(STANDARD_INPUT) > 1:
        raise WrongUsageError(_("standard input can be read only once"))
    found = find_inputs(arguments)
    if opts.url and (len(found.pages) != 1 or found.urls):
        raise WrongUsageError(_("--url is for one file"))
    return found


def _standard_input() -> bytes:
    """Return standard input, which may be closed or a terminal; not more than a page may have."""
    return sys.stdin.buffer.read(MOST_BYTES + 1)


def _cores() -> int:
    """Return the number of cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on macOS
    return os.cpu_count() or 1 if affinity is None else len(affinity(0))


def _progress(out: str, pages: int) -> AbstractContextManager[Callable[[], None]]:
    """Return a progress bar where it disturbs nothing: on a terminal that does not show the output."""
    if not sys.stderr.isatty() or (out == STANDARD_INPUT and sys.stdout.isatty()):
        return nullcontext(lambda: None)
    # Not at module level: rich takes .05 s.
    from topiccrawl.commandline.console import work_progress

    return work_progress(_("pages"), pages)
