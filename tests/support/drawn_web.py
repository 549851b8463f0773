"""A tiny pure crawler over a web drawn as a dict: what order does a strategy fetch it in?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from topiccrawl.scoring.arrays import IdArray
from topiccrawl.scoring.strategy import LinkBatch, PageView, Strategy

SEED_SCORE = 1e18


def name_id(name: str) -> int:
    """A stable signed id per page name; negative ones occur, as they do for hashes."""
    value = int.from_bytes(name.encode("utf-8").ljust(8, b"\0")[:8], "big")
    return value - 2**63


def ids(*names: str) -> IdArray:
    """The ids of pages."""
    return np.array([name_id(name) for name in names], dtype=np.int64)


def finish(strategy: Strategy) -> None:
    """Run one ranking round."""
    for _ in strategy.rank():
        pass


@dataclass(frozen=True)
class DrawnLink:
    """A link with what its text and URL say about the topic."""

    to: str
    rel: float = 0.0
    url_hit: bool = False
    text_hit: bool = False
    title_hit: bool = False
    anchor: float = 0.0
    context: float = 0.0
    words: tuple[int, ...] = ()
    """Feature ids of the anchor's words."""
    semantic: tuple[float, float] = (math.nan, math.nan)
    """M_k of the anchor and of the URL."""


@dataclass
class DrawnWeb:
    """Pages by name: their links (names or DrawnLink), relevance and background."""

    links: Mapping[str, Sequence[str | DrawnLink]]
    relevance: Mapping[str, float] = field(default_factory=dict)
    background: Mapping[str, float] = field(default_factory=dict)
    terms: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Feature ids of each page's terms, all of one weight."""
    semantic: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """M_k of title and text."""

    def view(self, name: str, depth: int = 0, order: int = 1, inherited: float = 0.0) -> PageView:
        drawn = [k if isinstance(k, DrawnLink) else DrawnLink(k) for k in self.links.get(name, ())]
        relevance = self.relevance.get(name, 0.0)
        terms = np.array(self.terms.get(name, ()), dtype=np.int32)
        width = max((len(k.words) for k in drawn), default=0)
        words = [[*k.words, *[-1] * (width - len(k.words))] for k in drawn]
        return PageView(
            id=name_id(name),
            relevance=relevance,
            background=self.background.get(name, 0.0),
            relevant=relevance >= 0.5,
            depth=depth,
            order=order,
            inherited=inherited,
            term_ids=terms,
            term_weights=np.full(len(terms), 1 / math.sqrt(len(terms) or 1)),
            semantic=np.array(self.semantic.get(name, ())),
            links=LinkBatch(
                targets=np.array([name_id(k.to) for k in drawn], dtype=np.int64),
                rw_relevance=np.array([k.rel for k in drawn], dtype=np.float64),
                url_hit=np.array([k.url_hit for k in drawn], dtype=bool),
                text_hit=np.array([k.text_hit for k in drawn], dtype=bool),
                title_hit=np.array([k.title_hit for k in drawn], dtype=bool),
                anchor_similarity=np.array([k.anchor for k in drawn], dtype=np.float64),
                context_similarity=np.array([k.context for k in drawn], dtype=np.float64),
                features=np.array(words, dtype=np.int32).reshape(len(drawn), width),
                semantic=np.array([k.semantic for k in drawn]).reshape(len(drawn), 2),
            ),
        )


def crawl_order(
    web: DrawnWeb, strategy: Strategy, seeds: Sequence[str], rank_every: int = 1000
) -> str:
    """Fetch everything reachable, highest score first, ties first-come; the names joined by spaces."""
    score = dict.fromkeys(seeds, SEED_SCORE)
    queued_at = {name: i for i, name in enumerate(seeds)}
    depth = dict.fromkeys(seeds, 0)
    inherited = dict.fromkeys(seeds, 0.0)
    names = {name_id(name): name for name in seeds}
    fetched: list[str] = []
    while score:
        best = min(score, key=lambda n: (-score[n], queued_at[n]))
        del score[best]
        fetched.append(best)
        view = web.view(best, depth[best], len(fetched), inherited[best])
        for link in web.links.get(best, ()):
            to = link if isinstance(link, str) else link.to
            names[name_id(to)] = to
        answer = strategy.score(view)
        for i, target in enumerate(view.links.targets.tolist()):
            name = names[target]
            if name in fetched:
                continue
            queued_at.setdefault(name, len(queued_at))
            depth.setdefault(name, depth[best] + 1)
            if name not in score or answer.score[i] > score[name]:
                score[name] = float(answer.score[i])
                inherited[name] = (
                    float(answer.parts["inherited"][i])
                    if answer.parts.get("inherited") is not None
                    else 0.0
                )
        if len(fetched) % rank_every == 0:
            for _ in strategy.rank():
                pass
            queue = sorted(score)
            fresh, _ = strategy.rescore(np.array([name_id(n) for n in queue], dtype=np.int64))
            for name, value in zip(queue, fresh.tolist(), strict=True):
                if np.isfinite(value):
                    score[name] = value
    return " ".join(fetched)


#: Two pages with two links each, of which one is named by the topic; one page is relevant.
FAMILY = DrawnWeb(
    {
        "s": ["good", "bad"],
        "good": [DrawnLink("g-named", rel=0.9), "g-plain"],
        "bad": [DrawnLink("b-named", rel=0.9), "b-plain"],
    },
    relevance={"s": 0.5, "good": 0.8, "bad": 0.05},
    background={"s": 0.5, "good": 0.8, "bad": 0.0},
)
