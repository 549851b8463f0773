"""Made change histories: steady, bursty, periodic, released, shifting; with those of ``sites``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.freshness.drawing import Made, Random, named, poisson
from benchmarks.freshness.sites import dead, news, siblings, terms, trains, wiki
from benchmarks.freshness.traces import Trace, make_trace


def gamma(pages: int, days: int, random: Random) -> Made:
    """Rates of the pages from a gamma distribution (shape .5, mean one change in 20 days)."""
    names = named(pages, 8, random)
    return poisson(names, random.gamma(0.5, 0.1, pages), days, random), names


def directories(pages: int, days: int, random: Random) -> Made:
    """A rate for each directory, with little spread among its pages."""
    names = named(pages, 12, random)
    of = 0.05 * random.lognormal(-1.5, 1.5, 12)
    rates = np.array([of[int(name[1 : name.index("/")])] for name in names])
    return poisson(names, rates * random.gamma(4, 0.25, pages), days, random), names


def bursts(pages: int, days: int, random: Random) -> Made:
    """Edits of a few hours that touch many pages of one directory, beside a slow background."""
    names = named(pages, 15, random)
    changed = poisson(names, random.gamma(0.5, 0.006, pages), days, random)
    for directory in range(15):
        members = [name for name in names if name.startswith(f"d{directory}/")]
        for day in np.flatnonzero(random.random(days) < random.gamma(1, 0.02)):
            share = random.beta(1, 3)
            for name in members:
                if random.random() < share:
                    changed[name].add(int(day))
    return changed, names


def periodic(pages: int, days: int, random: Random) -> Made:
    """One page in ten changes daily, two weekly, the others hardly ever."""
    names = named(pages, 6, random)
    changed: dict[str, set[int]] = {}
    for name in names:
        kind = random.random()
        step = 1 if kind < 0.1 else 7 if kind < 0.3 else 400
        changed[name] = set(range(int(random.integers(step)), days, step))
    return changed, names


def releases(pages: int, days: int, random: Random) -> Made:
    """About every 60 days 60 % of all pages change at once; little between."""
    names = named(pages, 10, random)
    changed = poisson(names, random.gamma(0.5, 0.002, pages), days, random)
    day = int(random.integers(10, 60))
    while day < days:
        for name in names:
            if random.random() < 0.6:
                changed[name].add(day)
        day += int(random.integers(30, 90))
    return changed, names


def hot(pages: int, days: int, random: Random) -> Made:
    """Nearly all pages never change; one in twenty changes every few days."""
    names = named(pages, 10, random)
    rates = np.where(random.random(pages) < 0.05, random.gamma(2, 0.15, pages), 0.0)
    return poisson(names, rates, days, random), names


def shifting(pages: int, days: int, random: Random) -> Made:
    """Rates are drawn anew half way."""
    names = named(pages, 8, random)
    changed = poisson(names, random.gamma(0.4, 0.08, pages), days // 2, random)
    later = poisson(names, random.gamma(0.4, 0.08, pages), days - days // 2, random)
    for name, at in later.items():
        changed[name] |= {day + days // 2 for day in at}
    return changed, names


def equal(pages: int, days: int, random: Random) -> Made:
    """All pages change at one rate: nothing can be gained over the rota."""
    names = named(pages, 5, random)
    return poisson(names, np.full(pages, 0.03), days, random), names


def commits(pages: int, days: int, random: Random) -> Made:
    """A repository: active and idle spells, commits of 1-20 files of a directory, pages added over time."""
    names = named(pages, 12, random)
    weights = random.lognormal(0, 1.5, pages)
    weights[random.random(pages) < 0.3] = 0
    activity = np.exp(
        np.convolve(random.normal(0, 1.0, days + 20), np.full(20, 0.35), "valid")[:days]
    )
    changed: dict[str, set[int]] = {name: set() for name in names}
    members = [[i for i, name in enumerate(names) if name.startswith(f"d{d}/")] for d in range(12)]
    for day in range(days):
        for _ in range(random.poisson(min(activity[day] * 0.4, 20))):
            own = members[int(random.integers(12))]
            chance = weights[own] + 1e-9
            size = min(len(own), int(random.geometric(0.3)) + (20 if random.random() < 0.03 else 0))
            for index in random.choice(own, size, replace=False, p=chance / chance.sum()):
                changed[names[int(index)]].add(day)
    first = random.random(pages) < 0.7
    return changed, [name for name, start in zip(names, first, strict=True) if start]


#: Families of made histories; each function documents its own.
GENERATORS: dict[str, Callable[[int, int, Random], Made]] = {
    "gamma": gamma, "directories": directories, "bursts": bursts, "periodic": periodic,
    "releases": releases, "hot": hot, "shifting": shifting, "equal": equal, "commits": commits,
    "news": news, "wiki": wiki, "dead": dead, "trains": trains, "terms": terms, "siblings": siblings,
}  # fmt: skip


def generate(family: str, pages: int = 400, days: int = 700, seed: int = 0) -> Trace:
    """Return a made trace of a family."""
    random = np.random.default_rng([seed, *family.encode()])
    changed, known = GENERATORS[family](pages, days, random)
    return make_trace(f"{family}-{seed}", days, changed, known, family)
