"""robots.txt: what its answer means (RFC 9309), and a form of it that takes bounded time to match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final

#: Bytes of a robots.txt that are read; RFC 9309 section 2.5 asks for at least 500 KiB.
MAX_BYTES: Final = 512 * 1024
#: Redirects that are followed; RFC 9309 section 2.3.1.2 asks for at least five.
MAX_REDIRECTS: Final = 5
#: Seconds for which a robots.txt is used, at most 24 hours (RFC 9309, section 2.4).
LIFETIME_SECONDS: Final = 24 * 3600.0
#: Longest line.  A pattern that is longer matches no URL that is fetched: those have at most 2,000
#: characters (``TOPICCRAWL_TRAP_MAX_URL_CHARS``), three times as many with escapes.
_MAX_LINE: Final = 8192
#: Wildcards (``*``, ``$``) of all rules together that count.  Protego tries each on every URL: 69 ms for
#: the 130,000 that fit into 512 KiB, 4 ms for these (own measurement, 2026-11-22).  Rules
#: without wildcards are tried together: the 37,000 that fit take .3 ms.
MAX_WILDCARDS: Final = 5000

_AGENT = re.compile(r"\s*user[- ]?agent\s*[: ]\s*([^#]*)", re.IGNORECASE)
_RULE = re.compile(r"\s*(?:dis|al)[a-z]*\s*[: ]", re.IGNORECASE)
#: Stands for all agents that are others.
_OTHERS: Final = "x-other-agents"


class RobotsAnswer(Enum):
    """What the status of an answer for robots.txt means."""

    RULES = "rules"
    """The body holds the rules."""
    UNAVAILABLE = "unavailable"
    """There are no rules: everything may be fetched (RFC 9309, 2.3.1.3)."""
    UNREACHABLE = "unreachable"
    """The rules are not known: nothing may be fetched (RFC 9309, 2.3.1.4)."""


def meaning(status: int) -> RobotsAnswer:
    """Return what *status* means for the host.

    429 asks to come back later and states no rules; Google reads it like 5xx, too
    (developers.google.com/search/docs/crawling-indexing/robots/robots_txt, 2026-11).
    """
    if 200 <= status < 300:
        return RobotsAnswer.RULES
    if status == 429 or status >= 500 or status < 200:
        return RobotsAnswer.UNREACHABLE
    return RobotsAnswer.UNAVAILABLE


def bounded(body: bytes, agent: str) -> bytes:
    """Return the part of a robots.txt that counts for *agent*, safe to parse and to match.

    At most ``MAX_BYTES``, whole lines; no line over 8 KiB; at most ``MAX_WILDCARDS``
    wildcards; and two agents: the one that matches *agent* best, and one that stands for all others.
    A parser keeps a list of rules for each agent, so that 20,000 agents with 20,000 rules would
    otherwise be 400 million.
    """
    if len(body) > MAX_BYTES:
        body = body[:MAX_BYTES].rpartition(b"\n")[0]
    lines = [
        line for line in body.decode("utf-8-sig", "ignore").splitlines() if len(line) <= _MAX_LINE
    ]
    best = _best_agent(lines, agent.lower())
    return "\n".join(_kept(lines, best)).encode()


def _kept(lines: list[str], best: str) -> Iterator[str]:
    wildcards = 0
    for line in lines:
        if found := _AGENT.match(line):
            name = _name(found[1])
            if name:
                yield f"User-agent: {name if name == best else _OTHERS}"
                continue
        elif _RULE.match(line):
            rule = line.partition("#")[0].rstrip().rstrip("*")
            wildcards += (count := rule.count("*") + rule.count("$"))
            if count and wildcards > MAX_WILDCARDS:
                continue
        yield line


def _best_agent(lines: list[str], agent: str) -> str:
    """Return the longest name in *lines* that is a product of *agent*, ``*`` if there is none."""
    best = ""
    for line in lines:
        if found := _AGENT.match(line):
            name = _name(found[1])
            if len(name) > len(best) and _is_product(name, agent):
                best = name
    return best or "*"


def _name(value: str) -> str:
    value = value.strip().lower()
    return value if value == "*" else value.replace("*", "")


def _is_product(name: str, agent: str) -> bool:
    """Return whether *name* stands in *agent* where a word begins."""
    at = agent.find(name)
    while at >= 0:
        if at == 0 or not (agent[at - 1].isalnum() or agent[at - 1] in "-_"):
            return True
        at = agent.find(name, at + 1)
    return False
