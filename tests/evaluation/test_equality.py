"""Simulation and real crawl give the same order, page by page."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from topiccrawl.crawl.judgments.deciding import crawl_reader
from topiccrawl.evaluation.experiment import Define, Experiment
from topiccrawl.evaluation.plan import Plan
from topiccrawl.evaluation.replay.crawl import crawl
from topiccrawl.evaluation.simulation.analyses import Analyses
from topiccrawl.evaluation.simulation.pages import StoredPages
from topiccrawl.evaluation.simulation.simulate import simulate
from topiccrawl.evaluation.topic_folder import write_topic_folder
from topiccrawl.evaluation.webs.demo import DemoStoredWeb
from topiccrawl.evaluation.webs.prune import pruner
from topiccrawl.evaluation.worker import run_config
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.topics.folder import load_definition
from topiccrawl.topics.topic import Topic

PAGES = 200
#: More than one ranking round must take place.
SETTINGS = {"TOPICCRAWL_IPAGERANK_EVERY_PAGES": 50}


@pytest.mark.parametrize(
    ("strategy", "seeds", "define"),
    [("adaptive", 0, "both"), ("ipagerank-rwb", 0, "both"), ("shark-search", -1, "keywords")],
)
def test_the_simulation_fetches_what_scrapy_crawl_fetches_in_its_order(
    tmp_path: Path, strategy: str, seeds: int, define: Define
) -> None:
    web = DemoStoredWeb(350, 3)
    topic = web.topics[0]
    seed_set = list(topic.seeds)[seeds]
    experiment = Experiment(topic.name, seed_set, strategy, PAGES, 1, define)
    for name in ("crawl", "simulation"):
        (tmp_path / name).mkdir()
    true = crawl(web, topic, experiment, folder=tmp_path / "crawl", settings=SETTINGS)
    folder = write_topic_folder(tmp_path / "simulation", web, topic, topic.seeds[seed_set], define)
    definition = load_definition(folder)
    config = run_config(Plan("", (), settings=SETTINGS), experiment)
    pages = StoredPages(web, extractor=config.body_extractor, serve=pruner(web))
    learned = Topic.learn(definition)
    reader = crawl_reader(learned, [make_strategy(strategy)], config)
    analyses = Analyses(pages, learned, reader=reader)
    simulated = simulate(analyses, [s.url for s in definition.seeds], experiment, config)

    assert len(true.fetches) == PAGES
    assert [f.url for f in simulated.fetches] == [f.url for f in true.fetches]
    assert [f.size for f in simulated.fetches] == [f.size for f in true.fetches]
    both = zip(true.fetches, simulated.fetches, strict=True)
    relevance = [(t.relevance, s.relevance) for t, s in both if not math.isnan(t.relevance)]
    assert len(relevance) > PAGES / 2
    assert [s for _, s in relevance] == pytest.approx([t for t, _ in relevance])
    judged = (run.checkpoints[-1].judgments.probability for run in (true, simulated))
    probability = [(t, s) for t, s in zip(*judged, strict=True) if not math.isnan(t)]
    assert len(probability) > PAGES / 2
    # Both learn once more when they end.
    assert [s for _, s in probability] == pytest.approx([t for t, _ in probability])
