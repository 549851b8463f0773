"""Whether a crawl was blocked: then it is not a success, whatever else it has done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.language import _, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.politeness.rests import HostRests

#: Share of the answers, or of the hosts, from which a crawl counts as blocked (a choice: half).
BLOCKED_SHARE = 0.5
#: Hosts that are named.
_NAMED = 3


def blocked_hosts(rests: HostRests) -> list[str]:
    """Return the hosts that block at the end, if they are a substantial share; else an empty list."""
    blocking = rests.blocking()
    return blocking if len(blocking) > BLOCKED_SHARE * rests.hosts else []


def blocked_problem(rests: HostRests, *, blocks: int, pages: int, waiting: int) -> str:
    """Return why a crawl does not count as a success, ``""`` if it was not blocked.

    *blocks* are block pages and captchas, *pages* are answers with content.  *waiting* are the links that are left
    if the run ended because only hosts that block have any, else 0.
    """
    hosts = blocked_hosts(rests) or (rests.blocking() if waiting > pages else [])
    if hosts:
        return _(
            "the crawl was blocked: {blocked} of {all} hosts answer with block pages or captchas "
            "({names}); their links stay queued, the same command goes on with them later"
        ).format(blocked=len(hosts), all=rests.hosts, names=_named(hosts))
    if blocks and blocks > BLOCKED_SHARE * (pages + blocks):
        return _(
            "the crawl was blocked: {blocks} of {all} answers were block pages or captchas"
        ).format(blocks=blocks, all=pages + blocks)
    return ""


def _named(hosts: Sequence[str]) -> str:
    names = listed(hosts[:_NAMED])
    return f"{names} …" if len(hosts) > _NAMED else names
