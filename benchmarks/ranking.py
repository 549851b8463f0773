"""Time of IPageRank over a large link graph: a full recomputation and its longest single step.

``python benchmarks/ranking.py [--pages 100000] [--links 40] [--nodes 1000000] [--rounds 7]``

The graph is random with popular targets (a square law).  A round computes the scores of all nodes from the
graph's arrays: five iterations over the fetched pages and one evaluation for the queued links.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

import numpy as np

from topiccrawl.scoring.graph import LinkGraph
from topiccrawl.scoring.ipagerank import ITERATIONS, ipagerank_steps


def build(pages: int, links: int, nodes: int) -> LinkGraph:
    rng = np.random.default_rng(20021)
    ids = rng.permutation(nodes).astype(np.int64) * 7_919 - 2**40
    relevance = rng.random(pages)
    graph = LinkGraph()
    for page in range(pages):
        targets = ids[(nodes * rng.random(links) ** 2).astype(np.int64)]
        graph.add_page(int(ids[page]), float(relevance[page]), targets, rng.random(links))
    return graph


def measure(graph: LinkGraph) -> tuple[float, float, float, float]:
    """Return the milliseconds of one recomputation and of its longest step, wall and processor time.

    On a busy machine, an interruption lengthens a step in wall time only.
    """
    wall = [time.perf_counter()]
    processor = [time.process_time()]
    for _ in ipagerank_steps(graph):
        wall.append(time.perf_counter())
        processor.append(time.process_time())
    wall.append(time.perf_counter())
    processor.append(time.process_time())
    return (
        (wall[-1] - wall[0]) * 1e3,
        (processor[-1] - processor[0]) * 1e3,
        float(np.diff(wall).max()) * 1e3,
        float(np.diff(processor).max()) * 1e3,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--links", type=int, default=40, help="links of each page")
    parser.add_argument("--nodes", type=int, help="distinct links; default: two graphs, 1x and 10x")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    for nodes in [options.nodes] if options.nodes else [options.pages, 10 * options.pages]:
        begin = time.perf_counter()
        graph = build(options.pages, options.links, nodes)
        built = time.perf_counter() - begin
        totals, processor, steps, step_processor = zip(
            *(measure(graph) for _ in range(options.rounds)), strict=True
        )
        print(
            f"{graph.n_pages:,} pages, {graph.in_degree.sum():,} links, {graph.n_nodes:,} nodes, "
            f"built at {built / graph.n_pages * 1e6:.0f} µs/page"
        )
        print(
            f"  {ITERATIONS} iterations + queue: median {statistics.median(totals):.0f} ms, "
            f"max {max(totals):.0f} ms, processor median {statistics.median(processor):.0f} ms, "
            f"longest step {max(steps):.1f} ms, processor {max(step_processor):.1f} ms "
            f"({len(totals)} rounds)"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
