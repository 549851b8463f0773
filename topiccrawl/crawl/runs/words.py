"""Words for the states of crawls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from topiccrawl.language import N_, _

if TYPE_CHECKING:
    from topiccrawl.crawl.runs.folder import FoundRun

_PHASES: Final = {
    "starting": N_("starting"),
    "running": N_("running"),
    "waiting": N_("waiting"),
    "paused": N_("paused"),
    "stopping": N_("stopping"),
    "ended": N_("ended"),
}
_WANTED: Final = {
    "pause": N_("will pause"),
    "run": N_("will go on"),
    "stop": N_("will stop"),
}


def health_word(run: FoundRun) -> str:
    """Return what a crawl does, or what became of it, in the user's language."""
    if run.health == "killed":
        return _("killed")
    if run.health == "silent":
        return _("does not answer")
    if run.changing and run.wanted is not None:
        return _(_WANTED[run.wanted])
    return _(_PHASES[run.state.phase])
