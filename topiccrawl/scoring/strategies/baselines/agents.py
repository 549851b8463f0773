"""The agents of InfoSpiders: their inputs, their learning and their reproduction.

An agent estimates a link by a neural net without hidden layer::

    λ(l) = tanh(w·x(l))

and learns from the page D behind it, as in Q-learning::

    w += η·(1 - λ²)·x·(e(D) + μ·max λ(links of D) - λ)

References
----------
F. Menczer, R. Belew, "Adaptive retrieval agents: internalizing local context and scaling up to the Web",
Machine Learning 39, 2000.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topiccrawl.scoring.arrays import FeatureIdArray, FloatArray
from topiccrawl.scoring.strategy import PageView

#: Inputs that all agents have: 1, relevance of the page, R of the link, its three hits, the cosines of
#: anchor and context.  They are the match with the topic's words, which the source senses word by word.
EVIDENCE = 8
#: Words of its own that an agent may have in addition (a guess).
KEYWORDS = 8
INPUTS = EVIDENCE + KEYWORDS
#: First weight of every input but the constant, which has 0 (a guess: the source starts at random).
FIRST_WEIGHT = 0.5
#: η and μ (guesses).
LEARNING_RATE, DISCOUNT = 0.1, 0.5
#: Standard deviation of the noise on a child's weights (a guess).
MUTATION = 0.1
#: Neither a feature id nor the -1 that fills up a row of features.
NO_KEYWORD = -2


@dataclass(slots=True)
class Agent:
    """Weights and words of an agent; the strategy keeps its energy."""

    weights: FloatArray
    """w, shape (INPUTS,)."""
    keywords: FeatureIdArray
    """Feature ids of its words, shape (KEYWORDS,), NO_KEYWORD for none."""


def first_agent() -> Agent:
    """Return an agent that looks for the topic and has no words besides the topic's."""
    weights = np.zeros(INPUTS)
    weights[1:EVIDENCE] = FIRST_WEIGHT
    return Agent(weights, np.full(KEYWORDS, NO_KEYWORD, dtype=np.int32))


def senses(agent: Agent, page: PageView) -> FloatArray:
    """Return x(l) of the links of *page*, shape (n, INPUTS): evidence and the agent's own words."""
    links = page.links
    x = np.zeros((len(links), INPUTS))
    x[:, 0] = 1.0
    x[:, 1] = page.relevance
    columns = (
        links.rw_relevance, links.url_hit, links.text_hit, links.title_hit,
        links.anchor_similarity, links.context_similarity,
    )  # fmt: skip
    for i, column in enumerate(columns, start=2):
        x[:, i] = column
    for i, keyword in enumerate(agent.keywords.tolist(), start=EVIDENCE):
        if keyword != NO_KEYWORD:
            x[:, i] = (links.features == keyword).any(axis=1)
    return x


def estimates(agent: Agent, x: FloatArray) -> FloatArray:
    """Return λ of links with inputs *x*, shape (n,), in (-1, 1)."""
    return np.tanh(x @ agent.weights)


def learn(agent: Agent, x: FloatArray, reward: float) -> None:
    """Move the estimate of the link with inputs *x*, shape (INPUTS,), toward *reward*."""
    estimate = float(np.tanh(x @ agent.weights))
    agent.weights += LEARNING_RATE * (1 - estimate**2) * (reward - estimate) * x


def child(agent: Agent, page: PageView, seed: int) -> Agent:
    """Return a mutated copy of *agent* with the heaviest word of *page* that *agent* lacks.

    The word replaces the one whose weight is nearest to 0.  *seed* determines the noise.
    """
    noise = np.random.default_rng([seed % 2**64, page.id % 2**64]).normal(0, MUTATION, INPUTS)
    born = Agent(agent.weights + noise, agent.keywords.copy())
    new = ~np.isin(page.term_ids, agent.keywords)
    if new.any():
        word = page.term_ids[new][np.argmax(page.term_weights[new])]
        unused = born.keywords == NO_KEYWORD
        worth = np.where(unused, -1.0, np.abs(born.weights[EVIDENCE:]))
        position = int(np.argmin(worth))
        born.keywords[position] = word
        born.weights[EVIDENCE + position] = FIRST_WEIGHT
    return born
