"""What the records of runs, and their signs of life, show: failed runs and lost workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from topiccrawl.alerts.health import Facts
from topiccrawl.alerts.records import Alert, subject_key
from topiccrawl.alerts.rules import Check, HealthRule
from topiccrawl.endings import FAILED, KILLED

if TYPE_CHECKING:
    from topiccrawl.alerts.settings import AlertSettings
    from topiccrawl.store.records import RunRecord

#: Beginning of the keys of signs of life.
SIGN: Final = "run/"
#: Least silence that is suspicious (a guess: a machine under load stops for some seconds).
_LEAST_SILENCE: Final = timedelta(seconds=60)
#: How long a run without an end and without signs of life was observing (a guess).
_UNKNOWN: Final = timedelta(hours=1)


def sign_key(run: str) -> str:
    """Return the key of the sign of life of a run."""
    return f"{SIGN}{run}"


def health_alert(
    settings: AlertSettings,
    topic: str,
    run: str,
    check: Check,
    facts: Facts,
    at: datetime,
    episode: int = 1,
) -> Alert:
    """Return the warning of one episode of a problem of a run."""
    mine = [rule for rule in settings.rules_of(HealthRule, topic) if check in rule.checks]
    every = settings.channel_names
    channels = dict.fromkeys(name for rule in mine for name in (rule.channels or every))
    return Alert(
        key=subject_key("health", topic, run, check, str(episode)),
        kind="health",
        rules=tuple(rule.name for rule in mine),
        channels=tuple(channels),
        subject=run,
        at=at,
        facts={**facts, "check": check, "run": run},
    )


def run_alerts(
    settings: AlertSettings,
    topic: str,
    runs: Sequence[RunRecord],
    signs: Mapping[str, tuple[datetime, float]],
    since: datetime,
    now: datetime,
    own: str = "",
) -> list[Alert]:
    """Return the warnings of runs that have failed since *since*, and of workers that were lost.

    Parameters
    ----------
    settings : AlertSettings
        Rules and channels.
    topic : str
        Name of the topic.
    signs : mapping
        Last sign of life of a run, and the seconds after which there is another, by the run's id.
    since, now : datetime
        Ends of the time that is looked at.
    own : str
        The run that asks, which is alive.
    """
    wanted = {check for rule in settings.rules_of(HealthRule, topic) for check in rule.checks}
    alerts = []
    for run in runs:
        if run.id == own:
            continue
        sign = signs.get(run.id)
        ended = run.finished_at or (sign[0] if sign else run.started_at)
        if "run" in wanted and run.stop_reason in FAILED and ended >= since:
            facts: Facts = {"reason": run.stop_reason}
            alerts.append(health_alert(settings, topic, run.id, "run", facts, now))
        if "worker" in wanted and sign is not None and run.finished_at is None and ended >= since:
            silence = max(_LEAST_SILENCE, timedelta(seconds=sign[1]))
            if run.stop_reason == KILLED or now - sign[0] > silence:
                others = (now - at <= silence for id_, (at, _s) in signs.items() if id_ != run.id)
                facts = {"lost": 1, "workers": sum(others)}
                alerts.append(health_alert(settings, topic, run.id, "worker", facts, now))
    return alerts


def intervals(
    runs: Sequence[RunRecord], signs: Mapping[str, tuple[datetime, float]], now: datetime
) -> list[tuple[datetime, datetime]]:
    """Return beginning and end of each run, as far as is known."""
    found = []
    for run in runs:
        end = run.finished_at
        if end is None:
            sign = signs.get(run.id)
            end = sign[0] if sign is not None else min(now, run.started_at + _UNKNOWN)
        found.append((run.started_at, max(end, run.started_at)))
    return found
