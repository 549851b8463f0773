"""InfoSpiders (ARACHNID): a population of agents that live on what they find.

F. Menczer, R. Belew 2000 (see :mod:`topiccrawl.scoring.agents`): an agent chooses one of the links of
its page with probability ``e^{βλ} / Σ e^{βλ}``, pays *cost* for the page and gains by its relevance; at
the energy θ it divides, below 0 it dies.

Here one queue is shared by all agents.  ``score = β·λ - ln Σ e^{βλ} + ln energy + G`` with G Gumbel
noise drawn once for each link draws the links without replacement with probabilities in proportion to
energy·softmax (E. J. Gumbel 1954): agents take their turns in proportion to their energy, and the agent
that gives a link the highest score owns it.

Departures: an agent goes back to links it left behind; in the source it can only go on from its page.
The links of the dead come last instead of being lost.  Payoff is 1 for a relevant page, whoever came
there, else 0, where the source has the match with the agent's own words.  No crossover.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.agents import (
    DISCOUNT,
    INPUTS,
    Agent,
    child,
    estimates,
    first_agent,
    learn,
    senses,
)
from topiccrawl.scoring.arrays import FloatArray, GrowingArray, IdArray, places_in
from topiccrawl.scoring.config import StrategyConfig
from topiccrawl.scoring.draws import link_draws
from topiccrawl.scoring.known import scores_at
from topiccrawl.scoring.strategy import LinkScores, PageView, Parts

DIVIDES_AT = 2.0
"""θ; a new agent has half of it, as in the source."""
GREED = 5.0
"""β: the best link of a page is e^5 times as likely as one that is estimated lower by 1 (a guess)."""
COST = 0.1
"""Of a page: an agent that finds nothing lives for ten pages (a guess)."""
_LEAST = 1e-6
"""Energy that the links of the dead are ordered by."""


class InfoSpidersStrategy:
    """Memory: about 200 bytes for each known link and 300 for each agent."""

    name = "infospiders"
    wants = frozenset({"features", "terms"})

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
        """x(l) as its owner saw it, INPUTS numbers for each link."""

    @property
    def population(self) -> int:
        """Agents alive."""
        return int((self._energy.view() > 0).sum())

    def score(self, page: PageView) -> LinkScores:
        """See :class:`~topiccrawl.scoring.strategy.Strategy`."""
        places = self._places(page.links.targets)
        number = self._at.get(page.id, -1)
        if number < 0:
            self._visit(page, places)
        else:  # a second report: neither energy nor a lesson in it
            draws, _ = link_draws(self._config.run_seed, page.id, page.links.targets)
            self._offer(number, senses(self._agents[number], page), draws, places)
        return self._scores(places)

    def rank(self) -> Iterator[None]:
        """Nothing to compute; a round tells the queue what became of the agents."""
        return iter(())

    def rescore(self, ids: IdArray) -> tuple[FloatArray, Parts]:
        """See :class:`~topiccrawl.scoring.strategy.Strategy`."""
        return scores_at(places_in(self._index, ids), self._scores)

    def _visit(self, page: PageView, places: IdArray) -> None:
        came = self._index.get(page.id, -1)
        number = int(self._owner.view()[came]) if came >= 0 else -1
        if number < 0:  # a seed: no link, or only one of its own, leads there
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
        self._offer(number, x, draws[0], places)
        if born >= 0:
            self._offer(born, senses(self._agents[born], page), draws[1], places)

    def _add(self, agent: Agent, energy: float) -> int:
        self._agents.append(agent)
        self._energy.extend(np.array([energy]))
        return len(self._agents) - 1

    def _offer(self, number: int, x: FloatArray, draws: FloatArray, places: IdArray) -> None:
        """Give *number* the links that it scores higher than their owners do now."""
        if not len(places):
            return
        estimate = estimates(self._agents[number], x)
        wish = GREED * estimate
        noise = -np.log(-np.log(np.clip(draws, 2.0**-54, 1 - 2.0**-53)))
        choice = wish - np.log(np.exp(wish).sum()) + noise
        better = choice + self._log_energy(np.int32(number)) > self._now(places)
        chosen = places[better]
        self._choice.view()[chosen] = choice[better]
        self._estimate.view()[chosen] = estimate[better]
        self._owner.view()[chosen] = number
        self._senses.view().reshape(-1, INPUTS)[chosen] = x[better]

    def _places(self, targets: IdArray) -> IdArray:
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

    def _now(self, places: IdArray) -> FloatArray:
        owner = self._owner.view()[places]
        owned = owner >= 0
        now = np.full(len(places), -np.inf)
        now[owned] = self._choice.view()[places[owned]] + self._log_energy(owner[owned])
        return now

    def _scores(self, places: IdArray) -> LinkScores:
        owner = self._owner.view()[places]
        parts = {
            "estimate": self._estimate.view()[places],
            "energy": self._energy.view()[owner],
        }
        return LinkScores(self._now(places), parts)
