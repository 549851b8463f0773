"""Why runs end: the reasons that are stored, and their descriptions."""

from __future__ import annotations

from typing import Final

from topiccrawl.language import N_

CANNOT_START: Final = "cannot_start"
STORE_LOST: Final = "store_lost"
FRONTIER_LOST: Final = "frontier_lost"
MAX_PAGES: Final = "max_pages"
OFFLINE: Final = "offline"
BLOCKED: Final = "blocked"
#: Stop reason of a run that left none; the next run of the topic records it.
KILLED: Final = "killed"
IMPORT_COMPLETE: Final = "imported"
REFRESHED: Final = "refreshed"
STOPPED: Final = "stopped"
NO_SOURCES: Final = "no_sources"

#: Reasons of runs that could not do their work.
FAILED: Final = frozenset({BLOCKED, CANNOT_START, FRONTIER_LOST, OFFLINE, STORE_LOST})
#: Reasons that the user has to look into, this project's and Scrapy's.
PROBLEMS: Final = FAILED | {
    NO_SOURCES,
    "closespider_errorcount",
    "memusage_exceeded",
    "start_error",
}

#: All reasons, this project's and Scrapy's, in plain words.
STOP_REASONS: Final = {
    "finished": N_("the frontier ran dry: every link that was found has been tried"),
    "shutdown": N_("it was stopped by the user or by a signal"),
    "cancelled": N_("it was canceled"),
    "closespider_pagecount": N_("the page limit was reached"),
    "closespider_itemcount": N_("the item limit was reached"),
    "closespider_timeout": N_("the time limit was reached"),
    "closespider_errorcount": N_("there were too many errors"),
    "memusage_exceeded": N_("the memory limit was reached"),
    "start_error": N_("the seeds could not be read"),
    STOPPED: N_("it was stopped in the console or by `scrapy crawls`"),
    CANNOT_START: N_("it could not start (see its log)"),
    MAX_PAGES: N_(
        "the page budget is used up (-a pages, TOPICCRAWL_MAX_PAGES or the topic's max_pages)"
    ),
    STORE_LOST: N_("neither the store nor the spool could be written"),
    FRONTIER_LOST: N_("the queue could not be used"),
    BLOCKED: N_("it was blocked: hosts answer with block pages or captchas"),
    NO_SOURCES: N_(
        "no search engine gave a page to start from; `scrapy sources TOPIC --test` asks them, -a seeds=URL "
        "does without"
    ),
    OFFLINE: N_("no host could be reached; the links stay queued"),
    REFRESHED: N_("everything that was due has been visited"),
    IMPORT_COMPLETE: N_("everything was imported"),
    KILLED: N_("it was killed, or the machine went down"),
}


def stop_sentence(reason: str, pages: int, done: int = 0) -> str:
    """Return a description of the close reason of a run that has fetched *pages*.

    "finished" without a page is a failure, unless links are *done*: a run that goes on with a queue may
    have nothing left to fetch.  It is English, as it is stored; ``_`` translates it where it is shown.

    A close reason that is not known here is returned as it is.
    """
    if pages == done == 0 and reason in ("finished", "closespider_pagecount"):
        return N_("no seed gave a page (see the log of the run)")
    return STOP_REASONS.get(reason, reason)
