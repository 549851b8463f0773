"""Decisions about the words of a topic that has no folder."""

from __future__ import annotations

from pathlib import Path

from scrapy.settings import Settings

from topiccrawl.crawl.judgments.given import decided, decisions_file
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.topics.decisions import Decision, save_decisions
from topiccrawl.topics.load import bare_definition
from topiccrawl.topics.topic import Topic


def test_a_bare_word_has_its_decisions_beside_the_queue(tmp_path: Path) -> None:
    settings = Settings()
    settings.setmodule("topiccrawl.settings", "project")
    settings.set("TOPICCRAWL_FRONTIER_DIR", str(tmp_path), "cmdline")
    config = CrawlSettings.from_settings(settings)
    definition = bare_definition("茶文化")
    file = decisions_file(definition, config)
    assert file.parent == tmp_path
    assert decided(definition, config) == definition
    save_decisions(file, [Decision("紫砂壶", True, 0.6), Decision("声音", False)])
    topic = Topic.learn(decided(definition, config))
    assert ("紫砂壶", 0.6) in topic.rel(topic.analyzer.terms("紫砂壶"))
    assert topic.definition.refused == ("声音",)
    # What a bare word consists of stays.
    assert topic.rel(topic.analyzer.terms("文化")) == [("文化", 0.4)]
