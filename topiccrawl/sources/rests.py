"""How long each engine is left alone after an answer that was none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from topiccrawl.backoff import exponential_delay
from topiccrawl.sources.results import Asked, Verdict

#: Growth of the rest from one refusal to the next (a guess: a minute, 4, 16 minutes, an hour …).
_FACTOR: Final = 4.0
#: Longest rest in seconds: SearXNG suspends an engine with a captcha for a day.
LONGEST_REST_SECONDS: Final = 86_400.0
#: Refusals in a row, beyond a block, count as one step from the second on: an empty or garbled answer may be
#: an accident.
_ACCIDENTS: Final = frozenset({Verdict.EMPTY, Verdict.GARBLED, Verdict.FAILED})


class RestState(NamedTuple):
    """Refusals in a row of one engine, and until when it is left alone."""

    blocks: int = 0
    accidents: int = 0
    until: float = 0.0
    reason: str = ""
    """Why it rests; empty after a good answer."""


@dataclass
class EngineRests:
    """Until when each engine rests; rests grow with refusals in a row and end with a good answer."""

    base: float
    """Seconds of the first rest."""
    _states: dict[str, RestState] = field(default_factory=dict)

    def add(self, asked: Asked, interval: float) -> float:
        """Count an answer; return the seconds that the engine rests, 0 if it does not."""
        blocks, accidents, until, _reason = self.state(asked.engine)
        verdict = asked.answer.verdict
        if not verdict.rests:
            self._states[asked.engine] = RestState(until=asked.at + interval)
            return 0.0
        if verdict in _ACCIDENTS:
            accidents += 1
            steps = accidents - 1
        else:
            blocks += 1
            steps = blocks
        rest = (
            exponential_delay(steps, base=self.base, factor=_FACTOR, cap=LONGEST_REST_SECONDS)
            if steps
            else 0.0
        )
        rest = max(rest, min(asked.answer.retry_after, LONGEST_REST_SECONDS))
        until = max(until, asked.at + max(rest, interval))
        reason = asked.answer.detail or str(verdict)
        self._states[asked.engine] = RestState(blocks, accidents, until, reason)
        return rest

    def state(self, engine: str) -> RestState:
        """Return what is known of *engine*."""
        return self._states.get(engine, RestState())

    def merge(self, engine: str, state: RestState) -> None:
        """Take over the rest of *engine* that other crawls have recorded, if it ends later."""
        if state.until > self.until(engine):
            self._states[engine] = state

    def end(self, engine: str) -> None:
        """Let *engine* be asked at once, as one that never rested."""
        self._states.pop(engine, None)

    def until(self, engine: str) -> float:
        """Return when the engine may be asked again; 0 for one that was not asked."""
        return self.state(engine).until

    def reason(self, engine: str) -> str:
        """Return the last reason why the engine rests; empty after a good answer."""
        return self.state(engine).reason
