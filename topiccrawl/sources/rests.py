"""How long each engine is left alone after an answer that was none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from topiccrawl.backoff import exponential_delay
from topiccrawl.sources.results import Asked, Verdict

__all__ = ["EngineRests"]

#: Growth of the rest from one refusal to the next (a guess: a minute, 4, 16 minutes, an hour …).
_FACTOR: Final = 4.0
#: Longest rest in seconds: SearXNG suspends an engine with a captcha for a day.
_LONGEST: Final = 86_400.0
#: Refusals in a row, beyond a block, count as one step from the second on: an empty or garbled answer may be
#: an accident.
_ACCIDENTS: Final = frozenset({Verdict.EMPTY, Verdict.GARBLED, Verdict.FAILED})


@dataclass
class _State:
    blocks: int = 0
    accidents: int = 0
    until: float = 0.0
    reason: str = ""


@dataclass
class EngineRests:
    """Until when each engine rests; rests grow with refusals in a row and end with a good answer."""

    base: float
    """Seconds of the first rest."""
    _states: dict[str, _State] = field(default_factory=dict)

    def add(self, asked: Asked, interval: float) -> float:
        """Count an answer; return the seconds that the engine rests, 0 if it does not."""
        state = self._states.setdefault(asked.engine, _State())
        verdict = asked.answer.verdict
        if not verdict.rests:
            self._states[asked.engine] = _State(until=asked.at + interval)
            return 0.0
        state.reason = asked.answer.detail or str(verdict)
        if verdict in _ACCIDENTS:
            state.accidents += 1
            steps = state.accidents - 1
        else:
            state.blocks += 1
            steps = state.blocks
        rest = (
            exponential_delay(steps, base=self.base, factor=_FACTOR, cap=_LONGEST) if steps else 0.0
        )
        rest = max(rest, min(asked.answer.retry_after, _LONGEST))
        state.until = max(state.until, asked.at + max(rest, interval))
        return rest

    def until(self, engine: str) -> float:
        """Return when the engine may be asked again; 0 for one that was not asked."""
        state = self._states.get(engine)
        return 0.0 if state is None else state.until

    def reason(self, engine: str) -> str:
        """Return the last reason why the engine rests; empty after a good answer."""
        state = self._states.get(engine)
        return "" if state is None else state.reason
