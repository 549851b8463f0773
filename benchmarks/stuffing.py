"""Pages that are stuffed with a topic's words: how many are recognized, and how many real pages are taken for one.

    python -m benchmarks.stuffing                  # made pages; --real: all real pages, some minutes

Topics are those of the webs in ``--shared``, by their keywords, and the included ones.  Real pages are compared with
all topics, also with those that they are not about.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from benchmarks.notcontent.real import SHARED, real_pages
from benchmarks.notcontent.stuffed import ASIDE, CHOSEN, FLUENT, LAST, Maker, Words, stuffed_page
from topiccrawl.analysis.page import MIN_BODY_CHARS
from topiccrawl.analysis.stuffing import MISPLACED, MISPLACED_SHARE, NO_SENTENCES, stuffing
from topiccrawl.page.page import Page
from topiccrawl.text.prose import function_share, misplaced
from topiccrawl.topics.load import load_definition
from topiccrawl.topics.topic import Topic

#: Folder of the included topics.
SEEDS = Path("seeds")
#: Related words that the maker of a page has, and pages that they are taken from (choices).
RELATED, TEXTS = 30, 60


def web_topics(web: Path) -> Iterator[tuple[Topic, list[str]]]:
    """Yield the topics of a stored web, by their keywords, and the URLs of their pages."""
    stated = json.loads((web / "topics.json").read_text("utf-8"))
    for it in stated["topics"]:
        with tempfile.TemporaryDirectory() as root:
            folder = Path(root) / f"{web.name}-{it['name']}"
            folder.mkdir()
            lines = [
                f"{json.dumps(word, ensure_ascii=False)} = 1.0"
                for word in dict.fromkeys(it["keywords"])
            ]
            head = f'name = "{folder.name}"\nlanguage = "{stated["lang"]}"\n[keywords.core]\n'
            (folder / "topic.toml").write_text(head + "\n".join(lines), "utf-8")
            topic = Topic.learn(load_definition(folder))
        urls = (web / "relevant" / f"{it['name']}.txt").read_text("utf-8").split()
        yield topic, urls


def words_of(topic: Topic, texts: Sequence[str], keywords: int = 0) -> Words:
    """Return what the maker of a page has of *topic*: its first *keywords* (0: all), and words of *texts*."""
    own = [it.term for it in topic.definition.keywords]
    counts = Counter(term for text in texts for term in set(topic.analyzer.terms(text)))
    related = [topic.surface(term) for term, _ in counts.most_common(RELATED + len(own))]
    related = [word for word in related if word not in own][:RELATED]
    return Words(
        own[:keywords] if keywords else own, related, texts, topic.definition.language == "zh"
    )


def judged(topic: Topic, page: Page) -> bool | None:
    """Return whether a page is recognized; ``None`` if its words would not keep it anyway."""
    terms = topic.analyzer.terms(page.title) + topic.analyzer.terms(page.body)
    score = topic.relevance(terms).score
    if score < topic.threshold or len(page.body) < MIN_BODY_CHARS:
        return None
    return stuffing(topic, page.body, terms, score) is not None


def recall(topic: Topic, words: Words, make: Maker, each: int) -> Counter[str]:
    """Return how many of *each* made pages are relevant by their words, and recognized."""
    counts: Counter[str] = Counter()
    for number in range(each):
        body = stuffed_page(Random(f"{topic.name} {make.__name__} {number}"), words, make)
        found = judged(topic, Page(f"http://www.farm.example/{number}.html", body, "utf-8"))
        counts["relevant"] += found is not None
        counts["recognized"] += found is True
    return counts


def suspicious(page: Page) -> bool:
    """Return whether a page may be taken for a stuffed one on any topic."""
    if len(page.body) < MIN_BODY_CHARS:
        return False
    if function_share(page.body) < NO_SENTENCES:
        return True
    wrong, found = misplaced(page.body)
    return wrong >= max(MISPLACED, MISPLACED_SHARE * found)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the shares of made pages that are recognized, and the real ones."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stuffing", description=__doc__)
    parser.add_argument("--shared", type=Path, default=SHARED, help="folder of real pages")
    parser.add_argument("--each", type=int, default=4, help="made pages of each topic and maker")
    parser.add_argument("--real", action="store_true", help="all real pages")
    options = parser.parse_args(argv)
    wanted: dict[str, list[Topic]] = {}
    topics: list[tuple[str, Topic, int]] = []
    for name in ("zhdocs", "wikispeedia"):
        for topic, urls in web_topics(options.shared / "webs" / name):
            topics.append((name, topic, 0))
            for url in urls[:TEXTS]:
                wanted.setdefault(url, []).append(topic)
    included = [
        Topic.learn(load_definition(it.parent)) for it in sorted(SEEDS.glob("*/topic.toml"))
    ]
    topics += [("included, all words", it, 0) for it in included]
    topics += [("included, 12 words", it, 12) for it in included]
    texts = {it.name: [sample.text for sample in it.definition.samples] for it in included}
    counts, wrong = Counter[str](), []
    distinct = list({topic.name: topic for _, topic, _ in topics}.values())
    for real in real_pages(options.shared):
        if not options.real and real.url not in wanted:
            continue
        page = Page(real.url, real.body, real.charset, real.content_type)
        for topic in wanted.get(real.url, ()):
            if len(page.body) > 400:
                texts.setdefault(topic.name, []).append(page.body)
        counts[real.source] += 1
        counts["with a body"] += len(page.body) >= MIN_BODY_CHARS
        if suspicious(page):
            counts["looked at"] += 1
            wrong += [(topic.name, real.url) for topic in distinct if judged(topic, page)]
    print(f"real pages {dict(counts)}, taken for stuffed: {len(wrong)} {wrong}")
    for kind, makers in (("chosen", CHOSEN), ("aside", ASIDE), ("last", LAST), ("fluent", FLUENT)):
        for maker, make in makers.items():
            shares = []
            for group in dict.fromkeys(group for group, _, _ in topics):
                total: Counter[str] = Counter()
                for of, topic, keywords in topics:
                    if of == group and len(texts.get(topic.name, ())) >= 8:
                        total += recall(
                            topic, words_of(topic, texts[topic.name], keywords), make, options.each
                        )
                shares.append(f"{group} {total['recognized']} of {total['relevant']}")
            print(f"{kind} {maker}: {', '.join(shares)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
