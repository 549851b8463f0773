"""Time per page of each strategy in addition to parsing: inputs, scores and ranking rounds.

``python -m benchmarks.scoring [--pages 1000] [--links 100] [--strategies S,…] [--wordnet FOLDER]
[--large 100000]``

Pages are generated: 600 Chinese words of text, and links with 5 words of anchor, 12 of context and a URL.  A
tenth of the links is navigation that all pages share, all others are new on every page.  Processor time is
measured for the inputs of a strategy (words, vectors, features), for ``score``, and for the ranking rounds,
which are as frequent as in a crawl and are divided by the number of pages.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast
from urllib.parse import quote

import numpy as np
from scrapy.settings import Settings

from topiccrawl.analysis.page import PageAnalysis
from topiccrawl.analysis.reader import make_reader
from topiccrawl.crawl.queue.ordering import page_view
from topiccrawl.crawl.queue.rounds import next_round
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.page.links import Link
from topiccrawl.page.page import Page
from topiccrawl.scoring.strategies import STRATEGIES, make_strategy
from topiccrawl.scoring.strategies.graph import GraphStrategy
from topiccrawl.scoring.strategy import LinkBatch, PageView, Strategy
from topiccrawl.topics.load import find_definition
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.canonical import canonical_url

WORDS_A_PAGE, WORDS_AN_ANCHOR, WORDS_A_CONTEXT = 600, 5, 12
#: Share of words that belong to the topic.
ON_TOPIC = 0.05
SHARED_LINKS = 0.1
#: Distinct URLs per fetched page: a crawl discovers some ten times as many URLs as it fetches.
ADDRESSES_A_PAGE = 10
#: Parts of generated words, so that any text has terms that no topic contains.
FIRST = "山水天地春秋冬夏东西南北城镇江河湖海桥路"
SECOND = "产品市场技术文化经济教育体育音乐电影旅游"


@dataclass(slots=True)
class DrawnPage:
    """The attributes of a page that an analysis reads."""

    url: str
    title: str
    body: str
    links: list[Link]
    visible_text: str = ""
    nofollow: bool = False
    trail: Sequence[str] = ()
    stated_words: str = ""
    meta: dict[str, str] = field(default_factory=dict)


def draw(topic: Topic, pages: int, links: int) -> Iterator[DrawnPage]:
    rng = random.Random(20021)
    own = [k.term for k in topic.definition.keywords]
    other = [a + SECOND[i : i + 2] for a in FIRST for i in range(0, len(SECOND), 2)]

    def text(count: int) -> str:
        return "，".join(
            rng.choice(own if rng.random() < ON_TOPIC else other) for _ in range(count)
        )

    shared = [
        Link(
            f"http://h{i % 7}.example/nav/{i}.html", anchor=text(2), region="nav", tag_path="nav/a"
        )
        for i in range(int(SHARED_LINKS * links))
    ]
    for order in range(pages):
        drawn = [
            Link(
                # Escaped, as in a Page.
                f"http://h{rng.randrange(50)}.example/{quote(rng.choice(SECOND))}/{number}.html",
                anchor=text(WORDS_AN_ANCHOR),
                context=text(WORDS_A_CONTEXT),
                region="list",
                tag_path=f"html/body/div[{number % 20}]/ul/li/a",
            )
            for number in rng.sample(
                range(max(ADDRESSES_A_PAGE * pages, links)), links - len(shared)
            )
        ]
        yield DrawnPage(
            f"http://h0.example/page/{order}.html", text(8), text(WORDS_A_PAGE), [*shared, *drawn]
        )


def analyze(
    topic: Topic, drawn: Sequence[DrawnPage], strategy: Strategy, config: CrawlSettings
) -> tuple[list[PageView], list[float], list[float]]:
    """Return the strategy's views of the pages, and the milliseconds for links and text of each."""
    reader = make_reader(
        topic,
        [strategy],
        wordnet=config.semantic_wordnet,
        vectors_file=config.semantic_vectors,
    )
    views: list[PageView] = []
    links: list[float] = []
    texts: list[float] = []
    for order, page in enumerate(drawn, start=1):
        begin = time.process_time()
        analysis = PageAnalysis(cast("Page", page), topic, reader, canonical_url)
        _ = analysis.links
        between = time.process_time()
        view = replace(page_view(page.url, analysis), order=order)
        links.append(1e3 * (between - begin))
        texts.append(1e3 * (time.process_time() - between))
        views.append(replace(view, depth=order % 9))
    return views, links, texts


def measure(
    views: Sequence[PageView], strategy: Strategy, config: CrawlSettings
) -> tuple[list[float], list[float]]:
    """Return the milliseconds of scoring each page and of each ranking round."""
    scores: list[float] = []
    rounds: list[float] = []
    rank_at = next_round(strategy, 0, 0, config.rank_every_pages)
    for order, view in enumerate(views, start=1):
        begin = time.process_time()
        strategy.score(view)
        scores.append(1e3 * (time.process_time() - begin))
        if order >= rank_at:
            rank_at = next_round(strategy, order, 0, config.rank_every_pages)
            begin = time.process_time()
            for _ in strategy.rank():
                pass
            rounds.append(1e3 * (time.process_time() - begin))
    return scores, rounds


def large_round(name: str, pages: int, links: int) -> None:
    """Print the cost of one round after *pages* pages."""
    strategy = make_strategy(name)
    if not isinstance(strategy, GraphStrategy):
        return
    nodes = ADDRESSES_A_PAGE * pages
    rng = np.random.default_rng(20021)
    none = np.zeros(links)
    term_ids, weights = np.arange(20, dtype=np.int32), np.full(20, 20**-0.5)
    for page in range(pages):
        targets = np.unique((nodes * rng.random(links) ** 2).astype(np.int64))
        n, relevance = len(targets), float(rng.random())
        no = np.zeros(n, dtype=np.bool_)
        batch = LinkBatch(targets, none[:n], no, no, no, none[:n], none[:n])
        strategy.score(
            PageView(
                page, relevance, 0.0, relevance > 0.7, 1, page + 1, 0.0, batch, term_ids, weights
            )
        )
    steps = [time.process_time(), *(time.process_time() for _ in strategy.rank())]
    took = 1e3 * (time.process_time() - steps[0])
    between = next_round(strategy, pages, strategy.graph.n_nodes - pages, 100) - pages
    print(
        f"{name:<15} a round over {pages:,} pages, {strategy.graph.in_degree.sum():,} links: {took:,.0f} ms "
        f"in {len(steps)} steps, the longest {1e3 * np.diff(steps).max(initial=0.0):.1f} ms; "
        f"every {between} pages: {took / between:.2f} ms a page"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--links", type=int, default=100, help="links of each page")
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    parser.add_argument("--topic", default="侨情")
    parser.add_argument(
        "--wordnet", default="", help="folder of WordNet, for the strategy semantic"
    )
    parser.add_argument(
        "--large", type=int, default=0, help="also time one round over this many pages"
    )
    options = parser.parse_args()
    config = CrawlSettings.from_settings(Settings({"TOPICCRAWL_SEMANTIC_WORDNET": options.wordnet}))
    topic = Topic.learn(find_definition(options.topic))
    drawn = list(draw(topic, options.pages, options.links))
    names = options.strategies.split(",")
    print(f"{options.pages:,} pages of {options.links} links; ms a page by the processor")
    # The first analysis fills the caches of the segmenter.
    analyze(topic, drawn[:100], make_strategy(names[0]), config)
    by_wants: dict[frozenset[str], list[PageView]] = {}
    for name in names:
        wanted = make_strategy(name).wants
        if wanted not in by_wants:
            views, links, texts = analyze(topic, drawn, make_strategy(name), config)
            by_wants[wanted] = views
            what = ", ".join(sorted(wanted)) or "nothing more"
            print(
                f"words, vectors and {what}: links {statistics.median(links):.2f} in the median, "
                f"{np.quantile(links, 0.9):.2f} at the 90th percentile; "
                f"text {statistics.median(texts):.2f}"
            )
        scores, rounds = measure(by_wants[wanted], make_strategy(name), config)
        print(
            f"{name:<15} score {statistics.median(scores):.2f} in the median, "
            f"{np.quantile(scores, 0.99):.2f} at the 99th percentile; "
            f"rounds {sum(rounds) / len(drawn):.2f}"
        )
    if options.large:
        for name in names:
            large_round(name, options.large, options.links)
    return 0


if __name__ == "__main__":
    sys.exit(main())
