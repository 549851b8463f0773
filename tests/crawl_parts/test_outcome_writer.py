"""OutcomeWriter: outcomes are durable, in the background too; losing one stops the crawl."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from scrapy import Spider
from scrapy.utils.test import get_crawler

import tests.support.store_records as make
from tests.support.store_fakes import FlakyStore
from tests.support.store_records import in_loop
from topiccrawl.crawl.control import CrawlControl
from topiccrawl.crawl.storing.outcomes import OutcomeWriter
from topiccrawl.store.spool import Spool
from topiccrawl.store.writer import StoreWriter


def a_writer(store: FlakyStore, folder: Path) -> StoreWriter:
    return StoreWriter(store, Spool(folder, make.TOPIC), flush_seconds=0.0)


@pytest.fixture
def control() -> CrawlControl:
    return CrawlControl(get_crawler(Spider))


@in_loop
async def test_a_written_outcome_is_in_the_store(tmp_path: Path, control: CrawlControl) -> None:
    store, outcome = FlakyStore(), make.outcome()
    async with a_writer(store, tmp_path) as it:
        await OutcomeWriter(it, control).write(outcome)
        assert store.outcomes == [outcome]


@in_loop
async def test_draining_waits_for_outcomes_in_the_background(
    tmp_path: Path, control: CrawlControl
) -> None:
    store, outcomes = FlakyStore(), [make.outcome(number) for number in range(3)]
    async with a_writer(store, tmp_path) as it:
        writer = OutcomeWriter(it, control)
        for outcome in outcomes:
            writer.write_soon(outcome)
        assert store.outcomes == []
        await writer.drain()
        assert store.outcomes == outcomes


@in_loop
async def test_what_fails_in_the_background_is_logged_and_does_not_stop_the_end_of_the_crawl(
    control: CrawlControl, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise OSError(errno.ENOSPC, "the refused record cannot be set aside")

    writer = OutcomeWriter(None, control)
    writer.soon(fail())
    await writer.drain()
    assert "cannot be set aside" in caplog.text


@in_loop
async def test_the_record_of_the_run_is_written(tmp_path: Path, control: CrawlControl) -> None:
    store, run = FlakyStore(), make.run()
    async with a_writer(store, tmp_path) as it:
        await OutcomeWriter(it, control).write_run(run)
        assert store.run_records == [run]


@in_loop
async def test_without_an_open_store_nothing_is_written(
    tmp_path: Path, control: CrawlControl
) -> None:
    store = FlakyStore()
    for writer in (None, a_writer(store, tmp_path)):
        await OutcomeWriter(writer, control).write(make.outcome())
    await OutcomeWriter(None, control).write_run(make.run())
    assert store.attempts == 0
    assert not control.store_lost


@in_loop
async def test_an_outcome_that_can_be_kept_nowhere_stops_the_crawl(
    tmp_path: Path,
    control: CrawlControl,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    store, outcome = FlakyStore(away=True), make.outcome()
    async with a_writer(store, tmp_path) as it:
        writer = OutcomeWriter(it, control)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            await writer.write(outcome)
            await writer.write_run(make.run())
    assert control.store_lost
    assert caplog.text.count("The crawl stops, its pages cannot be kept") == 1
    assert "The record of the run is lost" in caplog.text
