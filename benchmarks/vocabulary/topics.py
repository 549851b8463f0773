"""How many of the proposed words are words of the topic, on a stored web with relevance judgments.

The builder gets some pages of the topic, as a crawl keeps them, and as many others, as it drops them, or the
hashed terms of four times as many, as a crawl's journal has them, or none.  A
word is right if on the *other* pages of the web it is in relevant pages at least twice as often as in
the rest, significantly (z >= 1.96).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, TypeAlias

import numpy as np

from topiccrawl.analysis.features import page_term_ids
from topiccrawl.analysis.links import PageLinks
from topiccrawl.crawl.journal.terms import CrawledTerms
from topiccrawl.evaluation.topic_folder import define_topic
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.web import Web, WebTopic
from topiccrawl.page.page import Page
from topiccrawl.scoring.classifier.rows import TERMS
from topiccrawl.scoring.strategy import PageView
from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.topics.topic import Topic
from topiccrawl.vocabulary.candidates import find_candidates
from topiccrawl.vocabulary.ranking import rank

#: Pages of the topic, and others, that the builder gets.
PAGES = 150
#: How many times as many other pages a crawl has fetched.
CRAWLED = 4
#: Which other pages the builder gets.
Others: TypeAlias = Literal["alone", "texts", "crawled"]
#: Decisions between the two lists.
DECISIONS = 50
#: How many times as often a word of the topic is in relevant pages.
_LIFT = 2.0
#: Standard deviations.
_SIGNIFICANT = 1.96


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of right words on one topic."""

    first: float
    """Among the first 100."""
    first_reached: float
    """Right ones among the first 100, of those that a perfect order would have there."""
    after: float
    """Among the first 100 after DECISIONS decisions, which are not shown again."""
    after_reached: float
    """The same, of what a perfect order would have there."""
    without: float
    """Among the same ranks without learning from them."""


def measure(spec: str, names: Sequence[str], others: Others) -> None:
    """Print the shares of each topic."""
    web = open_web(spec)
    texts: dict[str, str] = {}
    for url in web.urls():
        stored = web.get(url)
        if stored is not None and stored.status == 200:
            page = Page(url, stored.body, None, "text/html")
            texts[url] = f"{page.title}\n{page.body or page.visible_text}"
    found: list[Shares] = []
    print(
        "topic         first 100   of reachable   next 100 after decisions   of reachable   without"
    )
    for topic in web.topics:
        if not names or topic.name in names:
            shares = _judge(web, topic, texts, others)
            found.append(shares)
            print(
                f"{topic.name:12}  {shares.first:9.2f}  {shares.first_reached:12.2f}  {shares.after:25.2f}"
                f"  {shares.after_reached:12.2f}  {shares.without:8.2f}",
                flush=True,
            )
    print(
        f"{'mean':12}  {np.mean([s.first for s in found]):9.2f}"
        f"  {np.mean([s.first_reached for s in found]):12.2f}  {np.mean([s.after for s in found]):25.2f}"
        f"  {np.mean([s.after_reached for s in found]):12.2f}  {np.mean([s.without for s in found]):8.2f}"
    )


def _judge(web: Web, topic: WebTopic, texts: dict[str, str], sort: Others) -> Shares:
    rng = random.Random(1)
    relevant = sorted(url for url in texts if url in topic.relevant)
    others = sorted(url for url in texts if url not in topic.relevant)
    rng.shuffle(relevant)
    rng.shuffle(others)
    n = min(PAGES, len(relevant) // 2)
    with TemporaryDirectory() as root:
        definition = define_topic(Path(root), web, topic, topic.seeds["near"], "word").definition
    learned = Topic.learn(definition)
    given = [texts[url] for url in relevant[:n]]
    used = {"alone": 0, "texts": n, "crawled": CRAWLED * n}[sort]
    against = [texts[url] for url in others[:used]]
    if sort == "crawled":
        found = find_candidates(learned, given, crawled=_crawled(learned, given, against).counts)
    else:
        found = find_candidates(learned, given, against)
    analyzer = TextAnalyzer([*found.terms, *(k.term for k in definition.keywords)])
    inside = [set(analyzer.terms(texts[url])) for url in relevant[n:]]
    outside = [set(analyzer.terms(texts[url])) for url in others[used or n :]]
    right = {
        word: _is_right(term, inside, outside)
        for word, term in zip(found.words, found.terms, strict=True)
    }
    words = [it.word for it in rank(found, {})]
    decided = {word: right[word] for word in words[:DECISIONS]}
    again = [it.word for it in rank(found, decided)]

    def share(some: list[str]) -> float:
        return float(np.mean([right[word] for word in some]))

    def reached(some: list[str]) -> float:
        return sum(right[word] for word in some[:100]) / max(
            1, min(100, sum(right[it] for it in some))
        )

    return Shares(
        share(words[:100]),
        reached(words),
        share(again[:100]),
        reached(again),
        share(words[DECISIONS : DECISIONS + 100]),
    )


def _crawled(topic: Topic, about: Sequence[str], others: Sequence[str]) -> CrawledTerms:
    """Return the terms of pages as a crawl's journal has them."""
    crawled = CrawledTerms(range(len(about)))
    for number, text in enumerate([*about, *others]):
        ids, weights = page_term_ids(topic.weigh(topic.analyzer.terms(text)), TERMS)
        crawled.receive(
            PageView(
                number,
                0.0,
                0.0,
                False,
                0,
                0,
                0.0,
                PageLinks().batch,
                term_ids=ids,
                term_weights=weights,
            )
        )
    return crawled


def _is_right(term: str, inside: list[set[str]], outside: list[set[str]]) -> bool:
    here = sum(term in page for page in inside) + 0.1
    there = sum(term in page for page in outside) + 0.1
    lift = (here / len(inside)) / (there / len(outside))
    return bool(lift >= _LIFT and np.log(lift) / np.sqrt(1 / here + 1 / there) >= _SIGNIFICANT)
