"""The benchmark of the console's views."""

from __future__ import annotations

from pathlib import Path

from benchmarks.desk.views import (
    Arguments,
    Measured,
    arguments_of,
    find_links,
    measure,
    routes,
    table,
)
from tests.support.console_server import console, fill
from tests.support.console_stores import TOPIC, fill_honest
from tests.support.stored import from_store
from topiccrawl.store.contract import Store


def test_every_view_of_a_filled_store_is_measured(tmp_path: Path) -> None:
    uri = fill(tmp_path / "pages.sqlite", fill_honest)

    async def drawn(store: Store) -> Arguments:
        return await arguments_of(store, 0)

    arguments = from_store(uri, drawn)
    assert arguments.topic == TOPIC
    with console(uri, write=True) as running:
        running.get(f"/t/{TOPIC}/")
        find_links(running.port, arguments)
        found = {it: measure(running.port, arguments, it, 3) for it in routes()}
    missing = {route for route, it in found.items() if it is None}
    # No crawl runs, no briefing is kept, and events are not computed yet.
    allowed = {"/crawls/{run}", "/crawls/{run}/live", "/crawls/{run}/log"}
    assert missing <= allowed | {"/t/{topic}/events/{event}", "/t/{topic}/briefing/{id}"}
    measured = [it for it in found.values() if it is not None]
    assert all(sum(it.statuses.values()) == 3 for it in measured)
    (search,) = [it for it in measured if it.route == "/t/{topic}/search"]
    # A drawn page beyond the last one leads to the last.
    assert set(search.statuses) <= {200, 303}
    assert search.statuses[200] >= 1
    assert 20_000 < search.first_load < 150_000


def test_percentiles_are_those_of_the_drawn_requests() -> None:
    one = Measured("/", [n / 1000 for n in range(1, 101)], 2_000, {200: 100})
    assert round(one.p50, 1) == 50.5
    assert 95 <= one.p95 <= 96
    assert "| `/` | 50 | 95 | 100 | nan | 2 | 200: 100 |" in table([one])
