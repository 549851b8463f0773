"""The hostile servers do what they say; a server that only crashes would test nothing."""

from __future__ import annotations

import asyncio
import re
import ssl

import pytest

from benchmarks.hostile.behavior import INNER_ADDRESS, Behavior, address, all_behaviors
from benchmarks.hostile.good import GoodSite
from benchmarks.hostile.resolver import Names
from benchmarks.hostile.server import HostileServers

#: Seconds to wait for the first byte, generous for a busy machine, and for one that does not come.
SECONDS = 30.0
SILENT_SECONDS = 0.5
#: Behaviors that may send nothing at all.
SILENT = {
    "reset-at-once", "closed-at-once", "silent-at-once", "reset-after-request", "no-answer",
    "robots-hang", "robots-reset", "tls-closed", "tls-silent", "tls-reset", "dns-nowhere",
    "dns-into-the-network", "dns-many-addresses",
    "dns-flapping", "dns-flapping-inward", "dns-half-inner", "dns-one-of-100",
    "dns-one-of-100-first", "dns-vanishing", "dns-late", "dns-hundred",
}  # fmt: skip


async def first_bytes(behavior: Behavior, port: int) -> bytes:
    """What a server sends first; nothing if it closes or is silent."""
    context = None
    if behavior.tls:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    path = "/robots.txt" if behavior.robots else behavior.start
    request = f"GET {path} HTTP/1.1\r\nHost: www.{behavior.name}.example:{port}\r\n\r\n"
    try:
        async with asyncio.timeout(SILENT_SECONDS if behavior.name in SILENT else SECONDS):
            reader, writer = await asyncio.open_connection(
                address(behavior.name), port, ssl=context
            )
            try:
                writer.write(request.encode())
                return await reader.read(4096)
            finally:
                writer.transport.abort()
    except (TimeoutError, OSError):
        return b""


def test_every_server_answers_and_makes_no_mistake_of_its_own() -> None:
    # The pages of two kinds are long to make and answered like all others.
    behaviors = [it for it in all_behaviors().values() if it.kind not in ("markup", "texts")]

    async def ask(port: int) -> dict[str, bytes]:
        few = asyncio.Semaphore(50)

        async def one(behavior: Behavior) -> bytes:
            async with few:
                return await first_bytes(behavior, port)

        answers = await asyncio.gather(*map(one, behaviors))
        return {it.name: answer for it, answer in zip(behaviors, answers, strict=True)}

    with HostileServers(behaviors, GoodSite(1)) as servers:
        answers = asyncio.run(ask(servers.port))
        assert servers.failures == []
        assert servers.connections.keys() == {it.name for it in behaviors}
    assert {name for name, answer in answers.items() if not answer} - SILENT == set()
    assert b"200 OK" in answers["drip"][:20]
    assert re.search(rb"Location: file:///etc/passwd", answers["robots-to-file"])


def test_names_resolve_to_loopback_addresses_only() -> None:
    names = Names()
    assert names.addresses("x.y.host-farm.example") == [address("host-farm")]
    assert names.addresses("2135752705") == [INNER_ADDRESS]
    assert names.addresses("0177.0115.0.1") == [INNER_ADDRESS]
    for elsewhere in ("www.example.com", "169.254.169.254", "10.0.0.1", "nowhere.example"):
        assert names.addresses(elsewhere) == []


def test_behaviors_have_addresses_of_their_own() -> None:
    behaviors = all_behaviors()
    assert len({address(name) for name in behaviors}) == len(behaviors)


@pytest.mark.parametrize("pages", [1, 200])
def test_good_pages_have_titles_of_their_own(pages: int) -> None:
    site = GoodSite(pages)
    titles = {site._html(number, 1).partition("<title>")[2][:20] for number in range(pages)}
    assert len(titles) == pages
