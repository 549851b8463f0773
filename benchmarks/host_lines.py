"""Lines that are left out of bodies because their host repeats them: how many, and which.

    python -m benchmarks.host_lines WEB [--order folders|chance] [--show 30] [--least 10]

WEB is an argument of ``scrapy evaluate`` (docs/webs.md). Every page is read with the lines that its host is known
to repeat by then, as in a crawl at one request at a time: in the order of the addresses, which is the worst
(neighbors are alike), or by chance. Printed are the hosts with their pages and lines, and a sample of the lines
with the number of pages that lost them: a reader decides whether they are the template's.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict

from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.page.body.host_learning import HostLines
from topiccrawl.page.page import Page
from topiccrawl.urls.hosts import host_of


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("web")
    parser.add_argument("--order", choices=("folders", "chance"), default="folders")
    parser.add_argument("--show", type=int, default=30)
    parser.add_argument("--least", type=int, default=10, help="pages of a host that is printed")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    web = open_web(options.web)
    urls = sorted(web.urls())
    if options.order == "chance":
        draw.shuffle(urls)
    known = HostLines()
    pages: Counter[str] = Counter()
    shorter: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for url in urls:
        stored = web.get(url)
        if stored is None or stored.status != 200:
            continue
        page = Page(url, stored.body, content_type=stored.content_type, host_lines=known.of(url))
        if not page.looks_like_html or not page.whole_extraction.body:
            continue
        host = host_of(url)
        whole = Counter(page.whole_extraction.body.split("\n"))
        pages[host] += 1
        lines[host] += whole.total()
        if page.lines_left_out:
            shorter[host] += 1
            found[host].update(whole - Counter(page.body.split("\n")))
        known.learn(url, url, page.edge_lines)
    print(f"{'host':40} {'pages':>6} {'shorter':>8} {'lines':>7} {'left out':>8}")
    for host, number in pages.most_common():
        if number >= options.least:
            left_out = found[host].total()
            print(f"{host:40} {number:6} {shorter[host]:8} {lines[host]:7} {left_out:8}")
    every = [(host, line, n) for host, its in found.items() for line, n in its.items()]
    print(
        f"\n{sum(n for *_, n in every)} lines left out of {lines.total()}; {len(every)} of them different\n"
    )
    for host, line, number in sorted(draw.sample(every, min(options.show, len(every)))):
        print(f"{number:4}  {host}  {line[:120]}")


if __name__ == "__main__":
    main()
