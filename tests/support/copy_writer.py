"""A process that writes, rewrites, withdraws and relates copies until it is killed.

``python -m tests.support.copy_writer STORE_URI SEED`` prints a line after each step.
"""

from __future__ import annotations

import asyncio
import random
import sys
from dataclasses import replace

import tests.support.store_records as make
from tests.support.store_records import NOON, TOPIC
from topiccrawl.store.contract import Membership, PageRecord, Store
from topiccrawl.store.factory import open_store

METHOD = 1
PAGES = 12
_SENTENCES = [
    "".join(chr(0x4E00 + (at * 37 + n * 611) % 20000) for at in range(80)) for n in range(9)
]
#: Texts by title: each is an edited version of the one before.
TEXTS = {
    f"第{n}版": "".join([*_SENTENCES[:n], "新", *_SENTENCES[n:]]) for n in range(len(_SENTENCES))
}


def url(number: int) -> str:
    return make.page(number).url


def page(number: int, title: str, original: int | None) -> PageRecord:
    """A page whose title names its text, and whose token is its title's."""
    record = make.page(number, html=None, title=title, body=TEXTS[title], content_hash=title)
    copy_of = "" if original in (None, number) else url(original or 0)
    tokens = (list(TEXTS).index(title), 100 + number)
    return replace(record, story="s", copy_of=copy_of, compared=METHOD, tokens=tokens)


async def step(store: Store, chance: random.Random) -> None:
    """Take one step."""
    numbers = chance.sample(range(PAGES), 4)
    original = chance.choice([None, *range(PAGES)])
    kind = chance.choice(["write", "write", "relate", "relate", "withdraw"])
    if kind == "write":
        pages = [page(it, chance.choice(list(TEXTS)), original) for it in numbers]
        await store.write(pages, near_misses=[make.near_miss(50 + numbers[0])])
    elif kind == "relate":
        await store.set_relations(
            TOPIC,
            {
                url(it): Membership(
                    story="s",
                    copy_of="" if original in (None, it) else url(original or 0),
                    compared=METHOD,
                )
                for it in numbers
            },
        )
    else:
        known = await store.page(TOPIC, url(numbers[0]))
        if known is not None:
            gone = None if known.withdrawn_at else NOON
            await store.write([replace(known, withdrawn_at=gone)])


async def check(store: Store) -> None:
    """Raise AssertionError for a half-written page, or a copy that nobody would compare again."""
    kept = [it async for it in store.pages(TOPIC, copies=True)]
    withdrawn = [it async for it in store.pages(TOPIC, withdrawn=True)]
    for it in [*kept, *withdrawn]:
        assert it.body == TEXTS[it.title], it.url
    heads = {it.url for it in kept if not it.copy_of}
    for it in kept:
        assert it.copy_of in ("", *heads) or it.compared == 0, it.url
    wanted = {(it.url, list(TEXTS).index(it.title)) for it in kept}
    found = await store.sharing(TOPIC, list(range(len(TEXTS))), most=PAGES)
    pairs = {(url, token) for token, urls in found.items() for url in urls}
    # What another process wrote back with an older text has no tokens until it is compared.
    open_ = {it.url for it in kept if it.compared == 0}
    assert pairs <= wanted
    assert {url for url, _ in wanted - pairs} <= open_


async def _run(uri: str, seed: int) -> None:
    store = open_store(uri)
    await store.open()
    chance = random.Random(seed)
    while True:
        await step(store, chance)
        print(flush=True)


if __name__ == "__main__":
    asyncio.run(_run(sys.argv[1], int(sys.argv[2])))
