"""Warnings in MongoDB: the same story by several processes, once."""

from __future__ import annotations

import asyncio

from tests.support.store_records import in_loop
from tests.support.watched import (
    NOW,
    Clock,
    Outgoing,
    alert_settings,
    collection,
    found,
    run,
    service,
)
from topiccrawl.alerts.rules import HostRule, VolumeRule, WordRule, Words


@in_loop
async def test_processes_on_one_database_send_each_story_once(mongo_database_uri: str) -> None:
    words = WordRule(name="领事", words=Words(any=("领事保护",)))
    settings = alert_settings(words, HostRule(name="hosts"), VolumeRule(name="volume"))
    clock, outs = Clock(), [Outgoing(), Outgoing()]
    async with collection(mongo_database_uri) as one, collection(mongo_database_uri) as two:
        pages = [found(i, NOW, title=f"领事保护第{i}号") for i in range(30)]
        await one.write(pages=pages, runs=[run(1, NOW, None, "")])
        made = [
            service(store, settings, out, clock)
            for store, out in zip((one, two), outs, strict=True)
        ]
        for _ in range(4):
            await asyncio.gather(*(it.round() for it in made))
            clock.go_on(minutes=4)
    subjects = [subject for out in outs for subject in out.subjects]
    assert len(subjects) == len(set(subjects)) == 30
