"""Builds the search of a crawl from its settings."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.search.asking import EngineRequests
from topiccrawl.crawl.search.searching import SearchingCrawl, SourceSearch
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.sources.descriptions import ENGINES_FOLDER, load_engines
from topiccrawl.topics.load import is_own_folder

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from topiccrawl.crawl.settings.search import SearchSettings
    from topiccrawl.sources.engine import Engine
    from topiccrawl.topics.definition import TopicDefinition
    from topiccrawl.topics.topic import Topic

#: Relevance of a line with a keyword of value 1 in its title, and in its snippet alone (guesses).
_IN_TITLE: Final = 1.0
_IN_SNIPPET: Final = 0.8
#: Most for a line without a keyword, whose words are the topic's all the same (a guess).
_WORDS: Final = 0.6


def line_relevance(topic: Topic) -> Callable[[str, str], float]:
    """Return the function from title and snippet to a relevance in [0, 1].

    Lines are too short for the relevance of pages, which expects hundreds of terms.  A keyword in the title
    counts most; without any keyword, the page relevance over its threshold does.
    """

    def relevance(title: str, snippet: str) -> float:
        heading, words = topic.analyzer.terms_all([title, snippet])
        best = max(
            _IN_TITLE * topic.keyword_hits(heading).max_rel,
            _IN_SNIPPET * topic.keyword_hits(words).max_rel,
        )
        score = topic.relevance([*heading, *words]).score
        return max(best, _WORDS * min(1.0, score / (2 * topic.threshold)))

    return relevance


def engines_of(settings: SearchSettings, definition: TopicDefinition | None) -> tuple[Engine, ...]:
    """Return the engines that the settings name, at least one.

    Raises ``ConfigurationError`` if there is none, or a description is wrong.
    """
    folders = []
    if definition is not None and is_own_folder(definition):
        folders.append(Path(definition.source) / ENGINES_FOLDER)
    if settings.search_folder:
        folder = Path(settings.search_folder).expanduser()
        if not folder.is_dir():
            raise ConfigurationError(
                _("TOPICCRAWL_SEARCH_FOLDER: there is no folder {folder}").format(folder=folder)
            )
        folders.append(folder)
    engines = load_engines(settings.search_engines, folders, settings.searxng_url)
    if not engines:
        raise ConfigurationError(
            _(
                "no search engine is set: give the address of your own SearXNG"
                " (-s TOPICCRAWL_SEARXNG_URL=http://127.0.0.1:8888/), or switch on others"
                " (-s TOPICCRAWL_SEARCH_ENGINES=bing,baidu)"
            )
        )
    return engines


def source_search(
    topic: Topic,
    settings: SearchSettings,
    download: Callable[[Request], Awaitable[Response]],
    crawl: SearchingCrawl,
) -> SourceSearch:
    """Return the search of a topic; *download* sends a request past the queue."""
    asking = EngineRequests(download, language=topic.definition.language, clock=crawl.clock)
    return SourceSearch(
        topic,
        engines_of(settings, topic.definition),
        crawl,
        relevance=line_relevance(topic),
        ask=asking.ask,
        budget=settings.search_queries,
        most_sources=settings.search_sources,
        rest_seconds=settings.search_rest_seconds,
    )
