"""Names whose lookups take long: others are resolved meanwhile, and the process can end."""

from __future__ import annotations

import subprocess
import sys

import topiccrawl.settings as project

#: More lookups that hang than the reactor has threads; then one that does not.
LOOKUPS = """
import socket, time
def look_up(name):
    if name.startswith("slow"):
        time.sleep(300)
    return "127.0.0.9"
socket.gethostbyname = look_up
from twisted.internet import reactor
from topiccrawl.network.resolver import DaemonResolver
DaemonResolver(reactor, 100, 60.0).install_on_reactor()
for number in range(15):
    reactor.resolve(f"slow{number}.example").addErrback(lambda failure: None)
def done(address):
    print(address)
    reactor.stop()
reactor.callWhenRunning(lambda: reactor.resolve("fast.example").addCallback(done))
reactor.run()
"""


def test_slow_lookups_delay_neither_others_nor_the_end() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOOKUPS], capture_output=True, check=True, timeout=60
    )
    assert done.stdout.split() == [b"127.0.0.9"]


def test_the_project_uses_the_resolver_with_threads_of_its_own() -> None:
    assert project.TWISTED_DNS_RESOLVER == "topiccrawl.network.resolver.DaemonResolver"
