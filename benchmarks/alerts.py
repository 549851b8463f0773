"""Warnings of unusual volumes on histories that were not used while writing the rules.

    python -m benchmarks.alerts [--histories 40] [--days 180] [--seed 2026]

Nine processes of counts, each with its own rhythm and noise; none is one of those in
``tests/insight/test_volume.py``, with which the baseline was developed.  The first six showed that clusters of
pages need a term of their own; the last three, marked "left out", were drawn once, after that.

For each, with a 95 % interval over the histories:

- false alarms in 100 days of normal history (rises, with the default rule; a warning silences the rule for
  three days or 24 hours, as in the crawl);
- bursts seen within two intervals: two days, or hours, with a multiple of the mean, planted once in each
  history where the mean is at least five pages, after four weeks.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.insight.bursts.intervals import DAY, HOUR, Rhythm, VolumeTest, baseline, judge

Rng = np.random.Generator
Means = NDArray[np.float64]
Counts = NDArray[np.int64]
#: A process draws the means of a history, and the counts of given means.
Process = tuple[Callable[[Rng, int, Rhythm], Means], Callable[[Rng, Means], Counts]]

#: Sizes of planted bursts, in multiples of the mean.
BURSTS: Final = (3, 5, 8)


def _rhythm(rng: Rng, n: int, rhythm: Rhythm, low: float, high: float) -> Means:
    level = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    rows = rhythm.phases(0, n)
    days = np.clip(rng.normal(1, 0.2, 7), 0.2, 2)
    days[2:4] *= rng.uniform(0.1, 0.9)  # the weekend: number 0 is a Thursday
    mean: Means = level * days[rows[-1]]
    if rhythm is HOUR:
        clock = np.full(24, 0.15)
        clock[7:23] = 1.0
        clock[[8, 9, 16, 17]] += rng.uniform(0.5, 1.5)
        clock[[12, 13]] -= 0.5
        mean = mean * (clock / clock.sum())[rows[0]] * 4
    return mean


def _office(rng: Rng, n: int, rhythm: Rhythm) -> Means:
    """An office that publishes on weekdays and has a week of holidays."""
    mean = _rhythm(rng, n, rhythm, 5, 60)
    day = np.arange(n) * rhythm.seconds // 86_400
    mean[np.isin(day % 7, (2, 3))] *= 0.05
    start = int(rng.integers(40, max(41, day[-1] - 20)))
    mean[(day >= start) & (day < start + 7)] *= 0.15
    return mean


def _plain(rng: Rng, n: int, rhythm: Rhythm) -> Means:
    return _rhythm(rng, n, rhythm, 10, 150)


def _sparse(rng: Rng, n: int, rhythm: Rhythm) -> Means:
    return _rhythm(rng, n, rhythm, 0.3, 3)


def _season(rng: Rng, n: int, rhythm: Rhythm) -> Means:
    wave = np.sin(np.arange(n) * rhythm.seconds / 86_400 / 90 * 2 * np.pi + rng.uniform(0, 6))
    return _rhythm(rng, n, rhythm, 10, 100) * np.exp(0.5 * wave)


def _step(rng: Rng, n: int, rhythm: Rhythm) -> Means:
    """Sources that publish half as much again from some day on, and sources that cease."""
    mean = _rhythm(rng, n, rhythm, 10, 100)
    at = np.sort(rng.integers(n // 3, n, 2))
    mean[at[0] :] *= 1.5
    mean[at[1] :] *= 0.6
    return mean


def _negative_binomial(rng: Rng, mean: Means) -> Counts:
    size = 6.0
    return rng.negative_binomial(size, size / (size + mean))


def _clustered(rng: Rng, mean: Means) -> Counts:
    """Events that are reported once or several times: a compound Poisson process."""
    events = rng.poisson(mean / 2.5)
    return np.array([int(rng.geometric(0.4, it).sum()) for it in events])


def _lognormal(rng: Rng, mean: Means) -> Counts:
    return rng.poisson(mean * np.exp(rng.normal(-0.06, 0.35, len(mean))))


def _poisson(rng: Rng, mean: Means) -> Counts:
    return rng.poisson(mean)


def _digest(rng: Rng, n: int, rhythm: Rhythm) -> Means:
    """A weekly paper: one day has most of the pages."""
    mean = _rhythm(rng, n, rhythm, 5, 40)
    day = np.arange(n) * rhythm.seconds // 86_400
    mean[day % 7 == int(rng.integers(7))] *= rng.uniform(4, 8)
    return mean


def _decay(rng: Rng, n: int, rhythm: Rhythm) -> Means:
    """Interest that wanes over half a year."""
    return _rhythm(rng, n, rhythm, 30, 200) * np.exp(-np.linspace(0, rng.uniform(0.5, 2), n))


def _self_exciting(rng: Rng, mean: Means) -> Counts:
    """Each page brings forth others in the intervals after it."""
    counts = np.zeros(len(mean), dtype=np.int64)
    heat = 0.0
    for i, one in enumerate(mean):
        counts[i] = rng.poisson(0.5 * one + heat)
        heat = 0.5 * heat + 0.25 * counts[i]
    return counts


def _gamma(rng: Rng, mean: Means) -> Counts:
    return rng.poisson(mean * rng.gamma(5, 0.2, len(mean)))


def _failing(rng: Rng, mean: Means) -> Counts:
    """Sites that are down in one of twenty intervals, without anybody noticing."""
    return rng.poisson(mean) * (rng.random(len(mean)) > 0.05)


PROCESSES: Final[Mapping[str, Process]] = {
    "office, clustered": (_office, _clustered),
    "plain, negative binomial": (_plain, _negative_binomial),
    "plain, clustered": (_plain, _clustered),
    "sparse, Poisson": (_sparse, _poisson),
    "season, lognormal": (_season, _lognormal),
    "steps, Poisson": (_step, _poisson),
    "left out: self-exciting": (_plain, _self_exciting),
    "left out: digest, gamma": (_digest, _gamma),
    "left out: waning, sites that fail": (_decay, _failing),
}


def _is_rise(counts: Counts, number: int, rhythm: Rhythm, count: int) -> bool:
    expected = baseline([int(it) for it in counts[:number]], 0, rhythm)
    change = None if expected is None else judge(count, expected, VolumeTest(), rhythm)
    return change is not None and change.direction == "rise"


def history(
    rng: Rng, process: Process, rhythm: Rhythm, days: int, every: int
) -> tuple[float, dict[int, bool | None]]:
    """Return the false alarms in 100 days of one history, and which bursts were seen."""
    means, draw = process
    n = days * 86_400 // rhythm.seconds
    mean = means(rng, n, rhythm)
    counts = draw(rng, mean)
    alarms, silent_until, looked = 0, 0, 0
    for number in range(2 * rhythm.week, n, every):
        looked += 1
        if number >= silent_until and _is_rise(counts, number, rhythm, int(counts[number])):
            alarms += 1
            silent_until = number + (3 if rhythm is DAY else 24)
    days_looked = looked * rhythm.seconds / 86_400
    seen: dict[int, bool | None] = {}
    busy = [it for it in range(4 * rhythm.week, n - 1) if min(mean[it], mean[it + 1]) >= 5]
    for size in BURSTS:
        if not busy:
            seen[size] = None
            continue
        at = int(rng.choice(busy))
        burst = counts.copy()
        burst[at : at + 2] = draw(rng, mean[at : at + 2] * size)
        seen[size] = any(_is_rise(burst, it, rhythm, int(burst[it])) for it in (at, at + 1))
    return alarms / max(days_looked, 1) * 100, seen


def interval(values: Sequence[float]) -> str:
    """Return the mean and a 95 % bootstrap interval."""
    if not values:
        return "—"
    rng = np.random.default_rng(0)
    means = [float(np.mean(rng.choice(values, len(values)))) for _ in range(1_000)]
    low, high = np.percentile(means, [2.5, 97.5])
    return f"{np.mean(values):.2f} [{low:.2f}, {high:.2f}]"


def main() -> None:
    """Draw the histories and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--histories", type=int, default=40)
    parser.add_argument("--days", type=int, default=180)
    parser.add_argument("--seed", type=int, default=2026)
    given = parser.parse_args()
    heads = [f"{size}× seen" for size in BURSTS]
    print("| intervals | process | false alarms in 100 days |", " | ".join(heads), "|")
    print("|---|---|---|" + "---|" * len(BURSTS))
    for name, rhythm, every in (("day", DAY, 1), ("hour", HOUR, 11)):
        for label, process in PROCESSES.items():
            rng = np.random.default_rng([given.seed, len(label), rhythm.seconds])
            days = given.days if rhythm is DAY else given.days // 3
            made = [history(rng, process, rhythm, days, every) for _ in range(given.histories)]
            cells = [interval([alarms for alarms, _seen in made])]
            for size in BURSTS:
                known = [seen[size] for _alarms, seen in made]
                cells.append(interval([float(it) for it in known if it is not None]))
            print(f"| {name} | {label} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
