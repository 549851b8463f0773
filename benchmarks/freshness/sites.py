"""Made change histories of kinds of sites: news, a wiki, a mostly dead site, release trains, terms, siblings.

The first three were seen while models were chosen, the others were not.
"""

from __future__ import annotations

import numpy as np

from benchmarks.freshness.drawing import Made, Random, named, poisson


def news(pages: int, days: int, random: Random) -> Made:
    """Articles appear all the time and are corrected soon after, ever more rarely; a few columns go on for ever."""
    changed: dict[str, set[int]] = {}
    known = []
    for page in range(pages):
        name = f"d{random.integers(8)}/{page}"
        column = page % 25 == 0
        born = 0 if column or random.random() < 0.4 else int(random.integers(1, days * 9 // 10))
        before = int(random.integers(30, 400)) if born == 0 else 0
        day = np.arange(born + 1, days)
        rate = 0.25 * random.gamma(0.7, 1 / 0.7)
        hazard = np.where(column, 0.08, rate / (1 + day - born + before) ** 1.3 + 0.0004)
        changed[name] = set(day[random.random(len(day)) < -np.expm1(-hazard)].tolist())
        if born == 0:
            known.append(name)
        else:
            changed[name].add(born)
    return changed, known


def wiki(pages: int, days: int, random: Random) -> Made:
    """Rates by Zipf's law in few directories; half of the edits follow others within days."""
    names = named(pages, 3, random)
    changed: dict[str, set[int]] = {}
    for rank, index in enumerate(random.permutation(pages)):
        rate = 0.15 / (1 + rank / 6) ** 1.1
        excited = 0.0
        at: set[int] = set()
        for day in range(days):
            excited *= np.exp(-1 / 4)
            if random.random() < -np.expm1(-0.5 * rate - excited):
                at.add(day)
                excited += 0.5 / 4
        changed[names[int(index)]] = at
    return changed, names


def dead(pages: int, days: int, random: Random) -> Made:
    """Nine pages of ten never change; the others are mostly in three directories. One directory is redone once."""
    names = named(pages, 12, random)
    lively = np.array([name[:3] in ("d0/", "d1/", "d2/") for name in names])
    hot = random.random(pages) < np.where(lively, 0.35, 0.03)
    changed = poisson(names, np.where(hot, random.gamma(1, 0.06, pages), 0.0), days, random)
    day = int(random.integers(days // 3, days))
    for name in names:
        if name.startswith("d5/"):
            changed[name].add(day)
    return changed, names


def trains(pages: int, days: int, random: Random) -> Made:
    """Five products are released every six weeks, each with a share of its pages, and corrected in the week after."""
    names = named(pages, 5, random)
    changed = poisson(names, random.gamma(0.5, 0.004, pages), days, random)
    share = random.beta(0.8, 1.2, pages)
    for product in range(5):
        day = int(random.integers(5, 42))
        while day < days:
            for index, name in enumerate(names):
                if name.startswith(f"d{product}/") and random.random() < share[index]:
                    changed[name].add(day)
                    if random.random() < 0.2:
                        changed[name].add(min(day + int(random.integers(1, 8)), days - 1))
            day += 42 + int(random.integers(-3, 4))
    return changed, names


def terms(pages: int, days: int, random: Random) -> Made:
    """A school: next to nothing at weekends and in every third span of 60 days."""
    names = named(pages, 9, random)
    rates = random.gamma(0.6, 0.05, pages)
    day = np.arange(days)
    active = np.where(day % 7 >= 5, 0.05, 1.3) * np.where(day // 60 % 3 == 2, 0.15, 1.4)
    hit = random.random((pages, days)) < -np.expm1(-rates[:, None] * active)
    return {
        name: set(np.flatnonzero(row).tolist()) for name, row in zip(names, hit, strict=True)
    }, names


def siblings(pages: int, days: int, random: Random) -> Made:
    """A change excites the directory for days; some take many pages at once; idle weeks between."""
    names = named(pages, 14, random)
    changed: dict[str, set[int]] = {name: set() for name in names}
    weights = random.lognormal(0, 1.2, pages)
    for directory in range(14):
        own = [i for i, name in enumerate(names) if name.startswith(f"d{directory}/")]
        if not own:
            continue
        chance = weights[own] / weights[own].sum()
        heat, rate = 0.0, 0.05 * random.lognormal(-0.5, 1)
        for day in range(days):
            heat *= 0.7
            count = random.poisson(min(rate + 0.28 * heat, 6))
            if random.random() < rate / 3:
                count += int(min(len(own), 1 + 2 * random.pareto(1.1)))
            count = min(count, len(own))
            for index in random.choice(own, count, replace=False, p=chance):
                changed[names[int(index)]].add(day)
            heat += count
    return changed, names
