"""Planted events: are stories of one event clustered together, and those of others apart.

    python -m benchmarks.events [--seeds 11,12,13,14] [--half 0 --fit]

An event is an article; its stories are different parts of its text under different titles, over some
days.  Beside them: single stories, and stories of the demonstration web, which share templates but not
events.  ``--fit`` prints the figures of a grid of thresholds: choose them on one half of the articles and report
the other half, ``--half 1``.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
import statistics
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from sklearn.metrics import adjusted_rand_score

from benchmarks.extraction_pages import DATA
from benchmarks.reposts import texts
from topiccrawl.demo.text import compose
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.stories import events
from topiccrawl.stories.events import EventStory, cluster_events


def stream(
    seed: int, count: int, data: Path, half: int | None = None
) -> tuple[list[EventStory], list[int]]:
    """Return stories and the number of the event of each."""
    draw = random.Random(seed)
    start = datetime(2026, 3, 1, tzinfo=CHINA_TIME)
    stories, truth = [], []
    for event, (title, paragraphs) in enumerate(texts(seed, count, data, half)):
        sentences = re.findall(r"[^。！？\n]+[。！？]?", "\n".join(paragraphs))
        at = start + timedelta(hours=draw.randrange(24 * 60))
        for part in range(1 + int(draw.expovariate(0.4))):
            some = [it for it in sentences if draw.random() < 0.35][:12] or sentences[:3]
            draw.shuffle(some)
            head = (
                title if part == 0 else max(draw.sample(sentences, min(3, len(sentences))), key=len)
            )
            at += timedelta(hours=draw.randrange(48))
            stories.append(
                EventStory(id=f"{event:04}-{part}", title=head[:30], body="".join(some), at=at)
            )
            truth.append(event)
    for number in range(count):
        story = compose(seed, "qiaoqing", f"event-{number}")
        at = start + timedelta(hours=draw.randrange(24 * 60))
        stories.append(EventStory(id=f"demo-{number}", title=story.title, body=story.text, at=at))
        truth.append(count + number)
    return stories, truth


def b_cubed(truth: Sequence[int], found: Sequence[int]) -> float:
    """Return the B-cubed F1 of a clustering."""
    sizes, groups, both = Counter(truth), Counter(found), Counter(zip(truth, found, strict=True))
    pairs = list(zip(truth, found, strict=True))
    precision = statistics.mean(both[pair] / groups[pair[1]] for pair in pairs)
    recall = statistics.mean(both[pair] / sizes[pair[0]] for pair in pairs)
    return 2 * precision * recall / (precision + recall)


def measure(
    stories: Sequence[EventStory], truth: Sequence[int], join: float, merge: float
) -> tuple[float, float]:
    """Return the B-cubed F1 and the adjusted Rand index of one stream."""
    number = {
        story: event.number
        for event in cluster_events(stories, join=join, merge=merge)
        for story in event.stories
    }
    found = [number[story.id] for story in stories]
    return b_cubed(truth, found), float(adjusted_rand_score(truth, found))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures by seed, or those of a grid of thresholds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="11,12,13,14")
    parser.add_argument("--events", type=int, default=80)
    parser.add_argument("--half", type=int, choices=(0, 1), help="only every second real page")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--data", type=Path, default=DATA / "dev", help="real pages, if any")
    options = parser.parse_args(arguments)
    streams = [
        stream(int(seed), options.events, options.data, options.half)
        for seed in options.seeds.split(",")
    ]
    grid = [(events.JOIN, events.MERGE)]
    if options.fit:
        grid = list(itertools.product((0.15, 0.2, 0.25, 0.3, 0.35), (0.2, 0.25, 0.35)))
    for join, merge in grid:
        rows = [measure(stories, truth, join, merge) for stories, truth in streams]
        means = [statistics.mean(values) for values in zip(*rows, strict=True)]
        print(f"join {join} merge {merge}: B-cubed F1 {means[0]:.3f}, adjusted Rand {means[1]:.3f}",
              " by seed", *(f"{row[0]:.3f}/{row[1]:.3f}" for row in rows), flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
