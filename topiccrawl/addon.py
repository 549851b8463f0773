"""The add-on: puts topiccrawl's parts in their places in any Scrapy project.

``ADDONS = {"topiccrawl.addon.TopicCrawlAddon": 100}`` and ``TOPICCRAWL_TOPIC = "侨情"`` are enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

#: After decompression (590), redirects (600) and retries (550): what arrives is the page itself.
LINK_SCORE_ORDER = 543

PIPELINES = {
    "topiccrawl.pipelines.body.BodyExtractionPipeline": 100,
    "topiccrawl.pipelines.relevance.RelevanceFilterPipeline": 200,
    "topiccrawl.pipelines.deduplication.TitleDeduplicationPipeline": 300,
    "topiccrawl.pipelines.details.PageDetailsPipeline": 400,
    "topiccrawl.pipelines.store.StorePipeline": 900,
}
EXTENSIONS = {
    "topiccrawl.extensions.lifecycle.SessionLifecycle": 50,
    "topiccrawl.extensions.outcomes.OutcomeRecorder": 100,
    "topiccrawl.extensions.progress.ProgressReporter": 200,
    "topiccrawl.extensions.stagnation.StagnationWatcher": 250,
    "topiccrawl.extensions.recording.CrawlRecorder": 300,
}


class TopicCrawlAddon:
    """Registers the scheduler, the link score middleware, the pipelines and the extensions."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Add components at add-on priority; what the project or command line sets stays."""
        settings.set("SCHEDULER", "topiccrawl.scheduling.scheduler.FrontierScheduler", "addon")
        settings.setdefault_in_component_priority_dict(
            "DOWNLOADER_MIDDLEWARES",
            _load("topiccrawl.middlewares.linkscore.LinkScoreMiddleware"),
            LINK_SCORE_ORDER,
        )
        # Scrapy shortens delays at random by up to half.
        settings.set("DOWNLOAD_DELAY_JITTER", 0.0, "addon")
        from topiccrawl.middlewares.politeness import POLITENESS_ORDER

        settings.setdefault_in_component_priority_dict(
            "DOWNLOADER_MIDDLEWARES",
            _load("topiccrawl.middlewares.politeness.PolitenessMiddleware"),
            POLITENESS_ORDER,
        )
        for path, order in PIPELINES.items():
            settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", _load(path), order)
        for path, order in EXTENSIONS.items():
            settings.setdefault_in_component_priority_dict("EXTENSIONS", _load(path), order)


def _load(path: str) -> type:
    from scrapy.utils.misc import load_object

    component = load_object(path)
    assert isinstance(component, type)
    return component
