"""Webs with an attacker who lures the order of links: what share of a crawl he gets, and what that costs.

    python -m benchmarks.lures portals:3000:9021 --topics food          # some seconds for each crawl
    python -m benchmarks.lures portals:3000:9021,portals:3000:9022 --attacks farm,domains --pages 500

Each web (``portals:…`` or ``fields:…``, docs/webs.md) is crawled as it is, and with each attacker, who has written
comments with links to his pages.  All of his anchors, on his pages, too, begin with a keyword of the topic and go on as
headlines on the topic; his pages have fluent text that is off topic, and 50 links, if the attack is not described
otherwise.  The share is that of the oracle's AUC on the web without him.  Nothing is recognized as an error page, no
host has a budget, and answers take no time, as in every simulated crawl.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from statistics import mean, stdev
from urllib.parse import quote, urlsplit

import numpy as np

from topiccrawl.crawl.judgments.deciding import crawl_reader
from topiccrawl.demo.draws import Draws
from topiccrawl.demo.text import compose, story_title
from topiccrawl.evaluation.experiment import Experiment, Run
from topiccrawl.evaluation.judging.graph import build_graph
from topiccrawl.evaluation.judging.oracle import oracle_order
from topiccrawl.evaluation.plan import Plan
from topiccrawl.evaluation.results.metrics import area, hits
from topiccrawl.evaluation.simulation.analyses import Analyses
from topiccrawl.evaluation.simulation.links import read_links
from topiccrawl.evaluation.simulation.pages import Answer, StoredPages
from topiccrawl.evaluation.simulation.simulate import simulate
from topiccrawl.evaluation.topic_folder import define_topic
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.web import StoredPage, Web, WebTopic
from topiccrawl.evaluation.worker import run_config
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.domains import registered_domain

#: Beginning of the attacker's domains; no domain of a generated web begins so.
OWN = "lure"
#: Share of the articles with comments of the attacker, and his links in each (choices).
COMMENTED, COMMENTS = 0.1, 10
#: Links of an attacker's page, and his host names and domains where their number is limited (choices).
LINKS, NAMES, DOMAINS = 50, 300, 50
#: Different texts of an endless space (a choice).
FEW = 20

#: Makes the address of an attacker's page, from the address of the page with the link, empty for genuine ones.
Address = Callable[[Draws, str], str]


@dataclass(frozen=True, slots=True)
class Attack:
    """How an attacker lays out his pages."""

    address: Address
    text: str = "off"
    """``off``: another subject; ``echo``: the same under a title on the topic; ``few``: one of 20 such texts;
    ``results``: a search that has found nothing; ``half``: every second page is on the topic."""
    links: int = LINKS
    comments: int = COMMENTS
    commented: float = COMMENTED
    only_relevant: bool = False
    """Whether comments are on pages on the topic only."""
    hops: int = 0
    """Redirects before a page."""
    dead: bool = False
    """Whether none of his addresses has a page."""
    filed: bool = False
    """Whether breadcrumbs and menus of his pages name a keyword as their channel."""
    misnamed: float = 0.0
    """Share of the genuine sites that do so on all of their pages: the site or a tag is called so."""
    misfiled: float = 0.0
    """Share of the genuine articles off the topic that do so."""


def _slug(draws: Draws) -> str:
    return "".join("bcdfghjklmnpqrstvwxyz"[draws.below(21)] for _ in range(9))


def one_host(draws: Draws, _: str) -> str:
    """Return any page of one host."""
    return f"http://www.{OWN}one.example/{_slug(draws)}.html"


def names(draws: Draws, _: str) -> str:
    """Return any page of 300 names of a domain."""
    return f"http://n{draws.below(NAMES)}.{OWN}many.example/{_slug(draws)}.html"


def any_name(draws: Draws, _: str) -> str:
    """Return a page of a new name of a domain that answers under all."""
    return f"http://{_slug(draws)}.{OWN}any.example/{_slug(draws)}.html"


def homes(draws: Draws, _: str) -> str:
    """Return the home page of such a name: pages of links alone."""
    return f"http://{_slug(draws)}.{OWN}any.example/"


def domains(draws: Draws, _: str) -> str:
    """Return any page of 50 domains that link to each other."""
    return f"http://www.{OWN}{draws.below(DOMAINS)}.example/{_slug(draws)}.html"


def any_domain(draws: Draws, _: str) -> str:
    """Return a page of a new domain."""
    return f"http://www.{OWN}{_slug(draws)}.example/{_slug(draws)}.html"


def calendar(draws: Draws, _: str) -> str:
    """Return a day of a calendar."""
    return f"http://www.{OWN}one.example/events?day={draws.below(4_000)}&view={draws.below(3)}"


def facets(draws: Draws, _: str) -> str:
    """Return a list with three of six filters."""
    filters = ("sort", "color", "size", "brand", "from", "page")
    chosen = [filters[i] for i in draws.sample(3, len(filters))]
    query = "&".join(f"{name}={draws.below(30)}" for name in chosen)
    return f"http://www.{OWN}one.example/list?{query}"


def session(draws: Draws, _: str) -> str:
    """Return one of 20 articles with a session id."""
    return f"http://www.{OWN}one.example/news/{draws.below(20)}.html?k={_slug(draws)}"


def growing(draws: Draws, source: str) -> str:
    """Return a page in a folder of the one before."""
    folder = source.rpartition("/")[0] if source else f"http://www.{OWN}one.example"
    name = draws.pick(("news", "list", "view", "more", "topic", "hot"))
    return f"{folder}/{name}{draws.below(9)}/{draws.below(40)}.html"


def search(draws: Draws, _: str) -> str:
    """Return a search for a word of the topic and another."""
    return f"http://www.{OWN}one.example/search?q={WORD}+{_slug(draws)}"


def searches(draws: Draws, source: str) -> str:
    """Return such a search on any of 50 domains."""
    return search(draws, source).replace(f"{OWN}one", f"{OWN}{draws.below(DOMAINS)}")


#: Stands for a word of the topic in an address.
WORD = "WORD"

ATTACKS = {
    "farm": Attack(one_host),
    "farm-echo": Attack(one_host, text="echo"),
    "farm-half": Attack(one_host, text="half"),
    "huge": Attack(one_host, links=20_000),
    "comments": Attack(one_host, comments=200, commented=0.3, only_relevant=True),
    "names": Attack(names),
    "any-name": Attack(any_name),
    "homes": Attack(homes),
    "domains": Attack(domains),
    "domains-echo": Attack(domains, text="echo"),
    "any-domain": Attack(any_domain),
    "any-domain-echo": Attack(any_domain, text="echo"),
    "calendar": Attack(calendar, text="few"),
    "facets": Attack(facets, text="few"),
    "session": Attack(session, text="few"),
    "growing": Attack(growing, text="echo"),
    "search": Attack(search, text="results"),
    "searches": Attack(searches, text="results"),
    "redirects": Attack(one_host, hops=3),
    "filed": Attack(one_host, filed=True),
    "filed-domains": Attack(domains, filed=True),
    "filed-any-domain": Attack(any_domain, filed=True),
    "filed-echo": Attack(one_host, text="echo", filed=True),
    "misnamed": Attack(one_host, comments=0, misnamed=0.5),
    "misfiled": Attack(one_host, comments=0, misfiled=0.03),
    "dead": Attack(one_host, dead=True),
    "dead-domains": Attack(any_domain, dead=True),
}  # fmt: skip


class LuredWeb:
    """A genuine web with comments that link to an attacker's pages, which are made when they are asked for."""

    def __init__(self, web: Web, topic: WebTopic, attack: Attack) -> None:
        self.name, self.language, self.topics = web.name, web.language, web.topics
        self._web, self._topic, self._attack = web, topic, attack
        self._seed = int(web.name.rpartition(":")[2])

    def __len__(self) -> int:
        """Number of genuine pages."""
        return len(self._web)

    def urls(self) -> Iterator[str]:
        """Return the genuine pages."""
        return self._web.urls()

    def close(self) -> None:
        """Close the genuine web."""
        self._web.close()

    def get(self, url: str) -> StoredPage | None:
        """Return a genuine page with its comments, or one of the attacker's."""
        if is_lure(url):
            return None if self._attack.dead else self._lure(url)
        page = self._web.get(url)
        if page is not None and self._misplaced(url):
            page = replace(page, body=self._filed(url) + page.body)
        return page and self._commented(page)

    def _misplaced(self, url: str) -> bool:
        site = registered_domain(urlsplit(url).hostname or "")
        off = _is_article(url) and url not in self._topic.relevant
        return Draws(self._seed, "site", site).chance(self._attack.misnamed) or (
            off and Draws(self._seed, "file", url).chance(self._attack.misfiled)
        )

    def _filed(self, url: str) -> bytes:
        """Return a breadcrumb and a menu that name a keyword as the channel of a page."""
        site = urlsplit(url)
        word = escape(Draws(self._seed, "channel", site.hostname or "").pick(self._topic.keywords))
        folder = f"{site.scheme}://{site.hostname}{site.path.rpartition('/')[0]}/"
        html = (
            f'<div class="nav"><a href="{escape(folder)}">{word}</a></div>'
            f'<div class="breadcrumb">首页 &gt; {word} &gt; 正文</div>'
        )
        return html.encode("ascii", "xmlcharrefreplace")  # Pages have different encodings.

    def _commented(self, page: StoredPage) -> StoredPage:
        attack, draws = self._attack, Draws(self._seed, "comments", page.url)
        wanted = page.url in self._topic.relevant or not attack.only_relevant
        if not (draws.chance(attack.commented) and _is_article(page.url) and wanted):
            return page
        return replace(page, body=page.body + self._links(draws, attack.comments, "").encode())

    def _links(self, draws: Draws, count: int, source: str) -> str:
        return f"<ul>{''.join(self._link(draws, source) for _ in range(count))}</ul>"

    def _link(self, draws: Draws, source: str) -> str:
        word = draws.pick(self._topic.keywords)
        url = self._attack.address(draws, source).replace(WORD, quote(word))
        return f'<li><a href="{escape(url)}">{escape(self._headline(word, draws))}</a></li>'

    def _headline(self, word: str, draws: Draws) -> str:
        title = story_title(self._seed, self._topic.name, f"{OWN}{draws.below(1 << 30)}")
        return f"{word}：{title}"

    def _lure(self, url: str) -> StoredPage:
        attack, draws = self._attack, Draws(self._seed, OWN, url)
        base, _, query = url.partition("?hop=")
        if (hop := int(query or 0)) < attack.hops:
            return StoredPage(url, b"", status=302, location=f"{base}?hop={hop + 1}")
        title, texts = self._text(url, draws)
        body = "".join(f"<p>{escape(text)}</p>" for text in texts)
        filed = self._filed(url).decode() if attack.filed else ""
        html = (
            f'<html><head><meta charset="utf-8"><title>{escape(title)}</title></head><body>{filed}'
            f"<h1>{escape(title)}</h1><div>{body}</div>{self._links(draws, attack.links, url)}"
            "</body></html>"
        )
        return StoredPage(url, html.encode(), "text/html; charset=utf-8")

    def _text(self, url: str, draws: Draws) -> tuple[str, Sequence[str]]:
        kind, word = self._attack.text, draws.pick(self._topic.keywords)
        if kind == "results":
            return f"“{word}”的搜索结果", (f"没有找到与“{word}”相关的内容。大家都在搜：",)
        key = f"{OWN} {draws.below(FEW)}" if kind == "few" else f"{OWN} {url}"
        on_topic = kind == "half" and draws.chance(0.5)
        story = compose(self._seed, self._topic.name if on_topic else "local", key)
        named = kind in ("echo", "few")
        return self._headline(word, draws) if named else story.title, story.paragraphs


def _is_article(url: str) -> bool:
    return url.endswith(".html") and "/list_" not in url


def is_lure(url: str) -> bool:
    """Return whether an address is the attacker's."""
    return registered_domain(urlsplit(url).hostname or "").startswith(OWN)


class CountedPages(StoredPages):
    """Stored pages that count the requests for the attacker's addresses."""

    asked = 0

    def get(self, url: str) -> Answer | None:
        """Return the answer to a request."""
        self.asked += is_lure(url)
        return super().get(url)


@dataclass(frozen=True, slots=True)
class Result:
    """Figures of one crawl."""

    share: float
    """Of the oracle's AUC on the genuine web."""
    right: int
    """Pages kept that are on the topic."""
    wrong: int
    """Other pages kept."""
    lured: float
    """Share of the fetched pages that are the attacker's."""
    asked: int
    """Requests for addresses of the attacker, with redirects and dead links."""
    seconds: float
    """Of processor time, with the analysis of pages that no earlier crawl of the same web has read."""


class GenuineWeb:
    """A web without attackers, and its link graph."""

    def __init__(self, name: str) -> None:
        self.web = open_web(name)
        self.pages = CountedPages(self.web)
        self._graph = build_graph(read_links(self.pages, list(self.web.urls())))

    def oracle(self, topic: WebTopic, seeds: Sequence[str], pages: int) -> float:
        """Return the oracle's AUC."""
        graph = self._graph
        relevant = np.array([url in topic.relevant for url in graph.urls], dtype=bool)
        return area(relevant[oracle_order(graph, graph.nodes(seeds), relevant, pages)], pages)


class Cell:
    """The crawls of one topic on a web, attacked or not; its pages are read once."""

    def __init__(
        self,
        genuine: GenuineWeb,
        topic: WebTopic,
        attack: Attack | None,
        strategies: Sequence[str],
        settings: dict[str, object],
    ) -> None:
        self._genuine, self._topic = genuine, topic
        self._plan = Plan(genuine.web.name, (), settings=settings)
        web = genuine.web if attack is None else LuredWeb(genuine.web, topic, attack)
        self._pages = genuine.pages if attack is None else CountedPages(web)
        seeds = next(iter(topic.seeds.values()))
        with tempfile.TemporaryDirectory() as root:
            defined = define_topic(Path(root), web, topic, seeds, "keywords")
        learned = Topic.learn(defined.definition)
        config = run_config(self._plan, Experiment(topic.name, "", strategies[0], 1))
        reader = crawl_reader(learned, list(map(make_strategy, strategies)), config)
        self._analyses = Analyses(self._pages, learned, reader=reader)

    def crawl(self, seeds: str, strategy: str, pages: int) -> Result:
        """Crawl once from a seed set of the topic."""
        experiment = Experiment(self._topic.name, seeds, strategy, pages)
        started, self._pages.asked = time.process_time(), 0
        urls = self._topic.seeds[seeds]
        run = simulate(self._analyses, urls, experiment, run_config(self._plan, experiment))
        seconds = time.process_time() - started
        return self._result(run, self._genuine.oracle(self._topic, urls, pages), seconds)

    def _result(self, run: Run, oracle: float, seconds: float) -> Result:
        urls = [fetch.url for fetch in run.fetches]
        found = hits(urls, self._topic.relevant)
        kept = np.array(run.checkpoints[-1].judgments.kept, dtype=bool)
        return Result(
            area(found, run.experiment.max_pages) / oracle,
            int((kept & found).sum()),
            int((kept & ~found).sum()),
            sum(map(is_lure, urls)) / max(1, len(urls)),
            self._pages.asked,
            seconds,
        )


def summary(results: Sequence[Result], alone: Sequence[Result]) -> str:
    """Return the means of *results*, and the difference to the same crawls without an attacker."""
    differences = [it.share - before.share for it, before in zip(results, alone, strict=True)]
    error = stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else 0.0
    return (
        f"share {mean(it.share for it in results):.3f} ({mean(differences):+.3f} ± {error:.3f}), "
        f"right {mean(it.right for it in results):.0f}, wrong {mean(it.wrong for it in results):.0f}, "
        f"lured {mean(it.lured for it in results):.2f}, asked {mean(it.asked for it in results):.0f}, "
        f"{mean(it.seconds for it in results):.1f} s"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures of each crawl, and their means for each attack."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lures", description=__doc__)
    parser.add_argument("webs", help="genuine webs, separated by commas")
    parser.add_argument("--attacks", default=",".join(ATTACKS))
    parser.add_argument("--topics", default="", help="default: all")
    parser.add_argument("--seeds", default="near,far")
    parser.add_argument("--strategies", default="adaptive")
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--meaning", action="store_true", help="compare meanings (default: no)")
    options = parser.parse_args(argv)
    strategies = options.strategies.split(",")
    attacks = {"none": None} | {name: ATTACKS[name] for name in options.attacks.split(",") if name}
    found: dict[tuple[str, str, str], list[Result]] = defaultdict(list)
    for name in options.webs.split(","):
        genuine = GenuineWeb(name)
        for topic in genuine.web.topics:
            if options.topics and topic.name not in options.topics.split(","):
                continue
            for attack in attacks:
                settings: dict[str, object] = {"TOPICCRAWL_MEANING": options.meaning}
                cell = Cell(genuine, topic, attacks[attack], strategies, settings)
                for seeds in options.seeds.split(","):
                    for strategy in strategies:
                        result = cell.crawl(seeds, strategy, options.pages)
                        found[strategy, seeds, attack].append(result)
                        print(name, topic.name, seeds, strategy, attack, result, flush=True)
    for (strategy, seeds, attack), results in found.items():
        alone = found[strategy, seeds, "none"]
        print(f"{strategy} {seeds} {attack}: {summary(results, alone)}")
    print(f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB at most")
    return 0


if __name__ == "__main__":
    sys.exit(main())
