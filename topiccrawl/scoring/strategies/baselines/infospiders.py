"""InfoSpiders (ARACHNID): a population of agents that live on the pages they find.

In the source an agent chooses one of the links of its page with probability ``e^{βλ} / Σ e^{βλ}``, pays
a cost for the page and gains energy if it is relevant.  At the energy θ it divides, below 0 it dies.

Here all agents share one queue.  ``score = β·λ - ln Σ e^{βλ} + ln energy + G``, with Gumbel noise G drawn
once per link, draws links without replacement with probabilities proportional to energy·softmax (E. J.
Gumbel 1954).  Agents take their turns in proportion to their energy, and a link belongs to the agent
that gives it the highest score.

Departures from the source: an agent may return to links it left behind, while in the source it can only
go on from its page.  The links of dead agents come last instead of being lost.  The payoff is 1 for a
relevant page, whichever agent came there, else 0, while the source uses the match with the agent's own
words.  There is no crossover.

References
----------
F. Menczer, R. Belew 2000, see :mod:`topiccrawl.scoring.strategies.baselines.agents`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import FloatArray, GrowingArray, IdArray, lookup
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.draws import link_draws
from topiccrawl.scoring.known import scores_at
from topiccrawl.scoring.strategies.baselines.agents import (
    DISCOUNT,
    INPUTS,
    Agent,
    child,
    estimates,
    first_agent,
    learn,
    senses,
)
from topiccrawl.scoring.strategy import LinkScores, PageView, Parts, Strategy

#: θ; a new agent has half of it, as in the source.
DIVIDES_AT = 2.0
#: β: the best link of a page is e^5 times as likely as one that is estimated lower by 1 (a guess).
GREED = 5.0
#: Cost of a page: an agent that finds nothing lives for ten pages (a guess).
COST = 0.1
#: Energy that the links of dead agents are ordered by.
_LEAST = 1e-6


class InfoSpidersStrategy(Strategy):
    """Order links by the choices of a population of agents.

    Notes
    -----
    Memory: about 200 bytes per known link and 300 per agent.
    """

    name = "infospiders"
    wants = frozenset({"features", "terms"})
    draws = True

    def __init__(self, config: StrategyConfig) -> None:
        self._config = config
        self._agents: list[Agent] = []
        self._energy = GrowingArray(np.float64)
        self._at: dict[int, int] = {}
        """The agent that came to each fetched page."""
        self._index: dict[int, int] = {}
        self._choice = GrowingArray(np.float64, fill=-np.inf)
        """β·λ - ln Σ e^{βλ} + G by its owner."""
        self._estimate = GrowingArray(np.float64)
        self._owner = GrowingArray(np.int32, fill=-1)
        self._senses = GrowingArray(np.float32)
        """x(l) as its owner saw it, INPUTS numbers per link."""

    @property
    def population(self) -> int:
        """Number of living agents."""
        return int((self._energy.view() > 0).sum())

    def score(self, page: PageView) -> LinkScores:
        rows = self._rows(page.links.targets)
        number = self._at.get(page.id, -1)
        if number < 0:
            self._visit(page, rows)
        else:  # a page that was fetched again: no energy and nothing to learn
            draws, _ = link_draws(self._config.run_seed, page.id, page.links.targets)
            self._offer(number, senses(self._agents[number], page), draws, rows)
        return self._scores(rows)

    def rank(self) -> Iterator[None]:
        """Compute nothing; a round lets the queue follow the energy of the agents."""
        return iter(())

    def rescore(self, ids: IdArray) -> tuple[FloatArray, Parts]:
        return scores_at(lookup(self._index, ids), self._scores)

    def _visit(self, page: PageView, rows: IdArray) -> None:
        came = self._index.get(page.id, -1)
        number = int(self._owner.view()[came]) if came >= 0 else -1
        if number < 0:  # a seed: no agent owns a link to it
            came, number = -1, self._add(first_agent(), DIVIDES_AT / 2)
        self._at[page.id] = number
        agent, energy = self._agents[number], self._energy.view()
        x = senses(agent, page)
        payoff = float(page.relevant)
        if came >= 0:
            best = float(estimates(agent, x).max(initial=0.0))
            start = came * INPUTS
            seen = self._senses.view()[start : start + INPUTS].astype(np.float64)
            learn(agent, seen, payoff + DISCOUNT * best)
        energy[number] += payoff - COST
        draws = link_draws(self._config.run_seed, page.id, page.links.targets)
        born = -1
        if energy[number] >= DIVIDES_AT:
            energy[number] /= 2
            born = self._add(child(agent, page, self._config.run_seed), float(energy[number]))
        self._offer(number, x, draws[0], rows)
        if born >= 0:
            self._offer(born, senses(self._agents[born], page), draws[1], rows)

    def _add(self, agent: Agent, energy: float) -> int:
        self._agents.append(agent)
        self._energy.extend(np.array([energy]))
        return len(self._agents) - 1

    def _offer(self, number: int, x: FloatArray, draws: FloatArray, rows: IdArray) -> None:
        """Give agent *number* the links that it scores higher than their owners do."""
        if not len(rows):
            return
        estimate = estimates(self._agents[number], x)
        wish = GREED * estimate
        noise = -np.log(-np.log(np.clip(draws, 2.0**-54, 1 - 2.0**-53)))
        choice = wish - np.log(np.exp(wish).sum()) + noise
        better = choice + self._log_energy(np.int32(number)) > self._now(rows)
        chosen = rows[better]
        self._choice.view()[chosen] = choice[better]
        self._estimate.view()[chosen] = estimate[better]
        self._owner.view()[chosen] = number
        self._senses.view().reshape(-1, INPUTS)[chosen] = x[better]

    def _rows(self, targets: IdArray) -> IdArray:
        index = self._index
        found = [index.setdefault(i, len(index)) for i in targets.tolist()]
        for column in (self._choice, self._estimate):
            column.resize(len(index))
        self._owner.resize(len(index))
        self._senses.resize(len(index) * INPUTS)
        return np.array(found, dtype=np.int64)

    def _log_energy(self, agents: NDArray[np.int32] | np.int32) -> FloatArray:
        energy = np.asarray(self._energy.view()[agents])
        return np.asarray(np.log(np.maximum(_LEAST, energy)))

    def _now(self, rows: IdArray) -> FloatArray:
        owner = self._owner.view()[rows]
        owned = owner >= 0
        now = np.full(len(rows), -np.inf)
        now[owned] = self._choice.view()[rows[owned]] + self._log_energy(owner[owned])
        return now

    def _scores(self, rows: IdArray) -> LinkScores:
        owner = self._owner.view()[rows]
        parts = {
            "estimate": self._estimate.view()[rows],
            "energy": self._energy.view()[owner],
        }
        return LinkScores(self._now(rows), parts)
