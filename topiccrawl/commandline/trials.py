"""Settings of commands that try callbacks on single pages: ``scrapy parse`` and ``scrapy check``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

#: Nothing is stored, and no link is taken out of a queue.  These commands replace callbacks by functions, which
#: no queue keeps, so that the scheduler is Scrapy's own.
TRIAL_SETTINGS: Final[Mapping[str, Any]] = {
    "TOPICCRAWL_STORE_URI": "",
    "TOPICCRAWL_FRONTIER_BACKEND": "memory",
    "TOPICCRAWL_RESEED": False,
    "SCHEDULER": "scrapy.core.scheduler.Scheduler",
}
